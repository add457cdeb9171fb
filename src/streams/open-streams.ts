// All streams that are open: how many of each caller, and how to end them when the service stops.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

export interface StreamCaps {
  readonly perCaller: number;
  readonly perNode: number;
}

/** What a stream does when it is told to end; it leaves when it has. */
export type End = (reason: DomainError) => void;

export class OpenStreams {
  readonly #caps: StreamCaps;
  readonly #byCaller = new Map<string, number>();
  readonly #ends = new Set<End>();
  #isClosing = false;
  #emptied = Promise.withResolvers<void>();

  constructor(caps: StreamCaps = LIMITS.stream) {
    this.#caps = caps;
  }

  get size(): number {
    return this.#ends.size;
  }

  /**
   * @param end  another function for each stream
   * @returns call it when the stream has ended
   * @throws DomainError RATE_LIMITED, QUEUE_FULL, SHUTTING_DOWN
   */
  enter(caller: string, end: End): () => void {
    const { perCaller, perNode } = this.#caps;
    if (this.#isClosing) throw shuttingDown();
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= perCaller) {
      const message = `${own} streams of this caller are open; ${perCaller} are allowed.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    if (this.#ends.size >= perNode) {
      throw new DomainError('QUEUE_FULL', `${this.#ends.size} streams are open; no more are taken.`, {
        retryAfterSeconds: 10,
      });
    }
    this.#byCaller.set(caller, own + 1);
    this.#ends.add(end);
    return () => this.#leave(caller, end);
  }

  /** End every stream and wait until all have. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#ends.size === 0) return;
    for (const end of [...this.#ends]) end(shuttingDown());
    await this.#emptied.promise;
  }

  #leave(caller: string, end: End): void {
    if (!this.#ends.delete(end)) return;
    const left = (this.#byCaller.get(caller) ?? 1) - 1;
    if (left === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, left);
    if (this.#isClosing && this.#ends.size === 0) this.#emptied.resolve();
  }
}

const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
