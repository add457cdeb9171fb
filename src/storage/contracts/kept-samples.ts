// Samples that windows still need, of machines whose payloads only their owner can decrypt. The caller seals them; they
// are removed when they have left the longest window.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface KeptSample {
  readonly machineId: string;
  /** Number of the row whose payload it is. */
  readonly seq: number;
  readonly svcond: number;
  /** Tick at which it has left every window. */
  readonly until: number;
  readonly sealed: Uint8Array;
}

export const keptSampleRows: Writer<KeptSample> = {
  async write(added, on) {
    await rows(
      on,
      `insert into kept_sample (machine_id, seq, svcond, until_svcond, sealed)
       select id, seq, svcond, until_svcond, decode(sealed, 'hex')
       from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[])
         as new (id, seq, svcond, until_svcond, sealed)`,
      [
        added.map(({ machineId }) => machineId),
        added.map(({ seq }) => String(seq)),
        added.map(({ svcond }) => String(svcond)),
        added.map(({ until }) => String(until)),
        added.map(({ sealed }) => Buffer.from(sealed).toString('hex')),
      ],
    );
  },
};

/** Rows whose payload is erased, and with it the sample. */
export const keptSampleErasures: Writer<{ readonly machineId: string; readonly seq: number }> = {
  async write(erased, on) {
    for (const { machineId, seq } of erased) {
      await rows(on, 'delete from kept_sample where machine_id = ? and seq = ?', [machineId, seq]);
    }
  },
};

export class KeptSampleRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** The first samples since a tick of rows after `after`, in their order. */
  async since(
    machineId: string,
    svcond: number,
    { after, limit }: { readonly after: number; readonly limit: number },
    on: Executor = this.#knex,
  ): Promise<{ readonly seq: number; readonly sealed: Uint8Array }[]> {
    return rows(
      on,
      'select seq, sealed from kept_sample where machine_id = ? and svcond >= ? and seq > ? order by seq limit ?',
      [machineId, svcond, after, limit],
    );
  }

  /**
   * Removes expired samples, except the newest reading of each oracle, which counts at any age.
   *
   * @returns number of removed samples; call again while it is `limit`
   */
  async removeExpired(svcond: number, limit: number, on: Executor = this.#knex): Promise<number> {
    const removed = await rows(
      on,
      `delete from kept_sample where (machine_id, seq) in (
         select machine_id, seq from kept_sample as kept where until_svcond <= ? and not exists (
           select 1 from oracle where oracle.machine_id = kept.machine_id and newest_ok_seq = kept.seq
         ) order by until_svcond limit ?
       ) returning 1`,
      [svcond, limit],
    );
    return removed.length;
  }
}
