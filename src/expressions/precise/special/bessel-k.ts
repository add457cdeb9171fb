// K_n(x) of whole order in double-double: ½ ∫ exp(-x cosh t + n t) dt over the whole axis (NIST Digital Library of
// Mathematical Functions, §10.32.9) by the trapezoidal rule, where the kernel uses series, rational approximations and
// a recurrence. With sinh s = n/x, r² = n² + x² and t = s + v the exponent is n s - r - (r (cosh v - 1) + n (sinh v -
// v)), largest at v = 0. All terms are positive. Relative error below 1e-26. K_n(0) = ∞; below 0, NaN.

import { EULER, LN2 } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp, multiplyByExp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import { hypotenuse } from '../power.ts';
import { ofWholeOrder } from './bessel.ts';

/** Above this, every K_n underflows. */
const UNDERFLOW = 3000;
/** Below this, terms of the order of x² are negligible. */
const SMALL = 1e-17;

export function besselK(n: DoubleDouble, x: DoubleDouble): DoubleDouble {
  return x.high >= 0 ? ofWholeOrder(n, x, true, ofPositive) : dd.NOT_A_NUMBER;
}

function ofPositive(n: number, x: DoubleDouble): DoubleDouble {
  if (x.high === 0) return dd.exactly(Number.POSITIVE_INFINITY);
  if (x.high > UNDERFLOW) return dd.ZERO;
  // K_0(x) = -ln(x/2) - γ + O(x² ln x)
  if (n === 0 && x.high < SMALL) return dd.negative(dd.add(dd.subtract(log(x), LN2), EULER));
  const r = hypotenuse(dd.exactly(n), x);
  const s = n === 0 ? dd.ZERO : dd.subtract(log(dd.add(dd.exactly(n), r)), log(x));
  const step = stepFor(r.high);
  const integral = dd.add(dd.ONE, dd.add(oneSide(n, r, step), oneSide(-n, r, step)));
  return multiplyByExp(dd.multiplyByNumber(integral, step / 2), dd.subtract(dd.multiplyByNumber(s, n), r));
}

/**
 * A power of two. The rule errs by e^(-π²/h) where the integrand falls doubly exponentially, and by e^(-2π²/(r h²))
 * where it is nearly a Gaussian of variance 1/r.
 */
function stepFor(r: number): number {
  let step = 1 / 8;
  while (step * step * r > 1 / 8) step /= 2;
  return step;
}

/** -ln of the largest neglected term, relative to 1. */
const NEGLIGIBLE = 80;
/** More terms than either side needs: the depth grows at least like n v, or by e^v. */
const MAX_TERMS = 2_000;

/** Σ exp(-(r (cosh v - 1) + n (sinh v - v))) over v = h, 2h, …; n < 0 is the side of negative v. */
function oneSide(n: number, r: DoubleDouble, step: number): DoubleDouble {
  const growth = exp(dd.exactly(step));
  let sum = dd.ZERO;
  let power = dd.ONE;
  for (let j = 1; j <= MAX_TERMS; j++) {
    power = dd.multiply(power, growth);
    const depth = depthAt(n, r, j * step, power);
    if (!(depth.high <= NEGLIGIBLE)) break;
    sum = dd.add(sum, exp(dd.negative(depth)));
  }
  return sum;
}

/** @param power  e^v */
function depthAt(n: number, r: DoubleDouble, v: number, power: DoubleDouble): DoubleDouble {
  const inverse = dd.reciprocal(power);
  const coshRest = dd.addNumber(dd.scale(dd.add(power, inverse), -1), -1);
  const sinhRest = dd.addNumber(dd.scale(dd.subtract(power, inverse), -1), -v);
  return dd.add(dd.multiply(r, coshRest), dd.multiplyByNumber(sinhRest, n));
}
