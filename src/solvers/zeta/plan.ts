// The kernel run of a problem, and its estimated cost.

import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { ZETA_FACE, type ZetaFace } from './face.ts';
import { blocksNeeded, RULE_FROM, smoothCount } from './gram.ts';
import { isFromStart, problemOf, searchedTo, type ZetaInput } from './problem.ts';

/** Zeros behind the window that the search may meet: 200 blocks at most. */
const SPARE = 2_000;
/** Evaluations of Z by zero: of the search, and to locate it. */
const SEARCHED = 3;
const LOCATED = 14;

export function planOf(input: ZetaInput): Plan<ZetaFace> {
  const problem = problemOf(input);
  const { tMin, tMax, from, near, target, locatesAll, points, expected } = problem;
  const end = searchedTo(problem, input.turing);
  const met = isFromStart(problem) ? Math.ceil(smoothCount(Math.max(end, 20))) : expected + 200;
  const located = locatesAll ? expected : 6;
  return {
    runs: [
      {
        parameters: {
          tMin,
          tMax,
          from,
          near,
          corrections: input.rs_terms + 1,
          isGuided: Number(input.rosser),
          blocks: input.turing ? blocksNeeded(2 * end + 1_000) : 0,
          ruleFrom: input.turing ? RULE_FROM : 0,
          locateAll: Number(locatesAll),
          target,
          tolerance: input.refine_tol,
          capacity: met + SPARE,
          points,
        },
        // A bound: one step a block, a zero, or 64 samples.
        steps: met + SPARE + located + points + 100,
        outputs: ['zeros', 'exceptions', 'tally', 'curve'],
        statistics: ZETA_FACE.statistics,
      },
    ],
    estimateNs: 200_000 + SEARCHED * met * costOf(end, false) + (LOCATED * located + points) * costOf(end, true),
    collectNs: 2_000 * (met + points) + (tMin < 14 ? 1 : 2) * (tMax / 2) * 500,
    estimateBytes: INSTANCE_BYTES + 80 * (met + SPARE) + 8 * points + 200_000,
  };
}

/** Nanoseconds of one evaluation of Z: Riemann–Siegel, or a longer sum below 2400 where the value matters. */
const costOf = (t: number, isRefined: boolean): number =>
  isRefined && t < 2_400 ? 15 * t + 500 : 350 + 4 * Math.sqrt(t / (2 * Math.PI));
