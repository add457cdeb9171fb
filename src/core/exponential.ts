// Exponential, logarithm, expm1 and cosh. Errors below 1 ulp; exp and log below 0.52.
//
// exp and log split their argument with tables of 128 entries and finish with a short polynomial: Nagy's algorithms in
// ARM's optimized-routines (https://github.com/ARM-software/optimized-routines, math/exp.c and math/log.c, 2018), also
// in musl. expm1 is that of fdlibm 5.3 (s_expm1.c; https://www.netlib.org/fdlibm/), cosh that of musl. Order of
// operations as in AssemblyScript 0.28, whose bits this file must reproduce.
import { fromWords, highWord, lowWord } from './bits.ts';
import { EXP_TABLE, LOG_TABLE } from './exponential-tables.ts';

const MAGNITUDE = 0x7fffffff;
const EXPONENT_ONE = 0x3ff00000;

/** The f64 2^k, for k in the normal range, -1022 to 1023. */
export const powerOfTwo = (k: number): number => fromWords((0x3ff + k) << 20, 0);

const EXP = {
  inverseLn2: Math.LOG2E * 128,
  ln2High: -0.005415212348111709,
  ln2Low: -1.2864023111638346e-14,
  c2: 0.49999999999996786,
  c3: 0.16666666666665886,
  c4: 0.0416666808410674,
  c5: 0.008333335853059549,
};
/** Adding 1.5 · 2^52 leaves the nearest integer in the low bits of the sum. */
const SHIFTER = 6755399441055744;

/** e^x. Overflows to infinity above 709.78, underflows to 0 below −745.13. */
export function exp(x: number): number {
  const exponent = (highWord(x) >>> 20) & 0x7ff;
  if (exponent < 0x3c9) return 1; // |x| < 2^-54
  if (exponent >= 0x409) {
    // |x| >= 1024, or not finite
    if (x === Number.NEGATIVE_INFINITY) return 0;
    if (exponent === 0x7ff) return 1 + x;
    return x < 0 ? 0 : Number.POSITIVE_INFINITY;
  }
  // x = k ln2 / 128 + r with |r| <= ln2 / 256, so e^x = 2^(k/128) e^r.
  const shifted = EXP.inverseLn2 * x + SHIFTER;
  const k = lowWord(shifted);
  const kd = shifted - SHIFTER;
  const r = x + kd * EXP.ln2High + kd * EXP.ln2Low;
  const r2 = r * r;
  const index = k & 127;
  const tail = EXP_TABLE.tail[index] ?? 0;
  const expm1R = tail + r + r2 * (EXP.c2 + r * EXP.c3) + r2 * r2 * (EXP.c4 + r * EXP.c5);
  const high = ((EXP_TABLE.high[index] ?? 0) + (k << 13)) | 0;
  const low = EXP_TABLE.low[index] ?? 0;
  if (exponent >= 0x408) return scaleNearLimit(expm1R, high, low, k);
  const scale = fromWords(high, low);
  return scale + scale * expm1R;
}

/** scale · (1 + expm1R) for |x| >= 512, where the exponent of scale may be out of range. */
function scaleNearLimit(expm1R: number, high: number, low: number, k: number): number {
  if (k >= 0) {
    const scale = fromWords((high - (1009 << 20)) | 0, low);
    return powerOfTwo(1009) * (scale + scale * expm1R);
  }
  const scale = fromWords((high + (1022 << 20)) | 0, low);
  let y = scale + scale * expm1R;
  if (y < 1) {
    // Round at the last bit of the subnormal result, so that it is rounded only once.
    const rounding = scale - y + scale * expm1R;
    const sum = 1 + y;
    y = sum + (1 - sum + y + rounding) - 1;
  }
  return y * powerOfTwo(-1022);
}

const NEAR_ONE = { from: 0x3fee0000, to: 0x3ff10900 };
const SERIES = {
  b0: -0.5,
  b1: 0.3333333333333352,
  b2: -0.24999999999998432,
  b3: 0.19999999999320328,
  b4: -0.16666666669929706,
  b5: 0.14285715076560868,
  b6: -0.12499997863982555,
  b7: 0.11110712032936046,
  b8: -0.10000486757818193,
  b9: 0.09181994006195467,
  b10: -0.08328363062289341,
};
const LOG = {
  a0: -0.5000000000000001,
  a1: 0.33333333331825593,
  a2: -0.2499999999622955,
  a3: 0.20000304511814496,
  a4: -0.16667054827627667,
  ln2High: 0.6931471805598903,
  ln2Low: 5.497923018708371e-14,
};
/** The table begins at 0.6875: x = 2^k z with z in [0.6875, 1.375). */
const TABLE_START = 0x3fe60000;
const TWO_27 = 134217728;
const TWO_52 = 4503599627370496;

