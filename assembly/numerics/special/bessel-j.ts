// J_n(x), Bessel functions of the first kind and integer order.
//
// By region: the power series where its terms only decrease (x² <= 4(n + 1)); Hankel's expansion for large x;
// upward recurrence from two of its values while n <= x; otherwise Miller's downward recurrence from above
// n and x, normalised by J_0 + 2 J_2 + 2 J_4 + … = 1 (NIST Digital Library of Mathematical Functions, §10.2.2,
// §10.17.3, §10.74(iv)). Error below 3e-14, and 3e-15 for n <= 20: relative for n >= |x|; beyond, where J_n has its
// zeros, a part of its amplitude √(2/(π|x|)). A call takes at most about 1,100 steps.
import { ASYMPTOTIC_START, hankelRatio, isAsymptotic, isOdd, isOrder, timesPower } from './bessel';

/** @param n  integer, |n| <= 1000; otherwise NaN */
export function besselJ(n: f64, x: f64): f64 {
  if (!isOrder(n) || isNaN(x)) return NaN;
  const order = Math.abs(n);
  const size = Math.abs(x);
  const value = ofPositive(order, size);
  // J_n(-x) = J_-n(x) = (-1)^n J_n(x)
  return isOdd(order) && n < 0 !== x < 0 ? -value : value;
}

function ofPositive(n: f64, x: f64): f64 {
  if (x === 0) return n === 0 ? 1 : 0;
  if (x === Infinity) return 0;
  if (x * x <= 4 * (n + 1)) return bySeries(n, x);
  if (isAsymptotic(n, x)) return byExpansion(n, x);
  return x >= ASYMPTOTIC_START && n <= x ? upwards(n, x) : downwards(n, x);
}

/** (x/2)^n / n! Σ (-x²/4)^k n! / (k! (n + k)!), with at most 16 terms. */
function bySeries(n: f64, x: f64): f64 {
  const q = -0.25 * x * x;
  let term: f64 = 1;
  let sum: f64 = 1;
  for (let k: f64 = 1; k <= 30; k++) {
    term *= q / (k * (n + k));
    sum += term;
    if (Math.abs(term) < 1e-17) break;
  }
  return timesPower(sum, n, x);
}

/** √(2/(πx)) (P cos χ - Q sin χ) with χ = x - nπ/2 - π/4, where multiples of π/2 are exact. */
function byExpansion(n: f64, x: f64): f64 {
  let p: f64 = 1;
  let q: f64 = 0;
  let term: f64 = 1;
  for (let k: f64 = 1; k <= 60; k++) {
    term *= hankelRatio(n, k) / x;
    // P = 1 - a2/x² + …, Q = a1/x - a3/x³ + …
    const phase = <i32>k & 3;
    const signed = phase < 2 ? term : -term;
    if ((phase & 1) !== 0) q += signed;
    else p += phase === 0 ? term : -term;
    if (Math.abs(term) < 1e-17) break;
  }
  const sine = Math.sin(x);
  const cosine = Math.cos(x);
  const turns = <i32>n & 3;
  // √2 (cos χ, sin χ) for n = 0, then rotated back by n right angles.
  const c = sine + cosine;
  const s = sine - cosine;
  const value =
    turns === 0 ? p * c - q * s : turns === 1 ? p * s + q * c : turns === 2 ? q * s - p * c : -(p * s + q * c);
  return value / Math.sqrt(Math.PI * x);
}

/** J_(k+1) = 2k/x J_k - J_(k-1), stable while k < x. */
function upwards(n: f64, x: f64): f64 {
  let previous = byExpansion(0, x);
  let current = byExpansion(1, x);
  for (let k: f64 = 1; k < n; k++) {
    const next = ((2 * k) / x) * current - previous;
    previous = current;
    current = next;
  }
  return current;
}

/** The same recurrence downwards, from an order so high that the error of its start has decayed. */
function downwards(n: f64, x: f64): f64 {
  const highest = Math.max(n, Math.ceil(x));
  const start = 2 * Math.ceil(0.5 * (highest + 12 + 8 * Math.cbrt(highest)));
  let above: f64 = 0;
  let current: f64 = 1;
  let value: f64 = 0;
  let sum: f64 = 0;
  for (let k = start; k > 0; k--) {
    const below = ((2 * k) / x) * current - above;
    above = current;
    current = below;
    if (Math.abs(current) > 1e200) {
      current *= 1e-200;
      above *= 1e-200;
      value *= 1e-200;
      sum *= 1e-200;
    }
    if (k - 1 === n) value = current;
    if (isOdd(k)) sum += current; // here is J_(k-1)
  }
  return value / (2 * sum - current);
}
