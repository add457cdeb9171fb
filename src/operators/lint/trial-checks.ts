// All that is tried with one operator: its dimensions, its examples, and its box.

import { checkBranches } from './branches.ts';
import { checkDimensions, checkRescaling } from './dimensions.ts';
import { checkDomain, checkRanges } from './domain.ts';
import type { Evaluator } from './evaluator.ts';
import { checkExamples, exampleRows } from './examples.ts';
import type { Complaint } from './finding.ts';
import { samplePoints } from './sampling.ts';
import { checkSensitivity } from './sensitivity.ts';
import { checkStated } from './stated-laws.ts';
import { checkStrength } from './strength.ts';
import type { Trial } from './trial.ts';

/** Points of the box that an operator is tried at. */
const POINTS = 64;

export interface TrialReport {
  readonly examples: number;
  readonly mutants: number;
  readonly alive: number;
  /** By check, in the order in which a reader mends them. */
  readonly complaints: readonly (readonly [check: string, complaints: readonly Complaint[]])[];
}

export function checkTrial(trial: Trial, evaluator: Evaluator): TrialReport {
  const { rows, complaints: refused } = exampleRows(trial);
  const points = samplePoints(trial, POINTS);
  const wrong = checkExamples(trial, rows, evaluator);
  // An example that the law itself misses would notice every mutant.
  const isSound = refused.length === 0 && wrong.length === 0;
  const {
    mutants,
    alive,
    complaints: weak,
  } = isSound ? checkStrength(trial, rows, points, evaluator) : { mutants: 0, alive: 0, complaints: [] };
  return {
    examples: trial.operator.examples.length,
    mutants,
    alive,
    complaints: [
      ['stated law', checkStated(trial)],
      ['dimensions', checkDimensions(trial)],
      ['dimensions, numeric', checkRescaling(trial, rows, evaluator)],
      ['examples', [...refused, ...wrong]],
      ['branches', checkBranches(trial, rows, evaluator)],
      ['example strength', weak],
      ['sensitivity', checkSensitivity(trial, rows, points, evaluator)],
      ['domain', [...checkRanges(trial), ...checkDomain(trial, rows, points, evaluator)]],
    ],
  };
}
