// Timers that fire when the test calls `fire`.

import type { Timers } from '../../src/streams/timers.ts';

interface Timer {
  readonly ms: number;
  readonly callback: () => void;
}

export class ManualTimers implements Timers {
  readonly #timers = new Set<Timer>();

  every(ms: number, callback: () => void): () => void {
    const timer = { ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  after(ms: number, callback: () => void): () => void {
    const stop = this.every(ms, () => {
      stop();
      callback();
    });
    return stop;
  }

  /** Fires all timers of this duration once. @returns their number */
  fire(ms: number): number {
    const due = [...this.#timers].filter((timer) => timer.ms === ms);
    for (const { callback } of due) callback();
    return due.length;
  }

  get size(): number {
    return this.#timers.size;
  }
}
