// A number extrapolated from two grids, and its ± from two others.
//
// The method is of order 2 in cells and steps, which shrink together, so a grid and one of twice the spacing give the
// number of order 4 that is the value. The witness is the same of another pair of grids, with spacings and steps that the
// first pair does not have.

import { exp, log } from '../../core/elementary.ts';
import { bound, type Uncertain, uncertain } from '../../core/uncertainty.ts';

export interface Judged extends Uncertain {
  readonly value: number;
  /** What the other pair of grids extrapolates to. */
  readonly reference: number;
  readonly order: number | undefined;
  readonly isRegular: boolean;
}

/** Numbers on the grid of the request and on that of twice the spacing, then on the two others. */
export type Grids = readonly [own: number, half: number, otherOwn: number, otherHalf: number];

/** Spacing of the other pair over that of the first: shares of 8, 4, 6 and 3 cells. */
export const SHARES = [8, 4, 6, 3] as const;
const LOG_RATIO = log(8 / 6);
/** Changes below this fraction of the scale show no order. */
const NEGLIGIBLE = 1e-9;
/** Observed orders below this show no convergence. */
const MIN_ORDER = 0.7;
/** Of a distance between estimates. */
const SAFETY = 2;

const extrapolated = (fine: number, coarse: number) => fine + (fine - coarse) / 3;

/** @param scale  of the number. @param further  another error */
export function judge(grids: Grids, scale: number, further = 0): Judged {
  const [own, half, otherOwn, otherHalf] = grids;
  if (!grids.every(Number.isFinite)) return unjudged(own, scale);
  const [better, reference] = [extrapolated(own, half), extrapolated(otherOwn, otherHalf)];
  const [near, far] = [own - half, otherOwn - otherHalf];
  const isNegligible = Math.max(Math.abs(near), Math.abs(far)) <= NEGLIGIBLE * scale;
  const order = near * far > 0 && !isNegligible ? log(far / near) / LOG_RATIO : undefined;
  const apart = Math.abs(better - reference);
  const isRegular = isNegligible || (order !== undefined && order >= MIN_ORDER);
  // Extrapolating by the observed order instead of 2 would move the value by this.
  const bend = order === undefined ? 0 : Math.abs(near) * Math.abs(1 / (exp(order * Math.LN2) - 1) - 1 / 3);
  const largest = Math.max(...grids) - Math.min(...grids);
  const discretisation = isNegligible ? Math.max(apart, largest) : isRegular ? SAFETY * apart + bend : SAFETY * largest;
  return {
    value: isRegular ? better : own,
    reference,
    order,
    isRegular,
    ...uncertain([
      bound('rounding', 1e-11 * scale, 'of every step'),
      bound('discretisation', discretisation + further, 'another pair of grids with steps of their own'),
    ]),
  };
}

/** Numbers on three, two and one cells a side of a pixel. */
export type MapGrids = readonly [own: number, middle: number, coarse: number];

/** Order 2 makes changes of 1/4 − 1/9 and of 1 − 1/4; order 0.7 makes them differ by 2.5 only. */
const MAP_RATIO = { expected: (1 / 4 - 1 / 9) / (1 - 1 / 4), min: 2.5 } as const;

/**
 * A number on a map. Corners of the tissue take the order away in places, so nothing is extrapolated: the value is that of
 * the finest grid, and ± is what order 1 would leave. The witness is extrapolated from the two other grids.
 */
export function judgeOnMap(grids: MapGrids, scale: number, further = 0): Judged {
  const [own, middle, coarse] = grids;
  if (!grids.every(Number.isFinite)) return unjudged(own, scale);
  const [near, far] = [Math.abs(own - middle), Math.abs(middle - coarse)];
  const reference = extrapolated(middle, coarse);
  const isNegligible = Math.max(near, far) <= NEGLIGIBLE * scale;
  const isRegular = isNegligible || far >= MAP_RATIO.min * near;
  // A change that is smaller than order 2 makes it may have crossed zero.
  const change = isRegular ? Math.max(near, MAP_RATIO.expected * far) : Math.max(near, far);
  const discretisation = Math.max(SAFETY * change, Math.abs(own - reference));
  return {
    value: own,
    reference,
    order: undefined,
    isRegular,
    ...uncertain([
      bound('rounding', 1e-11 * scale, 'of every step'),
      bound('discretisation', discretisation + further, 'two coarser grids with steps of their own'),
    ]),
  };
}

/** A coarse grid may lack what the grid of the request shows: nothing is known then but the scale. */
function unjudged(own: number, scale: number): Judged {
  const basis = 'a coarser grid lacks the number';
  const budget = uncertain([bound('discretisation', Math.max(scale, Math.abs(own)), basis)]);
  return { value: own, reference: own, order: undefined, isRegular: false, ...budget };
}
