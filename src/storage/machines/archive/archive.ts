// The archive of a node: reads archived rows from its files, each only if it is the one that its record names.
//
// Files in memory are bounded in bytes. They are found by their hash, so a file that an erasure has replaced is never
// served again.

import { DomainError } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import { sha256Hex } from '../../../core/sha256.ts';
import type { Executor } from '../../database/sql.ts';
import type { RowFilter, StoredRow } from '../audit-row.ts';
import { ArchiveFolder, pathOf } from './folder.ts';
import { decodeRange, type RangeRows } from './range-file.ts';
import { type ArchiveRecord, nextRecords, recordsOf, summaryIn } from './records.ts';
import { isMatch, mayMatch } from './summary.ts';

/** Records that are read at once; each has some kilobytes at most. */
const RECORDS_PER_PAGE = 16;

export class RowArchive {
  readonly folder: ArchiveFolder | undefined;
  readonly #maxBytes: number;
  /** By hash, those used last at the end. */
  readonly #ranges = new Map<string, RangeRows>();
  #bytes = 0;
  /** One file is read at a time: each may need some 80 MB meanwhile. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param folder  undefined if the node has no archive: archived rows are refused by name */
  constructor(folder?: string | undefined, maxBytes: number = LIMITS.archive.cacheBytes) {
    this.folder = folder === undefined ? undefined : new ArchiveFolder(folder);
    this.#maxBytes = maxBytes;
  }

  /** @throws DomainError ARCHIVE_UNAVAILABLE, ARCHIVE_TAMPERED */
  async open(record: ArchiveRecord): Promise<RangeRows> {
    const known = this.#known(record);
    if (known !== undefined) return known;
    const opened = this.#turn.then(() => this.#known(record) ?? this.#read(record));
    this.#turn = opened.catch(() => {});
    return opened;
  }

  /** Archived rows `from` to `to`, in order; those that are not archived are missing. */
  async rows(machineId: string, from: number, to: number, on: Executor): Promise<StoredRow[]> {
    const found: StoredRow[] = [];
    for (const record of await recordsOf(machineId, from, to, on))
      found.push(...(await this.open(record)).rows(from, to));
    return found;
  }

  /**
   * Archived rows that a filter asks for, in its order. A file is opened only if its record says that it may have one.
   */
  async *scan(machineId: string, filter: Omit<RowFilter, 'limit'>, on: Executor): AsyncGenerator<StoredRow> {
    const { from = 0, before = Number.MAX_SAFE_INTEGER, since = 0 } = filter;
    const isDown = filter.order === 'newest first';
    let at = isDown ? before : from;
    for (;;) {
      const page = await nextRecords(machineId, isDown ? { before: at } : { from: at }, RECORDS_PER_PAGE, on);
      for (const record of page) {
        const isPast = isDown ? record.last < from || record.lastSvcond < since : record.first >= before;
        if (isPast) return;
        at = isDown ? record.first : record.last + 1;
        if (record.lastSvcond < since || !mayMatch(summaryIn(record), filter)) continue;
        yield* matches(await this.open(record), { ...filter, from, before }, isDown);
        // Others get a turn between two files.
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      if (page.length < RECORDS_PER_PAGE) return;
    }
  }

  /** Forgets a file whose payloads were erased. */
  forget({ sha256 }: Pick<ArchiveRecord, 'sha256'>): void {
    this.#bytes -= this.#ranges.get(sha256)?.byteLength ?? 0;
    this.#ranges.delete(sha256);
  }

  #known({ sha256, machineId, first }: ArchiveRecord): RangeRows | undefined {
    const range = this.#ranges.get(sha256);
    // The same file in two records is that of one of them only.
    if (range === undefined || range.first !== first || range.machineId !== machineId) return undefined;
    this.#ranges.delete(sha256);
    this.#ranges.set(sha256, range);
    return range;
  }

  async #read(record: ArchiveRecord): Promise<RangeRows> {
    const range = await readRange(this.folder, record);
    this.forget(record);
    this.#ranges.set(record.sha256, range);
    this.#bytes += range.byteLength;
    for (const [sha256] of this.#ranges) {
      if (this.#bytes <= this.#maxBytes || sha256 === record.sha256) break;
      this.forget({ sha256 });
    }
    return range;
  }
}

/** @throws DomainError ARCHIVE_UNAVAILABLE, ARCHIVE_TAMPERED */
async function readRange(folder: ArchiveFolder | undefined, record: ArchiveRecord): Promise<RangeRows> {
  const { machineId: machine, slug, first, last, sha256 } = record;
  if (folder === undefined) {
    const message = `Rows ${first} to ${last} of ${slug} are archived, and this node has no archive; set SVC_ARCHIVE.`;
    throw new DomainError('ARCHIVE_UNAVAILABLE', message, { retryAfterSeconds: 60 });
  }
  const bytes = await folder.read(record);
  if (bytes.length !== record.bytes) throw tampered(record, `has ${bytes.length} bytes; ${record.bytes} were written`);
  if (sha256Hex(bytes) !== sha256) throw tampered(record, 'has another hash than the one that was written');
  try {
    return await decodeRange(bytes, { machine, first, last });
  } catch (error) {
    throw tampered(record, `is not one of rows ${first} to ${last}`, error);
  }
}

function tampered(record: ArchiveRecord, what: string, cause?: unknown): DomainError {
  return new DomainError('ARCHIVE_TAMPERED', `File ${pathOf(record)} of the archive ${what}.`, { cause });
}

function* matches(
  range: RangeRows,
  filter: Omit<RowFilter, 'limit' | 'from' | 'before'> & { readonly from: number; readonly before: number },
  isDown: boolean,
): Generator<StoredRow> {
  const first = Math.max(filter.from, range.first);
  const last = Math.min(filter.before - 1, range.last);
  for (let i = 0; i <= last - first; i++) {
    const row = range.row(isDown ? last - i : first + i);
    if (isMatch(row, filter)) yield row;
  }
}
