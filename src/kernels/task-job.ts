// Tasks of a pool, their kind, and the worker that has one.

import type { Worker } from 'node:worker_threads';
import { DomainError } from '../core/errors.ts';
import type { RunControls } from './abi.ts';

/** What a pool does with its tasks. */
export interface TaskKind<Input> {
  /** Script of the workers; it calls `serveTasks`. */
  readonly script: URL;
  /** Limit of the JavaScript heap of a worker. */
  readonly heapMb: number;
  /**
   * Makes the fields of a worker's task besides its id, and lists the buffers to transfer.
   *
   * @throws DomainError  for an input that cannot be posted
   */
  prepare(input: Input, controls: RunControls): Promise<{ readonly fields: object; readonly transfer: ArrayBuffer[] }>;
  /** Receives the frames of tasks that are watched. The worker sends the next one after it has returned. */
  onFrame?(input: Input, controls: RunControls, frame: Float64Array, fraction: number): void;
}

export interface Job<Input, Output> {
  readonly id: number;
  readonly owner: string;
  readonly input: Input;
  readonly controls: RunControls;
  /** Settle the promise of the caller; only the first call has an effect. */
  readonly resolve: (output: Output) => void;
  readonly reject: (error: DomainError) => void;
  slot: Slot<Input, Output> | undefined;
  /** Ends the wait until the task starts, then the task. */
  timer: NodeJS.Timeout | undefined;
  /** The caller's promise is settled; the worker may still be running. */
  isAbandoned: boolean;
}

export interface Slot<Input, Output> {
  readonly worker: Worker;
  readonly cancelWord: Int32Array<SharedArrayBuffer>;
  readonly frameWord: Int32Array<SharedArrayBuffer>;
  job: Job<Input, Output> | undefined;
  /** The worker has loaded its script; a task that it was given before starts now. */
  isReady: boolean;
  startedAtMs: number;
  terminationTimer: NodeJS.Timeout | undefined;
}

export const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');

export const failed = (message: string, cause?: unknown) => new DomainError('KERNEL_FAILED', message, { cause });

/** The refusal of a task that no worker has begun: nothing of it was done, so it may be sent again. */
export function notStarted(waitMs: number, waiting: number, retryAfterSeconds: number): DomainError {
  const message = `The run did not start within ${Math.round(waitMs)} ms: ${waiting} runs are waiting; try again later.`;
  return new DomainError('QUEUE_FULL', message, { retryAfterSeconds });
}
