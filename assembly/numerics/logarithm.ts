// The logarithm of two lanes, with the same bits on every engine.
//
// x = 2^k m with m from √½ to √2, s = (m − 1) / (m + 1), and the odd series of ln((1 + s) / (1 − s)) with the polynomial of
// fdlibm 5.3 (e_log.c, https://www.netlib.org/fdlibm/). Errors below 1 ulp.
import { splat } from './simd';

// Bits of √½ with the low word cut: the distance from those of 1, the mask of the digits, themselves; then of 2^52, and of
// 2^52 + 1023, between which the exponent stands as a number. In memory, as simd.ts says.
// biome-ignore format: a table
const BITS: usize = memory.data<i64>([
  0x95f6200000000, 0xfffffffffffff, 0x3fe6a09e00000000, 0x4330000000000000, 0x43300000000003ff,
], 16);
/** 1, 2, ½, ln 2 in two words. */
const NUMBERS: usize = memory.data<f64>([1, 2, 0.5, 6.9314718036912381649e-1, 1.90821492927058770002e-10], 16);

// biome-ignore format: a table
const SERIES: usize = memory.data<f64>([
  1.479819860511658591e-1, 1.531383769920937332e-1, 1.818357216161805012e-1, 2.222219843214978396e-1,
  2.857142874366239149e-1, 3.999999999940941908e-1, 6.666666666666735130e-1,
], 16);

/** ln of both lanes, which are positive normal numbers. */
export function logPair(x: v128): v128 {
  const above = i64x2.add(x, splat(BITS));
  const m = i64x2.add(v128.and(above, splat(BITS + 8)), splat(BITS + 16));
  const power = f64x2.sub(v128.or(i64x2.shr_u(above, 52), splat(BITS + 24)), splat(BITS + 32));
  const f = f64x2.sub(m, splat(NUMBERS));
  const s = f64x2.div(f, f64x2.add(f, splat(NUMBERS + 8)));
  const z = f64x2.mul(s, s);
  let r = splat(SERIES);
  r = f64x2.add(f64x2.mul(r, z), splat(SERIES + 8));
  r = f64x2.add(f64x2.mul(r, z), splat(SERIES + 16));
  r = f64x2.add(f64x2.mul(r, z), splat(SERIES + 24));
  r = f64x2.add(f64x2.mul(r, z), splat(SERIES + 32));
  r = f64x2.add(f64x2.mul(r, z), splat(SERIES + 40));
  r = f64x2.mul(z, f64x2.add(f64x2.mul(r, z), splat(SERIES + 48)));
  const square = f64x2.mul(splat(NUMBERS + 16), f64x2.mul(f, f));
  const low = f64x2.add(f64x2.mul(s, f64x2.add(square, r)), f64x2.mul(power, splat(NUMBERS + 32)));
  return f64x2.sub(f64x2.mul(power, splat(NUMBERS + 24)), f64x2.sub(f64x2.sub(square, low), f));
}
