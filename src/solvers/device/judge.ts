// The ± of a number from the runs on three grids, each with half the cells of the last.

import { bound, standard, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { estimateOf, type Refinement, tripleOf } from '../parts/refinement.ts';
import { PERMITTIVITY_UNCERTAINTY } from './constants.ts';

const REFINEMENT: Refinement = { logRatio: Math.LN2, maxOrder: 2, maxPower: 4 };
/** Where a jump of the medium crosses the grid at an angle, the flux along the face is of first order. */
const AT_JUMPS: Refinement = { logRatio: Math.LN2, maxOrder: 1, maxPower: 2 };
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
}

export function judge(
  numbers: readonly number[],
  scale: number,
  tolerance: number,
  { further = 0, hasJumps = false }: Doubt = {},
): Judged {
  const triple = tripleOf(numbers);
  const { error, isRegular, order } = estimateOf(triple, scale, hasJumps ? AT_JUMPS : REFINEMENT);
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
