// Node seals: signed statements about the heads of all machines, numbered without gaps.

import { type Executor, rows } from '../database/sql.ts';

export interface NodeSeal {
  readonly no: number;
  readonly svcond: number;
  readonly machines: number;
  readonly root: Uint8Array;
  /** The DSSE envelope, as it is published. */
  readonly envelope: string;
}

export class NodeSealRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async newest(on: Executor = this.#knex): Promise<NodeSeal | undefined> {
    const [row] = await rows<NodeSeal>(
      on,
      'select no, svcond, machines, root, envelope from node_seal order by no desc limit 1',
    );
    return row;
  }

  /** @returns false if a seal with this number exists, which is kept */
  async add({ no, svcond, machines, root, envelope }: NodeSeal, on: Executor = this.#knex): Promise<boolean> {
    const added = await rows(
      on,
      `insert into node_seal (no, svcond, machines, root, envelope) values (?, ?, ?, ?, ?)
       on conflict do nothing returning 1`,
      [no, svcond, machines, root, envelope],
    );
    return added.length === 1;
  }
}
