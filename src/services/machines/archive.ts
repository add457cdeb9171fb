// Moves older rows of machines to the archive of the node, as their settings say.

import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { removeReplaced } from '../../storage/machines/archive/erase.ts';
import {
  type Movable,
  type MovedRange,
  type MoveOptions,
  movableRows,
  moveRange,
  nextRange,
} from '../../storage/machines/archive/move.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';

export interface ArchiveOptions {
  readonly storage: Pick<Storage, 'archive' | 'machines' | 'trees' | 'transaction' | 'database'>;
  readonly clock: Clock;
  /** Whether this node owns a machine. */
  readonly owns: (machineId: string) => boolean;
  /** Receives failures to archive rows of one machine. */
  readonly onFailed: (error: unknown) => void;
  /** Rows of a file; `RANGE_ROWS` by default. */
  readonly rangeRows?: number | undefined;
}

const DAY_NS = 86_400_000_000_000n;

export class ArchiveService {
  readonly #options: ArchiveOptions;
  /** The machine after which the next call begins. */
  #after: string | undefined;
  #counts = { rows: 0, bytes: 0, failures: 0 };

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /** Since the start of the node: rows that were moved, bytes of their files, and attempts that failed. */
  get counts(): { readonly rows: number; readonly bytes: number; readonly failures: number } {
    return this.#counts;
  }

  /** Moves what is due of up to `limit` machines of this node; the next call goes on with those after them. */
  async archiveDue(limit: number): Promise<void> {
    const { storage, owns } = this.#options;
    if (storage.archive.folder === undefined) return;
    const machines = await storage.machines.keeping(this.#after, limit);
    this.#after = machines.length < limit ? undefined : machines.at(-1)?.id;
    for (const machine of machines.filter(({ id }) => owns(id)))
      if ((await this.#archiveOne(machine)) === 'archive unavailable') return;
  }

  async #archiveOne(machine: Machine): Promise<'done' | 'failed' | 'archive unavailable'> {
    try {
      await this.archive(machine, LIMITS.archive.rangesPerTurn);
      return 'done';
    } catch (error) {
      this.#counts.failures++;
      this.#options.onFailed(error);
      // Nor would those of the next machine be written.
      const isForAll = error instanceof DomainError && error.code === 'ARCHIVE_UNAVAILABLE';
      return isForAll ? 'archive unavailable' : 'failed';
    }
  }

  /** The rows that may be moved; undefined if the settings keep all. */
  movable({ id, head, settings, checkpointSize }: Machine): Movable | undefined {
    const { keep_rows: rows = 0, keep_days: days = 0 } = settings;
    if (rows === 0 && days === 0) return undefined;
    const now = this.#options.clock.now();
    const kept = head.seq + 1 - Math.max(rows, LIMITS.archive.keptRows);
    const beforeSvcond = days === 0 ? tickOf(now) + 1 : tickOf(now - BigInt(days) * DAY_NS);
    return { id, slug: head.slug, end: Math.min(checkpointSize, kept), beforeSvcond };
  }

  /**
   * Moves up to `maxRanges` ranges of a machine, the oldest first, and removes files that erasures have replaced.
   *
   * @throws DomainError ARCHIVE_UNAVAILABLE, ARCHIVE_TAMPERED, CONFLICT; Error if a row does not fit its chain. The rows
   *   of the range then stay in the database
   */
  async archive(machine: Machine, maxRanges: number): Promise<MovedRange[]> {
    const { storage, clock } = this.#options;
    const { archive, transaction } = storage;
    const movable = this.movable(machine);
    const moved: MovedRange[] = [];
    const options = this.#moveOptions();
    while (movable !== undefined && moved.length < maxRanges) {
      const range = await nextRange(movable, options);
      const done = range && (await moveRange(movable, range, options));
      if (done === undefined) break;
      moved.push(done);
      this.#counts.rows += done.last - done.first + 1;
      this.#counts.bytes += done.bytes;
    }
    await removeReplaced(archive, machine.id, transaction);
    await archive.folder?.removeUnfinished(machine.id, Number(clock.now() / 1_000_000n));
    return moved;
  }

  /** Rows that may be moved now, `first` to `end - 1`, in whole ranges; undefined if the settings keep all. */
  async due(machine: Machine): Promise<{ readonly first: number; readonly end: number } | undefined> {
    const movable = this.movable(machine);
    return movable && movableRows(movable, this.#moveOptions());
  }

  #moveOptions(): MoveOptions {
    const { storage, rangeRows } = this.#options;
    const { archive, trees, transaction, database } = storage;
    return { archive, trees, transaction, on: database.knex, rangeRows };
  }
}
