// Archived rows, read for inspection: see machines.ts.

import { DomainError } from '../../core/errors.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { RowArchive } from '../machines/archive/archive.ts';
import { type ArchiveRecord, nextRecords } from '../machines/archive/records.ts';
import type { StoredRow } from '../machines/audit-row.ts';

/** The rows of an archived range, or why there are none. */
export interface InspectedRange {
  readonly record: ArchiveRecord;
  readonly rows: readonly StoredRow[];
  /** Undefined if the file is the one that its record names. */
  readonly fault: string | undefined;
}

export class ArchiveInspection {
  readonly #on: Executor;
  readonly #archive: RowArchive;

  constructor(on: Executor, archive: RowArchive) {
    this.#on = on;
    this.#archive = archive;
  }

  /** The record of the first range that ends with row `from` or a later one. */
  async record(machineId: string, from: number): Promise<ArchiveRecord | undefined> {
    return (await nextRecords(machineId, { from }, 1, this.#on))[0];
  }

  /** The rows of a range, if its file is the one that the record names. */
  async range(record: ArchiveRecord): Promise<InspectedRange> {
    try {
      const range = await this.#archive.open(record);
      return { record, rows: range.rows(record.first, record.last), fault: undefined };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { record, rows: [], fault: error.message };
    }
  }

  /** An archived row; undefined if it is not archived, or cannot be read. */
  async row(machineId: string, seq: number): Promise<StoredRow | undefined> {
    const record = await this.record(machineId, seq);
    if (record === undefined || record.first > seq) return undefined;
    const { rows: found } = await this.range(record);
    return found[seq - record.first];
  }

  /** The first event of a name since a tick that a machine has in the archive and that a condition holds for. */
  async find(
    machineId: string,
    { name, since }: { readonly name: string; readonly since: number },
    isFound: (row: StoredRow) => boolean,
  ): Promise<StoredRow | undefined> {
    const filter = { type: 'event', name, since, order: 'oldest first' } as const;
    try {
      for await (const row of this.#archive.scan(machineId, filter, this.#on)) if (isFound(row)) return row;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    return undefined;
  }

  /** Totals of each range as stored, by its first row. */
  async storedTotals({ machineId, first }: ArchiveRecord): Promise<string> {
    const [row] = await rows<{ totals: string }>(
      this.#on,
      'select totals from audit_archive where machine_id = ? and first_seq = ?',
      [machineId, first],
    );
    return row?.totals ?? '';
  }

  /** First rows of the files that have rows `from` to `to`. */
  async filesOf(machineId: string, from: number, to: number): Promise<number[]> {
    const files = (await this.#archive.folder?.files(machineId)) ?? [];
    return files.flatMap(({ first, last }) => (first <= to && last >= from ? [first] : []));
  }

  /** First rows of all ranges. */
  async firsts(machineId: string): Promise<number[]> {
    const found = await rows<{ first: number }>(
      this.#on,
      'select first_seq as first from audit_archive where machine_id = ? order by first_seq',
      [machineId],
    );
    return found.map(({ first }) => first);
  }

  /** The first row that the database has and that is archived as well; undefined without one. */
  async firstDouble(machineId: string): Promise<number | undefined> {
    const [row] = await rows<{ seq: number }>(
      this.#on,
      `select seq from audit where machine_id = ?
         and seq <= (select max(last_seq) from audit_archive where machine_id = ?) order by seq limit 1`,
      [machineId, machineId],
    );
    return row?.seq;
  }
}
