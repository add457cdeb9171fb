// Worker thread of the pool: runs one task at a time and posts reports. Compiled kernels arrive with the task, and
// idle instances stay cached. A word in shared memory, polled between chunks, holds the id of the run to cancel.
// The pool alone enforces deadlines.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DomainError, type ErrorCode } from '../core/errors.ts';
import type { CompiledModule, KernelOutput, KernelRun } from './abi.ts';
import { runInChunks } from './chunked-run.ts';
import type { KernelInstance, KernelModule } from './instance.ts';
import { InstanceCache } from './instance-cache.ts';

export interface WorkerData {
  /** Id of the run to cancel. */
  readonly cancelWord: Int32Array<SharedArrayBuffer>;
}

/** Pool → worker. */
export interface Task {
  readonly id: number;
  readonly module: KernelModule;
  readonly run: KernelRun;
  readonly compiled: CompiledModule | undefined;
  readonly reportsProgress: boolean;
}

/** Worker → pool. */
export type Report =
  | { readonly id: number; readonly kind: 'progress'; readonly fraction: number }
  | { readonly id: number; readonly kind: 'finished'; readonly output: KernelOutput }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: Failure };

/** A DomainError as plain data: a message cannot carry a class instance. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly cause?: string;
}

const instances = new InstanceCache();

function execute(task: Task, cancelWord: Int32Array, port: MessagePort): void {
  const { id, module } = task;
  const post = (report: Report, transfer: readonly ArrayBuffer[] = []) => port.postMessage(report, [...transfer]);
  try {
    const instance = instances.acquire(module);
    const output = runToCompletion(task, instance, {
      isCancelled: () => Atomics.load(cancelWord, 0) === id,
      onProgress: task.reportsProgress ? (fraction) => post({ id, kind: 'progress', fraction }) : undefined,
    });
    instances.release(module, instance);
    post({ id, kind: 'finished', output }, buffersOf(output));
  } catch (error) {
    post({ id, kind: 'failed', failure: failureOf(error) });
  }
}

function runToCompletion(
  { run, compiled }: Task,
  instance: KernelInstance,
  options: { isCancelled: () => boolean; onProgress: ((fraction: number) => void) | undefined },
): KernelOutput {
  const chunks = runInChunks(instance, run, { deadlineMs: Number.POSITIVE_INFINITY, compiled, ...options });
  for (;;) {
    const next = chunks.next();
    if (next.done) return next.value;
  }
}

const buffersOf = ({ views, statistics }: KernelOutput) =>
  [...views, statistics].map((view) => view.buffer as ArrayBuffer);

function failureOf(error: unknown): Failure {
  if (!(error instanceof DomainError)) {
    return { code: 'KERNEL_FAILED', message: 'The kernel runner failed.', facts: {}, cause: String(error) };
  }
  const { code, message, facts, cause } = error;
  return { code, message, facts, ...(cause === undefined ? {} : { cause: String(cause) }) };
}

if (parentPort) {
  const port = parentPort;
  const { cancelWord } = workerData as WorkerData;
  port.on('message', (task: Task) => execute(task, cancelWord, port));
}
