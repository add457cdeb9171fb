// Double-double arithmetic on many numbers at once, with the bits of double-double.ts, which stays the reference.
//
// Each operation of one number waits for the one before it. A step that is done for all numbers before the next one
// lets the processor overlap them, and takes a third of the time. The loops are written out, because the engine makes
// objects of pairs that cross a call; what is zero, huge or tiny there is left to the functions for one number.

import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';

export interface DoubleDoubles {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

/** Numbers that are computed at once: few enough that they stay near the processor. */
export const MANY = 128;

export const many = (): DoubleDoubles => ({ high: new Float64Array(MANY), low: new Float64Array(MANY) });

export const at = ({ high, low }: DoubleDoubles, index: number): DoubleDouble => ({
  high: high[index] as number,
  low: low[index] as number,
});

export function put(all: DoubleDoubles, index: number, { high, low }: DoubleDouble): void {
  all.high[index] = high;
  all.low[index] = low;
}

const SPLITTER = 134217729;
/** Sizes of results and operands for which no part of a product or quotient under- or overflows. */
const LEAST = 2 ** -900;
const LARGEST = 2 ** 900;

/** a b. @param out  may be an operand; @param count  at most MANY, as everywhere here */
export function multiply(a: DoubleDoubles, b: DoubleDoubles, out: DoubleDoubles, count: number): void {
  const { high: aHigh, low: aLow } = a;
  const { high: bHigh, low: bLow } = b;
  const { high, low } = out;
  for (let i = 0; i < count; i++) {
    const x = aHigh[i] as number;
    const y = bHigh[i] as number;
    const product = x * y;
    const size = Math.abs(product);
    if (!(size > LEAST && size < LARGEST && Math.abs(x) < LARGEST && Math.abs(y) < LARGEST)) {
      put(out, i, dd.multiply(at(a, i), at(b, i)));
      continue;
    }
    const scaledX = SPLITTER * x;
    const xTop = scaledX - (scaledX - x);
    const xEnd = x - xTop;
    const scaledY = SPLITTER * y;
    const yTop = scaledY - (scaledY - y);
    const yEnd = y - yTop;
    const error = xTop * yTop - product + xTop * yEnd + xEnd * yTop + xEnd * yEnd;
    const rest = error + (x * (bLow[i] as number) + (aLow[i] as number) * y);
    const sum = product + rest;
    high[i] = sum;
    low[i] = rest - (sum - product);
  }
}

/** a + b. @param out  may be an operand */
export function add(a: DoubleDoubles, b: DoubleDoubles, out: DoubleDoubles, count: number): void {
  const { high: aHigh, low: aLow } = a;
  const { high: bHigh, low: bLow } = b;
  const { high, low } = out;
  for (let i = 0; i < count; i++) {
    const x = aHigh[i] as number;
    const y = bHigh[i] as number;
    const xLow = aLow[i] as number;
    const yLow = bLow[i] as number;
    const top = x + y;
    const partOfY = top - x;
    const topError = x - (top - partOfY) + (y - partOfY);
    const end = xLow + yLow;
    const partOfLow = end - xLow;
    const endError = xLow - (end - partOfLow) + (yLow - partOfLow);
    const first = topError + end;
    const leading = top + first;
    const second = first - (leading - top) + endError;
    const sum = leading + second;
    if (Math.abs(top) < LARGEST && leading !== 0 && sum !== 0) {
      high[i] = sum;
      low[i] = second - (sum - leading);
    } else put(out, i, dd.add(at(a, i), at(b, i)));
  }
}

/** a / b for one finite b other than 0. @param out  may be `a` */
export function divideByNumber(a: DoubleDoubles, b: number, out: DoubleDoubles, count: number): void {
  const { high: aHigh, low: aLow } = a;
  const { high, low } = out;
  const scaledB = SPLITTER * b;
  const bTop = scaledB - (scaledB - b);
  const bEnd = b - bTop;
  const isModerate = Math.abs(b) > LEAST && Math.abs(b) < LARGEST;
  for (let i = 0; i < count; i++) {
    const x = aHigh[i] as number;
    const xLow = aLow[i] as number;
    const quotient = x / b;
    const size = Math.abs(quotient);
    const scaled = SPLITTER * quotient;
    const top = scaled - (scaled - quotient);
    const end = quotient - top;
    const product = b * quotient;
    const error = bTop * top - product + bTop * end + bEnd * top + bEnd * end;
    const nearest = product + error;
    const productLow = error - (nearest - product);
    // x - product, of which the high part is needed.
    const difference = x - nearest;
    const part = difference - x;
    const differenceError = x - (difference - part) + (-nearest - part);
    const lows = xLow - productLow;
    const partOfLow = lows - xLow;
    const lowError = xLow - (lows - partOfLow) + (-productLow - partOfLow);
    const first = differenceError + lows;
    const leading = difference + first;
    const remainder = leading + (first - (leading - difference) + lowError);
    const isNormal = isModerate && size > LEAST && size < LARGEST && Math.abs(x) > LEAST && Math.abs(x) < LARGEST;
    if (isNormal && leading !== 0 && remainder !== 0) {
      const rest = remainder / b;
      const sum = quotient + rest;
      high[i] = sum;
      low[i] = rest - (sum - quotient);
    } else put(out, i, dd.divideByNumber(at(a, i), b));
  }
}

const coefficient = many();

/** `dd.polynomial` of each number. @param out  another object than `x` */
export function polynomial(
  coefficients: readonly DoubleDouble[],
  x: DoubleDoubles,
  out: DoubleDoubles,
  count: number,
): void {
  const last = coefficients.length - 1;
  const { high, low } = coefficients[last] as DoubleDouble;
  out.high.fill(high, 0, count);
  out.low.fill(low, 0, count);
  for (let degree = last - 1; degree >= 0; degree--) {
    const own = coefficients[degree] as DoubleDouble;
    coefficient.high.fill(own.high, 0, count);
    coefficient.low.fill(own.low, 0, count);
    multiply(out, x, out, count);
    add(out, coefficient, out, count);
  }
}
