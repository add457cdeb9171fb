// How long the next step may be: the size of an error, the controller, and the first step.
//
// Hairer, Nørsett & Wanner I, §II.4; the PI controller is Gustafsson's, ACM Trans. Math. Softw. 17 (1991) 533,
// doi:10.1145/210232.210242.
import { get, set } from '../vector';
import { RightSide } from './right-side';

/**
 * The absolute tolerance is at least these parts of rtol times the largest size so far of the component, and of all. The
 * second lets a component that has only begun to grow from 0 be wrong: where it goes as h⁹, no step gets it right.
 */
const OWN_FLOOR: f64 = 0.01;
const COMMON_FLOOR: f64 = 1e-12;

const SAFETY: f64 = 0.9;
const SHRINK_MOST: f64 = 0.2;
const GROW_MOST: f64 = 10;

/**
 * Root mean square of the errors over the sizes that they may have: a step is good up to 1. NaN if a value is not finite. A
 * component that has always been 0 has no size and is left out.
 *
 * @param atol  f64[n], absolute tolerances
 * @param most  f64[n], the largest size of each component so far
 */
export function errorNorm(error: usize, y: usize, after: usize, atol: usize, most: usize, rtol: f64, n: i32): f64 {
  let largest: f64 = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.max(get(most, i), Math.abs(get(after, i))));
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const size = Math.max(Math.abs(get(y, i)), Math.abs(get(after, i)));
    const floor = Math.max(OWN_FLOOR * Math.max(get(most, i), size), COMMON_FLOOR * largest);
    const scale = Math.max(get(atol, i), rtol * floor) + rtol * size;
    if (scale === 0) continue;
    const part = get(error, i) / scale;
    sum += part * part;
  }
  return Math.sqrt(sum / <f64>n);
}

/**
 * The factor for the step after one that was accepted.
 *
 * @param before  error of the accepted step before
 * @param order   of the error estimate, plus one: 5 for the pair 5(4), 4 for 4(3)
 * @param memory  share of the past: 0.04 for Dormand–Prince, 0 where steps follow a stiff solution
 */
export function growth(error: f64, before: f64, order: f64, memory: f64): f64 {
  if (error === 0) return GROW_MOST;
  const factor = SAFETY * error ** (0.75 * memory - 1 / order) * before ** memory;
  return Math.min(GROW_MOST, Math.max(SHRINK_MOST, factor));
}

/** The factor for another try after a step that was refused. */
export function shrinkage(error: f64, order: f64): f64 {
  if (!isFinite(error)) return 0.1;
  return Math.max(SHRINK_MOST, SAFETY * error ** (-1 / order));
}

/**
 * A first step from the sizes of y, y' and y''.
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
  most: usize,
  rtol: f64,
  order: f64,
  span: f64,
  n: i32,
  scratch: usize,
): f64 {
  const place = scratch;
  const f1 = scratch + ((<usize>n) << 3);
  const d0 = errorNorm(y, y, y, atol, most, rtol, n);
  const d1 = errorNorm(f0, y, y, atol, most, rtol, n);
  const h0 = Math.min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * span : (0.01 * d0) / d1, span);
  for (let i = 0; i < n; i++) set(place, i, get(y, i) + h0 * get(f0, i));
  f(t + h0, place, f1);
  for (let i = 0; i < n; i++) set(f1, i, get(f1, i) - get(f0, i));
  const steepest = Math.max(d1, errorNorm(f1, y, y, atol, most, rtol, n) / h0);
  const h1 = steepest <= 1e-15 ? Math.max(1e-6 * span, 1e-3 * h0) : (0.01 / steepest) ** (1 / (order + 1));
  const h = Math.min(100 * h0, Math.min(h1, span));
  return h > 0 ? h : 1e-6 * span;
}
