// Counts open streams with all nodes of one database (ADR 18): exactly, one statement for those that open together.
//
// A node writes how many it has of each name, and renews that while they are open. If it dies, they end by themselves.
// Without the database the limits of this node alone bind.

import type { Clock } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { withResolvers } from '../../core/with-resolvers.ts';
import type { StreamCountRepository, StreamDemand } from '../../storage/access/stream-counts.ts';
import { type Lifecycle, repeat } from '../node/lifecycle.ts';
import { unixMs } from '../node/platform.ts';
import { DatabaseSilence } from './database-silence.ts';

export interface StreamCountsOptions {
  readonly clock: Clock;
  /** Without it, the streams of this node are all. */
  readonly repository?: StreamCountRepository | undefined;
  /** Name of this run of the node. */
  readonly node: string;
  readonly onSilent?: (error: unknown) => void;
}

interface Count {
  readonly limit: number;
  open: number;
  /** Told whether their stream may open. */
  readonly waiting: ((mayOpen: boolean) => void)[];
}

const { renewMs, countedMs } = LIMITS.stream;
const MAX_BATCH = 64;

export class StreamCounts {
  readonly #clock: Clock;
  readonly #repository: StreamCountRepository | undefined;
  readonly #node: string;
  readonly #silence: DatabaseSilence;
  readonly #counts = new Map<string, Count>();
  /** Names whose counts the database does not have yet. */
  readonly #changed = new Set<string>();
  #writing: Promise<void> | undefined;
  readonly #renewal: Lifecycle;

  constructor({ clock, repository, node, onSilent }: StreamCountsOptions) {
    this.#clock = clock;
    this.#repository = repository;
    this.#node = node;
    this.#silence = new DatabaseSilence(clock, onSilent);
    this.#renewal = repeat(
      renewMs,
      () => this.renew(),
      () => {},
    );
    if (repository !== undefined) this.#renewal.start();
  }

  /** Counts one more stream, unless all nodes together have `limit` of the name. Each one that entered must leave. */
  async enter(name: string, limit: number): Promise<boolean> {
    if (this.#repository === undefined) return true;
    const count = this.#counts.get(name) ?? { limit, open: 0, waiting: [] };
    this.#counts.set(name, count);
    const { promise, resolve } = withResolvers<boolean>();
    count.waiting.push(resolve);
    void this.#changedNow(name);
    return promise;
  }

  leave(name: string): void {
    const count = this.#counts.get(name);
    if (count === undefined) return;
    count.open--;
    void this.#changedNow(name);
  }

  /** Writes all counts again, so that they do not end. */
  async renew(): Promise<void> {
    for (const name of this.#counts.keys()) this.#changed.add(name);
    await this.#write();
  }

  /** Waits until the counts are written, and removes them. */
  async close(): Promise<void> {
    await this.#renewal.stop();
    await this.#writing;
    if (this.#repository !== undefined && !this.#silence.isSilent)
      await this.#silence.heard(this.#repository.removeNode(this.#node));
  }

  #changedNow(name: string): Promise<void> {
    this.#changed.add(name);
    return this.#write();
  }

  /** One statement at a time, so that a later count is never replaced by an earlier one. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#changed.size > 0) void this.#write();
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#changed.size > 0) {
      const names = [...this.#changed].slice(0, MAX_BATCH);
      for (const name of names) this.#changed.delete(name);
      await this.#writeSome(names);
    }
  }

  async #writeSome(names: readonly string[]): Promise<void> {
    const demands: StreamDemand[] = names.flatMap((name) => {
      const count = this.#counts.get(name);
      return count === undefined ? [] : [{ name, limit: count.limit, open: count.open, waiting: count.waiting.length }];
    });
    const granted = await this.#ask(demands);
    for (const [i, { name, waiting }] of demands.entries()) {
      const count = this.#counts.get(name);
      if (count === undefined) continue;
      const mayOpen = granted?.[i] ?? waiting;
      for (const [place, tell] of count.waiting.splice(0, waiting).entries()) {
        if (place < mayOpen) count.open++;
        tell(place < mayOpen);
      }
      if (count.open === 0 && count.waiting.length === 0) this.#counts.delete(name);
    }
  }

  /** How many streams may open, by demand; undefined if the database does not say. */
  async #ask(demands: readonly StreamDemand[]): Promise<readonly number[] | undefined> {
    if (this.#repository === undefined || this.#silence.isSilent) return undefined;
    const nowMs = unixMs(this.#clock);
    return this.#silence.heard(this.#repository.count(this.#node, demands, nowMs, nowMs + countedMs));
  }
}
