// Quantiles of Student's distribution, by Newton's steps on the distribution function.

import { exp, log } from '../../core/elementary.ts';

/**
 * t with P(|T| ≤ t) = level for `freedom` degrees of freedom. The distribution by its continued fraction; Abramowitz &
 * Stegun, Handbook of Mathematical Functions (1964), §26.5 and §26.7.
 */
export function studentQuantile(level: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (outside(high, freedom) > 1 - level && high < 1e12) high *= 2;
  for (let i = 0; i < 200 && high - low > 4 * Number.EPSILON * high; i++) {
    const middle = 0.5 * (low + high);
    if (outside(middle, freedom) > 1 - level) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

/** P(|T| > t) = I_x(ν/2, 1/2) with x = ν/(ν + t²). */
function outside(t: number, freedom: number): number {
  const square = t * t;
  return regularizedBeta(freedom / (freedom + square), square / (freedom + square), 0.5 * freedom, 0.5);
}

/** I_x(a, b); y = 1 − x. */
function regularizedBeta(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = exp(a * log(x) + b * log(y) + logGamma(a + b) - logGamma(a) - logGamma(b));
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a;
  return 1 - (front * fraction(y, b, a)) / b;
}

/** Lentz's evaluation of the continued fraction. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let h = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 2 * Number.EPSILON) break;
  }
  return h;
}

const nonZero = (value: number, tiny: number): number => (Math.abs(value) < tiny ? tiny : value);

/** Stirling's series from 12 on, by the recurrence below. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 12) {
    shift -= log(z);
    z += 1;
  }
  const w = 1 / (z * z);
  const series =
    (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - w * (691 / 360360 - w / 156)))))) / z;
  return shift + (z - 0.5) * log(z) - z + 0.9189385332046727 + series;
}
