// ζ(s) for s > -1/1000 in double-double: Borwein's acceleration of the alternating series 1 - 2^-s + 3^-s - … (2000, An efficient
// algorithm for the Riemann zeta function, CMS Conf. Proc. 27, 29-34, algorithm 2). Relative error below 1e-29.

import { LN2 } from '../constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  divideByNumber,
  exactly,
  multiply,
  multiplyByNumber,
  negative,
  ONE,
  subtract,
  ZERO,
} from '../double-double.ts';
import { exp, expm1 } from '../exponential.ts';
import { log } from '../logarithm.ts';

/** ∞ at 1. */
export function alternatingZeta(s: DoubleDouble): DoubleDouble {
  const fromPole = addNumber(s, -1);
  if (fromPole.high === 0) return exactly(Number.POSITIVE_INFINITY);
  if (s.high > NEARLY_ONE) return ONE;
  const { weights, logarithms } = table();
  let sum = ZERO;
  for (const [k, weight] of weights.entries()) {
    const power = exp(negative(multiply(s, logarithms[k] ?? ZERO)));
    if (power.high < 1e-40) break;
    sum = add(sum, multiply(weight, power));
  }
  // Over 1 - 2^(1-s), which is small next to the pole.
  return divide(sum, negative(expm1(multiply(negative(fromPole), LN2))));
}

/** From here on 2^-s is nothing beside 1. */
const NEARLY_ONE = 120;
/** The error of n terms is 3 / (3 + √8)^n. */
const TERMS = 44;

interface Table {
  /** 1 - d_k/d_n with alternating signs. */
  readonly weights: readonly DoubleDouble[];
  /** ln 1, ln 2, … */
  readonly logarithms: readonly DoubleDouble[];
}

let made: Table | undefined;

/** d_k = n Σ_(i<=k) (n + i - 1)! 4^i / ((n - i)! (2i)!) */
function table(): Table {
  if (made) return made;
  const partial: DoubleDouble[] = [];
  let term = ONE;
  let sum = ONE;
  for (let i = 1; i <= TERMS; i++) {
    partial.push(sum);
    term = divideByNumber(multiplyByNumber(term, 4 * (TERMS + i - 1) * (TERMS - i + 1)), 2 * i * (2 * i - 1));
    sum = add(sum, term);
  }
  const weights = partial.map((d, k) => {
    const weight = subtract(ONE, divide(d, sum));
    return k % 2 === 0 ? weight : negative(weight);
  });
  made = { weights, logarithms: weights.map((_, k) => log(exactly(k + 1))) };
  return made;
}
