// Runs kernels in this thread, as LocalRunner does, and reports the latest recorded frame between two chunks.

import { LIMITS } from '../../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from '../../kernels/abi.ts';
import { nowMs, runInChunks } from '../../kernels/chunked-run.ts';
import { compileKernel, instantiate, type KernelInstance, viewOf } from '../../kernels/instance.ts';
import type { LiveView } from './live-views.ts';
import type { LiveFrame } from './messages.ts';

/** Interval between two live frames. */
const FRAME_INTERVAL_MS = 60;
/** Interval between two yields to the event loop, which deliver cancellations. */
const YIELD_INTERVAL_MS = 30;

const yieldToEventLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export class LiveRunner implements KernelRunner {
  readonly #view: LiveView;
  readonly #onFrame: (frame: LiveFrame) => void;

  constructor(view: LiveView, onFrame: (frame: LiveFrame) => void) {
    this.#view = view;
    this.#onFrame = onFrame;
  }

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    // A new instance, so that no frame of an earlier run remains in memory.
    const instance = instantiate(await compileKernel(image));
    let fraction = 0;
    const chunks = runInChunks(instance, run, {
      deadlineMs: controls.deadlineMs ?? LIMITS.kernel.deadlineMs,
      isCancelled: () => controls.signal?.aborted === true,
      onProgress: (completed) => {
        fraction = completed;
        controls.onProgress?.(completed);
      },
    });
    let lastYieldMs = nowMs();
    let lastFrameMs = lastYieldMs;
    for (;;) {
      const next = chunks.next();
      if (next.done) return next.value;
      const now = nowMs();
      if (now - lastFrameMs > FRAME_INTERVAL_MS) {
        this.#onFrame({ parameters: run.parameters, values: this.#latestFrame(instance, run, fraction), fraction });
        lastFrameMs = now;
      }
      if (now - lastYieldMs > YIELD_INTERVAL_MS) {
        await yieldToEventLoop();
        lastYieldMs = nowMs();
      }
    }
  }

  #latestFrame(instance: KernelInstance, run: KernelRun, fraction: number): Float64Array<ArrayBuffer> {
    const { view, frameLength } = this.#view;
    const length = frameLength((name) => run.parameters[name] ?? 0);
    const frames = viewOf(instance, view);
    const latest = Math.floor(fraction * (Math.floor(frames.length / length) - 1));
    return frames.slice(latest * length, (latest + 1) * length);
  }
}
