// Step size control: the error norm, the controller, and the initial step.
//
// Hairer, Nørsett & Wanner I, §II.4; the PI controller is Gustafsson's, ACM Trans. Math. Softw. 17 (1991) 533,
// doi:10.1145/210232.210242.
import { get, set } from '../vector';
import { RightSide } from './right-side';

/**
 * The absolute tolerance is at least these fractions of rtol times the largest size so far: of the component, and of
 * all components. The second tolerates errors of a component that starts to grow from 0: where it grows as h⁹, no step
 * is short enough.
 */
const COMPONENT_FLOOR: f64 = 0.01;
const COMMON_FLOOR: f64 = 1e-12;

const SAFETY: f64 = 0.9;
const MIN_FACTOR: f64 = 0.2;
const MAX_FACTOR: f64 = 10;

/**
 * Root mean square of the errors relative to their tolerances; a step is accepted up to 1. NaN if a value is not
 * finite. A component that stays 0 has no scale and is skipped. One that leaves 0 in this step has no size yet: the size
 * that it would reach at this rate counts. Where it leaves with a kink or as a root of t, no step would be short enough
 * for its size within the step.
 *
 * @param atol  f64[n], absolute tolerances
 * @param maxAbs  f64[n], the largest magnitude of each component so far
 * @param reach   the whole span over the step
 */
export function errorNorm(
  error: usize,
  y: usize,
  after: usize,
  atol: usize,
  maxAbs: usize,
  rtol: f64,
  reach: f64,
  n: i32,
): f64 {
  let largest: f64 = 0;
  for (let i = 0; i < n; i++) largest = larger(largest, larger(get(maxAbs, i), Math.abs(get(after, i))));
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const size = larger(Math.abs(get(y, i)), Math.abs(get(after, i)));
    const extent = get(maxAbs, i) > 0 ? larger(get(maxAbs, i), size) : size * reach;
    const floor = larger(COMPONENT_FLOOR * extent, COMMON_FLOOR * largest);
    const scale = larger(get(atol, i), rtol * floor) + rtol * size;
    if (scale === 0) continue;
    const part = get(error, i) / scale;
    sum += part * part;
  }
  return Math.sqrt(sum / <f64>n);
}

/** The larger of two magnitudes, faster than Math.max; of a NaN in either, its component's error is NaN anyway. */
function larger(a: f64, b: f64): f64 {
  return a > b ? a : b;
}

/**
 * The factor for the step after one that was accepted.
 *
 * @param previousError  error of the previous accepted step
 * @param order   of the error estimate, plus one: 5 for the pair 5(4), 4 for 4(3)
 * @param memory  weight of the previous error: 0.04 for Dormand–Prince, 0 where steps follow a stiff solution
 */
export function growth(error: f64, previousError: f64, order: f64, memory: f64): f64 {
  if (error === 0) return MAX_FACTOR;
  const factor = SAFETY * error ** (0.75 * memory - 1 / order) * previousError ** memory;
  return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, factor));
}

/** The factor for the retry of a rejected step. */
export function shrinkage(error: f64, order: f64): f64 {
  if (!isFinite(error)) return 0.1;
  return Math.max(MIN_FACTOR, SAFETY * error ** (-1 / order));
}

/**
 * The initial step, from the sizes of y, y' and y''.
 *
 * @param f0       f64[n], f(t, y)
 * @param scratch  f64[2 n]
 * @param order    of the method
 */
export function firstStep(
  f: RightSide,
  t: f64,
  y: usize,
  f0: usize,
  atol: usize,
  maxAbs: usize,
  rtol: f64,
  order: f64,
  span: f64,
  n: i32,
  scratch: usize,
): f64 {
  const probe = scratch;
  const f1 = scratch + ((<usize>n) << 3);
  const d0 = errorNorm(y, y, y, atol, maxAbs, rtol, 1, n);
  const d1 = errorNorm(f0, y, y, atol, maxAbs, rtol, 1, n);
  const h0 = Math.min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * span : (0.01 * d0) / d1, span);
  for (let i = 0; i < n; i++) set(probe, i, get(y, i) + h0 * get(f0, i));
  f(t + h0, probe, f1);
  for (let i = 0; i < n; i++) set(f1, i, get(f1, i) - get(f0, i));
  const maxSlope = Math.max(d1, errorNorm(f1, y, y, atol, maxAbs, rtol, 1, n) / h0);
  const h1 = maxSlope <= 1e-15 ? Math.max(1e-6 * span, 1e-3 * h0) : (0.01 / maxSlope) ** (1 / (order + 1));
  const h = Math.min(100 * h0, Math.min(h1, span));
  return h > 0 ? h : 1e-6 * span;
}
