// L(x) = coth x - 1/x in double-double, by its continued fraction x/(3 + x²/(5 + x²/(7 + …))), Lambert's; for large |x|
// directly, where the difference has no cancellation. The kernel uses a rational function.

import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { expm1 } from '../exponential.ts';

const FAR = 6;
const DEPTH = 60;

export function langevin(x: DoubleDouble): DoubleDouble {
  const size = dd.magnitude(x);
  if (size.high > FAR) {
    const cotangent = dd.addNumber(dd.scale(dd.reciprocal(expm1(dd.scale(size, 1))), 1), 1);
    return dd.withSignOf(dd.subtract(cotangent, dd.divide(dd.ONE, size)), x);
  }
  const z = dd.square(x);
  let rest = dd.exactly(2 * DEPTH + 1);
  for (let k = 2 * DEPTH - 1; k >= 3; k -= 2) rest = dd.addNumber(dd.divide(z, rest), k);
  return dd.divide(x, rest);
}
