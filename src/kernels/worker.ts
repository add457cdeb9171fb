// One worker of the pool: runs one task at a time and answers with a report. Compiled kernels arrive by message and
// stay; a word in shared memory, polled between chunks, says which run is to stop. The pool
// alone watches the clock.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DomainError, type ErrorCode } from '../core/errors.ts';
import type { KernelOutput, KernelRun } from './abi.ts';
import type { KernelInstance, KernelModule } from './instance.ts';
import { pace } from './pace.ts';
import { WarmInstances } from './warm.ts';

export interface WorkerData {
  /** Holds the id of the run to stop. */
  readonly cancelWord: Int32Array<SharedArrayBuffer>;
}

/** Pool → worker. */
export interface Task {
  readonly id: number;
  readonly module: KernelModule;
  readonly run: KernelRun;
  readonly wantsProgress: boolean;
}

/** Worker → pool. */
export type Report =
  | { readonly id: number; readonly kind: 'progress'; readonly fraction: number }
  | { readonly id: number; readonly kind: 'finished'; readonly output: KernelOutput }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: Failure };

/** A DomainError as plain data: a class does not survive a message. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly cause?: string;
}

const warm = new WarmInstances();

function execute(task: Task, cancelWord: Int32Array, port: MessagePort): void {
  const { id, module } = task;
  const post = (report: Report, transfer: readonly ArrayBuffer[] = []) => port.postMessage(report, [...transfer]);
  try {
    const instance = warm.take(module);
    const output = toTheEnd(task, instance, {
      isCancelled: () => Atomics.load(cancelWord, 0) === id,
      onProgress: task.wantsProgress ? (fraction) => post({ id, kind: 'progress', fraction }) : undefined,
    });
    warm.give(module, instance);
    post({ id, kind: 'finished', output }, buffersOf(output));
  } catch (error) {
    post({ id, kind: 'failed', failure: failureOf(error) });
  }
}

function toTheEnd(
  { run }: Task,
  instance: KernelInstance,
  watch: { isCancelled: () => boolean; onProgress: ((fraction: number) => void) | undefined },
): KernelOutput {
  const chunks = pace(instance, run, { deadlineMs: Number.POSITIVE_INFINITY, ...watch });
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
