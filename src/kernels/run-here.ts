// Runs kernels in the calling thread, in chunks, giving the event loop a turn between them.
// For the library, the CLI and a browser worker; the server uses the pool.

import { LIMITS } from '../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './abi.ts';
import { compileKernel, type KernelModule } from './instance.ts';
import { nowMs, pace } from './pace.ts';
import { WarmInstances } from './warm.ts';

/** A turn of the event loop that, unlike a promise, lets timers and messages in. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Between turns the loop may be held this long. */
const HOLD_MS = 50;

export class LocalRunner implements KernelRunner {
  readonly #warm = new WarmInstances();
  readonly #modules = new WeakMap<KernelImage, Promise<KernelModule>>();

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    const module = await this.#compiled(image);
    const instance = this.#warm.take(module);
    const chunks = pace(instance, run, {
      deadlineMs: controls.deadlineMs ?? LIMITS.kernel.deadlineMs,
      isCancelled: () => controls.signal?.aborted === true,
      onProgress: controls.onProgress,
    });
    let held = nowMs();
    for (;;) {
      const next = chunks.next();
      if (next.done) {
        this.#warm.give(module, instance);
        return next.value;
      }
      if (nowMs() - held > HOLD_MS) {
        await turn();
        held = nowMs();
      }
    }
  }

  #compiled(image: KernelImage): Promise<KernelModule> {
    let module = this.#modules.get(image);
    if (!module) {
      module = compileKernel(image);
      this.#modules.set(image, module);
    }
    return module;
  }
}
