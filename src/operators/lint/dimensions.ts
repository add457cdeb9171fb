// Dimensions, checked twice: by the rules for sums, functions and powers, and independently by rescaling all units.

import { DomainError } from '../../core/errors.ts';
import { printDimension, sameDimension } from '../../core/units/dimension.ts';
import { dimensionOf, withDefinitions } from '../../expressions/dimensions.ts';
import { RESCALING_TOLERANCE } from '../../expressions/dimensions-rescaled.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import type { PreparedOperator } from './prepared-operator.ts';

const FIX = 'Check the units of inputs, constants and output; an empirical coefficient is a constant with its unit.';

/** Symbolic: both sides of the equation have one dimension, and so have terms, branches and compared values. */
export function checkDimensions({ operator, equation, where, dimensions, output }: PreparedOperator): Diagnostic[] {
  let place = 'where';
  try {
    const known = withDefinitions(where, dimensions);
    place = 'equation';
    const found = dimensionOf(equation.expression, known);
    if (sameDimension(found, output.dimension)) return [];
    const text = `the right side is ${printDimension(found)}, the output's unit ${operator.output.unit} is ${printDimension(output.dimension)}`;
    return [error(text, FIX)];
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    return [error(`${place}: ${fault.message}`, FIX)];
  }
}

/** Numeric: at the examples, the value scales with its dimension when all base units are rescaled. */
export function checkRescaling(
  prepared: PreparedOperator,
  rows: readonly ExampleRow[],
  evaluator: Evaluator,
): Diagnostic[] {
  const { program, dimensions, output } = prepared;
  const deviations = rows.map(({ row }) =>
    evaluator.rescalingDeviation({ program, dimensions, result: output.dimension }, row),
  );
  const at = deviations.findIndex((deviation) => deviation > RESCALING_TOLERANCE);
  if (at < 0) return [];
  const size = Number.isFinite(deviations[at])
    ? `it differs by a relative ${deviations[at]?.toExponential(0)}`
    : 'it has no value';
  const text = `in other units example ${rows[at]?.number} is not the same quantity: ${size}`;
  return [error(text, FIX)];
}
