// Checkpoints that this node has cosigned as a witness: the newest of each log.

import { type Executor, rows } from '../database/sql.ts';

export interface Witnessed {
  readonly size: number;
  readonly root: Uint8Array;
}

export class WitnessedRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async newest(origin: string, on: Executor = this.#knex): Promise<Witnessed | undefined> {
    const [row] = await rows<Witnessed>(on, 'select size, root from witnessed where origin = ?', [origin]);
    return row;
  }

  /**
   * Replaces the checkpoint `before` if it is still the newest. Checking and storing are one statement, so that an
   * older tree never replaces a newer one.
   *
   * @returns false if another checkpoint was stored meanwhile
   */
  async advance(
    origin: string,
    before: Witnessed | undefined,
    after: Witnessed & { readonly note: string; readonly svcond: number },
    on: Executor = this.#knex,
  ): Promise<boolean> {
    const { size, root, note, svcond } = after;
    const done =
      before === undefined
        ? await rows(
            on,
            `insert into witnessed (origin, size, root, note, svcond) values (?, ?, ?, ?, ?)
             on conflict do nothing returning 1`,
            [origin, size, root, note, svcond],
          )
        : await rows(
            on,
            `update witnessed set size = ?, root = ?, note = ?, svcond = ?
             where origin = ? and size = ? and root = ? returning 1`,
            [size, root, note, svcond, origin, before.size, before.root],
          );
    return done.length === 1;
  }
}
