// K_n(x) of whole order in double-double: ½ ∫ exp(-x cosh t + n t) dt over the whole axis (NIST Digital Library of
// Mathematical Functions, §10.32.9) by the trapezoidal rule, where the kernel has series, rational approximations and a
// recurrence. With sinh s = n/x, r² = n² + x² and t = s + v the exponent is n s - r - (r (cosh v - 1) + n (sinh v - v)),
// largest at v = 0. All terms are positive. Relative error below 1e-26. K_n(0) = ∞; below 0, NaN.

import { EULER, LN2 } from '../constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  exactly,
  multiply,
  multiplyByNumber,
  NOT_A_NUMBER,
  negative,
  ONE,
  reciprocal,
  scale,
  subtract,
  ZERO,
} from '../double-double.ts';
import { exp, multiplyByExp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import { hypotenuse } from '../power.ts';
import { ofWholeOrder } from './bessel.ts';

const VANISHED = 3000;
const NOTHING = 1e-17;

export function besselK(n: DoubleDouble, x: DoubleDouble): DoubleDouble {
  return x.high >= 0 ? ofWholeOrder(n, x, true, ofPositive) : NOT_A_NUMBER;
}

function ofPositive(n: number, x: DoubleDouble): DoubleDouble {
  if (x.high === 0) return exactly(Number.POSITIVE_INFINITY);
  if (x.high > VANISHED) return ZERO;
  // K_0(x) = -ln(x/2) - γ + O(x² ln x)
  if (n === 0 && x.high < NOTHING) return negative(add(subtract(log(x), LN2), EULER));
  const r = hypotenuse(exactly(n), x);
  const s = n === 0 ? ZERO : subtract(log(add(exactly(n), r)), log(x));
  const step = stepFor(r.high);
  const integral = add(ONE, add(oneSide(n, r, step), oneSide(-n, r, step)));
  return multiplyByExp(multiplyByNumber(integral, step / 2), subtract(multiplyByNumber(s, n), r));
}

/**
 * A power of two. The rule errs by e^(-π²/h) where the integrand falls doubly exponentially, and by e^(-2π²/(r h²)) where it
 * is nearly a Gaussian of variance 1/r.
 */
function stepFor(r: number): number {
  let step = 1 / 8;
  while (step * step * r > 1 / 8) step /= 2;
  return step;
}

/** -ln of what is neglected, beside 1. */
const NEGLIGIBLE = 80;
/** More than any side takes: a depth grows at least like n v, or by e^v. */
const MAX_TERMS = 2_000;

/** Σ exp(-(r (cosh v - 1) + n (sinh v - v))) over v = h, 2h, …; n < 0 is the side of negative v. */
function oneSide(n: number, r: DoubleDouble, step: number): DoubleDouble {
  const growth = exp(exactly(step));
  let sum = ZERO;
  let power = ONE;
  for (let j = 1; j <= MAX_TERMS; j++) {
    power = multiply(power, growth);
    const depth = depthAt(n, r, j * step, power);
    if (!(depth.high <= NEGLIGIBLE)) break;
    sum = add(sum, exp(negative(depth)));
  }
  return sum;
}

/** @param power  e^v */
function depthAt(n: number, r: DoubleDouble, v: number, power: DoubleDouble): DoubleDouble {
  const inverse = reciprocal(power);
  const coshRest = addNumber(scale(add(power, inverse), -1), -1);
  const sinhRest = addNumber(scale(subtract(power, inverse), -1), -v);
  return add(multiply(r, coshRest), multiplyByNumber(sinhRest, n));
}
