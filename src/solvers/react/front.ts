// The speed of a front: the slope of a straight line through its positions, after its start and before the sides.

import { at } from '../parts/arrays.ts';

/** Distance from the sides, relative to the length, within which positions do not count. */
const MARGIN = 0.1;
const MIN_POSITIONS = 12;

export interface Front {
  /** Mean speed over the second half of the time in which the front was on its way; negative to the left. */
  readonly speed: number;
  /** How much the speed changed between the halves of that time. */
  readonly change: number;
  readonly from: number;
  readonly to: number;
}

/**
 * @param times      f64[n]
 * @param positions  f64[n]; −1 where there is no front
 * @returns undefined without a front that stays on its way for at least 12 samples of the second half
 */
export function frontOf(times: Float64Array, positions: Float64Array, length: number): Front | undefined {
  const isInside = (x: number) => x >= MARGIN * length && x <= (1 - MARGIN) * length;
  const start = positions.findIndex(isInside);
  if (start < 0) return undefined;
  const beyond = positions.findIndex((x, i) => i > start && !isInside(x));
  const end = beyond < 0 ? positions.length : beyond;
  const middle = Math.ceil((start + end) / 2);
  if (end - middle < MIN_POSITIONS) return undefined;
  const quarter = Math.floor((middle + end) / 2);
  const slope = (from: number, to: number) => slopeOf(times.subarray(from, to), positions.subarray(from, to));
  return {
    speed: slope(middle, end),
    change: slope(quarter, end) - slope(middle, quarter),
    from: at(times, middle),
    to: at(times, end - 1),
  };
}

/** Least squares. */
function slopeOf(x: Float64Array, y: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(x), mean(y)];
  let [numerator, denominator] = [0, 0];
  for (const [i, value] of x.entries()) {
    numerator += (value - x0) * (at(y, i) - y0);
    denominator += (value - x0) * (value - x0);
  }
  return numerator / denominator;
}
