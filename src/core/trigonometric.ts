// Sine and cosine as in fdlibm: reduction to |y| <= π/4, then a minimax polynomial. Error below 1 ulp.
//
// Polynomials and the three-part π/2 of Cody and Waite are those of fdlibm 5.3 (Sun Microsystems, 1993: k_sin.c,
// k_cos.c, e_rem_pio2.c; https://www.netlib.org/fdlibm/). Order of operations and the reduction of huge arguments
// follow AssemblyScript 0.28 (std/assembly/math.ts), whose bits this file must reproduce.
import { bitsOf, fromBits, highWord } from './bits.ts';

const SIN = {
  s1: -0.16666666666666632,
  s2: 0.00833333333332249,
  s3: -0.0001984126982985795,
  s4: 0.0000027557313707070068,
  s5: -2.5050760253406863e-8,
  s6: 1.58969099521155e-10,
};

const COS = {
  c1: 0.0416666666666666,
  c2: -0.001388888888887411,
  c3: 0.00002480158728947673,
  c4: -2.7557314351390663e-7,
  c5: 2.087572321298175e-9,
  c6: -1.1359647557788195e-11,
};

const TWO_OVER_PI = 0.6366197723675814;
/** π/2 in three parts of 33 bits, each with the tail that follows it. */
const PIO2 = {
  part1: 1.5707963267341256,
  tail1: 6.077100506506192e-11,
  part2: 6.077100506303966e-11,
  tail2: 2.0222662487959506e-21,
  part3: 2.0222662487111665e-21,
  tail3: 8.4784276603689e-32,
};

/** High words of the limits between methods. */
const HIGH = {
  quarterPi: 0x3fe921fb,
  halfPi: 0x3ff921fb,
  threeQuarterPi: 0x4002d97c,
  /** 2^20 · π/2 */
  huge: 0x413921fb,
  notFinite: 0x7ff00000,
  sineIsArgument: 0x3e500000,
  cosineIsOne: 0x3e46a09e,
};
const MAGNITUDE = 0x7fffffff;

/** Sine. NaN for NaN and infinities; keeps the sign of zero. */
export function sin(x: number): number {
  const ix = highWord(x) & MAGNITUDE;
  if (ix <= HIGH.quarterPi) return ix < HIGH.sineIsArgument ? x : sineOfRemainder(x, 0, false);
  if (ix >= HIGH.notFinite) return Number.NaN;
  const { quadrant, y0, y1 } = reduce(x, ix);
  const value = quadrant & 1 ? cosineOfRemainder(y0, y1) : sineOfRemainder(y0, y1, true);
  return quadrant & 2 ? -value : value;
}

/** Cosine. NaN for NaN and infinities. */
export function cos(x: number): number {
  const ix = highWord(x) & MAGNITUDE;
  if (ix <= HIGH.quarterPi) return ix < HIGH.cosineIsOne ? 1 : cosineOfRemainder(x, 0);
  if (ix >= HIGH.notFinite) return Number.NaN;
  const { quadrant, y0, y1 } = reduce(x, ix);
  const value = quadrant & 1 ? sineOfRemainder(y0, y1, true) : cosineOfRemainder(y0, y1);
  return (quadrant + 1) & 2 ? -value : value;
}

/** sin(x + y) for |x| <= π/4 and a tail y, used only if `hasTail`. */
function sineOfRemainder(x: number, y: number, hasTail: boolean): number {
  const { s1, s2, s3, s4, s5, s6 } = SIN;
  const z = x * x;
  const w = z * z;
  const r = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
  const v = z * x;
  if (!hasTail) return x + v * (s1 + z * r);
  return x - (z * (0.5 * y - v * r) - y - v * s1);
}

/** cos(x + y) for |x| <= π/4 and a tail y. */
function cosineOfRemainder(x: number, y: number): number {
  const { c1, c2, c3, c4, c5, c6 } = COS;
  const z = x * x;
  const zz = z * z;
  const r = z * (c1 + z * (c2 + z * c3)) + zz * zz * (c4 + z * (c5 + z * c6));
  const hz = 0.5 * z;
  const w = 1 - hz;
  return w + (1 - w - hz + (z * r - x * y));
}

/** x = quadrant · π/2 + y0 + y1 (quadrant modulo 4). */
interface Reduced {
  readonly quadrant: number;
  readonly y0: number;
  readonly y1: number;
}

function reduce(x: number, ix: number): Reduced {
  if (ix < HIGH.threeQuarterPi) return reduceOnce(x, ix);
  if (ix < HIGH.huge) return reduceCodyWaite(x, ix);
  return reduceHuge(x);
}

/** π/4 < |x| < 3π/4: one subtraction of π/2, with 33 + 53 bits of it, or 33 + 33 + 53 close to π/2 itself. */
function reduceOnce(x: number, ix: number): Reduced {
  const quadrant = x < 0 ? -1 : 1;
  let z = x - quadrant * PIO2.part1;
  let tail = PIO2.tail1;
  if (ix === HIGH.halfPi) {
    z -= quadrant * PIO2.part2;
    tail = PIO2.tail2;
  }
  tail *= quadrant;
  const y0 = z - tail;
  return { quadrant, y0, y1: z - y0 - tail };
}

