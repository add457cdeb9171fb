// The ± of a number from the runs on three grids, each with half the cells of the last.

import { bound, standard, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { estimateOf, type Refinement, tripleOf } from '../parts/refinement.ts';
import { PERMITTIVITY_UNCERTAINTY } from './constants.ts';

const REFINEMENT: Refinement = { logRatio: Math.LN2, maxOrder: 2, maxPower: 4 };
/** Where a jump of the medium crosses the grid at an angle, the flux along the face is of first order. */
const AT_JUMPS: Refinement = { logRatio: Math.LN2, maxOrder: 1, maxPower: 2 };
/** Where a jump is a staircase, mean changes between grids below this fraction of the scale need no order. */
const FINE = 0.01;
/** Beside a jump a potential may change by this many times the mean. */
const OF_STATE = 4;
/** Of the scale: rounding, and what the iterations leave at their tightest. */
const ROUNDING = 2e-11;

export interface Judged extends Uncertain {
  readonly value: number;
  /** Extrapolated from the two finest grids. */
  readonly reference: number;
  readonly isRegular: boolean;
  readonly order: number | undefined;
}

export interface Doubt {
  /** An error that the grids do not show. */
  readonly further?: number;
  readonly hasJumps?: boolean;
  /** Of the potential as a whole. */
  readonly state?: State;
}

/** How the whole potential changes from grid to grid. */
export interface State {
  /** Shown by the mean changes of the nodes that all grids have; undefined where they are negligible. */
  readonly order: number | undefined;
  /** The mean change from 1/2 of the cells to all, or half of that from 1/4 to 1/2, over the scale. */
  readonly change: number;
}

export function stateOf(near: number, far: number, scale: number, hasJumps: boolean): State {
  const { order } = estimateOf([near + far, far, 0], scale, hasJumps ? AT_JUMPS : REFINEMENT);
  return { order, change: scale === 0 ? 0 : Math.max(near, 0.5 * far) / scale };
}

export function judge(
  numbers: readonly number[],
  scale: number,
  tolerance: number,
  { further = 0, hasJumps = false, state }: Doubt = {},
): Judged {
  const triple = tripleOf(numbers);
  const estimate = estimateOf(triple, scale, hasJumps ? AT_JUMPS : REFINEMENT, state?.order);
  const { order } = estimate;
  const isFine = hasJumps && state !== undefined && state.change <= FINE;
  const isRegular = estimate.isRegular || isFine;
  // Staircases of a jump shift a number to and fro: it may agree on grids that differ.
  const error = Math.max(estimate.error, hasJumps && state !== undefined ? OF_STATE * state.change * scale : 0);
  const [fine, middle] = triple;
  return {
    value: fine,
    reference: fine + (fine - middle) / 3,
    isRegular,
    order,
    ...uncertain([
      bound('rounding', ROUNDING * scale, 'sums over the grid'),
      bound('discretisation', error + further, 'the same problem on grids of 1/2 and 1/4 of the cells'),
      bound('iteration', 20 * tolerance * scale, 'what the iteration left'),
      standard('constants', PERMITTIVITY_UNCERTAINTY * scale, 'CODATA 2022'),
    ]),
  };
}
