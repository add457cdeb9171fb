// Runs tasks in a pool of worker threads, so that they never block the event loop of the server. pool.ts runs kernels.
//
// One bounded queue holds waiting tasks and is fair among owners, each with a bounded share. If it is full, an owner with
// few tasks displaces the newest task of the owner with most. A task that is cancelled or exceeds its deadline is
// rejected at once. Its worker becomes free when it notices; a worker that does not return is terminated and replaced. A
// failed worker never affects other tasks. The deadline of a task begins with its work: one that has waited as long without
// a worker is refused like one that finds the queue full. A task begins on the first worker that is ready: loading the
// script takes seconds on a busy machine.

import module from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../core/errors.ts';
import { FairQueue } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import { type WithResolvers, withResolvers } from '../core/with-resolvers.ts';
import type { RunControls } from './abi.ts';
import { cancelled, nowMs, outOfTime } from './chunked-run.ts';
import { errorOf } from './failure.ts';
import { failed, type Job, notStarted, type Slot, shuttingDown, type TaskKind } from './task-job.ts';
import type { Report, WorkerData } from './task-worker.ts';
import { WorkerShares } from './worker-shares.ts';

export interface PoolOptions {
  /** Maximum number of workers; each starts on first use. */
  readonly size?: number;
  /** Maximum number of waiting tasks. */
  readonly maxQueued?: number;
  /** Maximum number of tasks per owner, waiting or running. */
  readonly maxPerOwner?: number;
  /** Maximum number of running tasks per owner; all workers by default. */
  readonly maxRunningPerOwner?: number;
  /** Script of the workers. */
  readonly script?: URL;
  /** How much lower than the event loop the workers rank for processors, 0 to 19; 0 by default. Linux only. */
  readonly niceness?: number;
  /** Shares of the owners over several pools; by default those of this pool alone. */
  readonly shares?: WorkerShares;
}

const MAX_ID = 0x7fffffff;
/** Owner of tasks without one. They share the queue of one owner, but its limit does not bind them. */
const NO_OWNER = '';

export class TaskPool<Input, Output> {
  readonly #kind: TaskKind<Input>;
  readonly #size: number;
  readonly #maxQueued: number;
  readonly #maxPerOwner: number;
  readonly #maxRunningPerOwner: number;
  readonly #script: URL;
  readonly #niceness: number;
  readonly #shares: WorkerShares;
  readonly #waiting = new FairQueue<Job<Input, Output>>();
  readonly #slots = new Set<Slot<Input, Output>>();
  readonly #jobs = new Set<Job<Input, Output>>();
  #lastId = 0;
  #meanMs = 100;
  #isClosing = false;
  #drained: WithResolvers<void> | undefined;

  constructor(kind: TaskKind<Input>, options: PoolOptions = {}) {
    this.#kind = kind;
    this.#size = options.size ?? Math.min(availableParallelism(), 4);
    this.#maxQueued = options.maxQueued ?? LIMITS.kernel.queue;
    this.#maxPerOwner = options.maxPerOwner ?? LIMITS.kernel.perOwner;
    this.#maxRunningPerOwner = options.maxRunningPerOwner ?? this.#size;
    this.#script = options.script ?? kind.script;
    this.#niceness = options.niceness ?? 0;
    this.#shares = options.shares ?? new WorkerShares(this.#size);
    this.#shares.join(() => this.#dispatch());
  }

