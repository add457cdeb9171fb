// Shares machines among worker threads. Each reads the snapshot of the main thread on a connection of its own, so that
// the processors of both the database and this computer are used. An embedded database has one connection: no workers.

import { Worker } from 'node:worker_threads';
import { type Executor, rows } from '../../storage/database/sql.ts';
import type { MachineOptions, MachineResult, MachineTask } from './machine.ts';
import type { MachineWorkerData } from './machine-worker.ts';

export interface SharedDatabase {
  readonly databaseUrl: string;
  readonly schema?: string | undefined;
  /** Number of worker threads; the main one then checks no machine. */
  readonly workers: number;
}

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts') ? './machine-worker.ts' : './machine-worker.js',
  import.meta.url,
);
/** A session that is idle in a transaction for ten seconds is ended. */
const WAKE_MS = 3_000;

export class MachineWorkers {
  readonly #on: Executor;
  readonly #workers: Worker[] = [];
  readonly #ended: Promise<void>[] = [];

  constructor(on: Executor) {
    this.#on = on;
  }

  /**
   * @param next  the next machine to check; undefined if none is left
   * @param onChecked  called for each machine that a worker has checked
   */
  async start(
    { databaseUrl, schema, workers }: SharedDatabase,
    options: MachineOptions,
    next: () => Promise<MachineTask | undefined>,
    onChecked: (result: MachineResult) => void,
  ): Promise<void> {
    const [exported] = await rows<{ snapshot: string }>(this.#on, 'select pg_export_snapshot() as snapshot');
    const data: MachineWorkerData = { databaseUrl, schema, snapshot: exported?.snapshot ?? '', options };
    for (let i = 0; i < workers; i++) {
      const worker = new Worker(SCRIPT, { workerData: data });
      this.#workers.push(worker);
      const ended = serve(worker, next, onChecked);
      // Its failure is thrown by `finish`, which may come later.
      ended.catch(() => {});
      this.#ended.push(ended);
    }
  }

  /** Resolves when all machines are checked. @throws the first failure of a worker */
  async finish(): Promise<void> {
    const all = Promise.all(this.#ended);
    let isDone = false;
    const done = all.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await Promise.race([done, later(WAKE_MS)]);
      if (!isDone) await rows(this.#on, 'select 1');
    }
    await all;
  }

  /** Ends workers that still run; the database rolls back what they read. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Gives a worker one machine after the other. Resolves when it has ended. */
function serve(
  worker: Worker,
  next: () => Promise<MachineTask | undefined>,
  onChecked: (result: MachineResult) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (result: MachineResult | undefined) => {
      if (result !== undefined) onChecked(result);
      next().then((machine) => worker.postMessage(machine), reject);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A worker ended with code ${code}.`))));
  });
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
