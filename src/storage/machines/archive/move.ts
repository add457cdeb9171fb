// Moves the oldest rows of a machine from the database to a file of the archive.
//
// The file is written, synced and read again before anything else changes. Then one transaction adds the record and
// removes the rows: whoever looks finds the rows, or the record with its file. A crash in between leaves a file without
// a record, which the next attempt writes again.

import { leafHash } from '../../../chain/merkle.ts';
import { isCommittedPayload, NO_HASH, rowHashOf } from '../../../chain/row.ts';
import { HASH_BYTES, TILE_WIDTH } from '../../../chain/tiles.ts';
import { fromHex, isSameBytes } from '../../../core/bits.ts';
import { DomainError } from '../../../core/errors.ts';
import type { Executor } from '../../database/sql.ts';
import { rows } from '../../database/sql.ts';
import { storedRange } from '../audit.ts';
import { fromRow, type StoredRow } from '../audit-row.ts';
import type { TreeRepository } from '../trees.ts';
import type { RowArchive } from './archive.ts';
import { encodeRange, RANGE_BYTES, RANGE_ROWS, SHORT_RANGE_ROWS } from './range-file.ts';
import { type ArchiveRecord, addRecord, archivedRows, archivedTotals, recordsOf } from './records.ts';
import { summaryText, totalsAfter } from './summary.ts';

/** A machine whose rows may be moved, and which ones. */
export interface Movable {
  readonly id: string;
  readonly slug: string;
  /** Rows that stay: this one and those after it. At most as many as the newest checkpoint covers may be moved. */
  readonly end: number;
  /** Rows of this tick and later stay. */
  readonly beforeSvcond: number;
}

export interface MoveOptions {
  readonly archive: RowArchive;
  readonly trees: TreeRepository;
  readonly on: Executor;
  readonly transaction: <Answer>(work: (on: Executor) => Promise<Answer>) => Promise<Answer>;
  /** Rows of a range; `RANGE_ROWS` by default. */
  readonly rangeRows?: number | undefined;
}

export interface MovedRange {
  readonly first: number;
  readonly last: number;
  /** Of the file. */
  readonly bytes: number;
  readonly sha256: string;
}

/** Rows that one statement removes. */
const ROWS_PER_DELETE = 1_024;

/** Rows `first` to `end - 1` may be moved now: whole ranges, the first of which follows what is archived. */
export async function movableRows(
  { id, end, beforeSvcond }: Movable,
  { on, rangeRows = RANGE_ROWS }: MoveOptions,
): Promise<{ readonly first: number; readonly end: number }> {
  const first = await archivedRows(id, on);
  const [younger] = await rows<{ seq: number }>(
    on,
    'select seq from audit where machine_id = ? and svcond >= ? order by svcond, seq limit 1',
    [id, beforeSvcond],
  );
  const until = Math.min(end, younger?.seq ?? end);
  return { first, end: Math.max(first, until - (until % rangeRows)) };
}

/** The next range to move; undefined if there is none yet. Ranges are aligned, and are whole tiles. */
export async function nextRange(
  movable: Movable,
  options: MoveOptions,
): Promise<{ readonly first: number; readonly last: number } | undefined> {
  const { on, rangeRows = RANGE_ROWS } = options;
  const { first, end } = await movableRows(movable, options);
  if (first === end) return undefined;
  const last = first - (first % rangeRows) + rangeRows - 1;
  const isShort = first % rangeRows !== 0 || (await payloadBytesOf(movable.id, first, last, on)) > RANGE_BYTES;
  return { first, last: isShort ? first + SHORT_RANGE_ROWS - 1 : last };
}

async function payloadBytesOf(machineId: string, from: number, to: number, on: Executor): Promise<number> {
  const [sum] = await rows<{ bytes: number | null }>(
    on,
    `select sum(coalesce(octet_length(body), 0) + coalesce(octet_length(sealed), 0))::bigint as bytes from audit
     where machine_id = ? and seq between ? and ?`,
    [machineId, from, to],
  );
  return sum?.bytes ?? 0;
}

/**
 * Moves one range.
 *
 * @returns undefined if another node has moved it meanwhile
 * @throws DomainError ARCHIVE_UNAVAILABLE, ARCHIVE_TAMPERED if the file read again is not the one written; CONFLICT if a
 *   payload was erased meanwhile; Error if a row does not fit the chain or the tree. All rows then stay
 */
