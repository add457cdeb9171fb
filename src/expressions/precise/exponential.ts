// e^x and e^x - 1 in double-double, relative error about 1e-31.

import { LN2 } from './constants.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';

const OVERFLOW = 1500;

/** e^x. */
export const exp = (x: DoubleDouble) => scaledExp(x, 0);

/** e^x 2^k, whose factors may leave the range of a double where the product does not. */
export function scaledExp(x: DoubleDouble, k: number): DoubleDouble {
  if (Number.isNaN(x.high)) return dd.NOT_A_NUMBER;
  if (x.high > OVERFLOW) return dd.exactly(Number.POSITIVE_INFINITY);
  if (x.high < -OVERFLOW) return dd.ZERO;
  const multiple = Math.round(x.high / LN2.high);
  return dd.scale(dd.addNumber(expm1OfSmall(dd.subtract(x, dd.multiplyByNumber(LN2, multiple))), 1), multiple + k);
}

/** value e^x, where e^x may leave the range of a double and the product does not. */
export function multiplyByExp(value: DoubleDouble, x: DoubleDouble): DoubleDouble {
  const root = exp(dd.scale(x, -1));
  return dd.multiply(dd.multiply(value, root), root);
}

/** e^x - 1 without cancellation near 0. */
export function expm1(x: DoubleDouble): DoubleDouble {
  if (Math.abs(x.high) > LN2.high / 2) return dd.addNumber(exp(x), -1);
  return x.high === 0 ? x : expm1OfSmall(x);
}

/** Halvings of the argument before the series, undone by e^2x - 1 = m (2 + m) with m = e^x - 1. */
const HALVINGS = 4;
const TERMS = 14;
const RECIPROCAL_FACTORIALS = reciprocalFactorials(TERMS);
/** 1/1! … 1/7!. For the smaller terms double precision suffices. */
const LEADING = RECIPROCAL_FACTORIALS.slice(1, 8);
const TRAILING = Float64Array.from(RECIPROCAL_FACTORIALS.slice(8), ({ high }) => high);

/** 1/0! … 1/n!. */
export function reciprocalFactorials(n: number): readonly DoubleDouble[] {
  const values: DoubleDouble[] = [dd.ONE];
  for (let k = 1; k <= n; k++) values.push(dd.divideByNumber(values[k - 1] ?? dd.ONE, k));
  return values;
}

/** For |x| <= ln 2 / 2: Taylor's series at x/16. */
function expm1OfSmall(x: DoubleDouble): DoubleDouble {
  const small = dd.scale(x, -HALVINGS);
  const t = small.high;
  let tail = 0;
  for (let i = TRAILING.length - 1; i >= 0; i--) tail = tail * t + (TRAILING[i] as number);
  let { high, low } = dd.multiply(small, addTail(dd.polynomial(LEADING, small), tail * t, t));
  // The loop carries two numbers, so that no step makes an object.
  for (let i = 0; i < HALVINGS; i++)
    ({ high, low } = dd.add({ high: 2 * high, low: 2 * low }, dd.square({ high, low })));
  return { high, low };
}

/** sum + tail t^6 */
function addTail(sum: DoubleDouble, tail: number, t: number): DoubleDouble {
  const cube = t * t * t;
  return dd.addNumber(sum, tail * cube * cube);
}
