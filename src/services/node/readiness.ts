// Readiness of the node: whether it takes requests, and can serve those that need the database now.

import type { Clock } from '../../core/clock.ts';
import { assertTrusted } from '../../core/clock-guard.ts';
import { DomainError } from '../../core/errors.ts';
import type { Database } from '../../storage/database/database.ts';

const RETRY = { retryAfterSeconds: 1 };

export class ReadinessService {
  readonly #database: Pick<Database, 'ping' | 'kind'>;
  readonly #clock: Clock;
  #isDraining = false;

  constructor(database: Pick<Database, 'ping' | 'kind'>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Asks load balancers for no more requests. Those that come are served all the same. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Asks the database for an answer. @throws DomainError STORAGE_UNAVAILABLE, CLOCK_SKEWED, SHUTTING_DOWN */
  async read() {
    if (this.#isDraining)
      throw new DomainError('SHUTTING_DOWN', 'The node drains and asks for no more requests.', RETRY);
    await this.#database.ping();
    assertTrusted(this.#clock);
    const { source, hostAheadMs = 0 } = this.#clock;
    return { database: this.#database.kind, clock_source: source, host_clock_ahead_ms: hostAheadMs };
  }
}
