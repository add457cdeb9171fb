// The error of a number from the same problem on three grids, each coarser than the last by one ratio.

import { exp, log } from '../../core/elementary.ts';

/** One number on three grids. */
export type Triple = readonly [fine: number, middle: number, coarse: number];

/** How the grids differ, and the order beyond which nothing is trusted. */
export interface Refinement {
  /** The natural logarithm of the ratio of their spacings. */
  readonly logRatio: number;
  readonly maxOrder: number;
  /** The ratio to the power of `maxOrder`. */
  readonly maxPower: number;
  /** The grid whose error is asked for; the finest by default. */
  readonly of?: 'fine' | 'middle';
}

export interface Estimate {
  readonly error: number;
  /** Whether the changes shrink with an order, or are negligible. */
  readonly isRegular: boolean;
  readonly order: number | undefined;
}

/** Observed orders below this show no convergence. */
const MIN_ORDER = 0.7;
/** Factor of the estimate by the observed order. */
const SAFETY = 2;
/** Changes below this fraction of the scale show no order. */
const NEGLIGIBLE = 1e-6;

export const tripleOf = ([fine = Number.NaN, middle = Number.NaN, coarse = Number.NaN]: readonly number[]): Triple => [
  fine,
  middle,
  coarse,
];

/**
 * Error on the finest grid. If the changes do not shrink with an order, it is twice the largest of them.
 *
 * @param ofState  the order of the whole solution, which counts if the changes of this number show none: they may cross
 *   zero by chance
 */
export function estimateOf(
  [fine, middle, coarse]: Triple,
  scale: number,
  { logRatio, maxOrder, maxPower, of = 'fine' }: Refinement,
  ofState?: number,
): Estimate {
  const [near, far] = [Math.abs(fine - middle), Math.abs(middle - coarse)];
  const isNegligible = Math.max(near, far) <= NEGLIGIBLE * scale;
  const observed = near > 0 && far > 0 && !isNegligible ? log(far / near) / logRatio : undefined;
  const isOwn = observed === undefined || observed >= MIN_ORDER;
  const order = isOwn || ofState === undefined || ofState < MIN_ORDER ? observed : ofState;
  const isRegular = isNegligible || (order !== undefined && order >= MIN_ORDER);
  if (!isRegular || order === undefined) return { error: 2 * Math.max(near, far), isRegular, order };
  const power = exp(Math.min(order, maxOrder) * logRatio);
  // A change that shrank by more than the order of the schemes may have crossed zero.
  const change = Math.max(near, far / maxPower);
  const error = (SAFETY * change) / (power - 1);
  return { error: of === 'fine' ? error : power * error, isRegular, order };
}
