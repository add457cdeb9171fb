// Facts about the node that are set once and never change, such as when it first started.

import { type Executor, rows } from '../database/sql.ts';

/** The first start, as a tick and in wall time. */
export interface Genesis {
  readonly tick: number;
  readonly unixMs: number;
}

export class NodeRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Stores the value unless the key has one. @returns the stored value */
  async setOnce(key: string, value: string, on: Executor = this.#knex): Promise<string> {
    await rows(on, 'insert into node (key, value) values (?, ?) on conflict (key) do nothing', [key, value]);
    const stored = await this.get(key, on);
    if (stored === undefined) throw new Error(`The fact ${key} was stored and is missing.`);
    return stored;
  }

  async get(key: string, on: Executor = this.#knex): Promise<string | undefined> {
    const [row] = await rows<{ value: string }>(on, 'select value from node where key = ?', [key]);
    return row?.value;
  }

  /** The first start of any node on this database. Both numbers are in one row, so that they are of the same start. */
  async genesis(now: Genesis, on: Executor = this.#knex): Promise<Genesis> {
    const stored: unknown = JSON.parse(await this.setOnce('genesis', JSON.stringify(now), on));
    if (!isGenesis(stored)) throw new Error('The fact genesis of this database is damaged.');
    return stored;
  }
}

function isGenesis(value: unknown): value is Genesis {
  if (typeof value !== 'object' || value === null) return false;
  return 'tick' in value && Number.isSafeInteger(value.tick) && 'unixMs' in value && Number.isSafeInteger(value.unixMs);
}
