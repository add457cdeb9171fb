// Keys that callers give their events. The second event with the same key is answered from the first, until the key has
// expired.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

interface EventKey {
  readonly machineId: string;
  readonly key: string;
  /** Number of the row that records the event. */
  readonly seq: number;
  /** Tick of that row. */
  readonly svcond: number;
}

export const eventKeys: Writer<EventKey> & {
  find(machineId: string, key: string, on: Executor): Promise<number | undefined>;
  /** Removes keys of events of before a tick. @returns how many; call again while it is `limit` */
  removeBefore(svcond: number, limit: number, on: Executor): Promise<number>;
} = {
  async write(added, on) {
    await rows(
      on,
      `insert into event_key (machine_id, key, seq, svcond)
       select * from unnest(?::uuid[], ?::text[], ?::bigint[], ?::bigint[])`,
      [
        added.map(({ machineId }) => machineId),
        added.map(({ key }) => key),
        added.map(({ seq }) => String(seq)),
        added.map(({ svcond }) => String(svcond)),
      ],
    );
  },
  async find(machineId, key, on) {
    const [row] = await rows<{ seq: number }>(on, 'select seq from event_key where machine_id = ? and key = ?', [
      machineId,
      key,
    ]);
    return row?.seq;
  },
  async removeBefore(svcond, limit, on) {
    const removed = await rows(
      on,
      `delete from event_key where (machine_id, key) in (
         select machine_id, key from event_key where svcond < ? order by svcond limit ?
       ) returning 1`,
      [svcond, limit],
    );
    return removed.length;
  },
};