/** Natural logarithm. −∞ at ±0, NaN below. */
export function log(x: number): number {
  let high = highWord(x);
  let low = lowWord(x);
  if (high >= NEAR_ONE.from && high < NEAR_ONE.to) return logNearOne(x);
  if (high < 0x00100000 || high >= 0x7ff00000) {
    if (x === 0) return Number.NEGATIVE_INFINITY;
    if (x === Number.POSITIVE_INFINITY) return x;
    if (!(x > 0)) return Number.NaN;
    const scaled = x * TWO_52;
    high = highWord(scaled) - (52 << 20);
    low = lowWord(scaled);
  }
  const offset = (high - TABLE_START) | 0;
  const index = (offset >>> 13) & 127;
  const k = offset >> 20;
  const z = fromWords((high - (offset & 0xfff00000)) | 0, low);
  // log x = k ln2 + log c + log1p(z/c − 1), c near z from the table in two parts.
  const centreHigh = LOG_TABLE.centreHigh[index] ?? 1;
  const centreLow = LOG_TABLE.centreLow[index] ?? 0;
  const r = (z - centreHigh - centreLow) * (LOG_TABLE.inverse[index] ?? 1);
  const w = k * LOG.ln2High + (LOG_TABLE.logarithm[index] ?? 0);
  const hi = w + r;
  const lo = w - hi + r + k * LOG.ln2Low;
  const r2 = r * r;
  return lo + r2 * LOG.a0 + r * r2 * (LOG.a1 + r * LOG.a2 + r2 * (LOG.a3 + r * LOG.a4)) + hi;
}

/** log x for 1 − 2^-4 <= x < 1 + 0.0647: the Taylor-like series, its first two terms in two parts. */
function logNearOne(x: number): number {
  const { b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10 } = SERIES;
  const r = x - 1;
  const r2 = r * r;
  const r3 = r2 * r;
  const inner = r3 * (b7 + r * b8 + r2 * b9 + r3 * b10);
  const y = r3 * (b1 + r * b2 + r2 * b3 + r3 * (b4 + r * b5 + r2 * b6 + inner));
  const w = r * TWO_27;
  const rHigh = r + w - w;
  const rLow = r - rHigh;
  const square = rHigh * rHigh * b0;
  const hi = r + square;
  const lo = r - hi + square + b0 * rLow * (rHigh + r);
  return y + lo + hi;
}

const EXPM1 = {
  overflow: 709.782712893384,
  ln2High: 0.6931471803691238,
  ln2Low: 1.9082149292705877e-10,
  inverseLn2: Math.LOG2E,
  q1: -0.03333333333333313,
  q2: 0.0015873015872548146,
  q3: -0.0000793650757867488,
  q4: 0.000004008217827329362,
  q5: -2.0109921818362437e-7,
};
const TWO_1023 = powerOfTwo(1023);

/** e^x − 1 without cancellation near 0. */
export function expm1(x: number): number {
  const size = highWord(x) & MAGNITUDE;
  if (size >= 0x4043687a) {
    // |x| >= 56 ln2, or NaN
    if (Number.isNaN(x)) return x;
    if (x < 0) return -1;
    if (x > EXPM1.overflow) return x * TWO_1023;
  }
  if (size > 0x3fd62e42) {
    // |x| > ln2 / 2: x = k ln2 + y − c
    const k = size < 0x3ff0a2b2 ? (x < 0 ? -1 : 1) : Math.trunc(EXPM1.inverseLn2 * x + (x < 0 ? -0.5 : 0.5));
    const hi = x - k * EXPM1.ln2High;
    const lo = k * EXPM1.ln2Low;
    const y = hi - lo;
    return scaleExpm1(y, hi - y - lo, k);
  }
  if (size < 0x3c900000) return x; // |x| < 2^-54
  return scaleExpm1(x, 0, 0);
}

/** 2^k e^(x + c) − 1 for |x| <= ln2 / 2 and its tail c. */
function scaleExpm1(x: number, c: number, k: number): number {
  const { q1, q2, q3, q4, q5 } = EXPM1;
  const half = 0.5 * x;
  const hxs = x * half;
  const hxq = hxs * hxs;
  const r1 = 1 + hxs * q1 + hxq * (q2 + hxs * q3 + hxq * (q4 + hxs * q5));
  const t = 3 - r1 * half;
  let e = hxs * ((r1 - t) / (6 - x * t));
  if (k === 0) return x - (x * e - hxs);
  e = x * (e - c) - c;
  e -= hxs;
  if (k === -1) return 0.5 * (x - e) - 0.5;
  if (k === 1) return x < -0.25 ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e);
  if (k < 0 || k > 56) {
    const y = x - e + 1;
    return (k === 1024 ? y * 2 * TWO_1023 : y * powerOfTwo(k)) - 1;
  }
  const small = powerOfTwo(-k);
  const y = k < 20 ? 1 - small - e : 1 - (e + small);
  return (x + y) * powerOfTwo(k);
}

/** Hyperbolic cosine. */
export function cosh(x: number): number {
  const a = Math.abs(x);
  const size = highWord(a);
  if (size < 0x3fe62e42) {
    // a < ln2
    if (size < EXPONENT_ONE - (26 << 20)) return 1;
    const t = expm1(a);
    return 1 + (t * t) / (2 + 2 * t);
  }
  if (size < 0x40862e42) {
    const t = exp(a);
    return 0.5 * (t + 1 / t);
  }
  // e^a / 2 beyond the overflow of e^a: subtract 2043 ln2 and multiply by its exponential in two factors.
  const scale = powerOfTwo(1021);
  return exp(a - 1416.0996898839683) * scale * scale;
}
