// Counts the work in progress by shard, so that a hand-over can wait for its end.

import { setTimeout as sleep } from 'node:timers/promises';

/** Of a shard that is not known. */
type Lane = number | undefined;

export class WorkInProgress {
  readonly #counts = new Map<Lane, number>();
  readonly #waiting = new Set<() => void>();

  async during<Answer>(shard: Lane, work: () => Promise<Answer>): Promise<Answer> {
    this.#counts.set(shard, (this.#counts.get(shard) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#counts.get(shard) ?? 0) - 1;
      if (left > 0) this.#counts.set(shard, left);
      else this.#counts.delete(shard);
      for (const check of this.#waiting) check();
    }
  }

  /** Resolves when there is no work on these shards and on unknown ones, or after `limitMs`. */
  async ended(shards: ReadonlySet<number>, limitMs: number): Promise<void> {
    const isBusy = () => [...this.#counts.keys()].some((shard) => shard === undefined || shards.has(shard));
    if (!isBusy()) return;
    const timeout = new AbortController();
    let check = () => {};
    const idle = new Promise<void>((resolve) => {
      check = () => {
        if (!isBusy()) resolve();
      };
      this.#waiting.add(check);
    });
    await Promise.race([
      idle,
      sleep(limitMs, undefined, { signal: timeout.signal, ref: false }).catch(() => undefined),
    ]);
    timeout.abort();
    this.#waiting.delete(check);
  }
}
