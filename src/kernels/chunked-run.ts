// Runs a kernel in chunks and handles cancellation, deadline and progress between them, in any thread.

import { DomainError } from '../core/errors.ts';
import type { CompiledModule, KernelOutput, KernelRun } from './abi.ts';
import { drive, type KernelInstance } from './instance.ts';

const PROGRESS_INTERVAL_MS = 100;

export interface ChunkOptions {
  readonly deadlineMs: number;
  readonly isCancelled: () => boolean;
  /** Called at most every 100 ms. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly compiled?: CompiledModule | undefined;
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
    yield;
  }
}

export const cancelled = () => new DomainError('CANCELLED', 'The run was cancelled.');

export const outOfTime = (deadlineMs: number) =>
  new DomainError('OUT_OF_TIME', `The run exceeded its deadline of ${Math.round(deadlineMs)} ms.`);
