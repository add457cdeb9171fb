// The classical Runge–Kutta method: four stages, order 4, no error estimate.
//
// Stable on the negative real axis for h |λ| < 2.785. A step that is too large for the problem still gives numbers,
// so the caller halves it and compares. Kutta 1901; Hairer, Nørsett & Wanner I, §II.1.
import { explicitStep } from './explicit';
import { RightSide } from './right-side';

/** Weights in the arguments of stages 2 … 4: k₁, then k₁ and k₂, … The last four give the result. */
const STAGE_WEIGHTS: usize = memory.data<f64>([0.5, 0, 0.5, 0, 0, 1, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]);
const STAGE_TIMES: usize = memory.data<f64>([0.5, 0.5, 1, 1]);

/** Four stages, and the slope at the end, the first of the next step. */
export const RUNGE_KUTTA_STAGES: i32 = 5;

/** One step by `explicitStep`. @param k  f64[6, n] */
export function rungeKuttaStep(f: RightSide, t: f64, y: usize, k: usize, h: f64, n: i32, out: usize): void {
  explicitStep(f, t, y, RUNGE_KUTTA_STAGES, STAGE_TIMES, STAGE_WEIGHTS, k, h, n, out);
}
