// The normal quantile of a row of numbers, two lanes at a time, with the tables of normal.ts.
import { logPair } from '../logarithm';
import { splat } from '../simd';
import { CENTRE, normalQuantile, SHOULDER } from './normal';

/**
 * ½; where the tails begin, from ½, and its square; 1; the middle of a tail, and where it is far; −0. In
 * memory, as simd.ts says.
 */
const NUMBERS: usize = memory.data<f64>([0.5, 0.425, 0.180625, 1, 1.6, 5, -0.0], 16);
/** Room for the places of a row whose quantile is in a tail. */
const MAX_ROW = 1024;
const PLACES: usize = memory.data(MAX_ROW * 4 + 16, 16);

/** Adds a coefficient of P or Q to the Horner sums of two pairs of lanes. */
function horner(sum: v128, x: v128, table: usize): v128 {
  return f64x2.add(f64x2.mul(sum, x), v128.load_splat<f64>(table));
}

/** P / Q of degree 7 in both lanes; a table as of `quotient`. */
function quotientPair(table: usize, x: v128): v128 {
  let p = v128.load_splat<f64>(table);
  let q = v128.load_splat<f64>(table, 8);
  p = horner(p, x, table + 16);
  q = horner(q, x, table + 24);
  p = horner(p, x, table + 32);
  q = horner(q, x, table + 40);
  p = horner(p, x, table + 48);
  q = horner(q, x, table + 56);
  p = horner(p, x, table + 64);
  q = horner(q, x, table + 72);
  p = horner(p, x, table + 80);
  q = horner(q, x, table + 88);
  p = horner(p, x, table + 96);
  q = horner(q, x, table + 104);
  p = horner(p, x, table + 112);
  q = horner(q, x, table + 120);
  return f64x2.div(p, q);
}

/**
 * The quantile of every element of a row in (0, 1), in place: that of `normalQuantile` with errors of a few ulp, since the
 * tails take their logarithm two at a time.
 *
 * @param n  a multiple of 4, at most 1,024
 */
