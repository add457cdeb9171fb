// Activities that contracts have started, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedActivity {
  readonly seq: string;
  readonly no: number;
  readonly contract_id: string;
  readonly instance: string | null;
  readonly transition: string;
  readonly call: string;
  readonly hops: number;
  readonly created_svcond: string;
  readonly next_tick: string | null;
  readonly attempts: number;
  readonly outcome: string | null;
  readonly settled_seq: string | null;
}

export class ActivityInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** In the order of their rows, after the given one. */
  started(machineId: string, after: readonly [string, number] | undefined, limit: number) {
    const [seq, no] = after ?? ['-1', 0];
    return rows<InspectedActivity>(
      this.#on,
      `select seq::text, no, contract_id, instance, transition, call, hops, created_svcond::text, next_tick::text,
         attempts, outcome, settled_seq::text
       from activity where machine_id = ? and (seq, no) > (?::bigint, ?) order by seq, no limit ?`,
      [machineId, seq, no, limit],
    );
  }
}
