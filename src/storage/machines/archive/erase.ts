// Erases a payload from an archived range: writes the file without it, names that one in the record, and removes the
// file before it once no transaction needs it.

import { DomainError } from '../../../core/errors.ts';
import type { Executor } from '../../database/sql.ts';
import type { RowArchive } from './archive.ts';
import { encodeRange } from './range-file.ts';
import { type ArchiveRecord, lockedRecord, replaceFile } from './records.ts';
import { summaryText } from './summary.ts';

/** A written file, and the record whose file it replaces. */
export interface ReplacedFile {
  readonly archive: RowArchive;
  readonly record: ArchiveRecord;
  readonly file: Pick<ArchiveRecord, 'sha256' | 'bytes' | 'summary'>;
}

/**
 * Writes the file of an archived row without its salt and payload. The record is locked until the transaction ends.
 *
 * @returns undefined if the row is not archived
 * @throws DomainError ARCHIVE_UNAVAILABLE, ARCHIVE_TAMPERED
 */
export async function writeWithoutPayload(
  archive: RowArchive,
  machineId: string,
  seq: number,
  on: Executor,
): Promise<ReplacedFile | undefined> {
  const record = await lockedRecord(machineId, seq, on);
  if (record === undefined) return undefined;
  const { slug, first, last } = record;
  const before = (await archive.open(record)).rows(first, last);
  const erased = { salt: null, body: null, sealed: null, is_sealed: false };
  const rows = before.map((row) => (row.seq === seq ? { ...row, ...erased } : row));
  const { bytes, sha256 } = await encodeRange({ machine: machineId, slug, first, last }, rows);
  await archive.folder?.write({ machineId, first, last, sha256 }, bytes);
  return { archive, record, file: { sha256, bytes: bytes.length, summary: summaryText(rows) } };
}

/** @throws DomainError CONFLICT if another payload of the range was erased meanwhile */
export async function useReplacedFile({ archive, record, file }: ReplacedFile, on: Executor): Promise<void> {
  if (!(await replaceFile(record, file, on)))
    throw new DomainError(
      'CONFLICT',
      `Another payload of rows ${record.first} to ${record.last} was erased meanwhile.`,
    );
  archive.forget(record);
}

/**
 * Removes files of a machine that its records no longer name, as erasures leave them. Files of ranges without a record
 * stay: a node may be about to add it.
 *
 * @param transaction  holds the record locked while its files are removed, so that nobody writes one meanwhile
 * @returns how many were removed
 */
export async function removeReplaced(
  { folder }: RowArchive,
  machineId: string,
  transaction: <Answer>(work: (on: Executor) => Promise<Answer>) => Promise<Answer>,
): Promise<number> {
  if (folder === undefined) return 0;
  const ranges = new Map<number, { last: number; digits: string }[]>();
  for (const { first, ...file } of await folder.files(machineId))
    ranges.set(first, [...(ranges.get(first) ?? []), file]);
  let removed = 0;
  for (const [first, files] of ranges) {
    if (files.length === 1) continue;
    await transaction(async (on) => {
      const record = await lockedRecord(machineId, first, on);
      for (const { last, digits } of record?.first === first ? files : []) {
        if (record?.last === last && record.sha256.startsWith(digits)) continue;
        await folder.remove({ machineId, first, last, sha256: digits });
        removed++;
      }
    });
  }
  return removed;
}
