// Tails the chains of machines for many readers: tracks heads, wakes waiting readers, and shares reads among them.
//
// Commit notices update the heads. After lost notices, one query reads the heads of all tailed machines, so two
// thousand readers cost as little as one.

import type { MachineRepository } from '../../../storage/machines/machines.ts';
import type { CommitNotice, EventBus } from '../../../storage/node/event-bus.ts';
import { type Frame, type Log, tailLog } from '../../node/tail-log.ts';

/** A filtered view of a chain. */
export interface Selection {
  /** Readers of one machine share reads if their selections have equal names. */
  readonly name: string;
  /** At most `limit` frames of rows first … last, oldest first. */
  page(first: number, last: number, limit: number): Promise<readonly Frame[]>;
  /** See `Log`; missing if every row is a frame. */
  readonly seqBehind?: Log['seqBehind'];
}

interface Tail {
  head: number;
  /** Settles after the first read of the head. */
  readonly ready: Promise<void>;
  readonly waiting: Set<() => void>;
  readers: number;
}

export interface MachineTailsOptions {
  readonly bus: EventBus;
  readonly machines: Pick<MachineRepository, 'headSeqs'>;
  readonly onError: (error: unknown) => void;
}

/** Rows per read, and so the payloads that a slow reader holds in memory. */
const PAGE_SIZE = 16;
const UNKNOWN = -1;

export class MachineTails {
  readonly #options: MachineTailsOptions;
  readonly #tails = new Map<string, Tail>();
  readonly #pages = new Map<string, Promise<readonly Frame[]>>();

  constructor(options: MachineTailsOptions) {
    this.#options = options;
    options.bus.subscribe((notices) => {
      if (notices === 'all') void this.#refreshAllHeads();
      else for (const notice of notices) this.#advance(notice);
    });
  }

  /** Number of tailed machines. */
  get size(): number {
    return this.#tails.size;
  }

  /**
   * First a frame `begin` with the cursor, so that a reader can resume before it received a row; then the selected rows
   * after the cursor, and each new one.
   *
   * @param since  cursor: the last row received; by default, and at most, the newest one
   * @param now  the current tick
   */
  async *subscribe(
    machineId: string,
    selection: Selection,
    since: number | undefined,
    now: () => number,
    signal: AbortSignal,
  ): AsyncGenerator<Frame, void, void> {
    const tail = this.#join(machineId);
    try {
      await tail.ready;
      // The reader received the row from another node, whose notice may still be in transit.
      if (since !== undefined && since > tail.head) await this.#refreshHeads([machineId]);
      const seen = Math.min(since ?? tail.head, tail.head);
      yield { seq: seen, type: 'begin', data: { svcond: now() } };
      yield* tailLog(this.#log(machineId, tail, selection), seen, signal);
    } finally {
      tail.readers--;
      if (tail.readers === 0 && this.#tails.get(machineId) === tail) this.#tails.delete(machineId);
    }
  }

  #join(machineId: string): Tail {
    const existing = this.#tails.get(machineId);
    if (existing) {
      existing.readers++;
      return existing;
    }
    // The tail is registered before its head is read, so notices during the read are not lost.
    const ready = Promise.resolve().then(async () => {
      try {
        await this.#refreshHeads([machineId]);
      } catch (error) {
        if (this.#tails.get(machineId) === tail) this.#tails.delete(machineId);
        throw error;
      }
    });
    const tail: Tail = { head: UNKNOWN, ready, waiting: new Set(), readers: 1 };
    this.#tails.set(machineId, tail);
    return tail;
  }

  #log(machineId: string, tail: Tail, { name, page, seqBehind }: Selection): Log {
    const read = (first: number, last: number) =>
      this.#coalesce(`${machineId} ${name} ${first} ${last}`, () => page(first, last, PAGE_SIZE));
    return {
      head: () => tail.head,
      read: async function* (first, last) {
        for (let from = first; from <= last; ) {
          const frames = await read(from, last);
          yield* frames;
          const end = frames.at(-1);
          if (end === undefined || frames.length < PAGE_SIZE) return;
          from = end.seq + 1;
        }
      },
      waitForGrowth: (head, signal) =>
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
      ...(seqBehind === undefined ? {} : { seqBehind }),
    };
  }

  /** Concurrent reads of the same rows share one query; the result is not cached. */
  #coalesce(key: string, load: () => Promise<readonly Frame[]>): Promise<readonly Frame[]> {
    const pending = this.#pages.get(key);
    if (pending) return pending;
    const page = load().finally(() => this.#pages.delete(key));
    this.#pages.set(key, page);
    return page;
  }

  #advance({ machineId, last }: Pick<CommitNotice, 'machineId' | 'last'>): void {
    const tail = this.#tails.get(machineId);
    if (tail === undefined || last <= tail.head) return;
    tail.head = last;
    for (const wake of [...tail.waiting]) wake();
  }

  async #refreshHeads(ids: readonly string[]): Promise<void> {
    const heads = await this.#options.machines.headSeqs(ids);
    for (const [machineId, last] of heads) this.#advance({ machineId, last });
  }

  /** After a failure, the next notice refreshes the heads. */
  async #refreshAllHeads(): Promise<void> {
    if (this.#tails.size === 0) return;
    await this.#refreshHeads([...this.#tails.keys()]).catch(this.#options.onError);
  }
}
