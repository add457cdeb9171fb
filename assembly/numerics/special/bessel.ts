// Shared by the Bessel functions of integer order: the range of the order, the factor (x/2)^n / n! of the power
// series, and the coefficients of the asymptotic expansion.

/** Maximum order; larger orders give NaN. Recurrences over the order bound the cost of a call. */
export const MAX_ORDER: f64 = 1000;

/** From here on the asymptotic expansions for |n| <= 1 have terms below the last bit: the smallest is e^(-2x). */
export const ASYMPTOTIC_START: f64 = 25;

export function isOrder(n: f64): bool {
  return Math.abs(n) <= MAX_ORDER && Math.floor(n) === n;
}

export function isOdd(n: f64): bool {
  return (<i32>n & 1) !== 0;
}

/** Whether x is large enough for the expansion of order n: its first terms then decrease like (n²/2x)^k / k!. */
export function isAsymptotic(n: f64, x: f64): bool {
  return x >= ASYMPTOTIC_START && x >= 0.5 * n * n;
}

/**
 * value (x/2)^n / n! for x > 0. Takes the factors x/2k from either end, whichever brings the product nearer to 1,
 * so no intermediate product overflows or underflows.
 */
export function timesPower(value: f64, n: f64, x: f64): f64 {
  let small: f64 = 1;
  let large = n;
  const half = 0.5 * x;
  while (small <= large) {
    // k = small has the largest factor, k = large the smallest.
    value *= half / (value > 1 ? large-- : small++);
  }
  return value;
}

/** The ratio a_k / a_(k-1) of the coefficients in the expansion in 1/x (NIST DLMF §10.17.1). */
export function hankelRatio(n: f64, k: f64): f64 {
  const odd = 2 * k - 1;
  return (4 * n * n - odd * odd) / (8 * k);
}