/** Adding and subtracting 1.5 · 2^52 rounds a number below 2^51 to the nearest integer, ties to even. */
const ROUNDER = 6755399441055744;

/** |x| < 2^20 · π/2: up to three rounds, each with 33 more bits of π/2, until enough bits remain after cancellation. */
function reduceCodyWaite(x: number, ix: number): Reduced {
  const q = x * TWO_OVER_PI + ROUNDER - ROUNDER;
  const exponent = ix >> 20;
  const cancelledBits = (y: number) => exponent - ((highWord(y) >> 20) & 0x7ff);
  let r = x - q * PIO2.part1;
  let w = q * PIO2.tail1;
  let y0 = r - w;
  if (cancelledBits(y0) > 16) {
    let t = r;
    w = q * PIO2.part2;
    r = t - w;
    w = q * PIO2.tail2 - (t - r - w);
    y0 = r - w;
    if (cancelledBits(y0) > 49) {
      t = r;
      w = q * PIO2.part3;
      r = t - w;
      w = q * PIO2.tail3 - (t - r - w);
      y0 = r - w;
    }
  }
  return { quadrant: q, y0, y1: r - y0 - w };
}

/** ⌊2^1505 / π⌋: all binary digits of 1/π that a double can require, after 32 zeros. */
export const INVERSE_PI = BigInt(
  '0x' +
    '00000000a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea' +
    '09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ff' +
    'de05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb1' +
    '1f8d5d0856033046fc7b6babf0cfbc209af4361da9e391615ee61b086599855f14a068408dffd8804d73273106061557',
);
const INVERSE_PI_BITS = 24 * 64;
/** π/4 in units of 2^-128. */
const QUARTER_PI = 0xc90fdaa22168c234c4c6628b80dc1cd1n;
const QUARTER_PI_HIGH = QUARTER_PI >> 64n;
const QUARTER_PI_LOW = BigInt.asUintN(64, QUARTER_PI);
const TO_64 = 5.421010862427522e-20; // 2^-64
const TO_75 = 2.6469779601696886e-23; // 2^-75

/**
 * Any larger |x|, after Payne and Hanek: multiplies the significand by the 192 significant bits of 1/π. Rare, so the
 * wide integers are BigInt; truncations match the 64-bit original (Lim's `metallic`, as used in AssemblyScript). Below
 * 2^22 the original reads two bits before its table; here they are the correct zeros.
 */
function reduceHuge(x: number): Reduced {
  const bits = bitsOf(Math.abs(x));
  const offset = Number(bits >> 52n) - 1045;
  const significand = (bits & 0xfffffffffffffn) | 0x10000000000000n;
  const digits = BigInt.asUintN(192, INVERSE_PI >> BigInt(INVERSE_PI_BITS - 192 - offset));
  const s0 = digits >> 128n;
  const s1 = BigInt.asUintN(64, digits >> 64n);
  const s2 = BigInt.asUintN(64, digits);

  // 128 bits of the fraction of x / 2π.
  const low = (s2 >> 32n) * (significand >> 32n);
  const product = BigInt.asUintN(128, ((s0 * significand) << 64n) + s1 * significand + low);
  // The nearest quarter is the quadrant; the signed rest is the remainder.
  const remainder = BigInt.asUintN(128, product << 2n);
  const isAbove = remainder >> 127n === 1n;
  const quadrant = (Number(product >> 126n) + (isAbove ? 1 : 0)) & 3;
  const magnitude = isAbove ? BigInt.asUintN(128, ~remainder) : remainder;

  const { shift, high, tail } = timesQuarterPi(magnitude);
  // Exponent and sign in one double: ±2^(-52 - shift).
  const isNegative = x < 0 !== isAbove;
  const scale = fromBits(0x3cb0000000000000n - (BigInt(shift) << 52n));
  const coefficient = isNegative ? -scale : scale;
  return { quadrant: x < 0 ? -quadrant : quadrant, y0: high * coefficient, y1: tail * coefficient };
}

/** π/4 · fraction, normalised: `high` holds 53 bits, `tail` the bits after, both scaled by 2^-shift. */
function timesQuarterPi(fraction: bigint): { shift: number; high: number; tail: number } {
  const shift = 128 - fraction.toString(2).length;
  const normal = fraction << BigInt(shift);
  const q1 = normal >> 64n;
  const q0 = BigInt.asUintN(64, normal);
  const product = QUARTER_PI_HIGH * q1;
  const ahi = product >> 75n;
  const alo = BigInt.asUintN(64, product >> 11n);
  const lo = BigInt.asUintN(64, product);
  const crossTerms = TO_75 * Number(QUARTER_PI_LOW) * Number(q1) + TO_75 * Number(QUARTER_PI_HIGH) * Number(q0);
  const blo = BigInt(Math.trunc(crossTerms));
  return {
    shift,
    high: Number(ahi + (lo < blo ? 1n : 0n)),
    tail: TO_64 * Number(BigInt.asUintN(64, alo + blo)),
  };
}
