// Makes the frames of a run from what its kernel has recorded, as the record of the solver draws them.
//
// Drawing takes time of the event loop, so that a run whose pictures are costly shows fewer of them.

import { LIMITS } from '../core/limits.ts';
import type { KernelRun, Watch } from '../kernels/abi.ts';
import { nowMs } from '../kernels/chunked-run.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import type { LiveFrames } from '../solvers/live.ts';
import type { Drawing } from '../solvers/plot.ts';
import type { Computation } from './computation.ts';

interface ObserverLimits {
  readonly frameMs: number;
  readonly drawShare: number;
  readonly viewNumbers: number;
}

/** @param drawing  undefined if there is nothing to be seen */
export type OnFrame = (fraction: number, drawing: Drawing | undefined) => void;

export class RunObserver {
  readonly #live: LiveFrames<unknown> | undefined;
  readonly #limits: ObserverLimits;
  readonly #onFrame: OnFrame;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** No frame is drawn before. */
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ live }: Pick<SolverDefinition, 'live'>, limits: ObserverLimits = LIMITS.live, onFrame: OnFrame) {
    this.#live = live as LiveFrames<unknown> | undefined;
    this.#limits = limits;
    this.#onFrame = onFrame;
  }

  /** A fraction is a frame of its own if no picture has told it. */
  onProgress(fraction: number): void {
    const isDrawn = this.#live !== undefined;
    if (nowMs() - this.#lastMs < (isDrawn ? 3 : 0.5) * this.#limits.frameMs) return;
    this.#send(fraction, undefined);
  }

  /** Undefined if there is nothing to draw: the runs of a sweep have different inputs. */
  watchOf({ input, sweep, samples }: Pick<Computation, 'input' | 'sweep' | 'samples'>): Watch | undefined {
    const live = this.#live;
    if (live === undefined || sweep !== undefined || samples !== undefined) return undefined;
    const { frameMs: intervalMs, viewNumbers } = this.#limits;
    return {
      viewOf: (run) => {
        const length = live.frameLength(parameterOf(run));
        return length >= 1 && length <= viewNumbers ? { view: live.view, length, intervalMs } : undefined;
      },
      onFrame: (frame, run, fraction) => {
        const beginMs = nowMs();
        if (beginMs < this.#restUntilMs) return;
        this.#send(fraction, drawingOf(live, frame, input, run));
        const endMs = nowMs();
        this.#restUntilMs = endMs + (endMs - beginMs) / this.#limits.drawShare;
      },
    };
  }

  #send(fraction: number, drawing: Drawing | undefined): void {
    this.#lastMs = nowMs();
    this.#onFrame(fraction, drawing);
  }
}

const parameterOf = (run: KernelRun) => (name: string) => run.parameters[name] ?? 0;

/** A picture that cannot be drawn never stops a run. */
function drawingOf(live: LiveFrames<unknown>, frame: Float64Array, input: unknown, run: KernelRun) {
  try {
    return live.draw(frame, { input, parameter: parameterOf(run) });
  } catch {
    return undefined;
  }
}
