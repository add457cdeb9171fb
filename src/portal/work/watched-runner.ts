// Runs kernels in this thread, as LocalRunner does, and shows the newest recorded frame between two chunks.

import { LIMITS } from '../../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from '../../kernels/abi.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../kernels/instance.ts';
import { nowMs, pace } from '../../kernels/pace.ts';
import type { LiveView } from './live-views.ts';
import type { Glimpse } from './messages.ts';

/** A picture changes this often. */
const GLIMPSE_MS = 60;
/** Between two turns of the event loop, in which a cancellation can arrive. */
const HOLD_MS = 30;

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export class WatchedRunner implements KernelRunner {
  readonly #live: LiveView;
  /** Names of the parameter block. */
  readonly #names: readonly string[];
  readonly #onGlimpse: (glimpse: Glimpse) => void;

  constructor(live: LiveView, names: readonly string[], onGlimpse: (glimpse: Glimpse) => void) {
    this.#live = live;
    this.#names = names;
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
        this.#onGlimpse({ parameters: run.parameters, frame: this.#newest(instance, run, fraction), fraction });
        seen = now;
      }
      if (now - held > HOLD_MS) {
        await turn();
        held = nowMs();
      }
    }
  }

  #newest({ exports }: KernelInstance, run: KernelRun, fraction: number): Float64Array<ArrayBuffer> {
    const { view, frameLength } = this.#live;
    const length = frameLength((name) => run.parameters[this.#names.indexOf(name)] ?? 0);
    const frames = Math.floor(exports.extent(view) / length);
    const newest = Math.floor(fraction * (frames - 1));
    return new Float64Array(exports.memory.buffer, exports.view(view) + 8 * newest * length, length).slice();
  }
}
