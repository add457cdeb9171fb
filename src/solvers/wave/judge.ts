// The ± of a number from the runs on three grids.

import { exp } from '../../core/elementary.ts';
import { bound, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { estimateOf, type Refinement, tripleOf } from '../parts/refinement.ts';
import type { Problem } from './problem.ts';

/** The grids differ by √2; the method has order 2. */
const REFINEMENT: Refinement = { logRatio: Math.LN2 / 2, maxOrder: 2, maxPower: 2 };

/** Errors without an order exceed this times the largest change of three grids in few cases. */
const CHANCE = 4;
/** Changes above this part of the scale may be whole waves out of step. */
const MAX_CHANCE = 0.25;

/** A number on three grids with its ±. */
export interface Judged extends Uncertain {
  readonly value: number;
  /** What the two other grids extrapolate to. */
  readonly reference: number;
  readonly isRegular: boolean;
  readonly order: number | undefined;
}

/**
 * Judges a number on the grids of a problem, in their order.
 *
 * @param scale  of its rounding and of what is negligible
 * @param most   no error is larger, whatever the grids show; Infinity if nothing is known
 */
export function judge(numbers: readonly number[], scale: number, { isRefined, steps }: Problem, most: number): Judged {
  const [own = Number.NaN, second = Number.NaN, third = Number.NaN] = numbers;
  const triple = tripleOf(isRefined ? [second, own, third] : numbers);
  const rounding = bound('rounding', (1e-13 + 4 * Number.EPSILON * steps) * scale, 'of every step');
  if (!triple.every(Number.isFinite)) {
    const unknown = bound('discretisation', Number.isFinite(most) ? most : scale, 'nothing judges it');
    return { value: own, reference: own, isRegular: false, order: undefined, ...uncertain([rounding, unknown]) };
  }
  const { error, isRegular, order } = estimateOf(triple, scale, { ...REFINEMENT, of: isRefined ? 'middle' : 'fine' });
  const [better, worse, ratios] = isRefined ? [second, third, 2] : [second, third, 1];
  const power = exp(Math.min(order ?? REFINEMENT.maxOrder, REFINEMENT.maxOrder) * ratios * REFINEMENT.logRatio);
  const reference = isRegular ? better + (better - worse) / (power - 1) : better;
  const known = Math.max(error, Math.abs(own - reference));
  const change = Math.max(Math.abs(own - second), Math.abs(own - third), Math.abs(second - third));
  const largest = change > MAX_CHANCE * scale && Number.isFinite(most) ? most : CHANCE * change;
  // Changes that are negligible beside all that moves show no order either.
  const discretisation = isRegular && order !== undefined ? known : Math.max(known, largest);
  return {
    value: own,
    reference,
    isRegular,
    order,
    ...uncertain([rounding, bound('discretisation', discretisation, 'two other grids with steps of their own')]),
  };
}
