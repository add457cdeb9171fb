// Facts of the node that are settled once and never change: when it first started, and what it is called.

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

  /** Stores the fact unless it is settled. @returns what holds, whoever was first */
  async settle(key: string, value: string, on: Executor = this.#knex): Promise<string> {
    await rows(on, 'insert into node (key, value) values (?, ?) on conflict (key) do nothing', [key, value]);
    const settled = await this.get(key, on);
    if (settled === undefined) throw new Error(`The fact ${key} was settled and is not there.`);
    return settled;
  }

  async get(key: string, on: Executor = this.#knex): Promise<string | undefined> {
    const [row] = await rows<{ value: string }>(on, 'select value from node where key = ?', [key]);
    return row?.value;
  }

  /** The first start of this database, whichever node made it: both facts in one row, so that they belong together. */
  async genesis(now: Genesis, on: Executor = this.#knex): Promise<Genesis> {
    const settled: unknown = JSON.parse(await this.settle('genesis', JSON.stringify(now), on));
    if (!isGenesis(settled)) throw new Error('The fact genesis of this database is damaged.');
    return settled;
  }
}

function isGenesis(value: unknown): value is Genesis {
  if (typeof value !== 'object' || value === null) return false;
  return 'tick' in value && Number.isSafeInteger(value.tick) && 'unixMs' in value && Number.isSafeInteger(value.unixMs);
}
