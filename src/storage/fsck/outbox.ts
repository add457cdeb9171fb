// Webhook deliveries and the transitions that requested them, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedDelivery {
  readonly id: string;
  readonly contract_id: string;
  readonly url: string;
  readonly host: string;
  readonly body: string;
  readonly attempts: number;
  readonly final_attempt: number;
  readonly next_attempt_tick: string | null;
  readonly last_error: string | null;
  readonly delivered_svcond: string | null;
  readonly created_svcond: string;
}

export interface InspectedTransition {
  readonly seq: number;
  readonly type: string;
  readonly svcond: string;
  /** Null if erased or sealed. */
  readonly body: string | null;
}

export class OutboxInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** Ordered by id, after the given one. */
  deliveries(machineId: string, after: string | undefined, limit: number): Promise<InspectedDelivery[]> {
    return rows(
      this.#on,
      `select id, contract_id, url, host, body, attempts, final_attempt, next_attempt_tick::text, last_error,
         delivered_svcond::text, created_svcond::text from outbox
       where machine_id = ? and (id > ?::uuid or ?::uuid is null) order by id limit ?`,
      [machineId, after ?? null, after ?? null, limit],
    );
  }

  /** Rows of the chain with these numbers, of any type. */
  transitions(machineId: string, seqs: readonly number[]): Promise<InspectedTransition[]> {
    return rows(
      this.#on,
      'select seq, type, svcond::text, body from audit where machine_id = ? and seq = any(?::bigint[])',
      [machineId, seqs.map(String)],
    );
  }
}
