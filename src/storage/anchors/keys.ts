// Encrypted keys under which a machine is anchored in its mothers. Each epoch gives the machine another pseudonym.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface AnchorKey {
  /** Counts from 1. */
  readonly epoch: number;
  /** The encrypted key. */
  readonly sealed: Uint8Array;
  readonly createdSvcond: number;
}

export const anchorKeyRows: Writer<AnchorKey & { readonly machineId: string }> = {
  async write(added, on) {
    for (const { machineId, epoch, sealed, createdSvcond } of added) {
      await rows(on, 'insert into anchor_key (machine_id, epoch, sealed, created_svcond) values (?, ?, ?, ?)', [
        machineId,
        epoch,
        sealed,
        createdSvcond,
      ]);
    }
  },
};

export class AnchorKeyRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Newest first. */
  async list(machineId: string, on: Executor = this.#knex): Promise<AnchorKey[]> {
    return rows<AnchorKey>(
      on,
      `select epoch, sealed, created_svcond as "createdSvcond" from anchor_key where machine_id = ?
       order by epoch desc`,
      [machineId],
    );
  }
}
