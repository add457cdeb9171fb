// Things that a transition starts and one later row settles: events to other machines, and activities.

import { STRANGER_SOURCE } from '../../chain/tally.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface StartedKey {
  /** The machine, the row of the transition that started it, and its number in this row. */
  readonly machineId: string;
  readonly seq: number;
  readonly no: number;
}

type Table = 'sent_event' | 'activity';

/**
 * SQL: whether the transition that a row of `table` belongs to is that of a stranger, or follows from such. One that is
 * in the archive by now counts as such: better no token than one for a stranger.
 */
export const startedByStranger = (table: Table): string =>
  `not exists (select 1 from audit where audit.machine_id = ${table}.machine_id and audit.seq = ${table}.seq
    and source <> '${STRANGER_SOURCE}')`;

/**
 * Settles in the transaction that writes the row.
 *
 * @param noun  begins the error about one that has been settled before
 * @param reset  SQL for columns that a settled one has no more
 */
export const settling = (
  table: Table,
  noun: string,
  reset = '',
): Writer<StartedKey & { readonly settledSeq: number }> => ({
  async write(all, on) {
    for (const { machineId, seq, no, settledSeq } of all) {
      const settled = await rows(
        on,
        `update ${table} set next_tick = null, ${reset} settled_seq = ?
         where machine_id = ? and seq = ? and no = ? and next_tick is not null returning 1`,
        [settledSeq, machineId, seq, no],
      );
      if (settled.length !== 1) throw new Error(`${noun} ${no} of row ${seq} has been settled before.`);
    }
  },
});

/**
 * Removes settled ones of before a tick.
 *
 * @returns number of removed ones; call again while it is `limit`
 */
export async function removeSettled(table: Table, tick: number, limit: number, on: Executor): Promise<number> {
  const removed = await rows(
    on,
    `delete from ${table} where next_tick is null and (machine_id, seq, no) in (
       select machine_id, seq, no from ${table} where created_svcond < ? and next_tick is null
       order by created_svcond limit ?
     ) returning 1`,
    [tick, limit],
  );
  return removed.length;
}
