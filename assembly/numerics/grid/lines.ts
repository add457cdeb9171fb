// Tridiagonal systems of their own in every column of a field: implicit diffusion along one axis of a heterogeneous
// medium, a column at a time in textbooks, eight at a time here.
//
// The matrix of a column is 1 + B, where row i of B is coupled to its neighbours by couplings >= 0 and has the row sum 0.
// No subtraction occurs in the factors (Grassmann, Taksar & Heyman 1985, Operations Research 33, 1107–1116), so sums of a
// column stay to a few roundings. Rows without couplings keep their values: cells outside of a medium need no branch.
// Four SIMD chains hide the latency of the recurrence, as in `solveColumns` (tridiagonal.ts), whose factors all columns
// share.
import { get, set } from '../vector';
import { LANES } from './tridiagonal';

/**
 * Factors the columns.
 *
 * @param coupling  f64[n, stride]: of row i to row i + 1; the last row is not read
 * @param scale     factor of the couplings, >= 0
 * @param below, inverse, above  f64[n, stride], written
 */
export function factorLines(
  coupling: usize,
  scale: f64,
  below: usize,
  inverse: usize,
  above: usize,
  n: i32,
  stride: i32,
): void {
  for (let column = 0; column < stride; column++) {
    let ratio: f64 = 0;
    let lower: f64 = 0;
    for (let i = 0; i < n; i++) {
      const at = i * stride + column;
      const upper = i === n - 1 ? 0 : scale * get(coupling, at);
      const sum = 1 + lower * ratio;
      const reciprocal = 1 / (sum + upper);
      ratio = sum * reciprocal;
      set(below, at, -lower * reciprocal);
      set(inverse, at, reciprocal);
      set(above, at, -upper * reciprocal);
      lower = upper;
    }
  }
}

/**
 * Replaces every column b by alpha x − beta b, where x solves its system.
 *
 * @param field    f64[n, stride]; stride a multiple of LANES
 * @param scratch  f64[n, LANES]
 */
export function solveLines(
  below: usize,
  inverse: usize,
  above: usize,
  field: usize,
  scratch: usize,
  n: i32,
  stride: i32,
  alpha: f64,
  beta: f64,
): void {
  const bytes = (<usize>stride) << 3;
  const alphas = f64x2.splat(alpha);
  const betas = f64x2.splat(beta);
  for (let block: usize = 0; block < bytes; block += (<usize>LANES) << 3) {
    forward(below + block, inverse + block, field + block, scratch, n, bytes);
    backward(above + block, field + block, scratch, n, bytes, alphas, betas);
  }
}

function forward(below: usize, inverse: usize, b: usize, scratch: usize, n: i32, bytes: usize): void {
  let d0 = f64x2.splat(0);
  let d1 = d0;
  let d2 = d0;
  let d3 = d0;
  for (let i = 0; i < n; i++) {
    d0 = f64x2.sub(f64x2.mul(v128.load(b), v128.load(inverse)), f64x2.mul(v128.load(below), d0));
    d1 = f64x2.sub(f64x2.mul(v128.load(b, 16), v128.load(inverse, 16)), f64x2.mul(v128.load(below, 16), d1));
    d2 = f64x2.sub(f64x2.mul(v128.load(b, 32), v128.load(inverse, 32)), f64x2.mul(v128.load(below, 32), d2));
    d3 = f64x2.sub(f64x2.mul(v128.load(b, 48), v128.load(inverse, 48)), f64x2.mul(v128.load(below, 48), d3));
    v128.store(scratch, d0);
    v128.store(scratch, d1, 16);
    v128.store(scratch, d2, 32);
    v128.store(scratch, d3, 48);
    scratch += 64;
    b += bytes;
    inverse += bytes;
    below += bytes;
  }
}

function backward(above: usize, b: usize, scratch: usize, n: i32, bytes: usize, alphas: v128, betas: v128): void {
  let x0 = f64x2.splat(0);
  let x1 = x0;
  let x2 = x0;
  let x3 = x0;
  for (let i = n - 1; i >= 0; i--) {
    const offset = <usize>i * bytes;
    const factor = above + offset;
    const d = scratch + ((<usize>i) << 6);
    const target = b + offset;
    x0 = f64x2.sub(v128.load(d), f64x2.mul(v128.load(factor), x0));
    x1 = f64x2.sub(v128.load(d, 16), f64x2.mul(v128.load(factor, 16), x1));
    x2 = f64x2.sub(v128.load(d, 32), f64x2.mul(v128.load(factor, 32), x2));
    x3 = f64x2.sub(v128.load(d, 48), f64x2.mul(v128.load(factor, 48), x3));
    v128.store(target, f64x2.sub(f64x2.mul(alphas, x0), f64x2.mul(betas, v128.load(target))));
    v128.store(target, f64x2.sub(f64x2.mul(alphas, x1), f64x2.mul(betas, v128.load(target, 16))), 16);
    v128.store(target, f64x2.sub(f64x2.mul(alphas, x2), f64x2.mul(betas, v128.load(target, 32))), 32);
    v128.store(target, f64x2.sub(f64x2.mul(alphas, x3), f64x2.mul(betas, v128.load(target, 48))), 48);
  }
}

/** target[j][i] = source[i][j]; both numbers are even. */
export function transpose(source: usize, target: usize, rows: i32, columns: i32): void {
  const from = (<usize>columns) << 3;
  const to = (<usize>rows) << 3;
  for (let i: usize = 0; i < to; i += 16) {
    const row = source + (i >> 3) * from;
    const column = target + i;
    for (let j: usize = 0; j < from; j += 16) {
      const first = v128.load(row + j);
      const second = v128.load(row + from + j);
      const place = column + (j >> 3) * to;
      v128.store(place, v128.shuffle<f64>(first, second, 0, 2));
      v128.store(place + to, v128.shuffle<f64>(first, second, 1, 3));
    }
  }
}
