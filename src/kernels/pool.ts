// Runs kernels in worker threads, so that the event loop of a server never waits for one.
//
// Waiting runs stand in one bounded line, first come first served, with a bounded share for each owner. A caller that
// cancels or runs out of time is answered at once; its worker is free when the kernel reaches the end of its chunk, and
// is stopped and replaced when the kernel never does. Whatever happens to one worker, other runs go on.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './abi.ts';
import { compileKernel, type KernelModule } from './instance.ts';
import { cancelled, nowMs, outOfTime } from './pace.ts';
import type { Report, Task, WorkerData } from './worker.ts';

export interface PoolOptions {
  /** Workers; they start when they are first needed. */
  readonly size?: number;
  /** Runs that may wait. */
  readonly queue?: number;
  /** Runs of one owner, waiting or running. */
  readonly perOwner?: number;
  /** The script of a worker. */
  readonly script?: URL;
}

export interface Pool extends KernelRunner {
  load(): { readonly size: number; readonly running: number; readonly waiting: number };
  /** Refuse new runs, then wait for all that were taken (`drain`) or end them with SHUTTING_DOWN. */
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
  /** Both do nothing after the first call of either. */
  readonly resolve: (output: KernelOutput) => void;
  readonly reject: (error: DomainError) => void;
  slot: Slot | undefined;
  /** Its caller has been answered; the worker may not know yet. */
  isAbandoned: boolean;
}

interface Slot {
  readonly worker: Worker;
  readonly cancelWord: Int32Array<SharedArrayBuffer>;
  job: Job | undefined;
  begin: number;
  reaper: NodeJS.Timeout | undefined;
}

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
const LARGEST_ID = 0x7fffffff;
/** For JavaScript's heap; a kernel's own memory is bounded by its module. */
const RESOURCES = { maxOldGenerationSizeMb: 64 };
/** Compiled kernels kept. */
const MODULES = 128;

