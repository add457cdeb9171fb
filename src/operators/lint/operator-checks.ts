// The checks of one operator: dimensions, examples, and the box of its inputs.

import { checkBranches } from './branches.ts';
import type { Diagnostic } from './diagnostic.ts';
import { checkDimensions, checkRescaling } from './dimensions.ts';
import { checkDomain, checkRanges } from './domain.ts';
import type { Evaluator } from './evaluator.ts';
import { checkStrength } from './example-strength.ts';
import { checkExamples, exampleRows } from './examples.ts';
import type { PreparedOperator } from './prepared-operator.ts';
import { checkPublished } from './published.ts';
import { checkRequirements } from './requirements.ts';
import { samplePoints } from './sampling.ts';
import { checkSensitivity } from './sensitivity.ts';
import { checkStated } from './stated-laws.ts';

/** Points of the box at which an operator is evaluated. */
const POINTS = 64;

export interface OperatorReport {
  readonly examples: number;
  readonly mutants: number;
  readonly survived: number;
  /** By check, in the order in which an author fixes them. */
  readonly diagnostics: readonly (readonly [check: string, diagnostics: readonly Diagnostic[]])[];
}

export function checkOperator(prepared: PreparedOperator, evaluator: Evaluator): OperatorReport {
  const { rows, diagnostics: refused } = exampleRows(prepared);
  const points = samplePoints(prepared, POINTS);
  const wrong = checkExamples(prepared, rows, evaluator);
  // A failing example would kill every mutant.
  const isSound = refused.length === 0 && wrong.length === 0;
  const {
    mutants,
    survived,
    diagnostics: weak,
  } = isSound ? checkStrength(prepared, rows, points, evaluator) : { mutants: 0, survived: 0, diagnostics: [] };
  return {
    examples: prepared.operator.examples.length,
    mutants,
    survived,
    diagnostics: [
      ['stated law', checkStated(prepared, evaluator)],
      ['requirements', checkRequirements(prepared)],
      ['dimensions', checkDimensions(prepared)],
      ['dimensions, numeric', checkRescaling(prepared, rows, evaluator)],
      ['examples', [...refused, ...wrong]],
      ['published', checkPublished(prepared, evaluator)],
      ['branches', checkBranches(prepared, rows, evaluator)],
      ['example strength', weak],
      ['sensitivity', checkSensitivity(prepared, rows, points, evaluator)],
      ['domain', [...checkRanges(prepared), ...checkDomain(prepared, rows, points, evaluator)]],
    ],
  };
}
