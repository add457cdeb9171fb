// Runs kernels in a pool of worker threads, so that they never block the event loop of the server.
//
// One bounded FIFO queue holds waiting runs; each owner has a bounded share. A run that is cancelled or exceeds its
// deadline is rejected at once. Its worker becomes free at the end of the current chunk; a worker that does not return
// is terminated and replaced. A failed worker never affects other runs.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { type WithResolvers, withResolvers } from '../core/with-resolvers.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './abi.ts';
import { cancelled, nowMs, outOfTime } from './chunked-run.ts';
import { compileKernel, type KernelModule } from './instance.ts';
import type { Report, Task, WorkerData } from './worker.ts';

export interface PoolOptions {
  /** Maximum number of workers; each starts on first use. */
  readonly size?: number;
  /** Maximum number of waiting runs. */
  readonly maxQueued?: number;
  /** Maximum number of runs per owner, waiting or running. */
  readonly maxPerOwner?: number;
  /** Script of the workers. */
  readonly script?: URL;
}

export interface Pool extends KernelRunner {
  load(): { readonly size: number; readonly running: number; readonly waiting: number };
  /** Rejects new runs, then waits for accepted runs (`drain`) or rejects them with SHUTTING_DOWN. */
  close(options?: { readonly drain?: boolean }): Promise<void>;
}

export function createPool(options: PoolOptions = {}): Pool {
  return new WorkerPool(options);
}

interface Job {
  readonly id: number;
  readonly image: KernelImage;
  readonly run: KernelRun;
  readonly controls: RunControls;
  /** Settle the promise of the caller; only the first call has an effect. */
  readonly resolve: (output: KernelOutput) => void;
  readonly reject: (error: DomainError) => void;
  slot: Slot | undefined;
  /** The caller's promise is settled; the worker may still be running. */
  isAbandoned: boolean;
}

interface Slot {
  readonly worker: Worker;
  readonly cancelWord: Int32Array<SharedArrayBuffer>;
  job: Job | undefined;
  startedAtMs: number;
  terminationTimer: NodeJS.Timeout | undefined;
}

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
const MAX_ID = 0x7fffffff;
/** Limit of the JavaScript heap; the module of a kernel limits its memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64 };
/** Maximum number of cached compiled kernels. */
const MAX_MODULES = 128;

