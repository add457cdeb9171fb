// Runs a kernel in chunks and handles cancellation, deadline and progress between them, in any thread.

import { DomainError } from '../core/errors.ts';
import type { CompiledModule, KernelOutput, KernelRun, Watch, WatchedView } from './abi.ts';
import { drive, instantiate, type KernelInstance, type KernelModule } from './instance.ts';
import type { InstanceCache } from './instance-cache.ts';
import { latestFrame } from './watch.ts';

const PROGRESS_INTERVAL_MS = 100;

export interface ChunkOptions {
  readonly deadlineMs: number;
  readonly isCancelled: () => boolean;
  /** Called at most every 100 ms. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly compiled?: CompiledModule | undefined;
  readonly frames?: FrameOptions | undefined;
}

export interface FrameOptions extends WatchedView {
  /** Whether the reader has taken the frame before; by default it always has. */
  readonly isReady?: () => boolean;
  readonly onFrame: (frame: Float64Array<ArrayBuffer>, fraction: number) => void;
}

/** The frames of a run that is watched in this thread. */
export function framesOf(watch: Watch | undefined, run: KernelRun): FrameOptions | undefined {
  const view = watch?.viewOf(run);
  return view && { ...view, onFrame: (frame, fraction) => watch?.onFrame(frame, run, fraction) };
}

export const nowMs = () => performance.now();

/**
 * Runs a kernel in chunks of about `LIMITS.kernel.chunkMs`.
 *
 * @yields after each chunk, so that the thread can do other work
 * @throws DomainError KERNEL_FAILED, CANCELLED, OUT_OF_TIME; the caller must then discard the instance
 */
export function* runInChunks(
  instance: KernelInstance,
  run: KernelRun,
  options: ChunkOptions,
): Generator<void, KernelOutput, void> {
  const startedAt = nowMs();
  let lastProgressAt = startedAt;
  let lastFrameAt = startedAt;
  const { frames } = options;
  const chunks = drive(instance, run, nowMs, options.compiled);
  for (;;) {
    if (options.isCancelled()) throw cancelled();
    const next = chunks.next();
    if (next.done) return next.value;
    const now = nowMs();
    if (now - startedAt > options.deadlineMs) throw outOfTime(options.deadlineMs);
    if (options.onProgress && now - lastProgressAt >= PROGRESS_INTERVAL_MS) {
      options.onProgress(next.value);
      lastProgressAt = now;
    }
    // Before the first steps the views hold nothing of this run.
    const isDue = next.value > 0 && now - lastFrameAt >= (frames?.intervalMs ?? 0);
    if (frames && isDue && frames.isReady?.() !== false) {
      const frame = latestFrame(instance, frames, next.value);
      if (frame !== undefined) frames.onFrame(frame, next.value);
      lastFrameAt = now;
    }
    yield;
  }
}

/** An instance for a run. Memory that a run is watched in holds nothing of earlier ones, whose caller may be another. */
export function instanceFor(
  instances: InstanceCache,
  module: KernelModule,
  frames: FrameOptions | undefined,
): KernelInstance {
  return frames === undefined ? instances.acquire(module) : instantiate(module);
}

/**
 * Runs a kernel without yielding to the event loop and without a deadline, in a worker that a pool can terminate.
 *
 * @param instances  cache of the thread; an instance that failed does not return to it
 * @throws DomainError KERNEL_FAILED, CANCELLED
 */
export function runToEnd(
  instances: InstanceCache,
  module: KernelModule,
  run: KernelRun,
  options: Omit<ChunkOptions, 'deadlineMs'>,
): KernelOutput {
  const instance = instanceFor(instances, module, options.frames);
  const chunks = runInChunks(instance, run, { deadlineMs: Number.POSITIVE_INFINITY, ...options });
  for (;;) {
    const next = chunks.next();
    if (!next.done) continue;
    instances.release(module, instance);
    return next.value;
  }
}

export const cancelled = () => new DomainError('CANCELLED', 'The run was cancelled.');

export const outOfTime = (deadlineMs: number) =>
  new DomainError('OUT_OF_TIME', `The run exceeded its deadline of ${Math.round(deadlineMs)} ms.`);
