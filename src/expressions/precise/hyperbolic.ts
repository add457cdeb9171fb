// Hyperbolic functions and their inverses in double-double, by expm1 and log1p, which are accurate for small arguments.

import { LN2 } from './constants.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import { exp, expm1, scaledExp } from './exponential.ts';
import { log, log1p } from './logarithm.ts';

/** Above this, e^-2x is negligible against 1. */
const FAR = 40;
/** Above this, 1 is negligible against x². */
const HUGE = 1e20;

export function sinh(x: DoubleDouble): DoubleDouble {
  const size = dd.magnitude(x);
  if (size.high > FAR) return dd.withSignOf(scaledExp(size, -1), x);
  const m = expm1(size);
  return dd.withSignOf(dd.scale(dd.add(m, dd.divide(m, dd.addNumber(m, 1))), -1), x);
}

export function cosh(x: DoubleDouble): DoubleDouble {
  const size = dd.magnitude(x);
  if (size.high > FAR) return scaledExp(size, -1);
  const e = exp(size);
  return dd.scale(dd.add(e, dd.reciprocal(e)), -1);
}

export function tanh(x: DoubleDouble): DoubleDouble {
  const size = dd.magnitude(x);
  if (size.high > FAR) return dd.withSignOf(dd.ONE, x);
  const m = expm1(dd.scale(size, 1));
  return dd.withSignOf(dd.divide(m, dd.addNumber(m, 2)), x);
}

export function asinh(x: DoubleDouble): DoubleDouble {
  const size = dd.magnitude(x);
  if (size.high > HUGE) return dd.withSignOf(dd.add(log(size), LN2), x);
  const z = dd.square(size);
  return dd.withSignOf(log1p(dd.add(size, dd.divide(z, dd.addNumber(dd.squareRoot(dd.addNumber(z, 1)), 1)))), x);
}

/** NaN below 1. */
export function acosh(x: DoubleDouble): DoubleDouble {
  if (x.high > HUGE) return dd.add(log(x), LN2);
  const t = dd.addNumber(x, -1);
  if (t.high < 0) return dd.NOT_A_NUMBER;
  return log1p(dd.add(t, dd.squareRoot(dd.multiply(t, dd.addNumber(t, 2)))));
}

/** ±∞ at ±1, NaN beyond. */
export function atanh(x: DoubleDouble): DoubleDouble {
  const size = dd.magnitude(x);
  const rest = dd.addNumber(dd.negative(size), 1);
  if (rest.high === 0) return dd.withSignOf(dd.exactly(Number.POSITIVE_INFINITY), x);
  return dd.withSignOf(dd.scale(log1p(dd.divide(dd.scale(size, 1), rest)), -1), x);
}
