// Worker side of a task pool: runs one task at a time and posts reports. A word in shared memory holds the id of the task
// to cancel. The pool alone enforces deadlines, and is
// told when the worker is ready for its first task.

import { getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Failure, failureOf } from './failure.ts';

export interface WorkerData {
  /** Id of the task to cancel. */
  readonly cancelWord: Int32Array<SharedArrayBuffer>;
  /** 1 while the pool has not taken the last frame. */
  readonly frameWord: Int32Array<SharedArrayBuffer>;
  readonly niceness: number;
}

const MAX_NICENESS = 19;

/** Worker → pool. */
export type Report<Output> =
  | { readonly kind: 'ready' }
  | { readonly id: number; readonly kind: 'progress'; readonly fraction: number }
  | { readonly id: number; readonly kind: 'frame'; readonly frame: Float64Array; readonly fraction: number }
  | { readonly id: number; readonly kind: 'finished'; readonly output: Output }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: Failure };

export interface TaskControls {
  /** Whether the pool has abandoned the task; poll it between chunks of work. */
  readonly isCancelled: () => boolean;
  readonly onProgress: (fraction: number) => void;
  /** Whether the pool has taken the last frame, so that at most one waits for it. */
  readonly isReadyForFrame: () => boolean;
  /** Transfers a frame. */
  readonly onFrame: (frame: Float64Array<ArrayBuffer>, fraction: number) => void;
}

/**
 * Serves the tasks that the pool of this worker posts.
 *
 * @param execute  its errors are reported, DomainErrors with their codes
 * @param buffersOf  buffers of an output to transfer
 */
export function serveTasks<Task extends { readonly id: number }, Output>(
  execute: (task: Task, controls: TaskControls) => Output | Promise<Output>,
  buffersOf: (output: Output) => ArrayBuffer[] = () => [],
): void {
  if (!parentPort) return;
  const port = parentPort;
  const { cancelWord, frameWord, niceness } = workerData as WorkerData;
  // On Linux this concerns the calling thread, elsewhere the whole process.
  if (niceness > 0 && platform() === 'linux') setPriority(Math.min(MAX_NICENESS, getPriority() + niceness));
  const post = (report: Report<Output>, transfer: ArrayBuffer[] = []) => port.postMessage(report, transfer);
  port.on('message', async (task: Task) => {
    const { id } = task;
    try {
      const output = await execute(task, {
        isCancelled: () => Atomics.load(cancelWord, 0) === id,
        onProgress: (fraction) => post({ id, kind: 'progress', fraction }),
        isReadyForFrame: () => Atomics.load(frameWord, 0) === 0,
        onFrame: (frame, fraction) => {
          Atomics.store(frameWord, 0, 1);
          post({ id, kind: 'frame', frame, fraction }, [frame.buffer]);
        },
      });
      post({ id, kind: 'finished', output }, buffersOf(output));
    } catch (error) {
      post({ id, kind: 'failed', failure: failureOf(error) });
    }
  });
  post({ kind: 'ready' });
}
