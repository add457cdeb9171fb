// Powers and roots in double-double.

import { exp as expOfDouble, log as logOfDouble } from '../../core/elementary.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import { exp, exps } from './exponential.ts';
import { log, logs } from './logarithm.ts';
import type { DoubleDoubles } from './many.ts';
import * as many from './many.ts';

/** Largest whole or half-integer exponent for repeated multiplication; above, the logarithm is more accurate. */
const MULTIPLIED_OUT = 512;

/** x^y as in ECMA-262: NaN for a negative x and an exponent that is not whole; 1^∞ is NaN. */
export function power(x: DoubleDouble, y: DoubleDouble): DoubleDouble {
  if (y.high === 0) return dd.ONE;
  if (x.high === 0 || x.high - x.high !== 0 || y.high - y.high !== 0) return dd.exactly(powerAtEdge(x.high, y.high));
  const isWhole = y.low === 0 && Math.floor(y.high) === y.high;
  if (dd.isNegative(x) && !isWhole) return dd.NOT_A_NUMBER;
  const size = dd.magnitude(x);
  const value = byProducts(size, y) ?? exp(dd.multiply(y, log(size)));
  return dd.isNegative(x) && isOdd(y.high) ? dd.negative(value) : value;
}

const [bases, logarithms, products] = [many.many(), many.many(), many.many()];

/** `power` of many numbers. @param out  another object than `x` and `y`; @param count  at most MANY */
export function powers(x: DoubleDoubles, y: DoubleDoubles, out: DoubleDoubles, count: number): void {
  let isAny = false;
  for (let row = 0; row < count; row++) {
    const isOwn = isByLogarithm(x, y, row);
    if (isOwn) isAny = true;
    many.put(bases, row, isOwn ? many.at(x, row) : dd.ONE);
  }
  if (isAny) {
    logs(bases, logarithms, count);
    many.multiply(y, logarithms, products, count);
    exps(products, out, count);
  }
  for (let row = 0; row < count; row++)
    if (!isByLogarithm(x, y, row)) many.put(out, row, power(many.at(x, row), many.at(y, row)));
}

/** Whether a base is positive, and no exponent of repeated multiplication. */
function isByLogarithm({ high }: DoubleDoubles, y: DoubleDoubles, row: number): boolean {
  const base = high[row] as number;
  const exponent = y.high[row] as number;
  const isRegular = base > 0 && base - base === 0 && exponent - exponent === 0 && exponent !== 0;
  return isRegular && !isMultipliedOut(exponent, y.low[row] as number);
}

const isOdd = (n: number) => Math.abs(n % 2) === 1;

/** Where an operand is an infinity, NaN, or x is a zero. */
function powerAtEdge(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  if (Math.abs(y) === Number.POSITIVE_INFINITY && size === 1) return Number.NaN;
  const value = size > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
  return (x < 0 || Object.is(x, -0)) && isOdd(y) ? -value : value;
}

/** Whether an exponent is half a whole number and not too large. */
const isMultipliedOut = (high: number, low: number): boolean =>
  low === 0 && Math.floor(2 * high) === 2 * high && Math.abs(high) <= MULTIPLIED_OUT;

/** Exact where the digits suffice; undefined for other exponents, and where a product leaves the range. */
function byProducts(x: DoubleDouble, y: DoubleDouble): DoubleDouble | undefined {
  if (!isMultipliedOut(y.high, y.low)) return undefined;
  const doubled = 2 * y.high;
  const isWhole = Math.floor(y.high) === y.high;
  const value = wholePower(isWhole ? x : dd.squareRoot(x), Math.abs(isWhole ? y.high : doubled));
  if (y.high > 0) return value;
  return value.high > 1e-280 && value.high < 1e280 ? dd.reciprocal(value) : undefined;
}

/** x^n for a whole n >= 0. */
function wholePower(x: DoubleDouble, n: number): DoubleDouble {
  let value = dd.ONE;
  let factor = x;
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) value = dd.multiply(value, factor);
    if (rest > 1) factor = dd.square(factor);
  }
  return value;
}

/** One step of Halley's iteration: from 15 correct digits to 45. */
export function cubeRoot(x: DoubleDouble): DoubleDouble {
  if (x.high === 0 || x.high - x.high !== 0) return x;
  const exponent = 3 * Math.floor(dd.exponentOf(x.high) / 3);
  const size = dd.scale(dd.magnitude(x), -exponent);
  const start = dd.exactly(expOfDouble(logOfDouble(size.high) / 3));
  const cube = dd.multiply(start, dd.square(start));
  const correction = dd.divide(dd.subtract(size, cube), dd.add(dd.scale(cube, 1), size));
  return dd.withSignOf(dd.scale(dd.add(start, dd.multiplyByNumber(correction, start.high)), exponent / 3), x);
}

/** √(x² + y²). */
export function hypotenuse(x: DoubleDouble, y: DoubleDouble): DoubleDouble {
  const largest = Math.max(Math.abs(x.high), Math.abs(y.high));
  if (Math.abs(x.high) === Number.POSITIVE_INFINITY || Math.abs(y.high) === Number.POSITIVE_INFINITY) {
    return dd.exactly(Number.POSITIVE_INFINITY);
  }
  if (largest === 0 || Number.isNaN(largest)) return dd.exactly(largest);
  const exponent = dd.exponentOf(largest);
  return dd.scale(
    dd.squareRoot(dd.add(dd.square(dd.scale(x, -exponent)), dd.square(dd.scale(y, -exponent)))),
    exponent,
  );
}
