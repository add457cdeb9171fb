// Measurements of a state: means and ranges, the value at a place, and the position of a front along a line.
import { HALO, haloStride } from '../../numerics/grid/halo';
import { neumaierSum } from '../../numerics/sum';
import { get, set } from '../../numerics/vector';

/** Cells about a place along an axis: cubic interpolation. */
export const STENCIL: i32 = 4;
/** Halvings of a cell: beyond the 52 bits of a position. */
const BISECTIONS: i32 = 60;

export let mean: f64 = 0;
export let minimum: f64 = 0;
export let maximum: f64 = 0;

/** Sets mean, minimum and maximum of a field. @param sums  f64[rows], scratch */
export function measure(field: usize, rows: i32, columns: i32, sums: usize): void {
  const stride = haloStride(columns);
  minimum = Infinity;
  maximum = -Infinity;
  for (let j = 0; j < rows; j++) {
    const row = field + <usize>j * stride;
    set(sums, j, neumaierSum(row, columns));
    for (let i = 0; i < columns; i++) {
      const value = get(row, i);
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  mean = neumaierSum(sums, rows) / (<f64>rows * <f64>columns);
}

/** Interpolates a field with its halo at the weights of a place along x and y, f64[4] each. */
export function valueAt(field: usize, columns: i32, firstX: i32, firstY: i32, weightsX: usize, weightsY: usize): f64 {
  const stride = <isize>haloStride(columns);
  let sum: f64 = 0;
  for (let q = 0; q < STENCIL; q++) {
    const weight = get(weightsY, q);
    if (weight === 0) continue;
    const row = field + <usize>(<isize>(firstY + q) * stride);
    for (let p = 0; p < STENCIL; p++) sum += weight * get(weightsX, p) * get(row, firstX + p);
  }
  return sum;
}

/** Interpolates the line at the weights of a place along y. @param line  f64[columns + 4], from two cells before the first */
export function lineAt(field: usize, columns: i32, firstY: i32, weightsY: usize, line: usize): void {
  const stride = <isize>haloStride(columns);
  for (let i = -HALO; i < columns + HALO; i++) {
    let sum: f64 = 0;
    for (let q = 0; q < STENCIL; q++) {
      const weight = get(weightsY, q);
      if (weight !== 0) sum += weight * get(field + <usize>(<isize>(firstY + q) * stride), i);
    }
    set(line, i + HALO, sum);
  }
}

/** The cubic through the values of cells −1, 0, 1, 2 at s from 0 to 1. */
function cubic(a: f64, b: f64, c: f64, d: f64, s: f64): f64 {
  const left = ((s - 1) * (s - 2) * ((s + 1) * b - (s / 3) * a)) / 2;
  const right = (s * (s + 1) * (((s - 1) / 3) * d - (s - 2) * c)) / 2;
  return left + right;
}

/**
 * The last place, in cells from the center of cell 0, at which the line crosses the level; −1 if there is none.
 *
 * @param line  as lineAt writes it
 */
export function lastCrossing(line: usize, columns: i32, level: f64): f64 {
  for (let i = columns - 2; i >= 0; i--) {
    const at = line + ((<usize>(i + HALO)) << 3);
    const b = get(at, 0) - level;
    const c = get(at, 1) - level;
    if (b >= 0 === c >= 0) continue;
    const a = get(at, -1) - level;
    const d = get(at, 2) - level;
    let low: f64 = 0;
    let high: f64 = 1;
    for (let k = 0; k < BISECTIONS; k++) {
      const middle = 0.5 * (low + high);
      if (cubic(a, b, c, d, middle) >= 0 === b >= 0) low = middle;
      else high = middle;
    }
    return <f64>i + 0.5 * (low + high);
  }
  return -1;
}
