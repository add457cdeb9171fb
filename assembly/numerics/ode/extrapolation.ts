// Extrapolation of the modified midpoint rule, after Gragg, Bulirsch and Stoer: seven columns, order 14.
//
// The rule has an error in even powers of its substep, so that each column adds two orders. Step numbers 2, 4 … 14 make
// 49 evaluations beside f(t, y). No coefficients of stages: a method of another family than Runge–Kutta's, to compare
// with. Hairer, Nørsett & Wanner I, §II.9.
import { copyValues, get, set } from '../vector';
import { RightSide } from './right-side';

const COLUMNS: i32 = 7;
/** The order of the error estimate: that of the last but one column, and one. */
export const EXTRAPOLATION_ORDER: f64 = 13;

/** Number of f64 of scratch. */
export function extrapolationScratch(n: i32): i32 {
  return (COLUMNS + 4) * n;
}

/**
 * One step from (t, y) to t + h.
 *
 * @param f0     f64[n], f(t, y)
 * @param out    f64[n], y(t + h); must not be y
 * @param error  f64[n], the difference of the last two columns
 */
export function extrapolationStep(
  f: RightSide,
  t: f64,
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
  const slope = scratch + <usize>COLUMNS * bytes;
  for (let j = 0; j < COLUMNS; j++) {
    const substeps = 2 * (j + 1);
    const substep = h / <f64>substeps;
    let before = slope + bytes;
    let here = slope + 2 * bytes;
    let next = slope + 3 * bytes;
    copyValues(before, y, n);
    for (let i = 0; i < n; i++) set(here, i, get(y, i) + substep * get(f0, i));
    for (let s = 1; s < substeps; s++) {
      f(t + <f64>s * substep, here, slope);
      for (let i = 0; i < n; i++) set(next, i, get(before, i) + 2 * substep * get(slope, i));
      const free = before;
      before = here;
      here = next;
      next = free;
    }
    copyValues(table + <usize>j * bytes, here, n);
    for (let l = j - 1; l >= 0; l--) {
      const ratio = <f64>(j + 1) / <f64>(l + 1);
      const factor = 1 / (ratio * ratio - 1);
      const coarse = table + <usize>l * bytes;
      for (let i = 0; i < n; i++) {
        const fine = get(coarse, n + i);
        set(coarse, i, fine + factor * (fine - get(coarse, i)));
      }
    }
  }
  for (let i = 0; i < n; i++) {
    set(out, i, get(table, i));
    set(error, i, get(table, i) - get(table, n + i));
  }
}
