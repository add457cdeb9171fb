// Logarithms in double-double, relative error about 1e-31: the logarithm of a double, and one step of Newton's
// iteration on the exponential, which doubles its digits.

import { log as logOfDouble } from '../../core/elementary.ts';
import { LN2, LN10 } from './constants.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import { expm1, expm1s } from './exponential.ts';
import type { DoubleDoubles } from './many.ts';
import * as many from './many.ts';

/** -∞ at 0, NaN below. */
export function log(x: DoubleDouble): DoubleDouble {
  const edge = edgeOfLog(x);
  if (edge) return edge;
  const { exponent, significand } = split(x);
  return addLn2(log1pNearZero(dd.addNumber(significand, -1)), exponent);
}

const [aboveOne, starts, grown] = [many.many(), many.many(), many.many()];
const exponents = new Int32Array(many.MANY);

/** `log` of many numbers. @param out  another object than `x`; @param count  at most MANY */
export function logs(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) {
    const one = many.at(x, row);
    const isInside = edgeOfLog(one) === undefined;
    const { exponent, significand } = split(isInside ? one : dd.ONE);
    const rest = dd.addNumber(significand, -1);
    exponents[row] = exponent;
    many.put(aboveOne, row, rest);
    many.put(starts, row, dd.exactly(rest.high === 0 ? 0 : log1pOfDouble(rest.high)));
  }
  expm1s(starts, grown, count);
  for (let row = 0; row < count; row++) {
    const one = many.at(x, row);
    const rest = many.at(aboveOne, row);
    const near = rest.high === 0 ? rest : corrected(rest, starts.high[row] as number, many.at(grown, row));
    many.put(out, row, edgeOfLog(one) ?? addLn2(near, exponents[row] as number));
  }
}

/** ln(1 + x) without cancellation near 0. */
export function log1p(x: DoubleDouble): DoubleDouble {
  if (x.high > -0.3 && x.high < 0.42) return x.high === 0 ? x : log1pNearZero(x);
  return log(dd.addNumber(x, 1));
}

/** Whole at whole powers of ten. */
export function log10(x: DoubleDouble): DoubleDouble {
  const value = dd.divide(log(x), LN10);
  const nearest = dd.exactly(Math.round(value.high));
  return isPowerOfTen(x, nearest.high) ? nearest : value;
}

/** Whole at whole powers of two. */
export function log2(x: DoubleDouble): DoubleDouble {
  const edge = edgeOfLog(x);
  if (edge) return edge;
  const { exponent, significand } = split(x);
  return dd.addNumber(dd.divide(log1pNearZero(dd.addNumber(significand, -1)), LN2), exponent);
}

function edgeOfLog({ high }: DoubleDouble): DoubleDouble | undefined {
  if (high === 0) return dd.exactly(Number.NEGATIVE_INFINITY);
  if (!(high > 0)) return dd.NOT_A_NUMBER;
  return high === Number.POSITIVE_INFINITY ? dd.exactly(high) : undefined;
}

/** x = significand 2^exponent with √½ <= significand < √2, so that logarithms near 0 have no cancellation. */
function split(x: DoubleDouble): { readonly exponent: number; readonly significand: DoubleDouble } {
  const MIN_NORMAL = 2 ** -1022;
  if (x.high < MIN_NORMAL) {
    const { exponent, significand } = split(dd.scale(x, 100));
    return { exponent: exponent - 100, significand };
  }
  const floor = dd.exponentOf(x.high);
  const significand = dd.scale(x, -floor);
  return significand.high < Math.SQRT2
    ? { exponent: floor, significand }
    : { exponent: floor + 1, significand: dd.scale(significand, -1) };
}

const addLn2 = (value: DoubleDouble, count: number) =>
  count === 0 ? value : dd.add(dd.multiplyByNumber(LN2, count), value);

/**
 * For -0.3 < x < 0.42. With y near ln(1 + x), ln(1 + x) = y + ln(1 + δ) and δ = (1 + x) / e^y - 1, whose square is
 * negligible.
 */
function log1pNearZero(x: DoubleDouble): DoubleDouble {
  if (x.high === 0) return x;
  const start = log1pOfDouble(x.high);
  return corrected(x, start, expm1(dd.exactly(start)));
}

/** @param start  y; @param power  e^y - 1 */
function corrected(x: DoubleDouble, start: number, power: DoubleDouble): DoubleDouble {
  const delta = dd.divide(dd.subtract(x, power), dd.addNumber(power, 1));
  return dd.add(dd.exactly(start), delta);
}

/** To a few units in the last place: the rounding of 1 + x cancels in the quotient (Kahan). */
function log1pOfDouble(x: number): number {
  const one = 1 + x;
  return one === 1 ? x : (logOfDouble(one) * x) / (one - 1);
}

/** 5^45 is the last power of five below 2^106. */
const EXACT_TENS = 45;

function isPowerOfTen(x: DoubleDouble, exponent: number): boolean {
  if (!(exponent >= 0 && exponent <= EXACT_TENS)) return false;
  let power = dd.ONE;
  for (let i = 0; i < exponent; i++) power = dd.multiplyByNumber(power, 10);
  return dd.compare(x, power) === 0;
}
