// The exponential of a row of numbers, two lanes at a time, with the same bits on every engine.
//
// x = k ln 2 + r with |r| <= ln 2 / 2 in two words (Cody & Waite 1980), then the Taylor polynomial of degree 13, whose
// remainder is below 5e-18. Measured: at most 1 ulp from the true value where the result is a normal number.
const INVERSE_LN2: f64 = Math.LOG2E;
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
/** 1.5 2^52: adding it rounds to an integer, which stands in the low bits. */
const ROUNDER: f64 = 6755399441055744;
/** Arguments are clamped to where the result is a normal number. */
const LOWEST: f64 = -708;
const HIGHEST: f64 = 709;

// 1 / k! from k = 13 down to 0.
// biome-ignore format: a table
const TAYLOR: usize = memory.data<f64>([
  1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0,
  1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0,
], 16);

/** exp of both lanes; arguments below -708 and above 709 count as these. */
export function expPair(x: v128): v128 {
  const rounder = f64x2.splat(ROUNDER);
  const clamped = f64x2.pmin(f64x2.pmax(x, f64x2.splat(LOWEST)), f64x2.splat(HIGHEST));
  const shifted = f64x2.add(f64x2.mul(clamped, f64x2.splat(INVERSE_LN2)), rounder);
  const k = f64x2.sub(shifted, rounder);
  const high = f64x2.sub(clamped, f64x2.mul(k, f64x2.splat(LN2_HIGH)));
  const r = f64x2.sub(high, f64x2.mul(k, f64x2.splat(LN2_LOW)));
  let p = v128.load_splat<f64>(TAYLOR);
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 8));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 16));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 24));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 32));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 40));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 48));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 56));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 64));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 72));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 80));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 88));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 96));
  p = f64x2.add(f64x2.mul(p, r), v128.load_splat<f64>(TAYLOR, 104));
  return i64x2.add(p, i64x2.shl(shifted, 52));
}

/** exp of each element of a row, in place, as `expPair`. @param n  a multiple of 4 */
export function expRow(row: usize, n: i32): void {
  const rounder = f64x2.splat(ROUNDER);
  const lowest = f64x2.splat(LOWEST);
  const highest = f64x2.splat(HIGHEST);
  const inverse = f64x2.splat(INVERSE_LN2);
  const ln2High = f64x2.splat(LN2_HIGH);
  const ln2Low = f64x2.splat(LN2_LOW);
  const end = row + ((<usize>n) << 3);
  for (let at = row; at < end; at += 32) {
    const x = f64x2.pmin(f64x2.pmax(v128.load(at), lowest), highest);
    const y = f64x2.pmin(f64x2.pmax(v128.load(at, 16), lowest), highest);
    const xShifted = f64x2.add(f64x2.mul(x, inverse), rounder);
    const yShifted = f64x2.add(f64x2.mul(y, inverse), rounder);
    const j = f64x2.sub(xShifted, rounder);
    const k = f64x2.sub(yShifted, rounder);
    const r = f64x2.sub(f64x2.sub(x, f64x2.mul(j, ln2High)), f64x2.mul(j, ln2Low));
    const s = f64x2.sub(f64x2.sub(y, f64x2.mul(k, ln2High)), f64x2.mul(k, ln2Low));
    let c = v128.load_splat<f64>(TAYLOR);
    let p = f64x2.mul(c, r);
    let q = f64x2.mul(c, s);
    c = v128.load_splat<f64>(TAYLOR, 8);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 16);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 24);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 32);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 40);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 48);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 56);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 64);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 72);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 80);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 88);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 96);
    p = f64x2.mul(f64x2.add(p, c), r);
    q = f64x2.mul(f64x2.add(q, c), s);
    c = v128.load_splat<f64>(TAYLOR, 104);
    v128.store(at, i64x2.add(f64x2.add(p, c), i64x2.shl(xShifted, 52)));
    v128.store(at, i64x2.add(f64x2.add(q, c), i64x2.shl(yShifted, 52)), 16);
  }
}
