// The chi-square distribution with any number of degrees of freedom, with the same bits on every engine.
//
// The regularised incomplete gamma function: its series below the mean, its continued fraction above (NIST Digital Library
// of Mathematical Functions, chapter 8).

import { exp, log } from '../../core/elementary.ts';

const MAX_TERMS = 200_000;
const SMALL = 1e-16;

/** Coefficients of Stirling's series for ln Γ. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188] as const;
const HALF_LOG_2_PI = 0.9189385332046728;

/** ln Γ(x) for x > 0. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 12; at += 1) shift += log(at);
  let series = 0;
  let power = 1 / at;
  for (const coefficient of STIRLING) {
    series += coefficient * power;
    power /= at * at;
  }
  return (at - 0.5) * log(at) - at + HALF_LOG_2_PI + series - shift;
}

/** P(X > x) for X with k degrees of freedom. */
export function chiSquareTail(x: number, k: number): number {
  if (!(x > 0)) return 1;
  const [a, h] = [k / 2, x / 2];
  const front = exp(a * log(h) - h - logGamma(a));
  if (h < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < MAX_TERMS && term > SMALL * sum; n++) {
      term *= h / (a + n);
      sum += term;
    }
    return Math.max(0, 1 - front * sum);
  }
  // Lentz's algorithm.
  let b = h + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < MAX_TERMS; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < SMALL * 10) break;
  }
  return Math.min(1, front * fraction);
}

/** x with P(X > x) = tail, by bisection. */
export function chiSquareQuantile(tail: number, k: number): number {
  let low = 0;
  let high = k + 10 * Math.sqrt(2 * k) + 40;
  for (let step = 0; step < 80; step++) {
    const middle = 0.5 * (low + high);
    if (chiSquareTail(middle, k) > tail) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
