// E1(x) = ∫_x^∞ exp(-t)/t dt in double-double: where the kernel has rational approximations, up to 4 a series of positive
// terms, e^(-x) Σ H_k x^k / k! with the harmonic numbers H_k, and beyond the continued fraction (NIST Digital Library of
// Mathematical Functions, §6.6.2 with §6.6.4, §6.9.1). Relative error below 1e-27. E1(0) = ∞; below 0, NaN.

import { EULER } from '../constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  divideByNumber,
  exactly,
  multiply,
  NOT_A_NUMBER,
  negative,
  ONE,
  subtract,
  ZERO,
} from '../double-double.ts';
import { exp } from '../exponential.ts';
import { log } from '../logarithm.ts';

const FRACTION = 4;
const VANISHED = 745;

export function exponentialIntegral(x: DoubleDouble): DoubleDouble {
  if (!(x.high >= 0)) return NOT_A_NUMBER;
  if (x.high === 0) return exactly(Number.POSITIVE_INFINITY);
  if (x.high > VANISHED) return ZERO;
  return x.high < FRACTION ? subtract(entirePart(x), add(log(x), EULER)) : byFraction(x);
}

/** E1(x) + ln x + γ. */
function entirePart(x: DoubleDouble): DoubleDouble {
  let harmonic = ONE;
  let power = x;
  let sum = x;
  for (let k = 2; power.high > 1e-35 * sum.high; k++) {
    harmonic = add(harmonic, divideByNumber(ONE, k));
    power = divideByNumber(multiply(power, x), k);
    sum = add(sum, multiply(power, harmonic));
  }
  return multiply(exp(negative(x)), sum);
}

/** e^(-x) / (x + 1 - 1²/(x + 3 - 2²/(x + 5 - …))) */
function byFraction(x: DoubleDouble): DoubleDouble {
  const depth = Math.ceil(20 + 400 / x.high);
  let rest = addNumber(x, 2 * depth + 1);
  for (let k = depth; k > 0; k--) rest = subtract(addNumber(x, 2 * k - 1), divide(exactly(k * k), rest));
  return divide(exp(negative(x)), rest);
}
