// Runs kernels in this thread, as LocalRunner does, and shows what a kernel holds between two chunks.

import { LIMITS } from '../../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from '../../kernels/abi.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../kernels/instance.ts';
import { nowMs, pace } from '../../kernels/pace.ts';
import type { Glimpse } from './messages.ts';

/** A picture changes this often. */
const GLIMPSE_MS = 60;
/** Between two turns of the event loop, in which a cancellation can arrive. */
const HOLD_MS = 30;

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Looks at one view of the kernel. */
export class WatchedRunner implements KernelRunner {
  readonly #view: number;
  readonly #onGlimpse: (glimpse: Glimpse) => void;

  constructor(view: number, onGlimpse: (glimpse: Glimpse) => void) {
    this.#view = view;
    this.#onGlimpse = onGlimpse;
  }

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    // A fresh instance: what a former run left in memory must not be seen as this one's.
    const instance = instantiate(await compileKernel(image));
    let fraction = 0;
    const chunks = pace(instance, run, {
      deadlineMs: controls.deadlineMs ?? LIMITS.kernel.deadlineMs,
      isCancelled: () => controls.signal?.aborted === true,
      onProgress: (done) => {
        fraction = done;
        controls.onProgress?.(done);
      },
    });
    let held = nowMs();
    let seen = held;
    for (;;) {
      const next = chunks.next();
      if (next.done) return next.value;
      const now = nowMs();
      if (now - seen > GLIMPSE_MS) {
        this.#onGlimpse({ parameters: run.parameters, view: look(instance, this.#view), fraction });
        seen = now;
      }
      if (now - held > HOLD_MS) {
        await turn();
        held = nowMs();
      }
    }
  }
}

function look({ exports }: KernelInstance, view: number): Float64Array {
  return new Float64Array(exports.memory.buffer, exports.view(view), exports.extent(view)).slice();
}
