// Exact fractions of big integers: the factors of units and the exponents of dimensions.
//
// Whatever is written in decimals is exact here, and rounding happens once, at the end, in `toNumber`.

import { exp, log } from '../elementary.ts';

export interface Rational {
  readonly numerator: bigint;
  /** Positive, and prime to the numerator. */
  readonly denominator: bigint;
}

export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('A fraction has the denominator 0.');
  const common = greatestCommonDivisor(magnitude(numerator), magnitude(denominator));
  const divisor = denominator < 0n ? -common : common;
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

export function total(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function negated(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function isSame(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;

/** Of `-1.5e-7` and the like: every form in which JavaScript writes a finite number. */
export function fromDecimal(text: string): Rational {
  const parts = DECIMAL.exec(text);
  if (parts === null) throw new RangeError(`${text} is no decimal number.`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = BigInt(sign + whole + fraction);
  const shift = Number(exponent) - fraction.length;
  return shift < 0 ? rational(digits, 10n ** BigInt(-shift)) : rational(digits * 10n ** BigInt(shift));
}

/** Bits to which an irrational root is carried; a double has 53. */
const ROOT_BITS = 160;
/** Of a power before its root; beyond it an answer would take noticeable time. */
const MAX_POWER_BITS = 40_000;

/**
 * `base` to the power n/d: exact where that is rational, otherwise cut off after 160 bits.
 *
 * @param base  positive
 * @throws RangeError if the power has too many digits
 */
export function power(base: Rational, exponent: Rational): Rational {
  const n = magnitude(exponent.numerator);
  const bits = bitLength(base.numerator) + bitLength(base.denominator);
  if (!isSame(base, ONE) && n * BigInt(bits) > MAX_POWER_BITS) throw new RangeError('A power has too many digits.');
  const [above, below] =
    exponent.numerator < 0n ? [base.denominator, base.numerator] : [base.numerator, base.denominator];
  const raised = isSame(base, ONE) ? ONE : { numerator: wholePower(above, n), denominator: wholePower(below, n) };
  return exponent.denominator === 1n ? raised : root(raised, exponent.denominator);
}

function root(value: Rational, degree: bigint): Rational {
  const exact = { numerator: floorRoot(value.numerator, degree), denominator: floorRoot(value.denominator, degree) };
  const back = { numerator: wholePower(exact.numerator, degree), denominator: wholePower(exact.denominator, degree) };
  if (isSame(back, value)) return exact;
  const size = BigInt(bitLength(value.numerator) - bitLength(value.denominator)) / degree;
  const shift = size < ROOT_BITS ? BigInt(ROOT_BITS) - size : 0n;
  const radicand = (value.numerator << (shift * degree)) / value.denominator;
  return rational(floorRoot(radicand, degree), 1n << shift);
}

/** By repeated squaring. @param exponent  from 0 */
function wholePower(base: bigint, exponent: bigint): bigint {
  let power = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) power *= square;
    if (left > 1n) square *= square;
  }
  return power;
}

/** The largest r with r^degree <= value, by Newton's iteration from above. */
function floorRoot(value: bigint, degree: bigint): bigint {
  if (value < 2n) return value;
  let guess = rootAbove(value, degree);
  for (;;) {
    const next = ((degree - 1n) * guess + value / wholePower(guess, degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** A little more than the root, so that Newton's iteration has its quadratic end before it and nothing else. */
function rootAbove(value: bigint, degree: bigint): bigint {
  const cut = Math.max(0, bitLength(value) - 64);
  const binaryLogarithm = (log(Number(value >> BigInt(cut))) / Math.LN2 + cut) / Number(degree);
  const shift = Math.max(0, Math.floor(binaryLogarithm) - 50);
  const leading = exp((binaryLogarithm - shift) * Math.LN2) * (1 + LOGARITHM_ERROR);
  return BigInt(Math.ceil(leading) + 1) << BigInt(shift);
}

/** Of a number with as many bits as a power may have; generous. */
const LOGARITHM_ERROR = 1e-9;

/** Bits kept before the one rounding: 53, one to round by, one that is sticky, and what bitLength overestimates. */
const WORKING_BITS = 60;
/** 2^-1074 is the smallest double; two bits beyond it decide how to round. */
const SMALLEST_SHIFT = 1076;

/** The nearest double, ties to even; infinite beyond the largest. */
export function toNumber({ numerator, denominator }: Rational): number {
  if (numerator === 0n) return 0;
  const size = magnitude(numerator);
  const shift = Math.min(WORKING_BITS - bitLength(size) + bitLength(denominator), SMALLEST_SHIFT);
  const dividend = shift > 0 ? size << BigInt(shift) : size;
  const divisor = shift < 0 ? denominator << BigInt(-shift) : denominator;
  const sticky = dividend % divisor === 0n ? 0n : 1n;
  // At most one of these steps rounds: the first where the result is normal, the last where it is not.
  const scaled = Number((dividend / divisor) | sticky);
  const value = scaledByPowerOfTwo(scaled, -shift);
  return numerator < 0n ? -value : value;
}

/** x * 2^k in steps that stay within the range of doubles. */
function scaledByPowerOfTwo(x: number, k: number): number {
  let value = x;
  let left = k;
  while (left > 0) {
    const step = Math.min(left, 1000);
    value *= Number(1n << BigInt(step));
    left -= step;
  }
  while (left < 0) {
    const step = Math.min(-left, 1000);
    value /= Number(1n << BigInt(step));
    left += step;
  }
  return value;
}

/** Of a positive number, at most 3 too many. */
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
