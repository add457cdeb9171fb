// Bound of the discretisation error of a number that is extrapolated over grids.
//
// Three cases. The grids show the error series: the change by the next order, with a safety. They do not, but differ as
// the three-point differences predict: the predicted error, and what it leaves of the difference. Neither: twice the
// largest change. The factors were measured against 14,682 levels of 32 potentials on 50 to 900 nodes
// (bench/RESULTS.md).

import { at } from '../parts/arrays.ts';

/** The error of the three-point differences in an energy, as its wave function predicts it. */
export interface StencilError {
  /** By how much the energy on each grid is too low, coarse to fine. */
  readonly errors: readonly number[];
  /** The largest (kh)² of the state on each grid. */
  readonly phases: readonly number[];
  /** Bound of what jumps of V move the energy, from where they lie between the nodes. */
  readonly jumps: number;
}

export interface Extrapolated {
  readonly value: number;
  /** One order beyond. */
  readonly refined: number;
  /** Coarse to fine. */
  readonly values: readonly number[];
  readonly order: number | undefined;
  /** Largest distance of `value` from that of a grid, the coarsest of three left out. */
  readonly change: number;
  /** The predicted error of `value`, if there is a prediction. */
  readonly predicted: number | undefined;
}

export interface ErrorSeries {
  /** Factor of the change by the next order. */
  readonly safety: number;
  /** Changes below it show nothing. */
  readonly noise: number;
  /** Whether the coarsest grid resolves the waves. */
  readonly isTrusted: boolean;
  readonly prediction: StencilError | undefined;
}

/** Maximum deviation of the order from 2; beyond it the assumed error series does not hold. */
const ORDER_TOLERANCE = 0.5;
/** Maximum ratio of the last two corrections; beyond it the series has not begun to converge. */
const MAX_RATIO = 0.25;
/** Maximum (kh)² on the coarsest grid of a level whose series is believed beside a prediction. */
const MAX_SERIES_PHASE = 2;
/** Maximum (kh)² on the coarser of the two grids whose difference is predicted. */
const MAX_PREDICTED_PHASE = 4;
/** Maximum of what the prediction leaves of that difference. */
const MAX_DISAGREEMENT = 0.1;
/** The next order passes through zero between grids; the prediction does so elsewhere. */
const MIN_SHARE = 0.5;
const PREDICTED = { error: 5, disagreement: 4 } as const;
/** Of the predicted error of the coarser grid, where no grid resolves a level. */
const UNRESOLVED = 4;

export function errorOf(numbers: Extrapolated, series: ErrorSeries): number {
  const { value, values, change, predicted } = numbers;
  const { prediction } = series;
  const correction = series.safety * Math.abs(value - numbers.refined);
  const widest = Math.max(correction, 2 * change);
  if (prediction === undefined || predicted === undefined) return isRegular(numbers, series) ? correction : widest;

  const { phases, errors, jumps } = prediction;
  const coarser = values.length - 2;
  if (isRegular(numbers, series) && at(phases, 0) < MAX_SERIES_PHASE)
    return Math.max(correction, MIN_SHARE * predicted) + jumps;
  const difference = at(values, coarser + 1) - at(values, coarser);
  const disagreement = Math.abs(difference - (at(errors, coarser) - at(errors, coarser + 1)));
  if (at(phases, coarser) >= MAX_PREDICTED_PHASE) return Math.max(widest, UNRESOLVED * at(errors, coarser)) + jumps;
  const isPredicted = disagreement <= MAX_DISAGREEMENT * Math.abs(difference);
  const bound = PREDICTED.error * predicted + PREDICTED.disagreement * disagreement;
  return (isPredicted ? Math.min(widest, bound) : widest) + jumps;
}

function isRegular(
  { value, refined, values, order, change }: Extrapolated,
  { noise, isTrusted }: ErrorSeries,
): boolean {
  const isExtrapolated = values.length === 3;
  return (
    isTrusted &&
    (order === undefined || Math.abs(order - 2) < ORDER_TOLERANCE) &&
    (!isExtrapolated || Math.abs(value - refined) <= Math.max(noise, MAX_RATIO * change))
  );
}
