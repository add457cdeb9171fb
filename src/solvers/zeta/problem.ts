// The problem of a request: the window of t, and the Gram points that the search starts from.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import { choice, real, whole } from '../parts/inputs.ts';
import { gramPoint, meanGap, RULE_FROM, smoothCount, theta } from './gram.ts';

const TASKS = ['count', 'list', 'zero_k', 'verify', 'plot_Z'] as const;
const { maxT } = LIMITS.zeta;

export const inputs = z.strictObject({
  task: choice('count, list or verify the zeros of a window; find one by its number; or draw Z(t)', TASKS),
  t_min: real('Start of the window on the critical line 1/2 + it', { unit: '1', min: 0, max: maxT, default: 0 }),
  t_max: real('End of the window', { unit: '1', min: 10, max: maxT, default: 1000 }),
  k: whole('zero_k: the number of the zero, counted from 1 at 14.13', {
    min: 1,
    max: LIMITS.zeta.maxNumber,
    default: 1,
  }),
  rs_terms: whole('Corrections C1 … of the Riemann–Siegel formula after C0', { min: 0, max: 4, default: 4 }),
  refine_tol: real('Width to which a zero is narrowed at least', { unit: '1', min: 1e-12, max: 1e-2, default: 1e-9 }),
  rosser: z
    .boolean()
    .default(true)
    .describe("Samples each Gram block until Rosser's rule holds; else halves each Gram interval three times")
    .meta({ unit: '1' }),
  turing: z.boolean().default(true).describe("Proves the count by Turing's method").meta({ unit: '1' }),
  points: whole('Samples of Z in pictures', { min: 50, max: 5_000, default: 400 }),
});

export type ZetaInput = z.output<typeof inputs>;

export interface Problem {
  readonly tMin: number;
  readonly tMax: number;
  /** Gram point to start at: −1 for all zeros from the first. */
  readonly from: number;
  readonly near: number;
  /** The number of the zero to find; 0 for none. */
  readonly target: number;
  readonly locatesAll: boolean;
  /** Samples of Z; 0 for none. */
  readonly points: number;
  /** Zeros that the run may meet. */
  readonly expected: number;
}

/** Gram intervals before the window, for the blocks that prove the count before it. */
const LEAD = 60;
/** The zero k lies within so many Gram intervals of its Gram point: |S(t)| is below 3 up to here. */
const REACH = 5;
const FIRST_GRAM = 9.66690805613019;
/** Windows that start below it are searched from the first zero on. */
const FROM_START = 1_000;
/** The curve of Z is drawn with the zeros of a list up to so many. */
const DRAWN_ZEROS = 150;

/** @throws DomainError VALIDATION_FAILED: an empty window, or more zeros than the limit */
export function problemOf(input: ZetaInput): Problem {
  const { task, k } = input;
  if (task === 'zero_k') {
    const [tMin, tMax] = [k <= REACH ? 0 : gramPoint(k - 2 - REACH), gramPoint(k - 2 + REACH)];
    return { ...startOf(tMin), tMin, tMax, target: k, locatesAll: false, points: input.points, expected: 2 * REACH };
  }
  const { t_min: tMin, t_max: tMax } = input;
  if (tMin >= tMax)
    throw validationError('t_max', `t_max is ${tMax}; the window needs more than t_min = ${tMin}.`, 'OUT_OF_RANGE');
  const expected = Math.ceil(smoothCount(tMax) - (tMin < 14 ? 0 : smoothCount(tMin))) + 10;
  const max = task === 'list' ? LIMITS.zeta.listed : LIMITS.zeta.counted;
  if (expected > max) {
    const message =
      `t_max is ${tMax}; the window holds about ${expected} zeros, task ${task} allows ${max}. ` +
      'The quantity zeros_up_to_t_max needs a short window only.';
    throw validationError('t_max', message, 'OUT_OF_RANGE', { max });
  }
  const isDrawn = task === 'plot_Z' || (task === 'list' && expected <= DRAWN_ZEROS);
  return {
    ...startOf(tMin),
    tMin,
    tMax,
    target: 0,
    locatesAll: task === 'list' || (task === 'plot_Z' && expected <= LIMITS.zeta.listed),
    points: isDrawn ? input.points : 0,
    expected,
  };
}

function startOf(tMin: number): Pick<Problem, 'from' | 'near'> {
  if (tMin < FROM_START) return { from: -1, near: FIRST_GRAM };
  return { from: Math.floor(theta(tMin) / Math.PI) - LEAD, near: tMin - LEAD * meanGap(tMin) };
}

/** Whether the run counts from the first zero on, so that nothing before the window is to be proved. */
export const isFromStart = ({ from }: Problem): boolean => from === -1;

/** The t up to which zeros are searched at least. */
export const searchedTo = ({ tMax }: Problem, isProved: boolean): number =>
  isProved ? Math.max(tMax, RULE_FROM) : tMax;
