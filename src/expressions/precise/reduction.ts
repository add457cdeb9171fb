// x = quadrant · π/2 + rest with |rest| <= π/4, for every double-double.
//
// After Payne & Hanek (1983, ACM SIGNUM Newsletter 18(1), 19-24): 2x/π is computed in whole numbers with all digits of
// 1/π that a double needs. There is no cancellation, however large x is and however near to a multiple of π/2.

import { bitsOf } from '../../core/bits.ts';
import { INVERSE_PI } from '../../core/trigonometric.ts';
import { HALF_PI } from './constants.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';

export interface Reduced {
  /** 0, 1, 2 or 3. */
  readonly quadrant: number;
  readonly rest: DoubleDouble;
}

const QUARTER_PI = HALF_PI.high / 2;

/** @param x  finite */
export function reduce(x: DoubleDouble): Reduced {
  if (Math.abs(x.high) <= QUARTER_PI) return { quadrant: 0, rest: x };
  const { quadrant, rest } = reduceDouble(x.high);
  if (Math.abs(x.low) <= QUARTER_PI) return centred(quadrant, dd.add(rest, dd.exactly(x.low)));
  const low = reduceDouble(x.low);
  return centred(quadrant + low.quadrant, dd.add(rest, low.rest));
}

/** Reduces a rest slightly above π/4 once more. */
function centred(quadrant: number, rest: DoubleDouble): Reduced {
  if (Math.abs(rest.high) <= QUARTER_PI) return { quadrant: quadrant & 3, rest };
  const side = Math.sign(rest.high);
  return { quadrant: (quadrant + side) & 3, rest: dd.subtract(rest, dd.multiplyByNumber(HALF_PI, side)) };
}

/** Fraction bits of INVERSE_PI, which is ⌊2^1505 / π⌋. */
const ALL_BITS = 1505;
/** The digits that arguments below 2^150 need. */
const FIRST_BITS = ALL_BITS - 1024;
const FIRST_DIGITS = INVERSE_PI >> 1024n;

/** Bits of the fraction that are kept: those of a double-double after the leading zeros near a multiple. */
const FRACTION_BITS = 256;

/** @param x  |x| > 2^-60 */
function reduceDouble(x: number): Reduced {
  const bits = bitsOf(Math.abs(x));
  const significand = (bits & 0xfffffffffffffn) | 0x10000000000000n;
  const exponent = Number(bits >> 52n) - 1075;
  const isFar = exponent > 97;
  // 2|x|/π = significand · digits · 2^(exponent + 1 - their number)
  const shift = (isFar ? ALL_BITS : FIRST_BITS) - exponent - 1 - FRACTION_BITS;
  const quarters = (significand * (isFar ? INVERSE_PI : FIRST_DIGITS)) >> BigInt(shift);
  const whole = (quarters + (1n << BigInt(FRACTION_BITS - 1))) >> BigInt(FRACTION_BITS);
  const fraction = toDoubleDouble(quarters - (whole << BigInt(FRACTION_BITS)));
  const rest = dd.multiply(dd.scale(fraction, -FRACTION_BITS), HALF_PI);
  const quadrant = Number(whole & 3n);
  if (x > 0) return { quadrant, rest };
  return { quadrant: -quadrant & 3, rest: { high: -rest.high, low: -rest.low } };
}

function toDoubleDouble(integer: bigint): DoubleDouble {
  const high = Number(integer);
  return { high, low: Number(integer - BigInt(high)) };
}
