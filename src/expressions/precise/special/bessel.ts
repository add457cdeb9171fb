// Symmetries shared by the Bessel functions of whole order.

import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';

/** As in the kernel: higher orders give NaN. */
const MAX_ORDER = 1000;

/**
 * The value of a function of whole order n >= 0 and x >= 0 for every n and x.
 *
 * @param isSymmetric  of orders n and -n the function is the same, and not (-1)^n times it
 */
export function ofWholeOrder(
  n: DoubleDouble,
  x: DoubleDouble,
  isSymmetric: boolean,
  positive: (order: number, size: DoubleDouble) => DoubleDouble,
): DoubleDouble {
  if (!(Math.abs(n.high) <= MAX_ORDER && Math.floor(n.high) === n.high && n.low === 0)) return dd.exactly(Number.NaN);
  if (Number.isNaN(x.high)) return x;
  const order = Math.abs(n.high);
  const isMirrored = x.high < 0;
  const value = positive(order, isMirrored ? dd.negative(x) : x);
  const isFlipped = order % 2 === 1 && isMirrored !== (!isSymmetric && n.high < 0);
  return isFlipped ? dd.negative(value) : value;
}
