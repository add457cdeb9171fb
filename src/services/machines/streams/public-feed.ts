// Feed of all public machines as one stream.
//
// Chains are numbered separately and nodes agree on no order among them. So the cursor of this stream is a tick, as in
// the list of recent rows. A connected reader gets each row once, and the rows of one machine in order. A row is
// committed some time after its tick, so a reader that resumes gets the rows of the preceding LATE_TICKS ticks again:
// delivery is at least once, deduplicated by slug and seq. Rows committed later than that while the reader was
// disconnected are not delivered.

import { LRUCache } from 'lru-cache';
import { type Clock, isoFromNs, startOfTick, tickOf } from '../../../core/clock.ts';
import { LIMITS } from '../../../core/limits.ts';
import type { OverviewRepository, RecentRow } from '../../../storage/machines/overview.ts';
import { type CommitNotice, type EventBus, mergeNotice } from '../../../storage/node/event-bus.ts';
import type { Frame } from '../../node/tail-log.ts';

export interface PublicFeedOptions {
  readonly bus: EventBus;
  readonly overview: Pick<OverviewRepository, 'since' | 'among'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Ticks that a commit may take. */
const LATE_TICKS = 4;
const MAX_FRAMES = LIMITS.stream.backlog;
/** Beyond this many busy machines, rows may be delivered twice after lost notices. */
const MAX_TRACKED_MACHINES = 10_000;

export class PublicFeed {
  readonly #options: PublicFeedOptions;
  readonly #waiting = new Set<() => void>();
  /** Newest delivered row of each machine. */
  readonly #delivered = new LRUCache<string, number>({ max: MAX_TRACKED_MACHINES });
  /** The newest frames, and the total count of frames. */
  #frames: Frame[] = [];
  #frameCount = 0;
  #cursor = 0;
  #notices = new Map<string, CommitNotice>();
  #mayHaveLostNotices = false;
  #isReading = false;
  #readers = 0;
  #ready: Promise<void> = Promise.resolve();

  constructor(options: PublicFeedOptions) {
    this.#options = options;
    options.bus.subscribe((notices) => this.#onNotices(notices));
  }

  /**
   * Frames whose `seq` is a tick that never decreases; `data.seq` is the number of the row.
   *
   * @param since  tick of the last received frame, by default the current one; the first frame, `begin`, repeats it
   */
  async *subscribe(since: number | undefined, signal: AbortSignal): AsyncGenerator<Frame, void, void> {
    await this.#join();
    try {
      // Set before reading the backlog: rows committed meanwhile may be in both, and are deduplicated.
      let position = this.#frameCount;
      const now = this.#now();
      let cursor = Math.min(since ?? now, now);
      const sent = new Map<string, number>();
      const backlog = since === undefined ? [] : await this.#backlog(cursor, sent);
      yield { seq: cursor, type: 'begin', data: { svcond: now } };
      for (const frame of backlog) {
        if (signal.aborted) return;
        cursor = frame.seq;
        yield frame;
      }
      while (!signal.aborted) {
        const count = this.#frameCount - position;
        if (count === 0) {
          await this.#waitForGrowth(position, signal);
          continue;
        }
        const frames = this.#frames.slice(-count);
        position = this.#frameCount;
        const [first] = frames;
        if (frames.length < count && first) yield gap(cursor, first.seq);
        for (const frame of frames) {
          if (signal.aborted) return;
          if (isSent(frame, sent)) continue;
          cursor = Math.max(cursor, frame.seq);
          yield { ...frame, seq: cursor };
        }
      }
    } finally {
      this.#leave();
    }
  }

  #now(): number {
    return tickOf(this.#options.clock.now());
  }

  /** The first reader loads the recent rows, so that they are not delivered as new after lost notices. */
  async #join(): Promise<void> {
    if (this.#readers++ === 0) {
      this.#cursor = this.#now();
      this.#ready = this.#options.overview.since(this.#cursor - LATE_TICKS, MAX_FRAMES).then((rows) => {
        for (const { slug, seq } of rows) this.#delivered.set(slug, seq);
      });
    }
    try {
      await this.#ready;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  #leave(): void {
    if (--this.#readers > 0) return;
    this.#delivered.clear();
    this.#frames = [];
    this.#notices = new Map();
    this.#mayHaveLostNotices = false;
  }

  async #backlog(since: number, sent: Map<string, number>): Promise<Frame[]> {
    const rows = await this.#options.overview.since(since - LATE_TICKS, MAX_FRAMES + 1);
    let cursor = since;
    const frames = rows.slice(-MAX_FRAMES).map((row) => {
      sent.set(row.slug, row.seq);
      cursor = Math.max(cursor, row.svcond);
      return frameOf(row, cursor);
    });
    const [first] = frames;
    return rows.length > MAX_FRAMES && first ? [gap(since, first.seq), ...frames] : frames;
  }

  #waitForGrowth(position: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#frameCount > position || signal.aborted) {
        resolve();
        return;
      }
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #onNotices(notices: readonly CommitNotice[] | 'all'): void {
    if (this.#readers === 0) return;
    if (notices === 'all') this.#mayHaveLostNotices = true;
    else for (const notice of notices) mergeNotice(this.#notices, notice);
    if (!this.#isReading) void this.#readRows();
  }

  /** Runs one query at a time; notices that arrive meanwhile share the next one. */
  async #readRows(): Promise<void> {
    const { overview, onError } = this.#options;
    this.#isReading = true;
    try {
      await this.#ready;
      while (this.#readers > 0 && (this.#mayHaveLostNotices || this.#notices.size > 0)) {
        const notices = [...this.#notices.values()];
        const isComplete = !this.#mayHaveLostNotices;
        this.#notices = new Map();
        this.#mayHaveLostNotices = false;
        this.#publish(
          await (isComplete
            ? overview.among(notices, MAX_FRAMES + 1)
            : overview.since(this.#cursor - LATE_TICKS, MAX_FRAMES + 1)),
        );
      }
    } catch (error) {
      // The next notice retries.
      this.#mayHaveLostNotices = true;
      onError(error);
    } finally {
      this.#isReading = false;
    }
  }

  #publish(rows: readonly RecentRow[]): void {
    const frames: Frame[] = [];
    for (const row of rows.slice(-MAX_FRAMES)) {
      if (row.seq <= (this.#delivered.get(row.slug) ?? -1)) continue;
      this.#delivered.set(row.slug, row.seq);
      const before = this.#cursor;
      this.#cursor = Math.max(before, row.svcond);
      if (rows.length > MAX_FRAMES && frames.length === 0) frames.push(gap(before, this.#cursor));
      frames.push(frameOf(row, this.#cursor));
    }
    if (frames.length === 0) return;
    this.#frameCount += frames.length;
    this.#frames = [...this.#frames, ...frames].slice(-MAX_FRAMES);
    for (const wake of [...this.#waiting]) wake();
  }
}

function frameOf({ slug, seq, svcond, type, source, actor, row_hash }: RecentRow, cursor: number): Frame {
  const at = isoFromNs(startOfTick(svcond));
  return { seq: cursor, type, data: { slug, seq, svcond, at, source, actor, row_hash } };
}

/** Rows between these ticks were skipped. */
const gap = (from: number, to: number): Frame => ({ seq: to, type: 'gap', data: { from, to } });

function isSent({ data: { slug, seq } }: Frame, sent: ReadonlyMap<string, number>): boolean {
  return typeof slug === 'string' && Number(seq) <= (sent.get(slug) ?? -1);
}
