// E1(x) = ∫_x^∞ exp(-t)/t dt in double-double: where the kernel uses rational approximations, up to 4 a series of
// positive terms, e^(-x) Σ H_k x^k / k! with the harmonic numbers H_k, and beyond the continued fraction (NIST Digital
// Library of Mathematical Functions, §6.6.2 with §6.6.4, §6.9.1). Relative error below 1e-27. E1(0) = ∞; below 0, NaN.

import { EULER } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp } from '../exponential.ts';
import { log } from '../logarithm.ts';

const FRACTION = 4;
const UNDERFLOW = 745;

export function exponentialIntegral(x: DoubleDouble): DoubleDouble {
  if (!(x.high >= 0)) return dd.NOT_A_NUMBER;
  if (x.high === 0) return dd.exactly(Number.POSITIVE_INFINITY);
  if (x.high > UNDERFLOW) return dd.ZERO;
  return x.high < FRACTION ? dd.subtract(entirePart(x), dd.add(log(x), EULER)) : byFraction(x);
}

/** E1(x) + ln x + γ. */
function entirePart(x: DoubleDouble): DoubleDouble {
  let harmonic = dd.ONE;
  let power = x;
  let sum = x;
  for (let k = 2; power.high > 1e-35 * sum.high; k++) {
    harmonic = dd.add(harmonic, dd.divideByNumber(dd.ONE, k));
    power = dd.divideByNumber(dd.multiply(power, x), k);
    sum = dd.add(sum, dd.multiply(power, harmonic));
  }
  return dd.multiply(exp(dd.negative(x)), sum);
}

/** e^(-x) / (x + 1 - 1²/(x + 3 - 2²/(x + 5 - …))) */
function byFraction(x: DoubleDouble): DoubleDouble {
  const depth = Math.ceil(20 + 400 / x.high);
  let rest = dd.addNumber(x, 2 * depth + 1);
  for (let k = depth; k > 0; k--) rest = dd.subtract(dd.addNumber(x, 2 * k - 1), dd.divide(dd.exactly(k * k), rest));
  return dd.divide(exp(dd.negative(x)), rest);
}
