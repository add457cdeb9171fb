// Decimals times a ratio, each rounded once, without big integers for each: the product of the digits with a factor of 75
// bits. Where these do not decide the rounding, which is about once in 10,000 values, fractions do.

import { bitsOf, fromBits } from '../bits.ts';
import { decimalTimes, fromDouble, powerOfTen, type Rational, rational, subtract, toNumber } from './rational.ts';

/** ratio · 10^e: 22 leading bits, whose products with nine digits are exact, and what they leave. */
interface Factor {
  readonly nearest: number;
  readonly leading: number;
  readonly rest: number;
}

/** Of factors; far from where a product would lose bits. */
const [LEAST, LARGEST] = [1e-250, 1e250];
/** Factors of a ratio that are kept. */
const MAX_FACTORS = 64;
/** Digits of each half of a decimal. */
const HALF = 9;
const POWERS = Array.from({ length: HALF + 1 }, (_, exponent) => Number(10n ** BigInt(exponent)));
/** Bound of the relative error of a product before its rounding, 16 times what its terms can lose. */
const MARGIN = 2 ** -68;

/** Codes of `0`, `-` and `e`. */
const [ZERO, MINUS, EXPONENT] = [48, 45, 101];

/**
 * Returns a function of a finite number other than 0: the double nearest to the number's shortest decimal times `ratio`.
 *
 * @param ratio  positive
 */
export function decimalMultiplier(ratio: Rational): (value: number) => number {
  const factors = new Map<number, Factor | undefined>();
  const factorAt = (exponent: number): Factor | undefined => {
    const known = factors.get(exponent);
    if (known !== undefined || factors.has(exponent)) return known;
    if (factors.size >= MAX_FACTORS) factors.clear();
    const factor = factorOf(ratio, exponent);
    factors.set(exponent, factor);
    return factor;
  };
  return (value) => {
    const positive = value < 0 ? -value : value;
    const size = timesHalves(positive.toExponential(), factorAt) ?? decimalTimes(String(positive), ratio);
    return value < 0 ? -size : size;
  };
}

function factorOf({ numerator, denominator }: Rational, exponent: number): Factor | undefined {
  const exact =
    exponent < 0
      ? { numerator, denominator: denominator * powerOfTen(-exponent) }
      : { numerator: numerator * powerOfTen(exponent), denominator };
  const nearest = toNumber(exact);
  if (!(nearest > LEAST && nearest < LARGEST)) return undefined;
  const leading = fromBits(bitsOf(nearest) & LEADING_BITS);
  return {
    nearest,
    leading,
    rest: toNumber(subtract(rational(exact.numerator, exact.denominator), fromDouble(leading))),
  };
}

/** Sign, exponent and 21 bits after the leading one. */
const LEADING_BITS = 0xffff_ffff_8000_0000n;

/**
 * Undefined where the rounding is not decided.
 *
 * @param text  of a positive number, as `toExponential` prints it: the digits of `String` in less than half the time
 */
function timesHalves(text: string, factorAt: (exponent: number) => Factor | undefined): number | undefined {
  let first = text.charCodeAt(0) - ZERO;
  let at = 1;
  // The point is behind the first digit.
  if (text.charCodeAt(at) !== EXPONENT) at++;
  const start = at;
  for (; at < start + HALF - 1; at++) {
    const code = text.charCodeAt(at);
    if (code === EXPONENT) break;
    first = (Math.imul(10, first) + code - ZERO) | 0;
  }
  const half = at;
  let second = 0;
  for (; at < half + HALF; at++) {
    const code = text.charCodeAt(at);
    if (code === EXPONENT) break;
    second = (Math.imul(10, second) + code - ZERO) | 0;
  }
  const isNegative = text.charCodeAt(at + 1) === MINUS;
  let power = 0;
  for (let digit = at + 2; digit < text.length; digit++) power = 10 * power + text.charCodeAt(digit) - ZERO;
  const factor = factorAt((isNegative ? -power : power) - (half - start));
  if (factor === undefined) return undefined;
  const leading = first * factor.leading;
  // Of the second half at most 10^-8 of the whole, so that one rounding of its factor is no loss.
  const rest = first * factor.rest + (second / (POWERS[at - half] as number)) * factor.nearest;
  const product = leading + rest;
  const left = rest - (product - leading);
  const margin = MARGIN * product;
  return product + (left + margin) === product && product + (left - margin) === product ? product : undefined;
}
