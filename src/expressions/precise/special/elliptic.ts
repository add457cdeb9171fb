// Complete elliptic integrals in double-double as functions of the parameter m: arithmetic-geometric means as Gauss had
// them (NIST Digital Library of Mathematical Functions, §19.8.1, §19.8.6), where the kernel uses Bulirsch's
// transformation. Relative error below 1e-29.

import { HALF_PI } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';

/** ∞ at 1, NaN above. */
export function ellipticK(m: DoubleDouble): DoubleDouble {
  if (m.high === Number.NEGATIVE_INFINITY) return dd.exactly(0);
  const complement = dd.addNumber(dd.negative(m), 1);
  if (complement.high === 0) return dd.exactly(Number.POSITIVE_INFINITY);
  return dd.divide(HALF_PI, means(m, complement).mean);
}

/** 1 at 1, NaN above. */
export function ellipticE(m: DoubleDouble): DoubleDouble {
  if (m.high === Number.NEGATIVE_INFINITY) return dd.exactly(Number.POSITIVE_INFINITY);
  const complement = dd.addNumber(dd.negative(m), 1);
  if (complement.high === 0) return dd.ONE;
  const { mean, squares } = means(m, complement);
  return dd.multiply(dd.divide(HALF_PI, mean), dd.addNumber(dd.negative(squares), 1));
}

const MAX_ITERATIONS = 20;

/** The mean of 1 and √(1 - m), and Σ 2^(k-1) c_k², where c_k is half the difference of the k-th pair and c_0² = m. */
function means(
  m: DoubleDouble,
  complement: DoubleDouble,
): { readonly mean: DoubleDouble; readonly squares: DoubleDouble } {
  if (!(complement.high > 0)) return { mean: dd.NOT_A_NUMBER, squares: dd.NOT_A_NUMBER };
  let a = dd.ONE;
  let g = dd.squareRoot(complement);
  let squares = dd.scale(m, -1);
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    const c = dd.scale(dd.subtract(a, g), -1);
    [a, g] = [dd.scale(dd.add(a, g), -1), dd.squareRoot(dd.multiply(a, g))];
    squares = dd.add(squares, dd.scale(dd.square(c), k));
    // The next difference is the square of this one.
    if (Math.abs(c.high) < 1e-17 * a.high) break;
  }
  return { mean: a, squares };
}
