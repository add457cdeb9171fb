// Runs kernels in the calling thread, in chunks, and yields to the event loop between them.
// For the library, the CLI and a browser worker; the server uses the pool.

import { LIMITS } from '../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from './abi.ts';
import { framesOf, instanceFor, nowMs, runInChunks } from './chunked-run.ts';
import { compileKernel, type KernelModule } from './instance.ts';
import { InstanceCache } from './instance-cache.ts';

/** Yields to the event loop; unlike a resolved promise, this lets timers and messages run. */
const yieldToEventLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Maximum time between two yields. */
const MAX_BLOCKING_MS = 50;

export class LocalRunner implements KernelRunner {
  readonly #instances = new InstanceCache();
  readonly #modules = new WeakMap<KernelImage, Promise<KernelModule>>();
  /** Of the last yield, by whichever run: many short runs block as much as a long one. */
  #yieldedMs = Number.NEGATIVE_INFINITY;

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    const module = await this.#compiled(image);
    // Before it has an instance: short runs then end before another begins, and share one.
    if (this.#isYieldDue()) await this.#yield();
    const frames = framesOf(controls.watch, run);
    const instance = instanceFor(this.#instances, module, frames);
    const chunks = runInChunks(instance, run, {
      deadlineMs: controls.deadlineMs ?? LIMITS.kernel.deadlineMs,
      isCancelled: () => controls.signal?.aborted === true,
      onProgress: controls.onProgress,
      compiled: controls.accelerate?.(image, run),
      frames,
    });
    for (;;) {
      const next = chunks.next();
      if (next.done) {
        this.#instances.release(module, instance);
        return next.value;
      }
      if (this.#isYieldDue()) await this.#yield();
    }
  }

  #isYieldDue(): boolean {
    return nowMs() - this.#yieldedMs > MAX_BLOCKING_MS;
  }

  async #yield(): Promise<void> {
    await yieldToEventLoop();
    this.#yieldedMs = nowMs();
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
