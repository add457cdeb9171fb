// One step of an explicit Runge–Kutta method whose last stage is the first of the next step.
//
// A Butcher tableau defines a method: the nodes of stages 2 … s, as fractions of the step, and row by row the weights
// of k₁ … in their arguments. The argument of the last stage is the result. Hairer, Nørsett & Wanner I, §II.1.
import { get } from '../vector';
import { combine } from './combination';
import { RightSide } from './right-side';

/** Number of f64 of scratch: k₁ … k_s and one argument, afterwards that of the last but one stage. */
export function explicitScratch(stages: i32, n: i32): i32 {
  return (stages + 1) * n;
}

/**
 * One step from (t, y) to t + h.
 *
 * @param stages   s
 * @param times    f64[s − 1]
 * @param weights  f64[s (s − 1) / 2]: one for stage 2, two for stage 3, …
 * @param k        f64[s + 1, n]; k₁ = f(t, y) is read, the others are written; k_s = f(t + h, out)
 * @param out      f64[n], y(t + h); must not be y
 */
export function explicitStep(
  f: RightSide,
  t: f64,
  y: usize,
  stages: i32,
  times: usize,
  weights: usize,
  k: usize,
  h: f64,
  n: i32,
  out: usize,
): void {
  const bytes = (<usize>n) << 3;
  const argument = k + <usize>stages * bytes;
  let row = weights;
  for (let s = 1; s < stages; s++) {
    const target = s < stages - 1 ? argument : out;
    combine(y, h, row, k, s, n, target);
    row += (<usize>s) << 3;
    f(t + get(times, s - 1) * h, target, k + <usize>s * bytes);
  }
}
