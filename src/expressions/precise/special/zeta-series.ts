// ζ(s) for s > -1/1000 in double-double: Borwein's acceleration of the alternating series 1 - 2^-s + 3^-s - … (2000, An
// efficient algorithm for the Riemann zeta function, CMS Conf. Proc. 27, 29-34, algorithm 2). Relative error below
// 1e-29.

import { LN2 } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp, expm1 } from '../exponential.ts';
import { log } from '../logarithm.ts';

/** ∞ at 1. */
export function alternatingZeta(s: DoubleDouble): DoubleDouble {
  const fromPole = dd.addNumber(s, -1);
  if (fromPole.high === 0) return dd.exactly(Number.POSITIVE_INFINITY);
  if (s.high > MAX_ARGUMENT) return dd.ONE;
  const { weights, logarithms } = table();
  let sum = dd.ZERO;
  for (const [k, weight] of weights.entries()) {
    const power = exp(dd.negative(dd.multiply(s, logarithms[k] ?? dd.ZERO)));
    if (power.high < 1e-40) break;
    sum = dd.add(sum, dd.multiply(weight, power));
  }
  // Over 1 - 2^(1-s), which is small next to the pole.
  return dd.divide(sum, dd.negative(expm1(dd.multiply(dd.negative(fromPole), LN2))));
}

/** Above this, 2^-s is negligible against 1. */
const MAX_ARGUMENT = 120;
/** The error of n terms is 3 / (3 + √8)^n. */
const TERMS = 44;

interface Table {
  /** 1 - d_k/d_n with alternating signs. */
  readonly weights: readonly DoubleDouble[];
  /** ln 1, ln 2, … */
  readonly logarithms: readonly DoubleDouble[];
}

let cached: Table | undefined;

/** d_k = n Σ_(i<=k) (n + i - 1)! 4^i / ((n - i)! (2i)!) */
function table(): Table {
  if (cached) return cached;
  const partial: DoubleDouble[] = [];
  let term = dd.ONE;
  let sum = dd.ONE;
  for (let i = 1; i <= TERMS; i++) {
    partial.push(sum);
    term = dd.divideByNumber(dd.multiplyByNumber(term, 4 * (TERMS + i - 1) * (TERMS - i + 1)), 2 * i * (2 * i - 1));
    sum = dd.add(sum, term);
  }
  const weights = partial.map((d, k) => {
    const weight = dd.subtract(dd.ONE, dd.divide(d, sum));
    return k % 2 === 0 ? weight : dd.negative(weight);
  });
  cached = { weights, logarithms: weights.map((_, k) => log(dd.exactly(k + 1))) };
  return cached;
}
