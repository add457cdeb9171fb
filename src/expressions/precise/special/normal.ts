// The standard normal distribution in double-double: the distribution function from erfc, and the quantile as its
// inverse by Halley's iteration, where the kernel has a rational approximation of the quantile itself.

import { log as logOfDouble } from '../../../core/elementary.ts';
import { SQRT_2_PI, SQRT_HALF } from '../constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  exactly,
  isNegative,
  magnitude,
  multiply,
  NOT_A_NUMBER,
  negative,
  scale,
  square,
  subtract,
} from '../double-double.ts';
import { exp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import { erf, erfc, scaledComplement } from './error-function.ts';

export const normalDensity = (x: DoubleDouble) => divide(exp(scale(negative(square(x)), -1)), SQRT_2_PI);

export const normalDistribution = (x: DoubleDouble) => scale(erfc(multiply(negative(x), SQRT_HALF)), -1);

/** -∞ at 0, ∞ at 1, NaN outside. */
export function normalQuantile(p: DoubleDouble): DoubleDouble {
  const rest = addNumber(negative(p), 1);
  if (!(p.high >= 0 && rest.high >= 0)) return NOT_A_NUMBER;
  if (p.high === 0) return exactly(Number.NEGATIVE_INFINITY);
  if (rest.high === 0) return exactly(Number.POSITIVE_INFINITY);
  const offset = addNumber(p, -0.5);
  if (offset.high === 0) return offset;
  const isLower = isNegative(offset);
  const size = Math.abs(offset.high) < 0.4 ? centre(magnitude(offset)) : tail(isLower ? p : rest);
  return isLower ? negative(size) : size;
}

const STEPS = 4;

/** The x with ½ erf(x/√2) = offset > 0, which keeps the digits of a small x. */
function centre(offset: DoubleDouble): DoubleDouble {
  let x = multiply(offset, SQRT_2_PI);
  if (x.high > 1e-3) x = exactly(roughQuantile(0.5 - offset.high));
  for (let i = 0; i < STEPS; i++) {
    const excess = subtract(scale(erf(multiply(x, SQRT_HALF)), -1), offset);
    x = halley(x, divide(excess, normalDensity(x)));
  }
  return x;
}

/** The x with Q(x) = p, for a small p > 0. */
function tail(p: DoubleDouble): DoubleDouble {
  let x = exactly(roughQuantile(p.high));
  const logarithm = p.high < SMALL ? log(p) : undefined;
  for (let i = 0; i < STEPS; i++) {
    const step = logarithm
      ? farStep(x, logarithm)
      : divide(subtract(p, normalDistribution(negative(x))), normalDensity(x));
    x = halley(x, step);
  }
  return x;
}

/** Below it a tail and its density may leave the range of doubles, and so x is found from their quotients. */
const SMALL = 1e-20;

/** (p - Q)/φ = (p/Q - 1) Q/φ at x, with ln p. */
function farStep(x: DoubleDouble, logarithm: DoubleDouble): DoubleDouble {
  const scaled = scaledComplement(multiply(x, SQRT_HALF));
  const quotient = divide(exp(add(logarithm, scale(square(x), -1))), scale(scaled, -1));
  return multiply(addNumber(quotient, -1), scale(multiply(SQRT_2_PI, scaled), -1));
}

/** Φ'' = -x Φ' makes the second order cheap. @param step  that of Newton */
const halley = (x: DoubleDouble, step: DoubleDouble) =>
  subtract(x, divide(step, addNumber(scale(multiply(x, step), -1), 1)));

/** The upper quantile of a tail p <= ½ within 0.003 (Abramowitz & Stegun, §26.2.22). */
function roughQuantile(p: number): number {
  const t = Math.sqrt(-2 * logOfDouble(p));
  return t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
}
