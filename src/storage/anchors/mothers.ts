// Mothers of a machine: how much of its chain each has anchored, and the result of the last automatic attempt.

import { type Executor, rows } from '../database/sql.ts';

export interface MotherState {
  readonly motherId: string;
  /** Epoch of the newest key that was used; undefined before the first anchor. */
  readonly epoch: number | undefined;
  /** Size of the newest anchored tree. */
  readonly size: number;
  readonly triedSvcond: number | undefined;
  /** Why the last automatic attempt failed; undefined if it did not. */
  readonly code: string | undefined;
  readonly failures: number;
}

interface MotherRow {
  readonly mother_id: string;
  readonly epoch: number | null;
  readonly size: number;
  readonly tried_svcond: number | null;
  readonly code: string | null;
  readonly failures: number;
}

const COLUMNS = 'mother_id, epoch, size, tried_svcond, code, failures';

export class MotherRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Newest mothers first. */
  async list(machineId: string, limit: number, on: Executor = this.#knex): Promise<MotherState[]> {
    const found = await rows<MotherRow>(
      on,
      `select ${COLUMNS} from anchor_mother where machine_id = ? order by mother_id desc limit ?`,
      [machineId, limit],
    );
    return found.map(fromRow);
  }

  async get(machineId: string, motherId: string, on: Executor = this.#knex): Promise<MotherState | undefined> {
    const [row] = await rows<MotherRow>(
      on,
      `select ${COLUMNS} from anchor_mother where machine_id = ? and mother_id = ?`,
      [machineId, motherId],
    );
    return row && fromRow(row);
  }

  /** Records that a tree of this size was anchored with the key of this epoch; neither number ever decreases. */
  async advance(
    machineId: string,
    motherId: string,
    { epoch, size }: { readonly epoch: number; readonly size: number },
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_mother (machine_id, mother_id, epoch, size, failures) values (?, ?, ?, ?, 0)
       on conflict (machine_id, mother_id) do update set epoch = greatest(anchor_mother.epoch, excluded.epoch),
         size = greatest(anchor_mother.size, excluded.size)`,
      [machineId, motherId, epoch, size],
    );
  }

  /** @param code  why the automatic attempt failed, if it did */
  async recordAttempt(
    machineId: string,
    motherId: string,
    svcond: number,
    code: string | undefined,
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into anchor_mother (machine_id, mother_id, size, tried_svcond, code, failures) values (?, ?, 0, ?, ?, ?)
       on conflict (machine_id, mother_id) do update set tried_svcond = excluded.tried_svcond, code = excluded.code,
         failures = anchor_mother.failures + excluded.failures`,
      [machineId, motherId, svcond, code ?? null, code === undefined ? 0 : 1],
    );
  }
}

function fromRow({ mother_id, epoch, size, tried_svcond, code, failures }: MotherRow): MotherState {
  return {
    motherId: mother_id,
    epoch: epoch ?? undefined,
    size,
    triedSvcond: tried_svcond ?? undefined,
    code: code ?? undefined,
    failures,
  };
}
