// Complete elliptic integrals in double-double as functions of the parameter m: arithmetic-geometric means as Gauss had
// them (NIST Digital Library of Mathematical Functions, §19.8.1, §19.8.6), where the kernel has Bulirsch's
// transformation. Relative error below 1e-29.

import { HALF_PI } from '../constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  exactly,
  multiply,
  NOT_A_NUMBER,
  negative,
  ONE,
  scale,
  square,
  squareRoot,
  subtract,
} from '../double-double.ts';

/** ∞ at 1, NaN above. */
export function ellipticK(m: DoubleDouble): DoubleDouble {
  if (m.high === Number.NEGATIVE_INFINITY) return exactly(0);
  const complement = addNumber(negative(m), 1);
  if (complement.high === 0) return exactly(Number.POSITIVE_INFINITY);
  return divide(HALF_PI, means(m, complement).mean);
}

/** 1 at 1, NaN above. */
export function ellipticE(m: DoubleDouble): DoubleDouble {
  if (m.high === Number.NEGATIVE_INFINITY) return exactly(Number.POSITIVE_INFINITY);
  const complement = addNumber(negative(m), 1);
  if (complement.high === 0) return ONE;
  const { mean, squares } = means(m, complement);
  return multiply(divide(HALF_PI, mean), addNumber(negative(squares), 1));
}

const MAX_TURNS = 20;

/** The mean of 1 and √(1 - m), and Σ 2^(k-1) c_k², where c_k is half the difference of the k-th pair and c_0² = m. */
function means(
  m: DoubleDouble,
  complement: DoubleDouble,
): { readonly mean: DoubleDouble; readonly squares: DoubleDouble } {
  if (!(complement.high > 0)) return { mean: NOT_A_NUMBER, squares: NOT_A_NUMBER };
  let a = ONE;
  let g = squareRoot(complement);
  let squares = scale(m, -1);
  for (let k = 0; k < MAX_TURNS; k++) {
    const c = scale(subtract(a, g), -1);
    [a, g] = [scale(add(a, g), -1), squareRoot(multiply(a, g))];
    squares = add(squares, scale(square(c), k));
    // The next difference is the square of this one.
    if (Math.abs(c.high) < 1e-17 * a.high) break;
  }
  return { mean: a, squares };
}
