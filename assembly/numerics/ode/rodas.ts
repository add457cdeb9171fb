// RODAS: a Rosenbrock method of orders 4 and 3 with six stages, L-stable and stiffly accurate.
//
// Linearly implicit: a step solves six linear systems with one matrix, I/(γh) − ∂f/∂y, and iterates nothing. For stiff
// problems the step is bounded by accuracy alone. The order requires the true Jacobian; a difference Jacobian preserves
// it down to tolerances of about 1e-10. Hairer & Wanner, Solving Ordinary Differential Equations II (2nd ed.), §IV.7
// and the authors' RODAS, coefficient set 1.
import { copyValues, get, set } from '../vector';
import { combine } from './combination';
import { factorLu, solveLu } from './lu';
import { RightSide } from './right-side';

const GAMMA: f64 = 0.25;
const C2: f64 = 0.386;
const C3: f64 = 0.21;
const C4: f64 = 0.63;

/** Weights in the arguments of stages 2 … 5: u₁, then u₁ and u₂, … */
const STAGE_WEIGHTS: usize = memory.data<f64>([
  1.544, 0.9466785280815826, 0.2557011698983284, 3.314825187068521, 2.896124015972201, 0.9986419139977817,
  1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895,
]);

/** Weights, over h, on the right sides of stages 2 … 6, in the same order. */
const COUPLINGS: usize = memory.data<f64>([
  -5.6688, -2.430093356833875, -0.2063599157091915, -0.1073529058151375, -9.594562251023355, -20.47028614809616,
  7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616, 8.083246795921522, -7.981132988064893,
  -31.52159432874371, 16.31930543123136, -6.058818238834054,
]);

/** Weights of h ∂f/∂t in stages 1 … 4; zero in the last two. */
const TIME_WEIGHTS: usize = memory.data<f64>([0.25, -0.1043, 0.1035, -0.03620000000000023]);

/** Weights of u₁ … u₅ in a and b of the interpolant. */
const DENSE_WEIGHTS: usize = memory.data<f64>([
  10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662, -0.6762803392801253,
  6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872,
]);

/** Number of f64 of scratch for a step of n values: u₁ … u₆, a stage, the matrix and its pivots. */
export function rodasScratch(n: i32): i32 {
  return 7 * n + n * n + ((n + 1) >> 1);
}

/** Number of f64 of `jacobian`: the matrix, ∂f/∂t, and scratch for three vectors. */
export function jacobianSize(n: i32): i32 {
  return n * n + 4 * n;
}

/** Relative step of the differences: near the cube root of the spacing of doubles, optimal for order 2. */
const DIFFERENCE_STEP: f64 = 7.62939453125e-6;

/**
 * ∂f/∂y and ∂f/∂t at (t, y) by one-sided differences of second order, away from zero, so that no component changes
 * sign.
 *
 * @param f0    f64[n], f(t, y)
 * @param maxAbs  f64[n], the largest magnitude of each component so far
 * @param h     the step, which sets the time scale
 * @param jacobian  f64[n² + 4 n], written
 */
export function jacobianOf(
  f: RightSide,
  t: f64,
  y: usize,
  f0: usize,
  maxAbs: usize,
  h: f64,
  isAutonomous: bool,
  n: i32,
  jacobian: usize,
): void {
  const bytes = (<usize>n) << 3;
  const ft = jacobian + bytes * <usize>n;
  const point = ft + bytes;
  const near = point + bytes;
  const far = near + bytes;
  copyValues(point, y, n);
  for (let j = 0; j < n; j++) {
    const here = get(y, j);
    const size = Math.max(Math.abs(here), 1e-3 * get(maxAbs, j));
    const fallback = Math.abs(h * get(f0, j));
    const offset = DIFFERENCE_STEP * (size > 0 ? size : fallback > 0 ? fallback : 1);
    // Use the increment as rounded in the sum, not the requested offset.
    const step = (here < 0 ? here - offset : here + offset) - here;
    set(point, j, here + step);
    f(t, point, near);
    set(point, j, here + 2 * step);
    f(t, point, far);
    set(point, j, here);
    const scale = 0.5 / step;
    for (let i = 0; i < n; i++) {
      set(jacobian, i * n + j, scale * (4 * (get(near, i) - get(f0, i)) - (get(far, i) - get(f0, i))));
    }
  }
  if (isAutonomous) {
    memory.fill(ft, 0, bytes);
    return;
  }
  const step = t + 1e-4 * h - t;
  f(t + step, y, near);
  f(t + 2 * step, y, far);
  const scale = 0.5 / step;
  for (let i = 0; i < n; i++) {
    set(ft, i, scale * (4 * (get(near, i) - get(f0, i)) - (get(far, i) - get(f0, i))));
  }
}

