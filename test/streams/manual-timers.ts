// Timers that go off when the test says so.

import type { Timers } from '../../src/streams/timers.ts';

interface Alarm {
  readonly ms: number;
  readonly call: () => void;
}

export class ManualTimers implements Timers {
  readonly #alarms = new Set<Alarm>();

  every(ms: number, call: () => void): () => void {
    const alarm = { ms, call };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  after(ms: number, call: () => void): () => void {
    const stop = this.every(ms, () => {
      stop();
      call();
    });
    return stop;
  }

  /** All alarms of this length go off once. @returns how many */
  ring(ms: number): number {
    const due = [...this.#alarms].filter((alarm) => alarm.ms === ms);
    for (const { call } of due) call();
    return due.length;
  }

  get size(): number {
    return this.#alarms.size;
  }
}
