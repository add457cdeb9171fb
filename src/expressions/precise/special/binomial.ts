// The number of ways to choose k of n things, in double-double: the factors (n - i)/(k - i) from the largest number
// down, where the kernel multiplies up whole binomial coefficients.

import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { round } from '../rounding.ts';

/** Smaller values are rounded to the exact whole number. */
const WHOLE = 1e26;

/** Both must be whole and n >= 0, else NaN; 0 for k outside 0 … n. */
export function choose(n: DoubleDouble, k: DoubleDouble): DoubleDouble {
  const [all, some] = [n.high, k.high];
  const isCount = all >= 0 && Math.floor(all) === all && Math.floor(some) === some && n.low === 0 && k.low === 0;
  if (!isCount || !Number.isFinite(all - some)) return dd.NOT_A_NUMBER;
  if (some < 0 || some > all) return dd.ZERO;
  const steps = Math.min(some, all - some);
  let value = dd.ONE;
  // Every factor is at least 2 but the last few, so an infinite value is found soon.
  for (let i = 0; i < steps && value.high < Number.POSITIVE_INFINITY; i++) {
    value = dd.multiply(value, dd.divide(dd.exactly(all - i), dd.exactly(steps - i)));
  }
  return value.high < WHOLE ? round(value) : value;
}
