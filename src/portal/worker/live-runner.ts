// Runs kernels in this thread, as LocalRunner does, and draws the latest recorded frame between two chunks, as the
// record of the solver declares it.

import { LIMITS } from '../../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from '../../kernels/abi.ts';
import { type FrameOptions, nowMs, runInChunks } from '../../kernels/chunked-run.ts';
import { compileKernel, instantiate } from '../../kernels/instance.ts';
import type { LiveFrames } from '../../solvers/live.ts';
import type { LiveFrame } from './messages.ts';

/** Interval between two live frames. */
const FRAME_INTERVAL_MS = 60;
/** Interval between two yields to the event loop, which deliver cancellations. */
const YIELD_INTERVAL_MS = 30;

const yieldToEventLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export class LiveRunner implements KernelRunner {
  readonly #live: LiveFrames<unknown>;
  readonly #input: unknown;
  readonly #onFrame: (frame: LiveFrame) => void;

  /** @param input  of the runs, as the solver's schema parsed it */
  constructor(live: LiveFrames<unknown>, input: unknown, onFrame: (frame: LiveFrame) => void) {
    this.#live = live;
    this.#input = input;
    this.#onFrame = onFrame;
  }

  async run(image: KernelImage, run: KernelRun, controls: RunControls = {}): Promise<KernelOutput> {
    // A new instance, so that no frame of an earlier run remains in memory.
    const instance = instantiate(await compileKernel(image));
    const chunks = runInChunks(instance, run, {
      deadlineMs: controls.deadlineMs ?? LIMITS.kernel.deadlineMs,
      isCancelled: () => controls.signal?.aborted === true,
      onProgress: controls.onProgress,
      frames: this.#framesOf(run),
    });
    let lastYieldMs = nowMs();
    for (;;) {
      const next = chunks.next();
      if (next.done) return next.value;
      if (nowMs() - lastYieldMs <= YIELD_INTERVAL_MS) continue;
      await yieldToEventLoop();
      lastYieldMs = nowMs();
    }
  }

  #framesOf(run: KernelRun): FrameOptions {
    const parameter = (name: string) => run.parameters[name] ?? 0;
    return {
      view: this.#live.view,
      length: this.#live.frameLength(parameter),
      intervalMs: FRAME_INTERVAL_MS,
      onFrame: (frame, fraction) => {
        const drawing = this.#live.draw(frame, { input: this.#input, parameter });
        if (drawing !== undefined) this.#onFrame({ ...drawing, fraction });
      },
    };
  }
}
