// Extrapolation of the modified midpoint rule, after Gragg, Bulirsch and Stoer: up to seven columns, order 14.
//
// The rule has an error in even powers of its substep, so that each column adds two orders. Step numbers 2, 4 … 14 make
// 49 evaluations beside f(t, y), of six columns 36. No coefficients of stages: a method of another family than Runge–Kutta's, to compare
// with. Hairer, Nørsett & Wanner I, §II.9.
import { splat } from '../simd';
import { copyValues, get, set } from '../vector';
import { SplitRightSide } from './right-side';

export const EXTRAPOLATION_COLUMNS: i32 = 7;

/** The order of the error estimate: that of the last but one column, and one. */
export function extrapolationOrder(columns: i32): f64 {
  return <f64>(2 * columns - 1);
}

/** 1 / (r² − 1), r = (j + 1) / (l + 1), of column j and the one it refines: l = j − 1 … 0 for each j. */
const FACTORS: usize = memory.data<f64>([
  0.3333333333333333, 0.8, 0.125, 1.2857142857142858, 0.3333333333333333, 0.06666666666666667, 1.7777777777777777,
  0.5624999999999999, 0.19047619047619047, 0.041666666666666664, 2.272727272727273, 0.8, 0.3333333333333333, 0.125,
  0.02857142857142857, 2.769230769230767, 1.041666666666667, 0.48484848484848486, 0.22499999999999995,
  0.08888888888888889, 0.020833333333333332,
]);

/** Number of f64 of scratch. */
export function extrapolationScratch(n: i32): i32 {
  return (2 * EXTRAPOLATION_COLUMNS + 1) * n;
}

/** Fewer values are combined one by one: a load of two waits for both of their stores. */
const MIN_PAIRED: i32 = 8;

/** out = a + factor b */
function combine(a: usize, factor: f64, b: usize, n: i32, out: usize): void {
  const both = f64x2.splat(factor);
  const paired = n < MIN_PAIRED ? 0 : n & ~1;
  for (let i = 0; i < paired; i += 2) {
    const at = (<usize>i) << 3;
    v128.store(out + at, f64x2.add(v128.load(a + at), f64x2.mul(both, v128.load(b + at))));
  }
  for (let i = paired; i < n; i++) set(out, i, get(a, i) + factor * get(b, i));
}

/** coarse = fine + factor (fine − coarse) */
function refine(coarse: usize, factor: usize, fine: usize, n: i32): void {
  const both = splat(factor);
  const pairs = n & ~1;
  for (let i = 0; i < pairs; i += 2) {
    const at = (<usize>i) << 3;
    const better = v128.load(fine + at);
    v128.store(coarse + at, f64x2.add(better, f64x2.mul(both, f64x2.sub(better, v128.load(coarse + at)))));
  }
  if (pairs === n) return;
  const better = get(fine, pairs);
  set(coarse, pairs, better + load<f64>(factor) * (better - get(coarse, pairs)));
}

/**
 * One step from (t, origin + y) to t + h.
 *
 * @param columns  2 … EXTRAPOLATION_COLUMNS
 * @param f0     f64[n], f(t, origin + y)
 * @param out    f64[n], y(t + h); must not be y
 * @param error  f64[n], the difference of the last two columns
 */
export function extrapolationStep(
  f: SplitRightSide,
  columns: i32,
  t: f64,
  origin: usize,
  y: usize,
  f0: usize,
  h: f64,
  n: i32,
  out: usize,
  error: usize,
  scratch: usize,
): void {
  const bytes = (<usize>n) << 3;
  const table = scratch;
  const slope = scratch + <usize>(2 * columns) * bytes;
  // Even points in the table, odd ones behind it. Where a column ends its last point is even.
  const odd = table + <usize>columns * bytes;
  for (let j = 0; j < columns; j++) {
    const at = <usize>j * bytes;
    copyValues(table + at, y, n);
    combine(y, h / <f64>(2 * (j + 1)), f0, n, odd + at);
  }
  // All columns in turn: a point waits for the slope before it, but not for those of other columns.
  for (let s = 1; s < 2 * columns; s++) {
    const isOdd = (s & 1) === 1;
    for (let j = s >> 1; j < columns; j++) {
      const at = <usize>j * bytes;
      const here = (isOdd ? odd : table) + at;
      const next = (isOdd ? table : odd) + at;
      const substep = h / <f64>(2 * (j + 1));
      f(t + <f64>s * substep, origin, here, slope);
      combine(next, 2 * substep, slope, n, next);
    }
  }
  let factor = FACTORS;
  for (let j = 1; j < columns; j++) {
    for (let l = j - 1; l >= 0; l--) {
      const coarse = table + <usize>l * bytes;
      refine(coarse, factor, coarse + bytes, n);
      factor += 8;
    }
  }
  for (let i = 0; i < n; i++) {
    set(out, i, get(table, i));
    set(error, i, get(table, i) - get(table, n + i));
  }
}
