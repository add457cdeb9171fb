// Exact fractions of big integers: the factors of units and the exponents of dimensions.
//
// Decimals are exact; the only rounding is in `toNumber`.

import { bitsOf } from '../bits.ts';
import { exp, log } from '../elementary.ts';

export interface Rational {
  readonly numerator: bigint;
  /** Positive, and coprime to the numerator. */
  readonly denominator: bigint;
}

export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('A fraction has the denominator 0.');
  const gcd = greatestCommonDivisor(magnitude(numerator), magnitude(denominator));
  const divisor = denominator < 0n ? -gcd : gcd;
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export const ONE = rational(1n);

export function product(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** @throws RangeError if `b` is 0 */
export function quotient(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));

export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function isEqual(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

/** The exponents of decimals with up to 22 places. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => 10n ** BigInt(exponent));
export const powerOfTen = (exponent: number): bigint => POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;

/** Parses a decimal such as `-1.5e-7`: every form in which JavaScript prints a finite number. */
export function fromDecimal(text: string): Rational {
  const { numerator, denominator } = unreduced(text);
  return rational(numerator, denominator);
}

/** Exactly the value of a positive, normal double. */
export function fromDouble(value: number): Rational {
  const bits = bitsOf(value);
  const significand = (bits & 0xf_ffff_ffff_ffffn) | 0x10_0000_0000_0000n;
  const shift = (bits >> 52n) - 1075n;
  return shift < 0n ? rational(significand, 1n << -shift) : rational(significand << shift);
}

/** The double nearest to a decimal times a ratio; a fraction need not be reduced for that. */
export function decimalTimes(text: string, ratio: Rational): number {
  const { numerator, denominator } = unreduced(text);
  return toNumber({ numerator: numerator * ratio.numerator, denominator: denominator * ratio.denominator });
}

function unreduced(text: string): Rational {
  const parts = DECIMAL.exec(text);
  if (parts === null) throw new RangeError(`${text} is not a decimal number.`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = BigInt(sign + whole + fraction);
  const shift = Number(exponent) - fraction.length;
  return shift < 0
    ? { numerator: digits, denominator: powerOfTen(-shift) }
    : { numerator: digits * powerOfTen(shift), denominator: 1n };
}

/** Precision of an irrational root in bits; a double has 53. */
const ROOT_BITS = 160;
/** Maximum bits of a power before its root, which bounds the computation time. */
const MAX_POWER_BITS = 40_000;

/**
 * `base` to the power n/d: exact if rational, otherwise truncated to 160 bits.
 *
 * @param base  positive
 * @throws RangeError if the power has too many digits
 */
export function power(base: Rational, exponent: Rational): Rational {
  const n = magnitude(exponent.numerator);
  const bits = bitLength(base.numerator) + bitLength(base.denominator);
  if (!isEqual(base, ONE) && n * BigInt(bits) > MAX_POWER_BITS) throw new RangeError('A power has too many digits.');
  const [above, below] =
    exponent.numerator < 0n ? [base.denominator, base.numerator] : [base.numerator, base.denominator];
  const raised = isEqual(base, ONE) ? ONE : { numerator: integerPower(above, n), denominator: integerPower(below, n) };
  return exponent.denominator === 1n ? raised : root(raised, exponent.denominator);
}

function root(value: Rational, degree: bigint): Rational {
  const exact = { numerator: floorRoot(value.numerator, degree), denominator: floorRoot(value.denominator, degree) };
  const check = {
    numerator: integerPower(exact.numerator, degree),
    denominator: integerPower(exact.denominator, degree),
  };
  if (isEqual(check, value)) return exact;
  const size = BigInt(bitLength(value.numerator) - bitLength(value.denominator)) / degree;
  const shift = size < ROOT_BITS ? BigInt(ROOT_BITS) - size : 0n;
  const radicand = (value.numerator << (shift * degree)) / value.denominator;
  return rational(floorRoot(radicand, degree), 1n << shift);
}

/** Integer power by repeated squaring. @param exponent  >= 0 */
function integerPower(base: bigint, exponent: bigint): bigint {
  let power = 1n;
  let square = base;
  for (let remaining = exponent; remaining > 0n; remaining >>= 1n) {
    if (remaining & 1n) power *= square;
    if (remaining > 1n) square *= square;
  }
  return power;
}

/** The largest r with r^degree <= value, by Newton's iteration from above. */
function floorRoot(value: bigint, degree: bigint): bigint {
  if (value < 2n) return value;
  let estimate = rootAbove(value, degree);
  for (;;) {
    const next = ((degree - 1n) * estimate + value / integerPower(estimate, degree - 1n)) / degree;
    if (next >= estimate) return estimate;
    estimate = next;
  }
}

/** An upper estimate close to the root, so that Newton's iteration converges quadratically from the start. */
function rootAbove(value: bigint, degree: bigint): bigint {
  const droppedBits = Math.max(0, bitLength(value) - 64);
  const binaryLogarithm = (log(Number(value >> BigInt(droppedBits))) / Math.LN2 + droppedBits) / Number(degree);
  const shift = Math.max(0, Math.floor(binaryLogarithm) - 50);
  const leading = exp((binaryLogarithm - shift) * Math.LN2) * (1 + LOGARITHM_ERROR);
  return BigInt(Math.ceil(leading) + 1) << BigInt(shift);
}

/** Bound of the relative error for a number of MAX_POWER_BITS bits; generous. */
const LOGARITHM_ERROR = 1e-9;

/** Bits before rounding: 53, one round bit, one sticky bit, and the error of bitLength. */
const WORKING_BITS = 60;
/** 2^-1074 is the smallest double; two more bits decide the rounding. */
const MIN_SHIFT = 1076;

/** The nearest double, ties to even; infinite beyond the largest. */
export function toNumber({ numerator, denominator }: Rational): number {
  if (numerator === 0n) return 0;
  const size = magnitude(numerator);
  const shift = Math.min(WORKING_BITS - bitLength(size) + bitLength(denominator), MIN_SHIFT);
  const dividend = shift > 0 ? size << BigInt(shift) : size;
  const divisor = shift < 0 ? denominator << BigInt(-shift) : denominator;
  const sticky = dividend % divisor === 0n ? 0n : 1n;
  // At most one of these steps rounds: the first for a normal result, the last for a subnormal one.
  const scaled = Number((dividend / divisor) | sticky);
  const value = scaleByPowerOfTwo(scaled, -shift);
  return numerator < 0n ? -value : value;
}

/** x * 2^k in steps that stay within the range of doubles. */
function scaleByPowerOfTwo(x: number, k: number): number {
  let value = x;
  let remaining = k;
  while (remaining > 0) {
    const step = Math.min(remaining, 1000);
    value *= Number(1n << BigInt(step));
    remaining -= step;
  }
  while (remaining < 0) {
    const step = Math.min(-remaining, 1000);
    value /= Number(1n << BigInt(step));
    remaining += step;
  }
  return value;
}

/** Length of a positive number in bits, overestimated by at most 3. */
function bitLength(value: bigint): number {
  return value.toString(16).length * 4;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}