  load() {
    const waiting = this.#waiting.size;
    return { size: this.#size, running: this.#jobs.size - waiting, waiting };
  }

  /**
   * @throws DomainError CANCELLED, OUT_OF_TIME, QUEUE_FULL, RATE_LIMITED, SHUTTING_DOWN, KERNEL_FAILED if the worker
   *   fails, and what `prepare` and the worker throw
   */
  async run(input: Input, controls: RunControls = {}): Promise<Output> {
    this.#admit(controls);
    const { promise, resolve, reject } = withResolvers<Output>();
    this.#lastId = (this.#lastId % MAX_ID) + 1;
    const state = { resolve, reject, slot: undefined, timer: undefined, isAbandoned: false };
    const job: Job<Input, Output> = { id: this.#lastId, owner: controls.owner ?? NO_OWNER, input, controls, ...state };

    const waitMs = deadlineOf(job);
    const onWaited = () => this.#abandon(job, notStarted(waitMs, this.#waiting.size, this.#secondsToFree()));
    job.timer = setTimeout(onWaited, waitMs);
    const onAbort = () => this.#abandon(job, cancelled());
    controls.signal?.addEventListener('abort', onAbort, { once: true });
    this.#jobs.add(job);
    this.#shares.enter(job.owner);
    this.#waiting.push(job.owner, job);
    this.#dispatch();
    try {
      return await promise;
    } finally {
      clearTimeout(job.timer);
      controls.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Starts a first worker, so that the first task waits for none that loads its script. More would cost 60 MB each. */
  async warm(): Promise<void> {
    if (this.#slots.size > 0 || this.#isClosing) return;
    const { worker } = this.#startWorker();
    worker.unref();
    await new Promise<void>((resolve) => {
      for (const event of ['message', 'exit'] as const) worker.once(event, () => resolve());
    });
  }

  /** Rejects new tasks, then waits for accepted ones (`drain`) or rejects them with SHUTTING_DOWN. */
  async close(options: { readonly drain?: boolean } = {}): Promise<void> {
    this.#isClosing = true;
    if (!options.drain) {
      for (const job of this.#jobs) {
        job.reject(shuttingDown());
        this.#waiting.remove(job.owner, job);
      }
      for (const job of [...this.#jobs]) this.#remove(job);
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
    const waiting = this.#waiting.size;
    const retryAfterSeconds = this.#secondsToFree();
    const ownRuns = owner === undefined ? 0 : this.#waiting.countOf(owner);
    if (ownRuns >= this.#maxPerOwner) {
      const message = `Limit of ${this.#maxPerOwner} runs per caller reached: ${ownRuns} are waiting or running; wait for one to finish.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds });
    }
    if (waiting < this.#maxQueued || (this.#hasFreeSlot() && this.#mayStart(owner ?? NO_OWNER))) return;
    const full = `Queue limit of ${this.#maxQueued} runs reached: ${waiting} are waiting; try again later.`;
    const displaced = this.#waiting.displaceFor(owner ?? NO_OWNER);
    if (displaced === undefined) throw new DomainError('QUEUE_FULL', full, { retryAfterSeconds });
    displaced.isAbandoned = true;
    displaced.reject(new DomainError('QUEUE_FULL', full, { retryAfterSeconds }));
    this.#remove(displaced);
  }

  /** Estimated time until all waiting tasks have had a worker. */
  #secondsToFree(): number {
    return Math.min(60, Math.ceil((this.#meanMs * (this.#waiting.size + 1)) / this.#size / 1000));
  }

  #hasFreeSlot(): boolean {
    return this.#slots.size < this.#size || [...this.#slots].some((slot) => slot.job === undefined);
  }

  /** Assigns waiting tasks to free workers. */
  #dispatch(): void {
    while (this.#waiting.size > 0 && this.#hasFreeSlot()) {
      const job = this.#waiting.next((owner) => this.#mayStart(owner));
      if (job === undefined) return;
      this.#shares.start(job.owner);
      const free = [...this.#slots].filter((slot) => slot.job === undefined);
      this.#give(free.find(({ isReady }) => isReady) ?? free[0] ?? this.#startWorker(), job);
    }
  }

  #mayStart(owner: string): boolean {
    return this.#waiting.runningOf(owner) < this.#maxRunningPerOwner && this.#shares.mayStart(owner);
  }

  #startWorker(): Slot<Input, Output> {
    const cancelWord = new Int32Array(new SharedArrayBuffer(4));
    const frameWord = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerData = { cancelWord, frameWord, niceness: this.#niceness };
    const worker = new Worker(this.#script, {
      workerData,
      env: COMPILE_CACHE,
      resourceLimits: { maxOldGenerationSizeMb: this.#kind.heapMb },
    });
    const slot: Slot<Input, Output> = {
      worker,
      cancelWord,
      frameWord,
      job: undefined,
      isReady: false,
      startedAtMs: 0,
      terminationTimer: undefined,
    };
    worker.on('message', (report: Report<Output>) => this.#onReport(slot, report));
    worker.on('error', (cause) => this.#terminate(slot, failed('The worker of this run crashed.', cause)));
    worker.on('exit', (code) => this.#terminate(slot, failed(`The worker of this run ended with code ${code}.`)));
    this.#slots.add(slot);
    return slot;
  }

  /** Gives a worker a task, which begins when the worker is ready. */
  #give(slot: Slot<Input, Output>, job: Job<Input, Output>): void {
    slot.job = job;
    job.slot = slot;
    slot.worker.ref();
    if (slot.isReady) void this.#begin(slot, job);
  }

  async #begin(slot: Slot<Input, Output>, job: Job<Input, Output>): Promise<void> {
    slot.startedAtMs = nowMs();
    clearTimeout(job.timer);
    const deadlineMs = deadlineOf(job);
    job.timer = setTimeout(() => this.#abandon(job, outOfTime(deadlineMs)), deadlineMs);
    try {
      const { fields, transfer } = await this.#kind.prepare(job.input, job.controls);
      slot.worker.postMessage({ ...fields, id: job.id }, transfer);
    } catch (error) {
      job.reject(error instanceof DomainError ? error : failed('The run could not be posted.', error));
      this.#release(slot);
    }
  }

  /** Gives a free worker the task of one that still loads its script. */
  #takeOver(slot: Slot<Input, Output>): void {
    const loading = [...this.#slots].find((other) => !other.isReady && other.job !== undefined);
    const job = loading?.job;
    if (!loading || !job) return;
    loading.job = undefined;
    loading.worker.unref();
    this.#give(slot, job);
  }

  #onReport(slot: Slot<Input, Output>, report: Report<Output>): void {
    const { job } = slot;
    if (report.kind === 'ready') {
      slot.isReady = true;
      if (job) void this.#begin(slot, job);
      return;
    }
    if (report.kind === 'frame') {
      if (job?.id === report.id && !job.isAbandoned)
        this.#kind.onFrame?.(job.input, job.controls, report.frame, report.fraction);
      Atomics.store(slot.frameWord, 0, 0);
      return;
    }
    if (job?.id !== report.id) return;
    if (report.kind === 'progress') {
      if (!job.isAbandoned) job.controls.onProgress?.(report.fraction);
      return;
    }
    if (report.kind === 'finished') job.resolve(report.output);
    else job.reject(errorOf(report.failure));
    this.#release(slot);
  }

  /** Rejects a task at once; its worker returns within `LIMITS.kernel.terminationMs` or is terminated. */
  #abandon(job: Job<Input, Output>, error: DomainError): void {
    job.isAbandoned = true;
    job.reject(error);
    const { slot } = job;
    if (slot?.isReady) {
      Atomics.store(slot.cancelWord, 0, job.id);
      slot.terminationTimer ??= setTimeout(() => this.#terminate(slot, error), LIMITS.kernel.terminationMs);
    } else if (slot) this.#release(slot);
    else {
      this.#waiting.remove(job.owner, job);
      this.#remove(job);
    }
  }

  /** Marks the worker of a slot as free. */
  #release(slot: Slot<Input, Output>): void {
    const { job } = slot;
    clearTimeout(slot.terminationTimer);
    slot.terminationTimer = undefined;
    slot.job = undefined;
    slot.worker.unref();
    if (slot.isReady) this.#meanMs += (nowMs() - slot.startedAtMs - this.#meanMs) / 10;
    if (slot.isReady) this.#takeOver(slot);
    if (job) this.#finish(job);
    this.#dispatch();
  }

  /** Terminates a worker; the next task that needs one starts another. */
  #terminate(slot: Slot<Input, Output>, error: DomainError): void {
    if (!this.#slots.delete(slot)) return;
    clearTimeout(slot.terminationTimer);
    void slot.worker.terminate();
    slot.job?.reject(error);
    if (slot.job) this.#finish(slot.job);
    this.#dispatch();
  }

  /** Ends the turn of a task that had a worker. */
  #finish(job: Job<Input, Output>): void {
    // After `close`, the task is already removed.
    if (this.#jobs.has(job)) this.#waiting.finish(job.owner);
    this.#remove(job);
  }

  #remove(job: Job<Input, Output>): void {
    if (this.#jobs.delete(job)) this.#shares.leave(job.owner, job.slot !== undefined);
    if (this.#jobs.size === 0) this.#drained?.resolve();
  }
}

const deadlineOf = ({ controls }: { readonly controls: RunControls }) =>
  controls.deadlineMs ?? LIMITS.kernel.deadlineMs;

/** Workers use the compiled modules that bin/svc.js keeps (Node 22): loading a script then takes a third of the time. */
const { getCompileCacheDir } = module as { readonly getCompileCacheDir?: () => string | undefined };
const compileCache = getCompileCacheDir?.();
const COMPILE_CACHE: Record<string, string> =
  compileCache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compileCache) };
