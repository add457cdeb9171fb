// Samples of windows by ranges of rows of a machine, sealed by the caller.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface WindowSegment {
  readonly machineId: string;
  /** The last row of the segment before it; -1 if there is none. */
  readonly fromSeq: number;
  readonly toSeq: number;
  /** Tick at which its samples have left every window. */
  readonly until: number;
  readonly sealed: Uint8Array;
}

/** With each segment, those are removed that have ended by its tick; a first one removes all before it. */
export const segmentRows: Writer<WindowSegment & { readonly svcond: number }> = {
  async write(added, on) {
    for (const { machineId, fromSeq, toSeq, until, sealed, svcond } of added) {
      await rows(
        on,
        'delete from window_segment where machine_id = ? and (until_svcond <= ? or ? = -1 and to_seq < ?)',
        [machineId, svcond, fromSeq, toSeq],
      );
      await rows(
        on,
        `insert into window_segment (machine_id, from_seq, to_seq, until_svcond, sealed) values (?, ?, ?, ?, ?)`,
        [machineId, fromSeq, toSeq, until, sealed],
      );
    }
  },
};

/** Removes all segments of machines. */
export const segmentRemovals: Writer<{ readonly machineId: string }> = {
  async write(removed, on) {
    for (const { machineId } of removed) await rows(on, 'delete from window_segment where machine_id = ?', [machineId]);
  },
};

export class WindowSegmentRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** The first segments of a machine whose last row is after `after`, in their order. */
  async page(
    machineId: string,
    { after, limit }: { readonly after: number; readonly limit: number },
    on: Executor = this.#knex,
  ): Promise<WindowSegment[]> {
    return rows(
      on,
      `select machine_id as "machineId", from_seq as "fromSeq", to_seq as "toSeq", until_svcond as until, sealed
       from window_segment where machine_id = ? and to_seq > ? order by to_seq limit ?`,
      [machineId, after, limit],
    );
  }
}
