// The end of a run, and what is known of the minimum then.
//
// Newton's decrement is the decrease that the quadratic model sees; twice that bounds what is left for a minimum of any even
// order. Squares add up to no less than 0. A second method from beside the end must come back to the same value.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { OptFace } from './face.ts';
import type { Problem } from './problem.ts';
import type { PreciseObjective } from './reference.ts';

/** As assembly/solvers/opt/state.ts. */
const STATUS = {
  1: 'the slopes and the decrease that is left are within the tolerances',
  2: 'the rounding of f hides any further descent',
  3: 'the iterations are spent',
  4: 'the budget of operations is spent',
  5: 'f is unbounded below: it falls on and on',
  6: 'the fixed step is too long: f grows beyond all bounds',
  7: 'f or its slopes are no finite numbers at the start',
  8: 'the simplex has collapsed where f still changes',
} as const;

const ENDED: ReadonlySet<number> = new Set([1, 2]);
export const UNBOUNDED_BELOW = 5;
export const DIVERGED = 6;
export const NO_START = 7;

/** What may be left of a minimum, relative to it and to the value of the start. */
const RELATIVE = 1e-6;
const OF_START = 1e-13;
const MARGIN = 2;
/** Differences of values beside the end that are rounding. */
const BESIDE_TOLERANCE = 1e-12;

export interface Outcome {
  readonly reason: string;
  readonly isEnded: boolean;
  readonly isConverged: boolean;
  /** Bound of f less the local minimum. */
  readonly gap: number;
  readonly rounding: number;
  readonly isMinimum: boolean;
  readonly notes: readonly string[];
}

export function outcomeOf(
  { statistics }: KernelOutput<OptFace>,
  { isSquares, method, witness }: Problem,
  precise: PreciseObjective,
): Outcome {
  const {
    f = 0,
    firstF = 0,
    status = 0,
    decrement = 0,
    definite = 0,
    witnessF = 0,
    witnessStatus = 0,
    isBroken = 0,
    lowest = 0,
  } = statistics;
  const rounding = Math.abs(f - precise.value) + precise.bound;
  const model = MARGIN * decrement;
  const bounded = isSquares ? Math.min(model, Math.max(0, f)) : model;
  const drop = Math.max(0, f - witnessF);
  const tolerance = Math.max(RELATIVE * Math.abs(f), OF_START * Math.abs(firstF), 4 * rounding);
  const isBack = ENDED.has(witnessStatus) && witnessF <= f + tolerance;
  const isLower = drop > 4 * bounded + tolerance;
  const beside = Math.max(0, f - lowest);
  const isLowest =
    beside <= 4 * bounded + 4 * rounding + BESIDE_TOLERANCE * Math.max(Math.abs(f), OF_START * Math.abs(firstF));
  const gap = Math.max(bounded, Math.min(drop, isSquares ? Math.max(0, f) : Number.POSITIVE_INFINITY));
  const isEnded = ENDED.has(status) && isBroken === 0;
  const isMinimum = definite >= 0;
  const isTight = gap <= tolerance;
  const isKnown = Number.isFinite(rounding);
  return {
    reason: STATUS[status as keyof typeof STATUS] ?? 'unknown',
    isEnded,
    isConverged: isEnded && isMinimum && isLowest && isBack && !isLower && isTight && isKnown,
    gap: Number.isFinite(gap) ? gap : Math.max(Math.abs(f), Math.abs(firstF)),
    rounding: isKnown ? rounding : Math.abs(f),
    isMinimum,
    notes: [
      ...(isEnded ? [] : [`Not converged: ${STATUS[status as keyof typeof STATUS] ?? 'the run did not end'}.`]),
      ...(isMinimum ? [] : ['The end is a saddle or a maximum: f falls along a direction of negative curvature.']),
      ...(isLowest || !isMinimum ? [] : [`There is a smaller value beside the end, ${lowest}: it is no minimum.`]),
      ...(isLower && isEnded
        ? [`${witness} from beside the end of ${method} went on to a smaller value, ${witnessF}.`]
        : []),
      ...(!isBack && isEnded ? [`${witness} from beside the end did not come back to it.`] : []),
      ...(!isTight && !isLower && isEnded
        ? [
            `The slopes at the end still allow a decrease of ${gap.toPrecision(3)}: f may have a kink there, or the run stopped early.`,
          ]
        : []),
      ...(isKnown ? [] : ['The rounding of f could not be bounded.']),
    ],
  };
}