/**
 * One step from (t, y) to t + h; u₆, at 5 n of the scratch, is the estimated error.
 *
 * @param f0   f64[n], f(t, y); read
 * @param out  f64[n], y(t + h); must not be y
 * @returns 0, or 1 if the matrix is singular
 */
export function rodasStep(
  f: RightSide,
  t: f64,
  y: usize,
  f0: usize,
  jacobian: usize,
  h: f64,
  n: i32,
  out: usize,
  scratch: usize,
): i32 {
  const bytes = (<usize>n) << 3;
  const ft = jacobian + bytes * <usize>n;
  const u = scratch;
  const stage = u + 6 * bytes;
  const matrix = stage + bytes;
  const pivot = matrix + bytes * <usize>n;
  const diagonal = 1 / (GAMMA * h);
  for (let i = 0; i < n * n; i++) set(matrix, i, -get(jacobian, i));
  for (let i = 0; i < n; i++) set(matrix, i * n + i, get(matrix, i * n + i) + diagonal);
  if (factorLu(matrix, pivot, n) !== 0) return 1;

  let row: usize = 0;
  for (let s = 0; s < 6; s++) {
    const rightSide = u + <usize>s * bytes;
    if (s === 0) {
      copyValues(rightSide, f0, n);
    } else if (s < 5) {
      combine(y, 1, STAGE_WEIGHTS + row, u, s, n, stage);
      f(t + (s === 1 ? C2 : s === 2 ? C3 : s === 3 ? C4 : 1) * h, stage, rightSide);
      if (s === 4) copyValues(out, stage, n);
    } else {
      axpy(1, u + 4 * bytes, n, out);
      f(t + h, out, rightSide);
    }
    if (s > 0) {
      combine(rightSide, 1 / h, COUPLINGS + row, u, s, n, rightSide);
      row += (<usize>s) << 3;
    }
    if (s < 4) axpy(h * get(TIME_WEIGHTS, s), ft, n, rightSide);
    solveLu(matrix, pivot, n, rightSide);
  }
  axpy(1, u + 5 * bytes, n, out);
  return 0;
}

/**
 * What a slope that a step lacked would have changed: h times the slope, damped as the step damps its stages, so that a
 * stiff component forgets it.
 *
 * @param scratch  as `rodasStep` left it
 * @param slopes   f64[n], overwritten
 */
export function rodasDamp(scratch: usize, n: i32, slopes: usize): void {
  const matrix = scratch + ((<usize>(7 * n)) << 3);
  solveLu(matrix, matrix + ((<usize>(n * n)) << 3), n, slopes);
  for (let i = 0; i < n; i++) set(slopes, i, get(slopes, i) / GAMMA);
}

/** The interpolant of interpolant.ts, of order 3. @param coefficients  f64[5, n], written */
export function rodasInterpolant(y: usize, scratch: usize, n: i32, out: usize, coefficients: usize): void {
  const bytes = (<usize>n) << 3;
  memory.fill(coefficients + 2 * bytes, 0, 3 * bytes);
  copyValues(coefficients, y, n);
  for (let i = 0; i < n; i++) set(coefficients, n + i, get(out, i) - get(y, i));
  combine(coefficients + 2 * bytes, 1, DENSE_WEIGHTS, scratch, 5, n, coefficients + 2 * bytes);
  combine(coefficients + 3 * bytes, 1, DENSE_WEIGHTS + 40, scratch, 5, n, coefficients + 3 * bytes);
}

/** out += w x */
function axpy(w: f64, x: usize, n: i32, out: usize): void {
  for (let i = 0; i < n; i++) set(out, i, get(out, i) + w * get(x, i));
}
