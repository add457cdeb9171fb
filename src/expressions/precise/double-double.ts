// Double-double arithmetic: a number as the unevaluated sum of two doubles, about 32 decimal digits.
//
// Error-free transformations of Dekker (1971, Numer. Math. 18, 224-242) and Knuth (TAOCP 2, §4.2.2); the operations are
// the accurate ones of Joldes, Muller & Popescu (2017, ACM Trans. Math. Softw. 44(2), 15), with relative errors of a
// few 2^-106 for sums too, whatever cancels. Where a high part is not finite or is zero, it alone is the value, so
// infinities, NaN and the sign of zero follow IEEE 754. Below 1e-290 the low part underflows, and precision falls to
// that of a double. The functions of this folder import it as `dd`.

import { fromWords, highWord } from '../../core/bits.ts';

export interface DoubleDouble {
  /** The value rounded to a double. */
  readonly high: number;
  /** The remainder, at most half a unit in the last place of `high`. */
  readonly low: number;
}

export const exactly = (high: number): DoubleDouble => ({ high, low: 0 });

export const ZERO = exactly(0);
export const ONE = exactly(1);
export const NOT_A_NUMBER = exactly(Number.NaN);

/** 2^27 + 1: the product with it splits a double into halves of 26 bits. */
const SPLITTER = 134217729;
/** Beyond it, splitting would overflow. */
const SPLITTABLE = 2 ** 996;
const TWO_60 = 2 ** 60;

/** a + b exactly. */
function twoSum(a: number, b: number): DoubleDouble {
  const high = a + b;
  const partOfB = high - a;
  return { high, low: a - (high - partOfB) + (b - partOfB) };
}

/** a b exactly, unless it or its error leaves the range of a double. */
function twoProduct(a: number, b: number): DoubleDouble {
  const high = a * b;
  return { high, low: productError(a, b, high) };
}

/** a b - product, where `product` is a b rounded. */
function productError(a: number, b: number, product: number): number {
  if (Math.abs(a) > SPLITTABLE) return productError(a / TWO_60, b * TWO_60, product);
  if (Math.abs(b) > SPLITTABLE) return productError(a * TWO_60, b / TWO_60, product);
  const scaledA = SPLITTER * a;
  const aHigh = scaledA - (scaledA - a);
  const aLow = a - aHigh;
  const scaledB = SPLITTER * b;
  const bHigh = scaledB - (scaledB - b);
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

/** The sum of a leading part and a smaller one. */
function joined(leading: number, rest: number): DoubleDouble {
  const high = leading + rest;
  if (high === 0 || !isFiniteNumber(high)) return { high: rest === 0 ? leading : high, low: 0 };
  return { high, low: rest - (high - leading) };
}

const isFiniteNumber = (x: number) => x - x === 0;

export function add(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const high = a.high + b.high;
  if (!isFiniteNumber(high)) return exactly(high);
  const partOfB = high - a.high;
  const highError = a.high - (high - partOfB) + (b.high - partOfB);
  const low = a.low + b.low;
  const partOfLow = low - a.low;
  const lowError = a.low - (low - partOfLow) + (b.low - partOfLow);
  const { high: leading, low: rest } = joined(high, highError + low);
  return joined(leading, rest + lowError);
}

export const negative = ({ high, low }: DoubleDouble): DoubleDouble => ({ high: -high, low: -low });

export const subtract = (a: DoubleDouble, b: DoubleDouble) => add(a, negative(b));

export function addNumber(a: DoubleDouble, b: number): DoubleDouble {
  const { high, low } = twoSum(a.high, b);
  return isFiniteNumber(high) ? joined(high, low + a.low) : exactly(high);
}

/** Finite and normal, so that a low part can exist. */
const hasLow = (high: number) => Math.abs(high) >= MIN_NORMAL && isFiniteNumber(high);
const MIN_NORMAL = 2 ** -1022;

export function multiply(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const product = a.high * b.high;
  if (!hasLow(product)) return exactly(product);
  return joined(product, productError(a.high, b.high, product) + (a.high * b.low + a.low * b.high));
}

export function multiplyByNumber(a: DoubleDouble, b: number): DoubleDouble {
  const product = a.high * b;
  if (!hasLow(product)) return exactly(product);
  return joined(product, productError(a.high, b, product) + a.low * b);
}

export const square = (a: DoubleDouble) => multiply(a, a);

/** Below it the remainder of a division could underflow. */
const SMALL = 2 ** -900;

export function divide(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const quotient = a.high / b.high;
  if (!hasLow(quotient)) return exactly(quotient);
  if (Math.abs(a.high) < SMALL) return scale(divide(scale(a, 200), b), -200);
  const remainder = subtract(a, multiplyByNumber(b, quotient));
  return joined(quotient, remainder.high / b.high);
}

export const divideByNumber = (a: DoubleDouble, b: number) => divide(a, exactly(b));
export const reciprocal = (a: DoubleDouble) => divide(ONE, a);

/** NaN below 0. */
export function squareRoot(a: DoubleDouble): DoubleDouble {
  const root = Math.sqrt(a.high);
  if (root === 0 || !isFiniteNumber(root)) return exactly(root);
  if (a.high < SMALL) return scale(squareRoot(scale(a, 200)), -100);
  const remainder = subtract(a, twoProduct(root, root));
  return joined(root, remainder.high / (2 * root));
}

/** -1, 0 or 1 as a is less than, equal to or greater than b; NaN if either is NaN. */
export const compare = (a: DoubleDouble, b: DoubleDouble) =>
  a.high === b.high ? Math.sign(a.low - b.low) : Math.sign(a.high - b.high);

/** A zero has the sign of its high part. */
export const isNegative = ({ high }: DoubleDouble) => high < 0 || Object.is(high, -0);

export const magnitude = (a: DoubleDouble) => (isNegative(a) ? negative(a) : a);

/** a with the sign of b. */
export const withSignOf = (a: DoubleDouble, b: DoubleDouble) => (isNegative(a) === isNegative(b) ? a : negative(a));

/** The whole number e with 2^e <= |x| < 2^(e+1), for a normal x. */
export const exponentOf = (x: number) => ((highWord(x) >>> 20) & 0x7ff) - 1023;

/** The double 2^k, for k in the normal range. */
const powerOfTwo = (k: number) => fromWords((1023 + k) << 20, 0);

/** a 2^k, rounded only where it leaves the normal range. */
export function scale(a: DoubleDouble, k: number): DoubleDouble {
  if (k > 1000) return scale(scale(a, 1000), k - 1000);
  if (k < -1000) return scale(scale(a, -1000), k + 1000);
  const factor = powerOfTwo(k);
  const high = a.high * factor;
  return isFiniteNumber(high) ? joined(high, a.low * factor) : exactly(high);
}

/** Σ coefficients[i] x^i by Horner's rule. The loop carries two numbers, so that no step makes an object. */
export function polynomial(coefficients: readonly DoubleDouble[], x: DoubleDouble): DoubleDouble {
  let at = coefficients.length - 1;
  let { high, low } = coefficients[at] as DoubleDouble;
  for (at--; at >= 0; at--) ({ high, low } = add(multiply({ high, low }, x), coefficients[at] as DoubleDouble));
  return { high, low };
}
