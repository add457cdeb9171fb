// Tallies: the token of each machine, the rates at which it is issued, and its picture.

import { isCounted, type MintRate, STRANGER_SOURCE, UNCOUNTED_TYPES } from '../../chain/tally.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import { RowArchive } from './archive/archive.ts';
import { type ArchiveRecord, recordsOf, summaryIn } from './archive/records.ts';
import { uncountedOf } from './archive/summary.ts';

export interface Tally {
  readonly name: string;
  readonly symbol: string;
  readonly maxSupply: number;
  /** Oldest first. */
  readonly rates: readonly MintRate[];
}

export interface Avatar {
  readonly mediaType: string;
  /** Hash of the picture as it is published; hex. */
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly svcond: number;
}

export const tallyRows: Writer<{ readonly machineId: string } & Omit<Tally, 'rates'>> = {
  async write(added, on) {
    for (const { machineId, name, symbol, maxSupply } of added) {
      await rows(on, 'insert into tally (machine_id, name, symbol, max_supply) values (?, ?, ?, ?)', [
        machineId,
        name,
        symbol,
        maxSupply,
      ]);
    }
  },
};

export const segmentRows: Writer<{ readonly machineId: string } & MintRate> = {
  async write(added, on) {
    for (const { machineId, seq, svcond, unit, every, amount, counts } of added) {
      await rows(
        on,
        'insert into tally_segment (machine_id, seq, svcond, unit, every, amount, counts) values (?, ?, ?, ?, ?, ?, ?)',
        [machineId, seq, svcond, unit, every, amount, counts],
      );
    }
  },
};

/** The current picture of each machine. */
export const avatarRows: Writer<{ readonly machineId: string; readonly sealed: Uint8Array } & Avatar> = {
  async write(changed, on) {
    for (const { machineId, mediaType, sha256, width, height, sealed, svcond } of changed) {
      await rows(
        on,
        `insert into tally_avatar (machine_id, media_type, sha256, width, height, sealed, svcond)
         values (?, ?, decode(?, 'hex'), ?, ?, ?, ?)
         on conflict (machine_id) do update set media_type = excluded.media_type, sha256 = excluded.sha256,
           width = excluded.width, height = excluded.height, sealed = excluded.sealed, svcond = excluded.svcond`,
        [machineId, mediaType, sha256, width, height, sealed, svcond],
      );
    }
  },
};

/** Of a table `audit`; the second part is that of the index `audit_party`. */
const UNCOUNTED = `(type = any(?::text[]) or source = '${STRANGER_SOURCE}')`;

export class TallyRepository {
  readonly #knex: Executor;
  readonly #archive: RowArchive;

  constructor(knex: Executor, archive: RowArchive = new RowArchive()) {
    this.#knex = knex;
    this.#archive = archive;
  }

  async of(machineId: string, on: Executor = this.#knex): Promise<Tally | undefined> {
    const [tally] = await rows<Omit<Tally, 'rates'>>(
      on,
      'select name, symbol, max_supply as "maxSupply" from tally where machine_id = ?',
      [machineId],
    );
    if (tally === undefined) return undefined;
    const rates = await rows<MintRate>(
      on,
      'select seq, svcond, unit, every, amount, counts from tally_segment where machine_id = ? order by seq',
      [machineId],
    );
    return { ...tally, rates };
  }

  /** Numbers of uncounted rows in blocks `from` to `to`, exclusive; blocks without any are missing. */
  async countUncounted(
    machineId: string,
    blockRows: number,
    from: number,
    to: number,
    on: Executor = this.#knex,
  ): Promise<ReadonlyMap<number, number>> {
    const found = await rows<{ block: number; rows: number }>(
      on,
      `select seq / ? as block, count(*) as rows from audit
       where machine_id = ? and ${UNCOUNTED} and seq >= ? and seq < ? group by 1`,
      [blockRows, machineId, UNCOUNTED_TYPES, from * blockRows, to * blockRows],
    );
    const counts = new Map(found.map(({ block, rows: count }) => [block, count]));
    // Whole blocks are archived, so they replace what was read of them before they were moved.
    for (const record of await recordsOf(machineId, from * blockRows, to * blockRows - 1, on))
      for (const i of summaryIn(record).blocks.keys()) {
        const block = Math.floor(record.first / blockRows) + i;
        if (block >= from && block < to) counts.set(block, uncountedOf(summaryIn(record), i));
      }
    return counts;
  }

  /** Numbers of the uncounted rows of these blocks, in ascending order. */
  async uncountedIn(
    machineId: string,
    blockRows: number,
    blocks: readonly number[],
    on: Executor = this.#knex,
  ): Promise<number[]> {
    const found = await rows<{ seq: number }>(
      on,
      `select seq from unnest(?::bigint[]) as asked (block)
       join audit on machine_id = ? and ${UNCOUNTED} and seq >= block * ? and seq < (block + 1) * ?
       order by seq`,
      [blocks.map(String), machineId, UNCOUNTED_TYPES, blockRows, blockRows],
    );
    const seqs = new Set(found.map(({ seq }) => seq));
    for (const seq of await this.#archivedIn(machineId, blockRows, blocks, on)) seqs.add(seq);
    return [...seqs].sort((a, b) => a - b);
  }

  /** Archived ones of these rows. A file whose record counts none in these blocks is not opened. */
  async #archivedIn(machineId: string, blockRows: number, blocks: readonly number[], on: Executor): Promise<number[]> {
    const seqs: number[] = [];
    let record: ArchiveRecord | undefined;
    for (const block of blocks.toSorted((a, b) => a - b)) {
      const from = block * blockRows;
      if (record === undefined || record.last < from) [record] = await recordsOf(machineId, from, from, on);
      if (record === undefined) continue;
      if (uncountedOf(summaryIn(record), block - Math.floor(record.first / blockRows)) === 0) continue;
      for (const row of (await this.#archive.open(record)).rows(from, from + blockRows - 1))
        if (!isCounted(row)) seqs.push(row.seq);
    }
    return seqs;
  }

  /** Tick of a row, which must exist. */
  async svcondOf(machineId: string, seq: number, on: Executor = this.#knex): Promise<number> {
    const [row] = await rows<{ svcond: number }>(on, 'select svcond from audit where machine_id = ? and seq = ?', [
      machineId,
      seq,
    ]);
    const found = row ?? (await this.#archive.rows(machineId, seq, seq, on))[0];
    if (found === undefined) throw new Error(`Row ${seq} of ${machineId} not found.`);
    return found.svcond;
  }

  async avatar(machineId: string, on: Executor = this.#knex): Promise<Avatar | undefined> {
    const [avatar] = await rows<Avatar>(
      on,
      `select media_type as "mediaType", encode(sha256, 'hex') as sha256, width, height, svcond from tally_avatar
       where machine_id = ?`,
      [machineId],
    );
    return avatar;
  }

  async picture(
    machineId: string,
    on: Executor = this.#knex,
  ): Promise<{ readonly mediaType: string; readonly sealed: Uint8Array } | undefined> {
    const [picture] = await rows<{ mediaType: string; sealed: Uint8Array }>(
      on,
      'select media_type as "mediaType", sealed from tally_avatar where machine_id = ?',
      [machineId],
    );
    return picture;
  }
}
