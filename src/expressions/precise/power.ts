// Powers and roots in double-double.

import { exp as expOfDouble, log as logOfDouble } from '../../core/elementary.ts';
import {
  add,
  type DoubleDouble,
  divide,
  exactly,
  exponentOf,
  isNegative,
  magnitude,
  multiply,
  multiplyByNumber,
  NOT_A_NUMBER,
  negative,
  ONE,
  reciprocal,
  scale,
  square,
  squareRoot,
  subtract,
  withSignOf,
} from './double-double.ts';
import { exp } from './exponential.ts';
import { log } from './logarithm.ts';

/** Whole and half-whole exponents up to this are multiplied out; beyond, the logarithm loses less. */
const MULTIPLIED_OUT = 512;

/** x^y as ECMA-262 has it: NaN for a negative x and an exponent that is not whole; 1^∞ is NaN. */
export function power(x: DoubleDouble, y: DoubleDouble): DoubleDouble {
  if (y.high === 0) return ONE;
  if (x.high === 0 || x.high - x.high !== 0 || y.high - y.high !== 0) return exactly(powerAtEdge(x.high, y.high));
  const isWhole = y.low === 0 && Math.floor(y.high) === y.high;
  if (isNegative(x) && !isWhole) return NOT_A_NUMBER;
  const size = magnitude(x);
  const value = byProducts(size, y) ?? exp(multiply(y, log(size)));
  return isNegative(x) && isOdd(y.high) ? negative(value) : value;
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

/** Exact where the digits suffice; undefined for other exponents, and where a product leaves the range on the way. */
function byProducts(x: DoubleDouble, y: DoubleDouble): DoubleDouble | undefined {
  const doubled = 2 * y.high;
  if (y.low !== 0 || Math.floor(doubled) !== doubled || Math.abs(y.high) > MULTIPLIED_OUT) return undefined;
  const isWhole = Math.floor(y.high) === y.high;
  const value = wholePower(isWhole ? x : squareRoot(x), Math.abs(isWhole ? y.high : doubled));
  if (y.high > 0) return value;
  return value.high > 1e-280 && value.high < 1e280 ? reciprocal(value) : undefined;
}

/** x^n for a whole n >= 0. */
function wholePower(x: DoubleDouble, n: number): DoubleDouble {
  let value = ONE;
  let factor = x;
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) value = multiply(value, factor);
    if (left > 1) factor = square(factor);
  }
  return value;
}

/** One step of Halley's iteration from a root that is right to 15 digits: to 45. */
export function cubeRoot(x: DoubleDouble): DoubleDouble {
  if (x.high === 0 || x.high - x.high !== 0) return x;
  const turns = 3 * Math.floor(exponentOf(x.high) / 3);
  const size = scale(magnitude(x), -turns);
  const start = exactly(expOfDouble(logOfDouble(size.high) / 3));
  const cube = multiply(start, square(start));
  const correction = divide(subtract(size, cube), add(scale(cube, 1), size));
  return withSignOf(scale(add(start, multiplyByNumber(correction, start.high)), turns / 3), x);
}

/** √(x² + y²). */
export function hypotenuse(x: DoubleDouble, y: DoubleDouble): DoubleDouble {
  const largest = Math.max(Math.abs(x.high), Math.abs(y.high));
  if (Math.abs(x.high) === Number.POSITIVE_INFINITY || Math.abs(y.high) === Number.POSITIVE_INFINITY) {
    return exactly(Number.POSITIVE_INFINITY);
  }
  if (largest === 0 || Number.isNaN(largest)) return exactly(largest);
  const turns = exponentOf(largest);
  return scale(squareRoot(add(square(scale(x, -turns)), square(scale(y, -turns)))), turns);
}
