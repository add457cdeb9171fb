// The ± of a number from the runs on three grids, and whether the grids hold the pattern at all.

import { exp } from '../../core/elementary.ts';
import { bound, type Contribution, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { type Estimate, estimateOf, type Refinement, type Triple, tripleOf } from '../parts/refinement.ts';
import type { Run } from './grid-run.ts';
import type { ReactInput } from './inputs.ts';
import type { Problem } from './problem.ts';
import { type Comparison, compareStates } from './state-order.ts';

/** Rounding of a step, relative to the largest concentration. */
const roundOff = (steps: number): number => 1e-12 + 4 * Number.EPSILON * steps;
/** What the speed still changes, times this, bounds its distance from the final one even if that falls as 1 / t. */
const TRANSIENT = 4;

/** Errors by chance, as of jumps between cells, exceed this times the largest change of three grids in 2 of 100 cases. */
const CHANCE = 4;
/** Misplaced jumps on a grid coarser by √2, and by 2, make changes up to this times what they are worth. */
const EXPLAINED = 3;

/** The grids differ by √2; the order of each method. */
const REFINEMENT: Readonly<Record<ReactInput['method'], Refinement>> = {
  rk4: { logRatio: Math.LN2 / 2, maxOrder: 4, maxPower: 4 },
  euler: { logRatio: Math.LN2 / 2, maxOrder: 2, maxPower: 2 },
};

const refinementOf = ({ isRefined }: Problem, { method }: ReactInput): Refinement => ({
  ...REFINEMENT[method],
  of: isRefined ? 'middle' : 'fine',
});

/** From fine to coarse, of what belongs to the grids of a problem in their order. */
function sorted<Item>({ isRefined }: Problem, items: readonly Item[]): readonly Item[] {
  const [own, second, ...others] = items;
  if (!isRefined || own === undefined || second === undefined) return items;
  return [second, own, ...others];
}

/** A number on three grids with its ±. */
export interface Judged extends Uncertain {
  readonly value: number;
  readonly reference: number;
  readonly isRegular: boolean;
  readonly order: number | undefined;
}

/**
 * Judges a number on three grids.
 *
 * @param scale      of its rounding and of what is negligible
 * @param misplaced  what jumps out of place may change in it
 */
export type Judge = (triple: Triple, scale: number, misplaced?: number, further?: readonly Contribution[]) => Judged;

/**
 * The ± of a number: twice the change that the observed order leaves, and at least the distance to the witness.
 *
 * @param ofState  the order at which the states converge, which counts where the number itself shows none
 */
export const judgeOf =
  (problem: Problem, input: ReactInput, ofState: number | undefined): Judge =>
  (triple, scale, misplaced = 0, further = []) => {
    const value = triple[problem.isRefined ? 1 : 0];
    const refinement = refinementOf(problem, input);
    // Without other grids nothing is known; the scale is then the ±.
    const isKnown = triple.every(Number.isFinite);
    const estimate: Estimate = isKnown
      ? estimateOf(triple, scale, refinement, ofState)
      : { error: scale, isRegular: false, order: undefined };
    const reference = isKnown ? extrapolated(triple, estimate, refinement) : value;
    const ofGrids = Math.max(estimate.error, Math.abs(value - reference));
    const changes = misplaced > 0 && isKnown ? CHANCE * largestChange(triple) : 0;
    const error = Math.max(ofGrids, changes, misplaced);
    // Changes that misplaced jumps explain need no order.
    const isRegular = estimate.isRegular || (isKnown && largestChange(triple) <= EXPLAINED * misplaced);
    const budget = uncertain([
      bound('rounding', roundOff(problem.steps) * scale, 'of every step'),
      bound('discretisation', error, 'two other grids with steps of their own'),
      ...further,
    ]);
    return { value, reference, isRegular, order: estimate.order, ...budget };
  };

const largestChange = ([fine, middle, coarse]: Triple): number =>
  Math.max(Math.abs(fine - middle), Math.abs(middle - coarse));

/** How the states at the end compare; undefined if a run has none. */
export function comparisonOf(
  runs: readonly Run[],
  problem: Problem,
  { boundary, method }: ReactInput,
): Comparison | undefined {
  const states = runs.flatMap(({ hasEnded, finalState }, i) => {
    const level = problem.levels[i];
    return hasEnded && level !== undefined ? [{ level, values: finalState }] : [];
  });
  return compareStates(sorted(problem, states), boundary === 'periodic', REFINEMENT[method].logRatio);
}

/** The number that the two other grids extrapolate to: it does not share grid or steps with the value. */
function extrapolated(
  [fine, middle, coarse]: Triple,
  { isRegular, order }: Estimate,
  { logRatio, maxOrder, of }: Refinement,
): number {
  const [better, worse, ratios] = of === 'middle' ? [fine, coarse, 2] : [middle, coarse, 1];
  if (!isRegular) return better;
  const power = exp(Math.min(order ?? maxOrder, maxOrder) * ratios * logRatio);
  return better + (better - worse) / (power - 1);
}

/** A number of each run. */
export const onGrids = (problem: Problem, runs: readonly Run[], read: (run: Run) => number): Triple =>
  tripleOf(sorted(problem, runs.map(read)));

export function speedOf(runs: readonly Run[], problem: Problem, judge: Judge): Judged | undefined {
  const [fine] = runs.map(({ front }) => front);
  if (fine === undefined) return undefined;
  const triple = onGrids(problem, runs, ({ front }) => front?.speed ?? Number.NaN);
  const transient = bound('iteration', TRANSIENT * Math.abs(fine.change), 'what the speed still changes');
  return judge(triple, Math.abs(fine.speed), 0, [transient]);
}