export function normalQuantileRow(row: usize, n: i32): void {
  const half = splat(NUMBERS);
  const edge = splat(NUMBERS + 8);
  const square = splat(NUMBERS + 16);
  let tails = 0;
  for (let i = 0; i < n; i += 4) {
    const at = row + ((<usize>i) << 3);
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const left = f64x2.sub(first, half);
    const right = f64x2.sub(second, half);
    const isTail = f64x2.gt(f64x2.abs(left), edge);
    const isFar = f64x2.gt(f64x2.abs(right), edge);
    const inTail = i64x2.bitmask(isTail);
    const inFar = i64x2.bitmask(isFar);
    // Without a branch: the place is written anyway, and kept by counting on.
    store<i32>(PLACES + (tails << 2), i);
    tails += inTail & 1;
    store<i32>(PLACES + (tails << 2), i + 1);
    tails += inTail >> 1;
    store<i32>(PLACES + (tails << 2), i + 2);
    tails += inFar & 1;
    store<i32>(PLACES + (tails << 2), i + 3);
    tails += inFar >> 1;
    const x = f64x2.sub(square, f64x2.mul(left, left));
    const y = f64x2.sub(square, f64x2.mul(right, right));
    // Four Horner schemes side by side, each coefficient loaded once.
    let c = v128.load_splat<f64>(CENTRE);
    let d = v128.load_splat<f64>(CENTRE, 8);
    let p = f64x2.mul(c, x);
    let q = f64x2.mul(d, x);
    let r = f64x2.mul(c, y);
    let s = f64x2.mul(d, y);
    c = v128.load_splat<f64>(CENTRE, 16);
    d = v128.load_splat<f64>(CENTRE, 24);
    p = f64x2.mul(f64x2.add(p, c), x);
    q = f64x2.mul(f64x2.add(q, d), x);
    r = f64x2.mul(f64x2.add(r, c), y);
    s = f64x2.mul(f64x2.add(s, d), y);
    c = v128.load_splat<f64>(CENTRE, 32);
    d = v128.load_splat<f64>(CENTRE, 40);
    p = f64x2.mul(f64x2.add(p, c), x);
    q = f64x2.mul(f64x2.add(q, d), x);
    r = f64x2.mul(f64x2.add(r, c), y);
    s = f64x2.mul(f64x2.add(s, d), y);
    c = v128.load_splat<f64>(CENTRE, 48);
    d = v128.load_splat<f64>(CENTRE, 56);
    p = f64x2.mul(f64x2.add(p, c), x);
    q = f64x2.mul(f64x2.add(q, d), x);
    r = f64x2.mul(f64x2.add(r, c), y);
    s = f64x2.mul(f64x2.add(s, d), y);
    c = v128.load_splat<f64>(CENTRE, 64);
    d = v128.load_splat<f64>(CENTRE, 72);
    p = f64x2.mul(f64x2.add(p, c), x);
    q = f64x2.mul(f64x2.add(q, d), x);
    r = f64x2.mul(f64x2.add(r, c), y);
    s = f64x2.mul(f64x2.add(s, d), y);
    c = v128.load_splat<f64>(CENTRE, 80);
    d = v128.load_splat<f64>(CENTRE, 88);
    p = f64x2.mul(f64x2.add(p, c), x);
    q = f64x2.mul(f64x2.add(q, d), x);
    r = f64x2.mul(f64x2.add(r, c), y);
    s = f64x2.mul(f64x2.add(s, d), y);
    c = v128.load_splat<f64>(CENTRE, 96);
    d = v128.load_splat<f64>(CENTRE, 104);
    p = f64x2.mul(f64x2.add(p, c), x);
    q = f64x2.mul(f64x2.add(q, d), x);
    r = f64x2.mul(f64x2.add(r, c), y);
    s = f64x2.mul(f64x2.add(s, d), y);
    c = v128.load_splat<f64>(CENTRE, 112);
    d = v128.load_splat<f64>(CENTRE, 120);
    const leftCentre = f64x2.mul(left, f64x2.div(f64x2.add(p, c), f64x2.add(q, d)));
    const rightCentre = f64x2.mul(right, f64x2.div(f64x2.add(r, c), f64x2.add(s, d)));
    // The argument of a tail stays for the loop below.
    v128.store(at, v128.bitselect(first, leftCentre, isTail));
    v128.store(at, v128.bitselect(second, rightCentre, isFar), 16);
  }
  if (tails & 1) store<i32>(PLACES + (tails << 2), load<i32>(PLACES + ((tails - 1) << 2)));
  for (let k = 0; k < tails; k += 2) {
    const first = row + ((<usize>load<i32>(PLACES + (k << 2))) << 3);
    const second = row + ((<usize>load<i32>(PLACES + (k << 2), 4)) << 3);
    tailPair(first, second);
  }
}

/** Quantiles of two arguments below 0.075 or above 0.925, in place; both may be one. */
function tailPair(first: usize, second: usize): void {
  const p = f64x2.replace_lane(v128.load_splat<f64>(first), 1, load<f64>(second));
  const rest = f64x2.sub(splat(NUMBERS + 24), p);
  const r = f64x2.sqrt(f64x2.neg(logPair(f64x2.pmin(p, rest))));
  const size = quotientPair(SHOULDER, f64x2.sub(r, splat(NUMBERS + 32)));
  const sign = v128.and(splat(NUMBERS + 48), f64x2.sub(p, splat(NUMBERS)));
  const isFar = i64x2.bitmask(f64x2.gt(r, splat(NUMBERS + 40)));
  const quantile = v128.xor(size, sign);
  store<f64>(first, isFar & 1 ? normalQuantile(f64x2.extract_lane(p, 0)) : f64x2.extract_lane(quantile, 0));
  store<f64>(second, isFar & 2 ? normalQuantile(f64x2.extract_lane(p, 1)) : f64x2.extract_lane(quantile, 1));
}