class WorkerPool implements Pool {
  readonly #size: number;
  readonly #maxQueued: number;
  readonly #maxPerOwner: number;
  readonly #script: URL;
  readonly #waiting: Job[] = [];
  readonly #slots = new Set<Slot>();
  readonly #jobs = new Set<Job>();
  readonly #modules = new Map<string, Promise<KernelModule>>();
  #lastId = 0;
  #meanMs = 100;
  #isClosing = false;
  #drained: WithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.#size = options.size ?? Math.min(availableParallelism(), 4);
    this.#maxQueued = options.maxQueued ?? LIMITS.kernel.queue;
    this.#maxPerOwner = options.maxPerOwner ?? LIMITS.kernel.perOwner;
    this.#script = options.script ?? SCRIPT;
  }

  load() {
    return { size: this.#size, running: this.#jobs.size - this.#waiting.length, waiting: this.#waiting.length };
  }

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    this.#admit(controls);
    const deadlineMs = controls.deadlineMs ?? LIMITS.kernel.deadlineMs;
    const { promise, resolve, reject } = withResolvers<KernelOutput>();
    this.#lastId = (this.#lastId % MAX_ID) + 1;
    const state = { resolve, reject, slot: undefined, isAbandoned: false };
    const job: Job = { id: this.#lastId, image, run, controls, ...state };

    const onDeadline = setTimeout(() => this.#abandon(job, outOfTime(deadlineMs)), deadlineMs);
    const onAbort = () => this.#abandon(job, cancelled());
    controls.signal?.addEventListener('abort', onAbort, { once: true });
    this.#jobs.add(job);
    this.#waiting.push(job);
    this.#dispatch();
    try {
      return await promise;
    } finally {
      clearTimeout(onDeadline);
      controls.signal?.removeEventListener('abort', onAbort);
    }
  }

  async close(options: { readonly drain?: boolean } = {}): Promise<void> {
    this.#isClosing = true;
    if (!options.drain) {
      for (const job of this.#jobs) {
        job.reject(shuttingDown());
        this.#remove(job);
      }
      this.#waiting.length = 0;
    }
    this.#drained ??= withResolvers();
    if (this.#jobs.size > 0) await this.#drained.promise;
    const slots = [...this.#slots];
    this.#slots.clear();
    for (const slot of slots) clearTimeout(slot.terminationTimer);
    await Promise.all(slots.map((slot) => slot.worker.terminate()));
  }

  /** @throws DomainError SHUTTING_DOWN, CANCELLED, RATE_LIMITED, QUEUE_FULL */
  #admit({ signal, owner }: RunControls): void {
    if (this.#isClosing) throw shuttingDown();
    if (signal?.aborted) throw cancelled();
    const waiting = this.#waiting.length;
    const retryAfterSeconds = Math.min(60, Math.ceil((this.#meanMs * (waiting + 1)) / this.#size / 1000));
    const ownRuns = owner === undefined ? 0 : [...this.#jobs].filter((job) => job.controls.owner === owner).length;
    if (ownRuns >= this.#maxPerOwner) {
      const message = `Limit of ${this.#maxPerOwner} runs per caller reached: ${ownRuns} are waiting or running; wait for one to finish.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds });
    }
    if (waiting >= this.#maxQueued && !this.#hasFreeSlot()) {
      throw new DomainError(
        'QUEUE_FULL',
        `Queue limit of ${this.#maxQueued} runs reached: ${waiting} are waiting; try again later.`,
        { retryAfterSeconds },
      );
    }
  }

  #hasFreeSlot(): boolean {
    return this.#slots.size < this.#size || [...this.#slots].some((slot) => slot.job === undefined);
  }

  /** Assigns waiting runs to free workers, oldest first. */
  #dispatch(): void {
    while (this.#waiting.length > 0 && this.#hasFreeSlot()) {
      const job = this.#waiting.shift();
      const slot = [...this.#slots].find((candidate) => candidate.job === undefined) ?? this.#startWorker();
      if (job) void this.#post(slot, job);
    }
  }

  #startWorker(): Slot {
    const cancelWord = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerData = { cancelWord };
    const worker = new Worker(this.#script, { workerData, env: {}, resourceLimits: RESOURCE_LIMITS });
    const slot: Slot = { worker, cancelWord, job: undefined, startedAtMs: 0, terminationTimer: undefined };
    worker.on('message', (report: Report) => this.#onReport(slot, report));
    worker.on('error', (cause) => this.#terminate(slot, failed('The worker of this run crashed.', cause)));
    worker.on('exit', (code) => this.#terminate(slot, failed(`The worker of this run ended with code ${code}.`)));
    this.#slots.add(slot);
    return slot;
  }

  /**
   * Posts the run with its compiled module: posting a module has no measurable cost, so workers need no module cache.
   */
  async #post(slot: Slot, job: Job): Promise<void> {
    slot.job = job;
    slot.startedAtMs = nowMs();
    job.slot = slot;
    slot.worker.ref();
    try {
      const module = await this.#compiled(job.image);
      // Copy the elements: posting a view would clone its whole underlying buffer.
      const inputs = (job.run.inputs ?? []).map(({ view, data }) => ({ view, data: data.slice() }));
      const reportsProgress = job.controls.onProgress !== undefined;
      const compiled = job.controls.accelerate?.(job.image, job.run);
      const task: Task = { id: job.id, module, run: { ...job.run, inputs }, compiled, reportsProgress };
      slot.worker.postMessage(
        task,
        inputs.map(({ data }) => data.buffer),
      );
    } catch (error) {
      job.reject(error instanceof DomainError ? error : failed('The run could not be posted.', error));
      this.#release(slot);
    }
  }

  #compiled(image: KernelImage): Promise<KernelModule> {
    const cached = this.#modules.get(image.sha256);
    if (cached) return cached;
    const module = compileKernel(image);
    module.catch(() => this.#modules.delete(image.sha256));
    this.#modules.set(image.sha256, module);
    for (const oldest of this.#modules.keys()) {
      if (this.#modules.size <= MAX_MODULES) break;
      this.#modules.delete(oldest);
    }
    return module;
  }

  #onReport(slot: Slot, report: Report): void {
    const { job } = slot;
    if (job?.id !== report.id) return;
    if (report.kind === 'progress') {
      if (!job.isAbandoned) job.controls.onProgress?.(report.fraction);
      return;
    }
    if (report.kind === 'finished') job.resolve(report.output);
    else job.reject(new DomainError(report.failure.code, report.failure.message, report.failure));
    this.#release(slot);
  }

  /** Rejects a run at once; its worker returns within `LIMITS.kernel.terminationMs` or is terminated. */
  #abandon(job: Job, error: DomainError): void {
    job.isAbandoned = true;
    job.reject(error);
    const { slot } = job;
    if (slot) {
      Atomics.store(slot.cancelWord, 0, job.id);
      slot.terminationTimer ??= setTimeout(() => this.#terminate(slot, error), LIMITS.kernel.terminationMs);
    } else {
      const index = this.#waiting.indexOf(job);
      if (index >= 0) this.#waiting.splice(index, 1);
      this.#remove(job);
    }
  }

  /** Marks the worker of a slot as free. */
  #release(slot: Slot): void {
    const { job } = slot;
    clearTimeout(slot.terminationTimer);
    slot.terminationTimer = undefined;
    slot.job = undefined;
    slot.worker.unref();
    this.#meanMs += (nowMs() - slot.startedAtMs - this.#meanMs) / 10;
    if (job) this.#remove(job);
    this.#dispatch();
  }

  /** Terminates a worker; the next run that needs one starts another. */
  #terminate(slot: Slot, error: DomainError): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.terminationTimer);
    void slot.worker.terminate();
    slot.job?.reject(error);
    if (slot.job) this.#remove(slot.job);
    this.#dispatch();
  }

  #remove(job: Job): void {
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) this.#drained?.resolve();
  }
}

const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');

const failed = (message: string, cause?: unknown) => new DomainError('KERNEL_FAILED', message, { cause });
