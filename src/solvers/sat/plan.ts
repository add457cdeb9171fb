// The kernel run of a problem, and its estimated cost.

import { powerOfTwo } from '../../core/elementary.ts';
import { LIMITS } from '../../core/limits.ts';
import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import type { SatFace } from './face.ts';
import { SAT_FACE } from './face.ts';
import { type Problem, problemOf, type SatInput } from './problem.ts';

const HEURISTICS = ['moms', 'jw', 'dlis', 'first'] as const satisfies readonly SatInput['heuristic'][];

export function planOf(input: SatInput): Plan<SatFace> {
  const problem = problemOf(input);
  const { formula, assumptions, maxWork } = problem;
  const { variables, clauseCount, words } = formula;
  const isLearning = input.method === 'cdcl';
  const learntWords = isLearning ? roomOf(variables, 12, LIMITS.sat.learntWords) : 0;
  const proofWords = input.count_models ? 0 : roomOf(variables, 6, LIMITS.sat.proofWords);
  // Four bytes a word, and what the kernel reserves by variable and clause; watches take eight bytes for each word.
  const searchBytes = isLearning
    ? 12 * (words.length + clauseCount + learntWords) + 216 * variables
    : 8 * words.length + 20 * clauseCount + 42 * variables;
  const longestNs = Math.min(input.time_limit * 1e9, powerOfTwo(Math.min(variables, 60)) * 1_000);
  return {
    runs: [
      {
        parameters: {
          variables,
          clauses: clauseCount,
          words: words.length,
          assumptions: assumptions.length,
          isLearning: Number(isLearning),
          heuristic: HEURISTICS.indexOf(input.heuristic),
          isCounting: Number(input.count_models),
          maxDecisions: input.max_decisions,
          maxWork,
          learntWords,
          proofWords,
        },
        inputs: { literals: words, assumptions },
        // A bound: conflicts are at most as many as decisions and the levels of assumptions that they take back.
        steps: 4 * input.max_decisions + 1_000,
        outputs: ['model', 'depths', 'proof', 'core'],
        statistics: SAT_FACE.statistics,
      },
    ],
    estimateNs: 60_000 + 100 * words.length + longestNs,
    collectNs: collectNsOf(problem, longestNs),
    estimateBytes: INSTANCE_BYTES + 8 * words.length + 4 * clauseCount + 30 * variables + 8 * proofWords + searchBytes,
  };
}

const collectNsOf = ({ formula }: Problem, longestNs: number): number => 200 * formula.words.length + longestNs;

/** Room that doubles with every `step` variables, between 4,096 words and the limit. */
const roomOf = (variables: number, step: number, max: number): number =>
  Math.min(max, 4_096 * powerOfTwo(Math.min(Math.round(variables / step), 30)));
