// erf and erfc in double-double.
//
// The kernel uses rational approximations. Here it is the series of positive terms
// erf x = 2/√π e^(-x²) Σ 2^k x^(2k+1) / (2k + 1)!! and, for the tail, the continued fraction of erfc in its even part
// (NIST Digital Library of Mathematical Functions, §7.6.2, §7.9.3). Relative error below 1e-28 for both.

import { TWO_OVER_SQRT_PI } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp, exps } from '../exponential.ts';
import type { DoubleDoubles } from '../many.ts';
import * as many from '../many.ts';

/** Above this, the continued fraction is shorter than the series, and 1 - erf x would lose digits. */
const TAIL = 2.5;
/** Above this, 1 - erf x is negligible against 1. */
const FAR = 9;
/** Above this, erfc x underflows. */
const UNDERFLOW = 28;

export function erf(x: DoubleDouble): DoubleDouble {
  const size = dd.magnitude(x);
  if (x.high === 0 || Number.isNaN(x.high)) return x;
  if (size.high > FAR) return dd.withSignOf(dd.ONE, x);
  return dd.withSignOf(size.high < TAIL ? bySeries(size) : dd.subtract(dd.ONE, byFraction(size)), x);
}

export function erfc(x: DoubleDouble): DoubleDouble {
  if (x.high > UNDERFLOW) return dd.exactly(0);
  return x.high < TAIL ? dd.subtract(dd.ONE, erf(x)) : byFraction(x);
}

/** For 0 < x < 2.5, where 80 terms suffice. */
function bySeries(x: DoubleDouble): DoubleDouble {
  const z = dd.square(x);
  const doubled = dd.scale(z, 1);
  // The loop carries numbers, so that no step makes an object.
  let { high: term, low: termLow } = x;
  let { high: sum, low: sumLow } = x;
  for (let k = 3; term > 1e-34 * sum; k += 2) {
    const next = dd.divideByNumber(dd.multiply({ high: term, low: termLow }, doubled), k);
    ({ high: term, low: termLow } = next);
    ({ high: sum, low: sumLow } = dd.add({ high: sum, low: sumLow }, next));
  }
  return dd.multiply(TWO_OVER_SQRT_PI, dd.multiply(exp(dd.negative(z)), { high: sum, low: sumLow }));
}

const [sizes, squares, terms, exponents, factors] = [many.many(), many.many(), many.many(), many.many(), many.many()];

const sums = many.many();
const isDone = new Uint8Array(many.MANY);

/** `bySeries` of many numbers. @param out  another object than `x` */
function bySerieses(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) {
    const one = many.at(x, row);
    const z = dd.square(one);
    many.put(squares, row, dd.scale(z, 1));
    many.put(exponents, row, dd.negative(z));
    many.put(terms, row, one);
    many.put(out, row, one);
  }
  isDone.fill(0);
  const [term, sum] = [terms.high, out.high];
  for (let k = 3, isActive = true; isActive; k += 2) {
    many.multiply(terms, squares, terms, count);
    many.divideByNumber(terms, k, terms, count);
    many.add(out, terms, sums, count);
    isActive = false;
    for (let row = 0; row < count; row++) {
      if (isDone[row] === 1) continue;
      many.put(out, row, many.at(sums, row));
      if ((term[row] as number) > 1e-34 * (sum[row] as number)) isActive = true;
      else isDone[row] = 1;
    }
  }
  exps(exponents, factors, count);
  for (let row = 0; row < count; row++)
    many.put(out, row, dd.multiply(TWO_OVER_SQRT_PI, dd.multiply(many.at(factors, row), many.at(out, row))));
}

const isInSeries = (size: number) => size > 0 && size < TAIL;

/** `erf` of many numbers. @param out  another object than `x`; @param count  at most MANY */
export function erfs(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) {
    const size = dd.magnitude(many.at(x, row));
    many.put(sizes, row, isInSeries(size.high) ? size : dd.ONE);
  }
  bySerieses(sizes, out, count);
  for (let row = 0; row < count; row++) {
    const one = many.at(x, row);
    many.put(out, row, isInSeries(Math.abs(one.high)) ? dd.withSignOf(many.at(out, row), one) : erf(one));
  }
}

const inSeries = many.many();

/** `erfc` of many numbers. @param out  another object than `x`; @param count  at most MANY */
export function erfcs(x: DoubleDoubles, out: DoubleDoubles, count: number): void {
  for (let row = 0; row < count; row++) many.put(inSeries, row, isBelowTail(x, row) ? many.at(x, row) : dd.ONE);
  erfs(inSeries, out, count);
  for (let row = 0; row < count; row++)
    many.put(out, row, isBelowTail(x, row) ? dd.subtract(dd.ONE, many.at(out, row)) : erfc(many.at(x, row)));
}

const isBelowTail = ({ high }: DoubleDoubles, row: number) => (high[row] as number) < TAIL;

const byFraction = (x: DoubleDouble) => dd.multiply(scaledComplement(x), exp(dd.negative(dd.square(x))));

/** e^(x²) erfc x for x >= 2.5: x/√π over a0 - b1/(a1 - b2/(a2 - …)) with a_k = x² + 2k + ½ and b_k = k (k - ½). */
export function scaledComplement(x: DoubleDouble): DoubleDouble {
  const z = dd.square(x);
  const depth = Math.ceil(30 + 600 / z.high);
  let rest = dd.addNumber(z, 2 * depth + 0.5);
  for (let k = depth; k > 0; k--) {
    rest = dd.subtract(dd.addNumber(z, 2 * k - 1.5), dd.divide(dd.exactly(k * (k - 0.5)), rest));
  }
  return dd.divide(dd.scale(dd.multiply(TWO_OVER_SQRT_PI, x), -1), rest);
}