class WorkerPool implements Pool {
  readonly #size: number;
  readonly #queue: number;
  readonly #perOwner: number;
  readonly #script: URL;
  readonly #waiting: Job[] = [];
  readonly #slots = new Set<Slot>();
  readonly #jobs = new Set<Job>();
  readonly #modules = new Map<string, Promise<KernelModule>>();
  #lastId = 0;
  #meanMs = 100;
  #isClosing = false;
  #emptied: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.#size = options.size ?? Math.min(availableParallelism(), 4);
    this.#queue = options.queue ?? LIMITS.kernel.queue;
    this.#perOwner = options.perOwner ?? LIMITS.kernel.perOwner;
    this.#script = options.script ?? SCRIPT;
  }

  load() {
    return { size: this.#size, running: this.#jobs.size - this.#waiting.length, waiting: this.#waiting.length };
  }

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    this.#admit(controls);
    const deadlineMs = controls.deadlineMs ?? LIMITS.kernel.deadlineMs;
    const { promise, resolve, reject } = Promise.withResolvers<KernelOutput>();
    this.#lastId = (this.#lastId % LARGEST_ID) + 1;
    const answer = { resolve, reject, slot: undefined, isAbandoned: false };
    const job: Job = { id: this.#lastId, image, run, controls, ...answer };

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
        this.#leave(job);
      }
      this.#waiting.length = 0;
    }
    this.#emptied ??= Promise.withResolvers();
    if (this.#jobs.size > 0) await this.#emptied.promise;
    const slots = [...this.#slots];
    this.#slots.clear();
    for (const slot of slots) clearTimeout(slot.reaper);
    await Promise.all(slots.map((slot) => slot.worker.terminate()));
  }

  /** @throws DomainError SHUTTING_DOWN, CANCELLED, RATE_LIMITED, QUEUE_FULL */
  #admit({ signal, owner }: RunControls): void {
    if (this.#isClosing) throw shuttingDown();
    if (signal?.aborted) throw cancelled();
    const waiting = this.#waiting.length;
    const retryAfterSeconds = Math.min(60, Math.ceil((this.#meanMs * (waiting + 1)) / this.#size / 1000));
    const owned = owner === undefined ? 0 : [...this.#jobs].filter((job) => job.controls.owner === owner).length;
    if (owned >= this.#perOwner) {
      const message = `${owned} runs of this caller are waiting or running; ${this.#perOwner} are allowed.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds });
    }
    if (waiting >= this.#queue && !this.#hasFreeSlot()) {
      throw new DomainError('QUEUE_FULL', `${waiting} runs are waiting; no more are taken.`, { retryAfterSeconds });
    }
  }

  #hasFreeSlot(): boolean {
    return this.#slots.size < this.#size || [...this.#slots].some((slot) => slot.job === undefined);
  }

  /** Give waiting runs to free workers, oldest first. */
  #dispatch(): void {
    while (this.#waiting.length > 0 && this.#hasFreeSlot()) {
      const job = this.#waiting.shift();
      const slot = [...this.#slots].find((one) => one.job === undefined) ?? this.#hire();
      if (job) void this.#begin(slot, job);
    }
  }

  #hire(): Slot {
    const cancelWord = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerData = { cancelWord };
    const worker = new Worker(this.#script, { workerData, env: {}, resourceLimits: RESOURCES });
    const slot: Slot = { worker, cancelWord, job: undefined, begin: 0, reaper: undefined };
    worker.on('message', (report: Report) => this.#hear(slot, report));
    worker.on('error', (cause) => this.#dismiss(slot, failed('The worker of this run crashed.', cause)));
    worker.on('exit', (code) => this.#dismiss(slot, failed(`The worker of this run ended with code ${code}.`)));
    this.#slots.add(slot);
    return slot;
  }

  /** Posting a compiled module costs nothing measurable, so that a worker need not tell which ones it knows. */
  async #begin(slot: Slot, job: Job): Promise<void> {
    slot.job = job;
    slot.begin = nowMs();
    job.slot = slot;
    slot.worker.ref();
    try {
      const module = await this.#compiled(job.image);
      // Copies of exactly the elements: posting a view would clone all the buffer that it looks into.
      const inputs = (job.run.inputs ?? []).map(({ view, data }) => ({ view, data: data.slice() }));
      const wantsProgress = job.controls.onProgress !== undefined;
      const task: Task = { id: job.id, module, run: { ...job.run, inputs }, wantsProgress };
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
    const known = this.#modules.get(image.sha256);
    if (known) return known;
    const module = compileKernel(image);
    module.catch(() => this.#modules.delete(image.sha256));
    this.#modules.set(image.sha256, module);
    for (const oldest of this.#modules.keys()) {
      if (this.#modules.size <= MODULES) break;
      this.#modules.delete(oldest);
    }
    return module;
  }

  #hear(slot: Slot, report: Report): void {
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

  /** Answer a run at once, and have its worker back within the grace or not at all. */
  #abandon(job: Job, error: DomainError): void {
    job.isAbandoned = true;
    job.reject(error);
    const { slot } = job;
    if (slot) {
      Atomics.store(slot.cancelWord, 0, job.id);
      slot.reaper ??= setTimeout(() => this.#dismiss(slot, error), LIMITS.kernel.graceMs);
    } else {
      const place = this.#waiting.indexOf(job);
      if (place >= 0) this.#waiting.splice(place, 1);
      this.#leave(job);
    }
  }

  /** The worker of a slot is free again. */
  #release(slot: Slot): void {
    const { job } = slot;
    clearTimeout(slot.reaper);
    slot.reaper = undefined;
    slot.job = undefined;
    slot.worker.unref();
    this.#meanMs += (nowMs() - slot.begin - this.#meanMs) / 10;
    if (job) this.#leave(job);
    this.#dispatch();
  }

  /** A worker is lost or stopped; the next run that needs one hires another. */
  #dismiss(slot: Slot, error: DomainError): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.reaper);
    void slot.worker.terminate();
    slot.job?.reject(error);
    if (slot.job) this.#leave(slot.job);
    this.#dispatch();
  }

  #leave(job: Job): void {
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) this.#emptied?.resolve();
  }
}

const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');

const failed = (message: string, cause?: unknown) => new DomainError('KERNEL_FAILED', message, { cause });
