// The standard normal distribution with the same bits on every engine.
//
// Within two deviations the sum of x^(2k+1) / (1·3·5…(2k+1)) times the density (Abramowitz & Stegun 26.2.11), with an
// absolute error of one rounding of 1/2; beyond, the continued fraction of the tail (26.2.14), with a relative error of a
// few roundings and that of x². Measured against 30 digits: below 1e-14 of the value from x = -37 to 9.

import { exp } from './elementary.ts';

/** 1 / √(2π) */
const DENSITY = 0.3989422804014327;
/** From here on the tail is a continued fraction. */
const TAIL = 2;
const FRACTIONS = 120;

export const normalDensity = (x: number): number => DENSITY * exp(-0.5 * x * x);

/** P(X <= x). Small values keep their relative accuracy. */
export function normalDistribution(x: number): number {
  if (x < -TAIL) return tailOf(-x);
  if (x > TAIL) return 1 - tailOf(x);
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > 1e-18 * Math.abs(sum); k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + sum * normalDensity(x);
}

/** P(X > x) for x > 2. */
function tailOf(x: number): number {
  let fraction = x;
  for (let k = FRACTIONS; k >= 1; k--) fraction = x + k / fraction;
  return normalDensity(x) / fraction;
}
