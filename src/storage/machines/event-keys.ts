// Keys that callers give their events. The second event with the same key is answered from the first.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

interface EventKey {
  readonly machineId: string;
  readonly key: string;
  /** Number of the row that records the event. */
  readonly seq: number;
}

export const eventKeys: Writer<EventKey> & {
  find(machineId: string, key: string, on: Executor): Promise<number | undefined>;
} = {
  async write(added, on) {
    await rows(
      on,
      `insert into event_key (machine_id, key, seq) select * from unnest(?::uuid[], ?::text[], ?::bigint[])`,
      [added.map(({ machineId }) => machineId), added.map(({ key }) => key), added.map(({ seq }) => String(seq))],
    );
  },
  async find(machineId, key, on) {
    const [row] = await rows<{ seq: number }>(on, 'select seq from event_key where machine_id = ? and key = ?', [
      machineId,
      key,
    ]);
    return row?.seq;
  },
};
