// The checks of one operator: dimensions, examples, and the box of its inputs.

import { checkBranches } from './branches.ts';
import type { Diagnostic } from './diagnostic.ts';
import { checkDimensions, checkRescaling } from './dimensions.ts';
import { checkDomain, checkRanges } from './domain.ts';
import type { Evaluator } from './evaluator.ts';
import { checkStrength } from './example-strength.ts';
import { checkExamples, exampleRows } from './examples.ts';
import type { PreparedOperator } from './prepared-operator.ts';
import { checkPublished, publishedRows } from './published.ts';
import { checkRequirements } from './requirements.ts';
import { samplePoints } from './sampling.ts';
import { checkSensitivity } from './sensitivity.ts';
import { checkStated } from './stated-laws.ts';

/** Points of the box at which an operator is evaluated. */
const POINTS = 64;

/** Of a law with a failing example. */
const UNKNOWN = { mutants: 0, survived: 0, killedByPublished: 0, diagnostics: [] };

export interface OperatorCounts {
  readonly examples: number;
  readonly published: number;
  readonly mutants: number;
  readonly survived: number;
  /** Mutants of laws with published values, and those that these values alone kill. */
  readonly mutantsOfPublished: number;
  readonly killedByPublished: number;
}

export const NO_COUNTS: OperatorCounts = {
  examples: 0,
  published: 0,
  mutants: 0,
  survived: 0,
  mutantsOfPublished: 0,
  killedByPublished: 0,
};

export const addCounts = (a: OperatorCounts, b: OperatorCounts): OperatorCounts => ({
  examples: a.examples + b.examples,
  published: a.published + b.published,
  mutants: a.mutants + b.mutants,
  survived: a.survived + b.survived,
  mutantsOfPublished: a.mutantsOfPublished + b.mutantsOfPublished,
  killedByPublished: a.killedByPublished + b.killedByPublished,
});

export interface OperatorReport {
  readonly counts: OperatorCounts;
  /** By check, in the order in which an author fixes them. */
  readonly diagnostics: readonly (readonly [check: string, diagnostics: readonly Diagnostic[]])[];
}

export function checkOperator(prepared: PreparedOperator, evaluator: Evaluator): OperatorReport {
  const { rows, diagnostics: refused } = exampleRows(prepared);
  const points = samplePoints(prepared, POINTS);
  const wrong = checkExamples(prepared, rows, evaluator);
  const published = publishedRows(prepared);
  const missed = [...published.diagnostics, ...checkPublished(prepared, published.rows, evaluator)];
  // A failing example would kill every mutant.
  const isSound = [refused, wrong, missed].every(({ length }) => length === 0);
  const killers = { examples: rows, published: published.rows };
  const {
    mutants,
    survived,
    killedByPublished,
    diagnostics: weak,
  } = isSound ? checkStrength(prepared, killers, points, evaluator) : UNKNOWN;
  return {
    counts: {
      examples: prepared.operator.examples.length,
      published: published.rows.length,
      mutants,
      survived,
      mutantsOfPublished: published.rows.length === 0 ? 0 : mutants,
      killedByPublished,
    },
    diagnostics: [
      ['stated law', checkStated(prepared, evaluator)],
      ['requirements', checkRequirements(prepared)],
      ['dimensions', checkDimensions(prepared)],
      ['dimensions, numeric', checkRescaling(prepared, rows, evaluator)],
      ['examples', [...refused, ...wrong]],
      ['published', missed],
      ['branches', checkBranches(prepared, rows, evaluator)],
      ['example strength', weak],
      ['sensitivity', checkSensitivity(prepared, rows, points, evaluator)],
      ['domain', [...checkRanges(prepared), ...checkDomain(prepared, rows, points, evaluator)]],
    ],
  };
}
