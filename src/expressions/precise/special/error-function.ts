// erf and erfc in double-double.
//
// Where the kernel has rational approximations, here stand the series of positive terms
// erf x = 2/√π e^(-x²) Σ 2^k x^(2k+1) / (2k + 1)!! and, for the tail, the continued fraction of erfc in its even part
// (NIST Digital Library of Mathematical Functions, §7.6.2, §7.9.3). Relative error below 1e-28 for both.

import { TWO_OVER_SQRT_PI } from '../constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  divideByNumber,
  exactly,
  magnitude,
  multiply,
  negative,
  ONE,
  scale,
  square,
  subtract,
  withSignOf,
} from '../double-double.ts';
import { exp } from '../exponential.ts';

/** From here on the continued fraction is shorter than the series, and 1 - erf x would lose digits. */
const TAIL = 2.5;
/** 1 - erf x is nothing beside 1. */
const FAR = 9;
/** erfc x is less than any double. */
const VANISHED = 28;

export function erf(x: DoubleDouble): DoubleDouble {
  const size = magnitude(x);
  if (x.high === 0 || Number.isNaN(x.high)) return x;
  if (size.high > FAR) return withSignOf(ONE, x);
  return withSignOf(size.high < TAIL ? bySeries(size) : subtract(ONE, byFraction(size)), x);
}

export function erfc(x: DoubleDouble): DoubleDouble {
  if (x.high > VANISHED) return exactly(0);
  return x.high < TAIL ? subtract(ONE, erf(x)) : byFraction(x);
}

/** For 0 < x < 2.5, where 80 terms suffice. */
function bySeries(x: DoubleDouble): DoubleDouble {
  const z = square(x);
  const doubled = scale(z, 1);
  let term = x;
  let sum = x;
  for (let k = 3; term.high > 1e-34 * sum.high; k += 2) {
    term = divideByNumber(multiply(term, doubled), k);
    sum = add(sum, term);
  }
  return multiply(TWO_OVER_SQRT_PI, multiply(exp(negative(z)), sum));
}

const byFraction = (x: DoubleDouble) => multiply(scaledComplement(x), exp(negative(square(x))));

/** e^(x²) erfc x for x >= 2.5: x/√π over a0 - b1/(a1 - b2/(a2 - …)) with a_k = x² + 2k + ½ and b_k = k (k - ½). */
export function scaledComplement(x: DoubleDouble): DoubleDouble {
  const z = square(x);
  const depth = Math.ceil(30 + 600 / z.high);
  let rest = addNumber(z, 2 * depth + 0.5);
  for (let k = depth; k > 0; k--) {
    rest = subtract(addNumber(z, 2 * k - 1.5), divide(exactly(k * (k - 0.5)), rest));
  }
  return divide(scale(multiply(TWO_OVER_SQRT_PI, x), -1), rest);
}
