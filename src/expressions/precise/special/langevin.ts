// L(x) = coth x - 1/x in double-double, by its continued fraction x/(3 + x²/(5 + x²/(7 + …))), Lambert's; for large |x|
// directly, where the difference loses nothing. The kernel has a rational function.

import {
  addNumber,
  type DoubleDouble,
  divide,
  exactly,
  magnitude,
  ONE,
  reciprocal,
  scale,
  square,
  subtract,
  withSignOf,
} from '../double-double.ts';
import { expm1 } from '../exponential.ts';

const FAR = 6;
const DEPTH = 60;

export function langevin(x: DoubleDouble): DoubleDouble {
  const size = magnitude(x);
  if (size.high > FAR) {
    const cotangent = addNumber(scale(reciprocal(expm1(scale(size, 1))), 1), 1);
    return withSignOf(subtract(cotangent, divide(ONE, size)), x);
  }
  const z = square(x);
  let rest = exactly(2 * DEPTH + 1);
  for (let k = 2 * DEPTH - 1; k >= 3; k -= 2) rest = addNumber(divide(z, rest), k);
  return divide(x, rest);
}
