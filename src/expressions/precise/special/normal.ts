// The standard normal distribution in double-double: the distribution function from erfc, and the quantile as its
// inverse by Halley's iteration, where the kernel uses a rational approximation of the quantile itself.

import { log as logOfDouble } from '../../../core/elementary.ts';
import { SQRT_2_PI, SQRT_HALF } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import type { DoubleDoubles } from '../many.ts';
import * as many from '../many.ts';
import { erf, erfc, erfcs, scaledComplement } from './error-function.ts';

export const normalDensity = (x: DoubleDouble) => dd.divide(exp(dd.scale(dd.negative(dd.square(x)), -1)), SQRT_2_PI);

export const normalDistribution = (x: DoubleDouble) => dd.scale(erfc(ofErfc(x)), -1);

const ofErfc = (x: DoubleDouble) => dd.multiply(dd.negative(x), SQRT_HALF);

const scaled = many.many();

/** `normalDistribution` of many numbers. @param out  another object than `x`; @param count  at most MANY */
export function normalDistributions(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) many.put(scaled, row, ofErfc(many.at(x, row)));
  erfcs(scaled, out, count);
  for (let row = 0; row < count; row++) many.put(out, row, dd.scale(many.at(out, row), -1));
}

/** -∞ at 0, ∞ at 1, NaN outside. */
export function normalQuantile(p: DoubleDouble): DoubleDouble {
  const rest = dd.addNumber(dd.negative(p), 1);
  if (!(p.high >= 0 && rest.high >= 0)) return dd.NOT_A_NUMBER;
  if (p.high === 0) return dd.exactly(Number.NEGATIVE_INFINITY);
  if (rest.high === 0) return dd.exactly(Number.POSITIVE_INFINITY);
  const offset = dd.addNumber(p, -0.5);
  if (offset.high === 0) return offset;
  const isLower = dd.isNegative(offset);
  const size = Math.abs(offset.high) < 0.4 ? centre(dd.magnitude(offset)) : tail(isLower ? p : rest);
  return isLower ? dd.negative(size) : size;
}

const STEPS = 4;

/** The x with ½ erf(x/√2) = offset > 0, which keeps the digits of a small x. */
function centre(offset: DoubleDouble): DoubleDouble {
  let x = dd.multiply(offset, SQRT_2_PI);
  if (x.high > 1e-3) x = dd.exactly(roughQuantile(0.5 - offset.high));
  for (let i = 0; i < STEPS; i++) {
    const excess = dd.subtract(dd.scale(erf(dd.multiply(x, SQRT_HALF)), -1), offset);
    x = halley(x, dd.divide(excess, normalDensity(x)));
  }
  return x;
}

/** The x with Q(x) = p, for a small p > 0. */
function tail(p: DoubleDouble): DoubleDouble {
  let x = dd.exactly(roughQuantile(p.high));
  const logarithm = p.high < SMALL ? log(p) : undefined;
  for (let i = 0; i < STEPS; i++) {
    const step = logarithm
      ? farStep(x, logarithm)
      : dd.divide(dd.subtract(p, normalDistribution(dd.negative(x))), normalDensity(x));
    x = halley(x, step);
  }
  return x;
}

/** Below this, the tail and its density may underflow, so the iteration uses their quotient. */
const SMALL = 1e-20;

/** (p - Q)/φ = (p/Q - 1) Q/φ at x, with ln p. */
function farStep(x: DoubleDouble, logarithm: DoubleDouble): DoubleDouble {
  const scaled = scaledComplement(dd.multiply(x, SQRT_HALF));
  const quotient = dd.divide(exp(dd.add(logarithm, dd.scale(dd.square(x), -1))), dd.scale(scaled, -1));
  return dd.multiply(dd.addNumber(quotient, -1), dd.scale(dd.multiply(SQRT_2_PI, scaled), -1));
}

/** Halley's step from Newton's, by Φ'' = -x Φ'. @param step  Newton's step */
const halley = (x: DoubleDouble, step: DoubleDouble) =>
  dd.subtract(x, dd.divide(step, dd.addNumber(dd.scale(dd.multiply(x, step), -1), 1)));

/** The upper quantile of a tail p <= ½ within 0.003 (Abramowitz & Stegun, §26.2.22). */
function roughQuantile(p: number): number {
  const t = Math.sqrt(-2 * logOfDouble(p));
  return t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
}
