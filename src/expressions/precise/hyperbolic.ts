// Hyperbolic functions and their inverses in double-double, by expm1 and log1p, which keep small arguments.

import { LN2 } from './constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  exactly,
  magnitude,
  multiply,
  NOT_A_NUMBER,
  negative,
  ONE,
  reciprocal,
  scale,
  square,
  squareRoot,
  withSignOf,
} from './double-double.ts';
import { exp, expm1, scaledExp } from './exponential.ts';
import { log, log1p } from './logarithm.ts';

/** From here on e^-2x is nothing beside 1. */
const FAR = 40;
/** From here on 1 is nothing beside x². */
const HUGE = 1e20;

export function sinh(x: DoubleDouble): DoubleDouble {
  const size = magnitude(x);
  if (size.high > FAR) return withSignOf(scaledExp(size, -1), x);
  const m = expm1(size);
  return withSignOf(scale(add(m, divide(m, addNumber(m, 1))), -1), x);
}

export function cosh(x: DoubleDouble): DoubleDouble {
  const size = magnitude(x);
  if (size.high > FAR) return scaledExp(size, -1);
  const e = exp(size);
  return scale(add(e, reciprocal(e)), -1);
}

export function tanh(x: DoubleDouble): DoubleDouble {
  const size = magnitude(x);
  if (size.high > FAR) return withSignOf(ONE, x);
  const m = expm1(scale(size, 1));
  return withSignOf(divide(m, addNumber(m, 2)), x);
}

export function asinh(x: DoubleDouble): DoubleDouble {
  const size = magnitude(x);
  if (size.high > HUGE) return withSignOf(add(log(size), LN2), x);
  const z = square(size);
  return withSignOf(log1p(add(size, divide(z, addNumber(squareRoot(addNumber(z, 1)), 1)))), x);
}

/** NaN below 1. */
export function acosh(x: DoubleDouble): DoubleDouble {
  if (x.high > HUGE) return add(log(x), LN2);
  const t = addNumber(x, -1);
  if (t.high < 0) return NOT_A_NUMBER;
  return log1p(add(t, squareRoot(multiply(t, addNumber(t, 2)))));
}

/** ±∞ at ±1, NaN beyond. */
export function atanh(x: DoubleDouble): DoubleDouble {
  const size = magnitude(x);
  const rest = addNumber(negative(size), 1);
  if (rest.high === 0) return withSignOf(exactly(Number.POSITIVE_INFINITY), x);
  return withSignOf(scale(log1p(divide(scale(size, 1), rest)), -1), x);
}
