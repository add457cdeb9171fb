// Client of the page's worker: started on the first request, replaced after a crash, a script that it could not fetch,
// or a cancellation that it ignores.

import { DomainError } from '../../core/errors.ts';
import { withResolvers } from '../../core/with-resolvers.ts';
import type { LiveFrame, TaskName, Tasks, WorkerEvent, WorkerRequest } from './messages.ts';

export interface TaskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onFrame?: (frame: LiveFrame) => void;
}

interface PendingTask {
  readonly request: WorkerRequest;
  readonly options: TaskOptions;
  readonly resolve: (result: Tasks[TaskName]['result']) => void;
  readonly reject: (error: DomainError) => void;
}

/** Terminate a worker that has not acknowledged a cancellation after this time; it may still be loading. */
const CANCEL_TIMEOUT_MS = 2_000;

export class WorkerClient {
  readonly #start: () => Worker;
  readonly #cancelTimeoutMs: number;
  readonly #pending = new Map<number, PendingTask>();
  /** Ids cancelled here but not yet acknowledged by the worker. */
  readonly #cancelling = new Set<number>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(start: () => Worker, cancelTimeoutMs = CANCEL_TIMEOUT_MS) {
    this.#start = start;
    this.#cancelTimeoutMs = cancelTimeoutMs;
  }

  /** @throws DomainError of the task; CANCELLED immediately; INTERNAL if the worker crashes */
  request<Name extends TaskName>(
    kind: Name,
    input: Tasks[Name]['request'],
    options: TaskOptions = {},
  ): Promise<Tasks[Name]['result']> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = withResolvers<Tasks[TaskName]['result']>();
    const request = { ...input, id, kind } as WorkerRequest;
    this.#pending.set(id, { request, options, resolve, reject });
    this.#startedWorker().postMessage(request);
    const onAbort = () => this.#cancel(id);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => options.signal?.removeEventListener('abort', onAbort)) as Promise<
      Tasks[Name]['result']
    >;
  }

  #startedWorker(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#start();
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerEvent>) => {
      // What a replaced worker posted before its end may still arrive.
      if (this.#worker === worker) this.#onEvent(data);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#onWorkerError();
    });
    this.#worker = worker;
    return worker;
  }

  #onEvent(event: WorkerEvent): void {
    const isLast = event.kind === 'done' || event.kind === 'failed';
    if (isLast) this.#cancelling.delete(event.id);
    const task = this.#pending.get(event.id);
    if (isLast) this.#pending.delete(event.id);
    if (task) report(task, event);
    if (event.kind === 'failed' && event.isWorkerBroken === true) this.#replace();
  }

  #cancel(id: number): void {
    const worker = this.#worker;
    this.#pending.get(id)?.reject(new DomainError('CANCELLED', 'The run was cancelled.'));
    this.#pending.delete(id);
    this.#cancelling.add(id);
    worker?.postMessage({ id, kind: 'cancel' } satisfies WorkerRequest);
    setTimeout(() => {
      if (this.#cancelling.has(id) && this.#worker === worker) this.#replace();
    }, this.#cancelTimeoutMs);
  }

  /** Resends the other pending requests: tasks have no side effects. */
  #replace(): void {
    this.#stop();
    for (const { request } of this.#pending.values()) this.#startedWorker().postMessage(request);
  }

  /** Rejects all pending requests instead of resending them: any of them may have caused the crash. */
  #onWorkerError(): void {
    this.#stop();
    const tasks = [...this.#pending.values()];
    this.#pending.clear();
    const message = 'The worker stopped. Only this run is lost; try again.';
    for (const { reject } of tasks) reject(new DomainError('INTERNAL', message));
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#cancelling.clear();
  }
}

function report({ options, resolve, reject }: PendingTask, event: WorkerEvent): void {
  if (event.kind === 'progress') options.onProgress?.(event.fraction);
  else if (event.kind === 'frame') options.onFrame?.(event.frame);
  else if (event.kind === 'done') resolve(event.result);
  else {
    const { code, message, details, facts } = event.failure;
    reject(new DomainError(code, message, { details, facts }));
  }
}

/** Shared by all pages. */
export const workerClient = new WorkerClient(
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
);
