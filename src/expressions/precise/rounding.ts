// Whole numbers next to a double-double.

import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';

/** The largest whole number that is not greater. */
export function floor(x: DoubleDouble): DoubleDouble {
  const high = Math.floor(x.high);
  // If the high part is not whole, the low part is too small to reach the next whole number.
  return high === x.high && x.low !== 0 ? dd.add(dd.exactly(high), dd.exactly(Math.floor(x.low))) : dd.exactly(high);
}

export function ceiling(x: DoubleDouble): DoubleDouble {
  const high = Math.ceil(x.high);
  return high === x.high && x.low !== 0 ? dd.add(dd.exactly(high), dd.exactly(Math.ceil(x.low))) : dd.exactly(high);
}

/** The nearest whole number; halves are rounded up. */
export function round(x: DoubleDouble): DoubleDouble {
  const below = floor(dd.addNumber(x, 0.5));
  return below.high === 0 && dd.isNegative(x) ? dd.exactly(-0) : below;
}
