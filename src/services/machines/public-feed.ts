// What all public machines write, told as one stream.
//
// Chains have numbers of their own, and no order among each other that nodes could agree on without waiting for one
// another. So the place in this stream is a tick, as in the list of recent rows. While a reader stays connected it is told
// each row once, and rows of one machine in their order. Who comes back after a tick is told the rows of the few ticks
// before it once more, because a row is committed some time after its tick: a row is told at least once, and known by
// its slug and number. What a reader never hears of is a row that was committed later than that while the reader was away.

import { LRUCache } from 'lru-cache';
import { type Clock, isoFromNs, startOfTick, tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { OverviewRepository, RecentRow } from '../../storage/machines/overview.ts';
import { addNews, type EventBus, type News } from '../../storage/node/event-bus.ts';
import type { Frame } from './follow.ts';

export interface PublicFeedOptions {
  readonly bus: EventBus;
  readonly overview: Pick<OverviewRepository, 'since' | 'among'>;
  readonly clock: Clock;
  readonly onFailed: (error: unknown) => void;
}

/** Ticks that a commit may take. */
const LATE = 4;
const KEPT = LIMITS.stream.backlog;
/** Beyond so many busy machines, a row may be told twice after news was missed. */
const KNOWN_MACHINES = 10_000;

export class PublicFeed {
  readonly #options: PublicFeedOptions;
  readonly #waiting = new Set<() => void>();
  /** Newest row of each machine that readers of this moment need not be told. */
  readonly #newest = new LRUCache<string, number>({ max: KNOWN_MACHINES });
  /** The newest frames, and how many there were in all. */
  #frames: Frame[] = [];
  #told = 0;
  #cursor = 0;
  #news = new Map<string, News>();
  #mayHaveMissed = false;
  #isDigesting = false;
  #readers = 0;
  #begun: Promise<void> = Promise.resolve();

  constructor(options: PublicFeedOptions) {
    this.#options = options;
    options.bus.subscribe((news) => this.#hear(news));
  }

  /**
   * Frames whose `seq` is a tick that never falls; the row's own number is in their data.
   *
   * @param since  the tick of the last frame that was seen; a frame `begin` names it, or else the one under way
   */
  async *follow(since: number | undefined, signal: AbortSignal): AsyncGenerator<Frame, void, void> {
    await this.#join();
    try {
      // Taken before the past is read: what is committed meanwhile may stand in both, and is told once.
      let told = this.#told;
      const now = this.#now();
      let cursor = Math.min(since ?? now, now);
      const known = new Map<string, number>();
      const past = since === undefined ? [] : await this.#past(cursor, known);
      yield { seq: cursor, type: 'begin', data: { svcond: now } };
      for (const frame of past) {
        if (signal.aborted) return;
        cursor = frame.seq;
        yield frame;
      }
      while (!signal.aborted) {
        const fresh = this.#told - told;
        if (fresh === 0) {
          await this.#growth(told, signal);
          continue;
        }
        const frames = this.#frames.slice(-fresh);
        told = this.#told;
        const [first] = frames;
        if (frames.length < fresh && first) yield gap(cursor, first.seq);
        for (const frame of frames) {
          if (signal.aborted) return;
          if (isKnown(frame, known)) continue;
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

  /** The first reader finds out what is there already, so that none of it is taken for new after news was missed. */
  async #join(): Promise<void> {
    if (this.#readers++ === 0) {
      this.#cursor = this.#now();
      this.#begun = this.#options.overview.since(this.#cursor - LATE, KEPT).then((rows) => {
        for (const { slug, seq } of rows) this.#newest.set(slug, seq);
      });
    }
    try {
      await this.#begun;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  #leave(): void {
    if (--this.#readers > 0) return;
    this.#newest.clear();
    this.#frames = [];
    this.#news = new Map();
    this.#mayHaveMissed = false;
  }

  async #past(since: number, known: Map<string, number>): Promise<Frame[]> {
    const found = await this.#options.overview.since(since - LATE, KEPT + 1);
    let cursor = since;
    const frames = found.slice(-KEPT).map((row) => {
      known.set(row.slug, row.seq);
      cursor = Math.max(cursor, row.svcond);
      return frameOf(row, cursor);
    });
    const [first] = frames;
    return found.length > KEPT && first ? [gap(since, first.seq), ...frames] : frames;
  }

  #growth(told: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#told > told || signal.aborted) {
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

  #hear(news: readonly News[] | 'all'): void {
    if (this.#readers === 0) return;
    if (news === 'all') this.#mayHaveMissed = true;
    else for (const one of news) addNews(this.#news, one);
    if (!this.#isDigesting) void this.#digest();
  }

  /** One question at a time; what is committed meanwhile is asked for together. */
  async #digest(): Promise<void> {
    const { overview, onFailed } = this.#options;
    this.#isDigesting = true;
    try {
      await this.#begun;
      while (this.#readers > 0 && (this.#mayHaveMissed || this.#news.size > 0)) {
        const wanted = [...this.#news.values()];
        const isCertain = !this.#mayHaveMissed;
        this.#news = new Map();
        this.#mayHaveMissed = false;
        this.#tell(
          await (isCertain ? overview.among(wanted, KEPT + 1) : overview.since(this.#cursor - LATE, KEPT + 1)),
        );
      }
    } catch (error) {
      // The next news asks again.
      this.#mayHaveMissed = true;
      onFailed(error);
    } finally {
      this.#isDigesting = false;
    }
  }

  #tell(rows: readonly RecentRow[]): void {
    const frames: Frame[] = [];
    for (const row of rows.slice(-KEPT)) {
      if (row.seq <= (this.#newest.get(row.slug) ?? -1)) continue;
      this.#newest.set(row.slug, row.seq);
      const before = this.#cursor;
      this.#cursor = Math.max(before, row.svcond);
      if (rows.length > KEPT && frames.length === 0) frames.push(gap(before, this.#cursor));
      frames.push(frameOf(row, this.#cursor));
    }
    if (frames.length === 0) return;
    this.#told += frames.length;
    this.#frames = [...this.#frames, ...frames].slice(-KEPT);
    for (const wake of [...this.#waiting]) wake();
  }
}

function frameOf({ slug, seq, svcond, type, source, actor, row_hash }: RecentRow, cursor: number): Frame {
  const at = isoFromNs(startOfTick(svcond));
  return { seq: cursor, type, data: { slug, seq, svcond, at, source, actor, row_hash } };
}

/** Of ticks, between which rows were left out. */
const gap = (from: number, to: number): Frame => ({ seq: to, type: 'gap', data: { from, to } });

function isKnown({ data: { slug, seq } }: Frame, known: ReadonlyMap<string, number>): boolean {
  return typeof slug === 'string' && Number(seq) <= (known.get(slug) ?? -1);
}
