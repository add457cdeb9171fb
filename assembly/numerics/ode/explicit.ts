// One step of an explicit Runge–Kutta method whose last stage is the first of the next step.
//
// A method is its tableau: the parts of the step at which stages 2 … s stand, and row by row the weights of k₁ … in their
// arguments. The argument of the last stage is the result. Hairer, Nørsett & Wanner I, §II.1.
import { get } from '../vector';
import { combine } from './combination';
import { RightSide } from './right-side';

/** f64 that the stages take: k₁ … k_s and an argument, which afterwards is that of the last stage but one. */
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
    const place = s < stages - 1 ? argument : out;
    combine(y, h, row, k, s, n, place);
    row += (<usize>s) << 3;
    f(t + get(times, s - 1) * h, place, k + <usize>s * bytes);
  }
}
