// The logarithm of two lanes, with the same bits on every engine.
//
// x = 2^k m with m from √½ to √2, s = (m − 1) / (m + 1), and the odd series of ln((1 + s) / (1 − s)) with the polynomial of
// fdlibm 5.3 (e_log.c, https://www.netlib.org/fdlibm/). Errors below 1 ulp.
const LN2_HIGH: f64 = 6.9314718036912381649e-1;
const LN2_LOW: f64 = 1.90821492927058770002e-10;
/** Bits of √½, with the low word cut. */
const LOWEST: i64 = 0x3fe6a09e00000000;
const EXPONENT: i64 = 0x3ff0000000000000;
/** 1.5 2^52: an integer in its low bits is a number behind it. */
const ROUNDER: f64 = 6755399441055744;

// biome-ignore format: a table
const SERIES: usize = memory.data<f64>([
  1.479819860511658591e-1, 1.531383769920937332e-1, 1.818357216161805012e-1, 2.222219843214978396e-1,
  2.857142874366239149e-1, 3.999999999940941908e-1, 6.666666666666735130e-1,
], 16);

/** ln of both lanes, which are positive normal numbers. */
export function logPair(x: v128): v128 {
  const above = i64x2.sub(x, i64x2.splat(LOWEST));
  const k = i64x2.shr_s(above, 52);
  const m = i64x2.sub(x, i64x2.shl(k, 52));
  const rounder = f64x2.splat(ROUNDER);
  const power = f64x2.sub(i64x2.add(k, rounder), rounder);
  const f = f64x2.sub(m, i64x2.splat(EXPONENT));
  const s = f64x2.div(f, f64x2.add(f, f64x2.splat(2)));
  const z = f64x2.mul(s, s);
  let r = v128.load_splat<f64>(SERIES);
  r = f64x2.add(f64x2.mul(r, z), v128.load_splat<f64>(SERIES, 8));
  r = f64x2.add(f64x2.mul(r, z), v128.load_splat<f64>(SERIES, 16));
  r = f64x2.add(f64x2.mul(r, z), v128.load_splat<f64>(SERIES, 24));
  r = f64x2.add(f64x2.mul(r, z), v128.load_splat<f64>(SERIES, 32));
  r = f64x2.add(f64x2.mul(r, z), v128.load_splat<f64>(SERIES, 40));
  r = f64x2.mul(z, f64x2.add(f64x2.mul(r, z), v128.load_splat<f64>(SERIES, 48)));
  const square = f64x2.mul(f64x2.splat(0.5), f64x2.mul(f, f));
  const low = f64x2.add(f64x2.mul(s, f64x2.add(square, r)), f64x2.mul(power, f64x2.splat(LN2_LOW)));
  return f64x2.sub(f64x2.mul(power, f64x2.splat(LN2_HIGH)), f64x2.sub(f64x2.sub(square, low), f));
}