export async function moveRange(
  { id: machineId, slug }: Movable,
  { first, last }: { readonly first: number; readonly last: number },
  options: MoveOptions,
): Promise<MovedRange | undefined> {
  const { archive, on, transaction } = options;
  const found = await storedRange(machineId, first, last, on);
  const { previous, totals } = await before(machineId, first, on);
  await assertChained({ machineId, slug, first, last }, found, previous, options);
  const header = { machine: machineId, slug, first, last };
  const { bytes, sha256 } = await encodeRange(header, found);
  const [oldest, newest] = [found[0], found.at(-1)];
  if (oldest === undefined || newest === undefined) return undefined;
  const record: ArchiveRecord = {
    ...{ machineId, slug, first, last, sha256, bytes: bytes.length, summary: summaryText(found) },
    ...{ firstSvcond: oldest.svcond, lastSvcond: newest.svcond, lastHash: newest.hash },
  };
  if (archive.folder === undefined) throw new DomainError('ARCHIVE_UNAVAILABLE', 'SVC_ARCHIVE is not set.');
  await archive.folder.write(record, bytes);
  await assertWritten(record, found, archive);
  const isMoved = await transaction(async (within) => {
    if (!(await addRecord({ ...record, totals: totalsAfter(totals, found) }, within))) return false;
    await removeRows(record, found, within);
    return true;
  });
  return isMoved ? { first, last, bytes: bytes.length, sha256 } : undefined;
}

/** What the range before this one ends with. */
async function before(machineId: string, first: number, on: Executor) {
  const [record] = first === 0 ? [] : await recordsOf(machineId, first - 1, first - 1, on);
  return { previous: record?.lastHash ?? NO_HASH, totals: await archivedTotals(machineId, on) };
}

/** Archived rows are never checked by the database again, so none is archived that fsck would name. */
async function assertChained(
  { machineId, slug, first, last }: { machineId: string; slug: string; first: number; last: number },
  found: readonly StoredRow[],
  previous: string,
  { trees, on }: MoveOptions,
): Promise<void> {
  const indexes = Array.from(
    { length: Math.ceil((last + 1) / TILE_WIDTH) - Math.floor(first / TILE_WIDTH) },
    (_, i) => ({
      level: 0,
      index: Math.floor(first / TILE_WIDTH) + i,
    }),
  );
  const tiles = new Map((await trees.tiles(machineId, indexes, on)).map(({ index, hashes }) => [index, hashes]));
  let prev = previous;
  for (let seq = first; seq <= last; seq++) {
    const stored = found[seq - first];
    const row = stored && fromRow(stored, slug);
    const tile = tiles.get(Math.floor(seq / TILE_WIDTH));
    const leaf = tile?.subarray(HASH_BYTES * (seq % TILE_WIDTH), HASH_BYTES * ((seq % TILE_WIDTH) + 1));
    const hash = row && fromHex(row.row_hash);
    const isChained =
      row?.seq === seq && row.prev === prev && rowHashOf(row) === row.row_hash && isCommittedPayload(row) !== false;
    const isInTree = leaf !== undefined && hash !== undefined && isSameBytes(leafHash(hash), leaf);
    if (!isChained || !isInTree)
      throw new Error(`Row ${seq} of ${slug} does not fit its chain, so nothing was archived; run svc fsck.`);
    prev = row.row_hash;
  }
}

/** @throws DomainError ARCHIVE_TAMPERED */
async function assertWritten(record: ArchiveRecord, found: readonly StoredRow[], archive: RowArchive): Promise<void> {
  archive.forget(record);
  const range = await archive.open(record);
  for (const row of found) {
    const written = range.row(row.seq);
    const isSame = written.hash === row.hash && written.body === row.body && written.salt === row.salt;
    if (!isSame || Buffer.compare(written.sealed ?? EMPTY, row.sealed ?? EMPTY) !== 0)
      throw new DomainError(
        'ARCHIVE_TAMPERED',
        `Row ${row.seq} of ${record.slug} was read from its file as another one.`,
      );
  }
}

const EMPTY = new Uint8Array();

/** @throws DomainError CONFLICT if a payload was erased since the rows were read */
async function removeRows(
  { machineId, first, last, slug }: ArchiveRecord,
  found: readonly StoredRow[],
  on: Executor,
): Promise<void> {
  let kept = 0;
  let count = 0;
  for (let from = first; from <= last; from += ROWS_PER_DELETE) {
    const removed = await rows<{ has_payload: boolean }>(
      on,
      `delete from audit where machine_id = ? and seq between ? and ?
       returning salt is not null or sealed is not null as has_payload`,
      [machineId, from, Math.min(last, from + ROWS_PER_DELETE - 1)],
    );
    count += removed.length;
    kept += removed.filter(({ has_payload }) => has_payload).length;
  }
  const expected = found.filter(({ salt, sealed }) => salt !== null || sealed !== null).length;
  if (count !== found.length || kept !== expected)
    throw new DomainError('CONFLICT', `Rows ${first} to ${last} of ${slug} were changed meanwhile; they stay.`);
}
