// Runs kernels in the calling thread, in chunks, giving the event loop a turn between them.
// For the library, the CLI and a browser worker; the server uses the pool.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './abi.ts';
import { drive, instantiate, type KernelInstance } from './instance.ts';

/** A turn of the event loop that, unlike a promise, lets timers and messages in. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Between turns the loop may be held this long. */
const HOLD_MS = 50;
const PROGRESS_MS = 100;

export class LocalRunner implements KernelRunner {
  readonly #warm = new Map<string, KernelInstance>();

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    // Taken out while in use, so that two runs of one kernel never share a memory.
    const instance = this.#warm.get(image.sha256) ?? instantiate(image);
    this.#warm.delete(image.sha256);
    const output = await driveInTurns(instance, run, controls);
    this.#warm.set(image.sha256, instance);
    return output;
  }
}

async function driveInTurns(instance: KernelInstance, run: KernelRun, controls: RunControls): Promise<KernelOutput> {
  const nowMs = () => performance.now();
  const begin = nowMs();
  const deadline = begin + (controls.deadlineMs ?? LIMITS.kernel.deadlineMs);
  let held = begin;
  let told = begin;
  const chunks = drive(instance, run, nowMs);
  for (;;) {
    if (controls.signal?.aborted) throw new DomainError('CANCELLED', 'The run was cancelled.');
    const next = chunks.next();
    if (next.done) return next.value;
    const now = nowMs();
    if (now > deadline)
      throw new DomainError('OUT_OF_TIME', `The run did not finish in ${Math.round(deadline - begin)} ms.`);
    if (controls.onProgress && now - told > PROGRESS_MS) {
      controls.onProgress(next.value);
      told = now;
    }
    if (now - held > HOLD_MS) {
      await turn();
      held = nowMs();
    }
  }
}
