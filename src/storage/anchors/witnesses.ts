// Witnesses of a machine: the newest checkpoint that each has cosigned, and the result of the last attempt.
//
// The opposite direction, checkpoints of other logs that this node has cosigned, is witnessed.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface WitnessState {
  readonly url: string;
  /** Of the newest checkpoint that it cosigned. */
  readonly size: number;
  /** Its line under that checkpoint. */
  readonly cosignature: string | undefined;
  readonly triedSvcond: number;
  /** Why the last attempt failed; undefined if it did not. */
  readonly code: string | undefined;
  readonly failures: number;
}

interface WitnessRow {
  readonly url: string;
  readonly size: number;
  readonly cosignature: string | null;
  readonly tried_svcond: number;
  readonly code: string | null;
  readonly failures: number;
}

export class AnchorWitnessRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async list(machineId: string, on: Executor = this.#knex): Promise<WitnessState[]> {
    const found = await rows<WitnessRow>(
      on,
      `select url, size, cosignature, tried_svcond, code, failures from anchor_witness where machine_id = ?
       order by url`,
      [machineId],
    );
    return found.map(({ tried_svcond, code, cosignature, ...state }) => ({
      ...state,
      cosignature: cosignature ?? undefined,
      triedSvcond: tried_svcond,
      code: code ?? undefined,
    }));
  }

  /** Records that the witness cosigned a tree of this size, now or, as it says, before. The size never decreases. */
  async recordCosignature(
    machineId: string,
    url: string,
    { size, line, svcond }: { readonly size: number; readonly line: string; readonly svcond: number },
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_witness (machine_id, url, size, cosignature, tried_svcond, failures) values (?, ?, ?, ?, ?, 0)
       on conflict (machine_id, url) do update set size = excluded.size, cosignature = excluded.cosignature,
         tried_svcond = excluded.tried_svcond, code = null where anchor_witness.size <= excluded.size`,
      [machineId, url, size, line, svcond],
    );
  }

  async recordFailure(
    machineId: string,
    url: string,
    { svcond, code }: { readonly svcond: number; readonly code: string },
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_witness (machine_id, url, size, tried_svcond, code, failures) values (?, ?, 0, ?, ?, 1)
       on conflict (machine_id, url) do update set tried_svcond = excluded.tried_svcond, code = excluded.code,
         failures = anchor_witness.failures + 1`,
      [machineId, url, svcond, code],
    );
  }
}
