// Readiness of the node: whether it can serve requests that need the database now.

import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../storage/database/database.ts';

export class ReadinessService {
  readonly #database: Pick<Database, 'ping' | 'kind'>;
  readonly #clock: Clock;

  constructor(database: Pick<Database, 'ping' | 'kind'>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Asks the database for an answer. @throws DomainError STORAGE_UNAVAILABLE */
  async read() {
    await this.#database.ping();
    return { database: this.#database.kind, clock_source: this.#clock.source };
  }
}
