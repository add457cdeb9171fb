// What happens between two chunks of a run, the same in every thread: cancellation, deadline, progress.

import { DomainError } from '../core/errors.ts';
import type { KernelOutput, KernelRun } from './abi.ts';
import { drive, type KernelInstance } from './instance.ts';

const PROGRESS_MS = 100;

export interface Pace {
  readonly deadlineMs: number;
  readonly isCancelled: () => boolean;
  /** Called at most every 100 ms. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

export const nowMs = () => performance.now();

/**
 * One run in chunks of about `LIMITS.kernel.chunkMs`.
 *
 * @yields after each chunk, for a thread that has other things to do
 * @throws DomainError KERNEL_FAILED, CANCELLED, OUT_OF_TIME; the instance must then be dropped
 */
export function* pace(instance: KernelInstance, run: KernelRun, limits: Pace): Generator<void, KernelOutput, void> {
  const begin = nowMs();
  let told = begin;
  const chunks = drive(instance, run, nowMs);
  for (;;) {
    if (limits.isCancelled()) throw cancelled();
    const next = chunks.next();
    if (next.done) return next.value;
    const now = nowMs();
    if (now - begin > limits.deadlineMs) throw outOfTime(limits.deadlineMs);
    if (limits.onProgress && now - told >= PROGRESS_MS) {
      limits.onProgress(next.value);
      told = now;
    }
    yield;
  }
}

export const cancelled = () => new DomainError('CANCELLED', 'The run was cancelled.');

export const outOfTime = (deadlineMs: number) =>
  new DomainError('OUT_OF_TIME', `The run did not finish in ${Math.round(deadlineMs)} ms.`);
