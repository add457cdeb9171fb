// Machines that somebody follows: where their chains end, who waits for more, and rows read once for all who want them.
//
// News says how far a chain has grown. Where news may have been missed, the heads of all followed machines are asked for
// in one statement, so that two thousand readers cost as little as one.

import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { EventBus, News } from '../../storage/node/event-bus.ts';
import { type Frame, follow, type Log } from './follow.ts';

/** What of a chain is followed. */
export interface Selection {
  /** Readers of one machine with equal names read the same. */
  readonly name: string;
  /** At most so many frames of rows first … last, oldest first. */
  page(first: number, last: number, limit: number): Promise<readonly Frame[]>;
  /** As `Log` has it; missing where every row is a frame. */
  readonly behind?: Log['behind'];
}

interface Tail {
  head: number;
  /** The first look at the database. */
  readonly begun: Promise<void>;
  readonly waiting: Set<() => void>;
  readers: number;
}

export interface MachineTailsOptions {
  readonly bus: EventBus;
  readonly machines: Pick<MachineRepository, 'headSeqs'>;
  readonly onFailed: (error: unknown) => void;
}

/** Rows that are read at once: what a slow reader may hold is so many payloads. */
const PAGE = 16;
const UNKNOWN = -1;

export class MachineTails {
  readonly #options: MachineTailsOptions;
  readonly #tails = new Map<string, Tail>();
  readonly #pages = new Map<string, Promise<readonly Frame[]>>();

  constructor(options: MachineTailsOptions) {
    this.#options = options;
    options.bus.subscribe((news) => {
      if (news === 'all') void this.#lookAtAll();
      else for (const one of news) this.#grow(one);
    });
  }

  /** How many machines are followed. */
  get size(): number {
    return this.#tails.size;
  }

  /**
   * A frame `begin` that names the row after which it goes on, so that even who saw nothing else yet can resume there; then
   * what was selected after that row, and each row as it is committed.
   *
   * @param since  the last row that the reader has seen; by default, and at most, the newest one
   * @param now  the tick under way
   */
  async *follow(
    machineId: string,
    selection: Selection,
    since: number | undefined,
    now: () => number,
    signal: AbortSignal,
  ): AsyncGenerator<Frame, void, void> {
    const tail = this.#join(machineId);
    try {
      await tail.begun;
      // The reader saw it on another node, whose news may still be on its way.
      if (since !== undefined && since > tail.head) await this.#look([machineId]);
      const seen = Math.min(since ?? tail.head, tail.head);
      yield { seq: seen, type: 'begin', data: { svcond: now() } };
      yield* follow(this.#log(machineId, tail, selection), seen, signal);
    } finally {
      tail.readers--;
      if (tail.readers === 0 && this.#tails.get(machineId) === tail) this.#tails.delete(machineId);
    }
  }

  #join(machineId: string): Tail {
    const known = this.#tails.get(machineId);
    if (known) {
      known.readers++;
      return known;
    }
    // News that comes while the head is read is kept: the tail is there before it is asked for.
    const begun = Promise.resolve().then(async () => {
      try {
        await this.#look([machineId]);
      } catch (error) {
        if (this.#tails.get(machineId) === tail) this.#tails.delete(machineId);
        throw error;
      }
    });
    const tail: Tail = { head: UNKNOWN, begun, waiting: new Set(), readers: 1 };
    this.#tails.set(machineId, tail);
    return tail;
  }

  #log(machineId: string, tail: Tail, { name, page, behind }: Selection): Log {
    const read = (first: number, last: number) =>
      this.#once(`${machineId} ${name} ${first} ${last}`, () => page(first, last, PAGE));
    return {
      head: () => tail.head,
      read: async function* (first, last) {
        for (let from = first; from <= last; ) {
          const frames = await read(from, last);
          yield* frames;
          const end = frames.at(-1);
          if (end === undefined || frames.length < PAGE) return;
          from = end.seq + 1;
        }
      },
      growth: (head, signal) =>
        new Promise((resolve) => {
          if (tail.head > head || signal.aborted) {
            resolve();
            return;
          }
          const wake = () => {
            tail.waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          tail.waiting.add(wake);
          signal.addEventListener('abort', wake);
        }),
      ...(behind === undefined ? {} : { behind }),
    };
  }

  /** Readers who wake together read the same rows: the first asks, the others share the answer, and nobody keeps it. */
  #once(question: string, ask: () => Promise<readonly Frame[]>): Promise<readonly Frame[]> {
    const asked = this.#pages.get(question);
    if (asked) return asked;
    const answer = ask().finally(() => this.#pages.delete(question));
    this.#pages.set(question, answer);
    return answer;
  }

  #grow({ machineId, last }: Pick<News, 'machineId' | 'last'>): void {
    const tail = this.#tails.get(machineId);
    if (tail === undefined || last <= tail.head) return;
    tail.head = last;
    for (const wake of [...tail.waiting]) wake();
  }

  async #look(ids: readonly string[]): Promise<void> {
    const heads = await this.#options.machines.headSeqs(ids);
    for (const [machineId, last] of heads) this.#grow({ machineId, last });
  }

  /** Who is not answered is told by the next news. */
  async #lookAtAll(): Promise<void> {
    if (this.#tails.size === 0) return;
    await this.#look([...this.#tails.keys()]).catch(this.#options.onFailed);
  }
}
