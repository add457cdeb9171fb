// The exponential of a row of numbers, two lanes at a time, with the same bits on every engine.
//
// x = k ln 2 + r with |r| <= ln 2 / 2 in two words (Cody & Waite 1980), then e^r = 1 + r + r c / (2 - c), where
// c = r - r² P(r²) and P is the polynomial of fdlibm 5.3 (e_exp.c, https://www.netlib.org/fdlibm/). Measured: at most
// 1 ulp from the true value where the result is a normal number.
import { splat } from './simd';

// Bounds of the arguments, between which the result is a normal number; 1 / ln 2; 1.5 2^52, which rounds to an integer in
// the low bits of the sum; ln 2 in two words; 1; 2; then P from its highest term down. In memory, as simd.ts says.
// biome-ignore format: a table
const TABLE: usize = memory.data<f64>([
  -708, 709, Math.LOG2E, 6755399441055744, 0.6931471803691238, 1.9082149292705877e-10, 1, 2,
  4.13813679705723846039e-8, -1.65339022054652515390e-6, 6.61375632143793436117e-5, -2.77777777770155933842e-3,
  1.66666666666666019037e-1,
], 16);

/** exp of both lanes; arguments below -708 and above 709 count as these. */
export function expPair(x: v128): v128 {
  const clamped = f64x2.pmin(f64x2.pmax(x, splat(TABLE)), splat(TABLE + 8));
  const shifted = f64x2.add(f64x2.mul(clamped, splat(TABLE + 16)), splat(TABLE + 24));
  const k = f64x2.sub(shifted, splat(TABLE + 24));
  const high = f64x2.sub(clamped, f64x2.mul(k, splat(TABLE + 32)));
  const r = f64x2.sub(high, f64x2.mul(k, splat(TABLE + 40)));
  const z = f64x2.mul(r, r);
  let p = f64x2.mul(splat(TABLE + 64), z);
  p = f64x2.mul(f64x2.add(p, splat(TABLE + 72)), z);
  p = f64x2.mul(f64x2.add(p, splat(TABLE + 80)), z);
  p = f64x2.mul(f64x2.add(p, splat(TABLE + 88)), z);
  const c = f64x2.sub(r, f64x2.mul(f64x2.add(p, splat(TABLE + 96)), z));
  const rest = f64x2.div(f64x2.mul(r, c), f64x2.sub(splat(TABLE + 56), c));
  return i64x2.add(f64x2.add(splat(TABLE + 48), f64x2.add(r, rest)), i64x2.shl(shifted, 52));
}

/** exp of each element of a row, in place, as `expPair`. @param n  a multiple of 4 */
export function expRow(row: usize, n: i32): void {
  const end = row + ((<usize>n) << 3);
  for (let at = row; at < end; at += 32) {
    const x = f64x2.pmin(f64x2.pmax(v128.load(at), splat(TABLE)), splat(TABLE + 8));
    const y = f64x2.pmin(f64x2.pmax(v128.load(at, 16), splat(TABLE)), splat(TABLE + 8));
    const xShifted = f64x2.add(f64x2.mul(x, splat(TABLE + 16)), splat(TABLE + 24));
    const yShifted = f64x2.add(f64x2.mul(y, splat(TABLE + 16)), splat(TABLE + 24));
    const j = f64x2.sub(xShifted, splat(TABLE + 24));
    const k = f64x2.sub(yShifted, splat(TABLE + 24));
    const r = f64x2.sub(f64x2.sub(x, f64x2.mul(j, splat(TABLE + 32))), f64x2.mul(j, splat(TABLE + 40)));
    const s = f64x2.sub(f64x2.sub(y, f64x2.mul(k, splat(TABLE + 32))), f64x2.mul(k, splat(TABLE + 40)));
    const rr = f64x2.mul(r, r);
    const ss = f64x2.mul(s, s);
    let c = splat(TABLE + 64);
    let p = f64x2.mul(c, rr);
    let q = f64x2.mul(c, ss);
    c = splat(TABLE + 72);
    p = f64x2.mul(f64x2.add(p, c), rr);
    q = f64x2.mul(f64x2.add(q, c), ss);
    c = splat(TABLE + 80);
    p = f64x2.mul(f64x2.add(p, c), rr);
    q = f64x2.mul(f64x2.add(q, c), ss);
    c = splat(TABLE + 88);
    p = f64x2.mul(f64x2.add(p, c), rr);
    q = f64x2.mul(f64x2.add(q, c), ss);
    c = splat(TABLE + 96);
    p = f64x2.sub(r, f64x2.mul(f64x2.add(p, c), rr));
    q = f64x2.sub(s, f64x2.mul(f64x2.add(q, c), ss));
    const two = splat(TABLE + 56);
    const one = splat(TABLE + 48);
    p = f64x2.add(one, f64x2.add(r, f64x2.div(f64x2.mul(r, p), f64x2.sub(two, p))));
    q = f64x2.add(one, f64x2.add(s, f64x2.div(f64x2.mul(s, q), f64x2.sub(two, q))));
    v128.store(at, i64x2.add(p, i64x2.shl(xShifted, 52)));
    v128.store(at, i64x2.add(q, i64x2.shl(yShifted, 52)), 16);
  }
}
