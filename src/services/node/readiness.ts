// Readiness of the node: whether it can serve requests that need the database now.

import type { Clock } from '../../core/clock.ts';
import { assertTrusted } from '../../core/clock-guard.ts';
import type { Database } from '../../storage/database/database.ts';

export class ReadinessService {
  readonly #database: Pick<Database, 'ping' | 'kind'>;
  readonly #clock: Clock;

  constructor(database: Pick<Database, 'ping' | 'kind'>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Asks the database for an answer. @throws DomainError STORAGE_UNAVAILABLE, CLOCK_SKEWED */
  async read() {
    await this.#database.ping();
    assertTrusted(this.#clock);
    const { source, hostAheadMs = 0 } = this.#clock;
    return { database: this.#database.kind, clock_source: source, host_clock_ahead_ms: hostAheadMs };
  }
}
