// Watches the free space of the database, so that callers stop writing before the disk makes the database stop.
//
// Below the first mark nothing is kept that a caller could do without; below the second, callers write no more. Timers,
// oracles and seals go on in what is left, and so does what frees space or takes rights away.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Lifecycle, repeat } from './lifecycle.ts';
import type { Platform } from './platform.ts';

const INTERVAL_MS = 1_000;
const RETRY = { retryAfterSeconds: 60 };

export interface FreeSpaceOptions extends Pick<Platform, 'log'> {
  /** Free bytes where the database stores; undefined if this node cannot know. */
  readonly read: () => Promise<number | undefined>;
  readonly marks?: FreeSpaceMarks | undefined;
}

export type FreeSpaceMarks = Readonly<Record<keyof typeof LIMITS.freeSpace, number>>;

type Level = 'enough' | 'low' | 'full';

const WORDS: Readonly<Record<Level, string>> = {
  enough: 'The database has enough free space again: callers write as before.',
  low: 'The disk of the database is almost full: no runs are filed, no answers kept, no long writes taken.',
  full: 'The disk of the database is full but for a reserve: callers write nothing.',
};

export class FreeSpace {
  readonly lifecycle: Lifecycle;
  readonly #options: FreeSpaceOptions;
  readonly #marks: FreeSpaceMarks;
  #bytes: number | undefined;
  #level: Level = 'enough';

  constructor(options: FreeSpaceOptions) {
    this.#options = options;
    this.#marks = options.marks ?? LIMITS.freeSpace;
    this.lifecycle = repeat(
      INTERVAL_MS,
      () => this.refresh(),
      (err) => options.log.warn({ err }, 'the free space of the database could not be read'),
    );
  }

  /** Free bytes by the last reading. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  async refresh(): Promise<number | undefined> {
    this.#bytes = await this.#options.read();
    const level = this.#levelOf(this.#bytes);
    if (level !== this.#level) this.#options.log.warn({ freeBytes: this.#bytes }, WORDS[level]);
    this.#level = level;
    return this.#bytes;
  }

  /** For what a caller can do without. @throws DomainError STORAGE_FULL */
  assertNotLow(): void {
    if (this.#level !== 'enough') throw new DomainError('STORAGE_FULL', this.#message(), RETRY);
  }

  /** @throws DomainError STORAGE_FULL */
  assertNotFull(): void {
    if (this.#level === 'full') throw new DomainError('STORAGE_FULL', this.#message(), RETRY);
  }

  #message(): string {
    const { lowBytes, fullBytes } = this.#marks;
    const free = Math.max(0, Math.floor((this.#bytes ?? 0) / 1e6));
    return this.#level === 'full'
      ? `The database has ${free} MB of free space; at least ${fullBytes / 1e6} MB are kept for timers and seals.`
      : `The database has ${free} MB of free space; below ${lowBytes / 1e6} MB nothing long is stored.`;
  }

  #levelOf(bytes: number | undefined): Level {
    if (bytes === undefined || bytes >= this.#marks.lowBytes) return 'enough';
    return bytes >= this.#marks.fullBytes ? 'low' : 'full';
  }
}
