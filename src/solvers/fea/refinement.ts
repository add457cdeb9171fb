// The limit of a number on finer and finer meshes, and how far the last mesh is from it.

import { exp, log } from '../../core/elementary.ts';

/** A number on meshes of which each has half the spacing of the one before. */
export interface Refinement {
  readonly value: number;
  /** Where the meshes lead to. */
  readonly limit: number;
  /** Half-width about `value` that holds the limit. */
  readonly bound: number;
  /** log2 of the ratio of the last two differences; undefined if they are rounding, or there are no two. */
  readonly order: number | undefined;
  /** Whether the differences shrink as those of a convergent method do. */
  readonly isConverging: boolean;
}

/** Smallest order that counts as convergence, and the order of the method, beyond which a small difference is chance. */
const ORDER = { min: 0.5, max: 2 } as const;
/** Over the error that the order predicts. */
const SAFETY = 1.6;
/** Where the observed order is not near the order of the method. */
const CAUTIOUS = 3;

/**
 * Two differences d1, d2 of order p leave d2 / (2^p − 1) (Richardson; Roache 1998). An order above 2 is not believed: then
 * d1 says what is left. Differences of opposite sign leave at most the last one.
 *
 * @param values  the coarsest mesh first; at least one
 * @param floor  what rounding and iteration leave
 */
export function refinementOf(values: readonly number[], floor: number): Refinement {
  const [value = Number.NaN, before, first] = values.toReversed();
  if (before === undefined)
    return { value, limit: value, bound: Math.abs(value), order: undefined, isConverging: false };
  const last = value - before;
  if (first === undefined)
    return { value, limit: value, bound: 2 * Math.abs(last), order: undefined, isConverging: false };
  const difference = before - first;
  const isOneSided = last * difference > 0;
  const { order, bound, isConverging, reach } = beyond(Math.abs(difference), Math.abs(last), floor, isOneSided);
  return { value, limit: isOneSided ? value + last / reach : value, bound, order, isConverging };
}

/**
 * What two differences in a row leave.
 *
 * @param difference, last  magnitudes
 * @param isOneSided  whether they have the same sign
 */
export function beyond(difference: number, last: number, floor: number, isOneSided = true) {
  if (last <= floor && difference <= 4 * floor)
    return { order: undefined, bound: floor, isConverging: true, reach: 1, last };
  const order = log(Math.max(difference, floor) / Math.max(last, floor)) / Math.LN2;
  const p = Math.min(ORDER.max, Math.max(ORDER.min, order));
  const reach = exp(p * Math.LN2) - 1;
  const left = isOneSided ? last / reach : last;
  const isRegular = isOneSided && order > 0.8 && order < 2.6;
  return {
    order,
    bound: (isRegular ? SAFETY : CAUTIOUS) * Math.max(left, difference / 12) + floor,
    isConverging: order >= ORDER.min,
    reach,
    last,
  };
}

/**
 * Half-width at a place where the exact stress is infinite. A body approaches its limit there as a h^λ + b h^2λ, λ from 1/2
 * to 1, with terms of opposite sign: differences may vanish far from the limit, and their order is chance. λ = 1/2 leaves
 * the most.
 *
 * @param values  of three meshes, the coarsest first
 */
export function boundAtSingularity([coarse = 0, middle = 0, fine = 0]: readonly number[]): number {
  const [difference, last] = [coarse - middle, middle - fine];
  const b = (difference - Math.SQRT2 * last) / (2 - Math.SQRT2);
  const a = (last - b) / (Math.SQRT2 - 1);
  return CAUTIOUS * Math.abs(a + b);
}
