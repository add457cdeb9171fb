// Riemann's zeta function on the real axis in double-double: an accelerated alternating series, where the kernel sums
// by Euler and Maclaurin, and below 0 the reflection formula (NIST Digital Library of Mathematical Functions, §25.4.1).
// Relative error below 1e-27.

import { PI } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import { sineCosinePi } from '../trigonometric.ts';
import { logGamma } from './gamma.ts';
import { alternatingZeta } from './zeta-series.ts';

/** ∞ at 1. */
export function zeta(s: DoubleDouble): DoubleDouble {
  // The series converges slightly below 0 too, where s may be too small for the reflection.
  if (s.high > -1e-3) return alternatingZeta(s);
  return s.high > Number.NEGATIVE_INFINITY ? reflected(dd.negative(s)) : dd.NOT_A_NUMBER;
}

/** ζ(-y) = -2 (2π)^(-y-1) sin(πy/2) Γ(y + 1) ζ(y + 1) */
function reflected(y: DoubleDouble): DoubleDouble {
  const { sine } = sineCosinePi(dd.scale(y, -1));
  if (sine.high === 0) return dd.ZERO;
  const next = dd.addNumber(y, 1);
  const growth = exp(dd.subtract(logGamma(next), dd.multiply(next, log(dd.scale(PI, 1)))));
  return dd.multiply(dd.scale(dd.negative(sine), 1), dd.multiply(growth, alternatingZeta(next)));
}
