// Dimensions: by the rules for sums, functions and powers, and once more by numbers, which know nothing of the rules.

import { DomainError } from '../../core/errors.ts';
import { printDimension, sameDimension } from '../../core/units/dimension.ts';
import { dimensionOf, withDefinitions } from '../../expressions/dimensions.ts';
import { RESCALING_TOLERANCE } from '../../expressions/dimensions-rescaled.ts';
import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import { type Complaint, error } from './finding.ts';
import type { Trial } from './trial.ts';

const MEND = 'Check the units of inputs, constants and output; an empirical coefficient is a constant with its unit.';

/** Symbolic: both sides of the equation have one dimension, and so have the parts that must be alike. */
export function checkDimensions({ operator, equation, where, dimensions, output }: Trial): Complaint[] {
  let place = 'where';
  try {
    const known = withDefinitions(where, dimensions);
    place = 'equation';
    const found = dimensionOf(equation.expression, known);
    if (sameDimension(found, output.dimension)) return [];
    const text = `the right side is ${printDimension(found)}, the output's unit ${operator.output.unit} is ${printDimension(output.dimension)}`;
    return [error(text, MEND)];
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    return [error(`${place}: ${fault.message}`, MEND)];
  }
}

/** Numeric: at the examples, the value follows when all base units are rescaled. */
export function checkRescaling(trial: Trial, rows: readonly ExampleRow[], evaluator: Evaluator): Complaint[] {
  const { program, dimensions, output } = trial;
  const deviations = rows.map(({ row }) =>
    evaluator.rescalingDeviation({ program, dimensions, result: output.dimension }, row),
  );
  const at = deviations.findIndex((deviation) => deviation > RESCALING_TOLERANCE);
  if (at < 0) return [];
  const size = Number.isFinite(deviations[at]) ? `by a relative ${deviations[at]?.toExponential(0)}` : 'and has none';
  const text = `in other units example ${rows[at]?.number} is not the same quantity: the value fails to follow ${size}`;
  return [error(text, MEND)];
}
