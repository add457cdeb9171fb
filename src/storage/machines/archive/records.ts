// Records of archived ranges, one for each file of the archive. The ranges of a machine begin at its first row and leave
// none out.

import { canonicalJson } from '../../../core/canonical-json.ts';
import { DomainError } from '../../../core/errors.ts';
import { type Executor, rows } from '../../database/sql.ts';
import type { FileName } from './folder.ts';
import { RANGE_ROWS } from './range-file.ts';
import { parseSummary, parseTotals, type Summary, type Totals } from './summary.ts';

export interface ArchiveRecord extends FileName {
  readonly slug: string;
  readonly firstSvcond: number;
  readonly lastSvcond: number;
  /** Hash of the last row; hex. */
  readonly lastHash: string;
  /** Of the file. */
  readonly bytes: number;
  /** As `summaryIn` reads it. */
  readonly summary: string;
}

type RecordRow = Omit<ArchiveRecord, 'machineId'>;

/** @throws DomainError ARCHIVE_TAMPERED */
export function summaryIn({ summary, slug, first, last }: ArchiveRecord): Summary {
  return parseSummary(summary) ?? refuse(`The record of rows ${first} to ${last} of ${slug}`);
}

function refuse(what: string): never {
  throw new DomainError('ARCHIVE_TAMPERED', `${what} is not one of the archive; svc fsck tells more.`);
}

const COLUMNS = `machine.slug, first_seq as first, last_seq as last, first_svcond as "firstSvcond",
  last_svcond as "lastSvcond", encode(last_hash, 'hex') as "lastHash", encode(sha256, 'hex') as sha256, bytes, summary`;
const FROM = 'audit_archive join machine on machine.id = machine_id where machine_id = ?';

/** Number of rows of a machine that are archived: those with lower numbers. */
export async function archivedRows(machineId: string, on: Executor): Promise<number> {
  const [record] = await rows<{ last: number }>(
    on,
    'select last_seq as last from audit_archive where machine_id = ? order by first_seq desc limit 1',
    [machineId],
  );
  return record === undefined ? 0 : record.last + 1;
}

/** Counts of all archived rows of a machine. */
export async function archivedTotals(machineId: string, on: Executor): Promise<Totals | undefined> {
  const [record] = await rows<{ totals: string }>(
    on,
    'select totals from audit_archive where machine_id = ? order by first_seq desc limit 1',
    [machineId],
  );
  return record && (parseTotals(record.totals) ?? refuse(`The newest record of machine ${machineId}`));
}

/** A number of a row; what an edited database has in its place may be no bigint any more. */
const rowNumber = (seq: number): number => Math.min(Math.max(seq, 0), Number.MAX_SAFE_INTEGER);

/** Records of the ranges that have rows `from` to `to`, in order. */
export async function recordsOf(machineId: string, from: number, to: number, on: Executor): Promise<ArchiveRecord[]> {
  const start = rowNumber(from);
  const found = await rows<RecordRow>(
    on,
    `select ${COLUMNS} from ${FROM} and first_seq between ? and ? and last_seq >= ? order by first_seq`,
    [machineId, start - RANGE_ROWS + 1, rowNumber(to), start],
  );
  return found.map((row) => fromRecord(machineId, row));
}

/** Up to `limit` records of ranges that begin before row `before`, newest first, or from row `from` on, oldest first. */
export async function nextRecords(
  machineId: string,
  place: { readonly before: number } | { readonly from: number },
  limit: number,
  on: Executor,
): Promise<ArchiveRecord[]> {
  const isDown = 'before' in place;
  const seq = rowNumber(isDown ? place.before : place.from);
  // The ends of ranges have the order of their beginnings, and the index is over the latter.
  const [condition, order, places] = isDown
    ? ['first_seq < ?', 'desc', [seq]]
    : ['last_seq >= ? and first_seq > ?', 'asc', [seq, seq - RANGE_ROWS]];
  const found = await rows<RecordRow>(
    on,
    `select ${COLUMNS} from ${FROM} and ${condition} order by first_seq ${order} limit ?`,
    [machineId, ...places, limit],
  );
  return found.map((row) => fromRecord(machineId, row));
}

/** Records of the ranges that have rows of ticks `from` to `to`, in order. */
export async function recordsAt(machineId: string, from: number, to: number, on: Executor): Promise<ArchiveRecord[]> {
  const found = await rows<RecordRow>(
    on,
    `select ${COLUMNS} from ${FROM} and first_svcond <= ? and last_svcond >= ? order by first_seq`,
    [machineId, to, from],
  );
  return found.map((row) => fromRecord(machineId, row));
}

/** The record of the range that has the newest archived row of a tick or before it. */
export async function recordUntil(machineId: string, svcond: number, on: Executor): Promise<ArchiveRecord | undefined> {
  const [found] = await rows<RecordRow>(
    on,
    `select ${COLUMNS} from ${FROM} and first_svcond <= ? order by first_seq desc limit 1`,
    [machineId, svcond],
  );
  return found && fromRecord(machineId, found);
}

/** The record of a range, which nobody else changes or replaces until the transaction ends. */
export async function lockedRecord(machineId: string, seq: number, on: Executor): Promise<ArchiveRecord | undefined> {
  const [found] = await rows<RecordRow>(
    on,
    `select ${COLUMNS} from ${FROM} and first_seq between ? and ? and last_seq >= ? for update of audit_archive`,
    [machineId, seq - RANGE_ROWS + 1, seq, seq],
  );
  return found && fromRecord(machineId, found);
}

/** @returns false if the range has a record */
export async function addRecord(
  record: Omit<ArchiveRecord, 'slug'> & { readonly totals: Totals },
  on: Executor,
): Promise<boolean> {
  const { machineId, first, last, firstSvcond, lastSvcond, lastHash, sha256, bytes, summary, totals } = record;
  const added = await rows(
    on,
    `insert into audit_archive (machine_id, first_seq, last_seq, first_svcond, last_svcond, last_hash, sha256, bytes,
       summary, totals)
     values (?, ?, ?, ?, ?, decode(?, 'hex'), decode(?, 'hex'), ?, ?, ?) on conflict do nothing returning 1`,
    [
      ...[machineId, first, last, firstSvcond, lastSvcond, lastHash, sha256, bytes],
      ...[summary, canonicalJson(totals)],
    ],
  );
  return added.length === 1;
}

/** Names another file for a range. @returns false if it has another one than `before` meanwhile */
export async function replaceFile(
  { machineId, first, sha256: before }: ArchiveRecord,
  { sha256, bytes, summary }: Pick<ArchiveRecord, 'sha256' | 'bytes' | 'summary'>,
  on: Executor,
): Promise<boolean> {
  const changed = await rows(
    on,
    `update audit_archive set sha256 = decode(?, 'hex'), bytes = ?, summary = ?
     where machine_id = ? and first_seq = ? and sha256 = decode(?, 'hex') returning 1`,
    [sha256, bytes, summary, machineId, first, before],
  );
  return changed.length === 1;
}

function fromRecord(machineId: string, record: RecordRow): ArchiveRecord {
  return { machineId, ...record };
}
