// A value and its derivative over an interval: what the evaluation of an expression passes on.

import { add, EMPTY, hull, type Interval, multiply, WHOLE, ZERO } from './interval.ts';

export interface Part {
  readonly value: Interval;
  readonly slope: Interval;
}

export const NOTHING: Part = { value: EMPTY, slope: WHOLE };
export const UNKNOWN: Part = { value: WHOLE, slope: WHOLE };
export const constant = (value: Interval): Part => ({ value, slope: ZERO });

export function productSlope(a: Part, b: Part): Interval {
  // x·x: a square, whose slope does not change sign within one.
  return add(multiply(a.slope, b.value), multiply(a.value, b.slope));
}

/** Where the operands cross, the slope is that of either. */
export function extreme(side: -1 | 1, a: Part, b: Part): Part {
  const value =
    side < 0
      ? { lo: Math.min(a.value.lo, b.value.lo), hi: Math.min(a.value.hi, b.value.hi) }
      : { lo: Math.max(a.value.lo, b.value.lo), hi: Math.max(a.value.hi, b.value.hi) };
  const isFirst = side < 0 ? a.value.hi <= b.value.lo : a.value.lo >= b.value.hi;
  const isSecond = side < 0 ? b.value.hi <= a.value.lo : b.value.lo >= a.value.hi;
  return { value, slope: isFirst ? a.slope : isSecond ? b.slope : hull(a.slope, b.slope) };
}
