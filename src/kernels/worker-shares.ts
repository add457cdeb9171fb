// Shares of the processors among the owners of tasks, over several pools of workers.
//
// While more than one owner is present, none has more tasks running than its share, so a worker is free for those who
// ask next: their wait does not depend on how long the tasks of the others take. An owner is present while it has tasks,
// and a moment longer, because a client that sends one request after the other has none in between. An owner alone uses
// everything.

import { nowMs } from './chunked-run.ts';

interface Owner {
  /** Tasks that wait or run. */
  tasks: number;
  running: number;
  leftAtMs: number;
}

/** How long an owner stays present after its last task. */
const PRESENCE_MS = 250;

export class WorkerShares {
  readonly #processors: number;
  readonly #now: () => number;
  readonly #owners = new Map<string, Owner>();
  readonly #dispatchers: (() => void)[] = [];

  constructor(processors: number, now = nowMs) {
    this.#processors = processors;
    this.#now = now;
  }

  /** Adds a pool, whose `dispatch` is called when an owner may start another task. */
  join(dispatch: () => void): void {
    this.#dispatchers.push(dispatch);
  }

  enter(name: string): void {
    const owner = this.#owners.get(name) ?? { tasks: 0, running: 0, leftAtMs: 0 };
    owner.tasks++;
    this.#owners.set(name, owner);
  }

  /** Whether another task of this owner may start. One always may. */
  mayStart(name: string): boolean {
    const running = this.#owners.get(name)?.running ?? 0;
    return running === 0 || running < Math.ceil(this.#processors / this.#present());
  }

  start(name: string): void {
    const owner = this.#owners.get(name);
    if (owner !== undefined) owner.running++;
  }

  /** Ends a task that was entered. */
  leave(name: string, wasRunning: boolean): void {
    const owner = this.#owners.get(name);
    if (owner === undefined) return;
    owner.tasks--;
    if (wasRunning) owner.running--;
    owner.leftAtMs = this.#now();
    // Whoever waits for a share has a running task, here or in another pool.
    if (wasRunning) for (const dispatch of this.#dispatchers) dispatch();
  }

  /** Number of present owners; forgets the others. */
  #present(): number {
    const since = this.#now() - PRESENCE_MS;
    for (const [name, { tasks, leftAtMs }] of this.#owners)
      if (tasks === 0 && leftAtMs < since) this.#owners.delete(name);
    return this.#owners.size;
  }
}
