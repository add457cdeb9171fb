// Whole numbers next to a double-double.

import { add, addNumber, type DoubleDouble, exactly, isNegative } from './double-double.ts';

/** The largest whole number that is not greater. */
export function floor(x: DoubleDouble): DoubleDouble {
  const high = Math.floor(x.high);
  // A high part that is not whole decides alone: the low part is smaller than what is missing to the next whole number.
  return high === x.high && x.low !== 0 ? add(exactly(high), exactly(Math.floor(x.low))) : exactly(high);
}

export function ceiling(x: DoubleDouble): DoubleDouble {
  const high = Math.ceil(x.high);
  return high === x.high && x.low !== 0 ? add(exactly(high), exactly(Math.ceil(x.low))) : exactly(high);
}

/** The nearest whole number; halves go up. */
export function round(x: DoubleDouble): DoubleDouble {
  const below = floor(addNumber(x, 0.5));
  return below.high === 0 && isNegative(x) ? exactly(-0) : below;
}
