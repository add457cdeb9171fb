// Oracles, and the versions of contracts that declare them, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedOracle {
  readonly contract_id: string;
  readonly version_no: number;
  readonly shard: number;
  readonly kind: string;
  readonly subject: string;
  readonly asked_by: string;
  readonly since_seq: string;
  readonly readings: string;
  readonly out_of_range: string;
  readonly stale: string;
  readonly newest_seq: string | null;
  readonly newest_ok_seq: string | null;
  readonly cursor_seq: string | null;
  readonly every_ticks: string | null;
  readonly due_tick: string | null;
}

/** The part of a version that may declare an oracle. */
export interface InspectedSource {
  readonly contract_id: string;
  readonly no: number;
  /** Null if the definition does not match its hash, so that its original content is unknown. */
  readonly definition: string | null;
  readonly parameters: string;
}

export class OracleInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  oracles(machineId: string): Promise<InspectedOracle[]> {
    return rows(
      this.#on,
      `select contract_id, version_no, shard, kind, subject, asked_by, since_seq::text, readings::text,
         out_of_range::text, stale::text, newest_seq::text, newest_ok_seq::text, cursor_seq::text, every_ticks::text,
         due_tick::text
       from oracle where machine_id = ?`,
      [machineId],
    );
  }

  /** Number of the last row of a machine; undefined without one. */
  async headOf(slug: string): Promise<string | undefined> {
    const [row] = await rows<{ head: string }>(this.#on, 'select head_seq::text as head from machine where slug = ?', [
      slug,
    ]);
    return row?.head;
  }

  /** All versions of the contracts that have an oracle or may have had one. */
  sources(machineId: string): Promise<InspectedSource[]> {
    return rows(
      this.#on,
      `select contract_id, no, parameters,
         case when definition_hash = sha256(convert_to(definition, 'UTF8')) then definition end as definition
       from contract_version where machine_id = ? and contract_id in (
         select contract_id from oracle where machine_id = ?
         union select contract_id from contract_version where machine_id = ? and strpos(definition, '"oracle"') > 0
       ) order by contract_id, no`,
      [machineId, machineId, machineId],
    );
  }
}
