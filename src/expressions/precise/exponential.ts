// e^x and e^x - 1 in double-double, relative error about 1e-31.

import { LN2 } from './constants.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import type { DoubleDoubles } from './many.ts';
import * as many from './many.ts';

const OVERFLOW = 1500;

/** e^x. */
export const exp = (x: DoubleDouble) => scaledExp(x, 0);

/** e^x 2^k, whose factors may leave the range of a double where the product does not. */
export function scaledExp(x: DoubleDouble, k: number): DoubleDouble {
  if (Number.isNaN(x.high)) return dd.NOT_A_NUMBER;
  if (x.high > OVERFLOW) return dd.exactly(Number.POSITIVE_INFINITY);
  if (x.high < -OVERFLOW) return dd.ZERO;
  const multiple = multipleOf(x);
  return dd.scale(dd.addNumber(expm1OfSmall(reduced(x, multiple)), 1), multiple + k);
}

/** Of ln 2, the nearest one. */
const multipleOf = ({ high }: DoubleDouble) => Math.round(high / LN2.high);

const reduced = (x: DoubleDouble, multiple: number) => dd.subtract(x, dd.multiplyByNumber(LN2, multiple));

const rests = many.many();

/** `exp` of many numbers. @param out  another object than `x`; @param count  at most MANY */
export function exps(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) {
    const one = many.at(x, row);
    many.put(rests, row, isModerate(one) ? reduced(one, multipleOf(one)) : dd.ZERO);
  }
  expm1sOfSmall(rests, out, count);
  for (let row = 0; row < count; row++) {
    const one = many.at(x, row);
    many.put(out, row, isModerate(one) ? dd.scale(dd.addNumber(many.at(out, row), 1), multipleOf(one)) : exp(one));
  }
}

/** NaN is not. */
const isModerate = ({ high }: DoubleDouble) => high <= OVERFLOW && high >= -OVERFLOW;

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

/** `expm1` of many numbers. @param out  another object than `x`; @param count  at most MANY */
export function expm1s(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) many.put(rests, row, isSmall(x, row) ? many.at(x, row) : dd.ZERO);
  expm1sOfSmall(rests, out, count);
  for (let row = 0; row < count; row++) if (!isSmall(x, row)) many.put(out, row, expm1(many.at(x, row)));
}

/** 0 has its own sign. */
function isSmall({ high }: DoubleDoubles, row: number): boolean {
  const size = Math.abs(high[row] as number);
  return size <= LN2.high / 2 && size > 0;
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
  let { high, low } = dd.multiply(small, addTail(dd.polynomial(LEADING, small), small.high));
  // The loop carries two numbers, so that no step makes an object.
  for (let i = 0; i < HALVINGS; i++)
    ({ high, low } = dd.add({ high: 2 * high, low: 2 * low }, dd.square({ high, low })));
  return { high, low };
}

const [smalls, powers] = [many.many(), many.many()];

function expm1sOfSmall(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) many.put(smalls, row, dd.scale(many.at(x, row), -HALVINGS));
  many.polynomial(LEADING, smalls, out, count);
  for (let row = 0; row < count; row++) many.put(powers, row, addTail(many.at(out, row), smalls.high[row] as number));
  many.multiply(smalls, powers, out, count);
  for (let i = 0; i < HALVINGS; i++) {
    many.multiply(out, out, powers, count);
    for (let row = 0; row < count; row++) {
      smalls.high[row] = 2 * (out.high[row] as number);
      smalls.low[row] = 2 * (out.low[row] as number);
    }
    many.add(smalls, powers, out, count);
  }
}

/** sum + t^7/8! + … */
function addTail(sum: DoubleDouble, t: number): DoubleDouble {
  let tail = 0;
  for (let i = TRAILING.length - 1; i >= 0; i--) tail = tail * t + (TRAILING[i] as number);
  tail *= t;
  const cube = t * t * t;
  return dd.addNumber(sum, tail * cube * cube);
}
