// Webhook deliveries and the transitions that requested them, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';
import type { ArchiveInspection } from './archive.ts';

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
  readonly #archive: ArchiveInspection;

  constructor(on: Executor, archive: ArchiveInspection) {
    this.#on = on;
    this.#archive = archive;
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
  async transitions(machineId: string, seqs: readonly number[]): Promise<InspectedTransition[]> {
    const stored = await rows<InspectedTransition>(
      this.#on,
      'select seq, type, svcond::text, body from audit where machine_id = ? and seq = any(?::bigint[])',
      [machineId, seqs.map(String)],
    );
    const known = new Set(stored.map(({ seq }) => seq));
    const archived: InspectedTransition[] = [];
    for (const seq of seqs.filter((each) => !known.has(each))) {
      const row = await this.#archive.row(machineId, seq);
      if (row !== undefined) archived.push({ seq, type: row.type, svcond: String(row.svcond), body: row.body });
    }
    return [...archived, ...stored];
  }
}
