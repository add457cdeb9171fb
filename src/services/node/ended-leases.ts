// Leases of calls that ended while the database did not answer: nobody could free their keys, and retries would be
// refused until the leases end by their time, minutes later.

import type { IdempotencyRepository, LeaseName } from '../../storage/node/idempotency.ts';

const RETRY_MS = 1_000;
/** Beyond these, a lease ends by its time. */
const MAX_LEASES = 10_000;

export class EndedLeases {
  readonly #repository: Pick<IdempotencyRepository, 'abandon'>;
  readonly #nowMs: () => number;
  /** By the identity of the attempt, oldest first. */
  readonly #leases = new Map<string, LeaseName>();
  #retry: NodeJS.Timeout | undefined;

  constructor(repository: Pick<IdempotencyRepository, 'abandon'>, nowMs: () => number) {
    this.#repository = repository;
    this.#nowMs = nowMs;
  }

  /** Frees the key soon, and again and again while the database does not answer. */
  add(lease: LeaseName): void {
    if (this.#leases.size >= MAX_LEASES) return;
    this.#leases.set(lease.owner, lease);
    this.#schedule();
  }

  /** Frees a key whose attempts have ended, so that the next one may claim it. @throws DomainError STORAGE_UNAVAILABLE */
  async free(principal: string, key: string): Promise<void> {
    for (const lease of this.#leases.values())
      if (lease.principal === principal && lease.key === key) await this.#release(lease);
  }

  async #release(lease: LeaseName): Promise<void> {
    await this.#repository.abandon(lease, this.#nowMs());
    this.#leases.delete(lease.owner);
  }

  #schedule(): void {
    this.#retry ??= setTimeout(() => void this.#releaseAll(), RETRY_MS).unref();
  }

  async #releaseAll(): Promise<void> {
    try {
      for (const lease of this.#leases.values()) await this.#release(lease);
    } catch {
      // The next turn tries again.
    }
    this.#retry = undefined;
    if (this.#leases.size > 0) this.#schedule();
  }
}
