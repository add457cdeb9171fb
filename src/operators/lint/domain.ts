// Domain: the law has a finite value everywhere in the box that min and max declare.

import { unmetBy } from '../evaluate.ts';
import { faultOf } from '../range.ts';
import { type Diagnostic, error, warning } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import { type PreparedOperator, rowOf, valuesAt } from './prepared-operator.ts';
import { boundsOf } from './sampling.ts';

const MIN_FINITE_SHARE = 0.9;

/** min < max, and a default between them. */
export function checkRanges({ inputs }: PreparedOperator): Diagnostic[] {
  return inputs.flatMap(({ name, declared }) => {
    const { min, max, default: given, enum: allowed } = declared;
    const diagnostics: Diagnostic[] = [];
    if (min !== undefined && max !== undefined && min >= max) {
      diagnostics.push(error(`${name} goes from ${min} to ${max}`, 'The max must exceed the min.'));
    }
    if (allowed !== undefined && [min, max, declared.integer].some((limit) => limit !== undefined)) {
      diagnostics.push(error(`${name} has a list of allowed numbers and a range`, 'Give one of the two.'));
    }
    if (given !== undefined && faultOf(given, declared) !== undefined) {
      diagnostics.push(
        error(`the default of ${name} ${faultOf(given, declared)}`, 'A default must be an allowed value.'),
      );
    }
    return diagnostics;
  });
}

/** @param points  values of the inputs over the box, in coherent SI */
export function checkDomain(
  prepared: PreparedOperator,
  examples: readonly ExampleRow[],
  points: readonly (readonly number[])[],
  evaluator: Evaluator,
): Diagnostic[] {
  const values = evaluator.values(
    prepared.program,
    points.map((point) => rowOf(prepared, point)),
  );
  const finite = values.filter(Number.isFinite).length;
  const share = finite / values.length;
  const diagnostics: Diagnostic[] = [];
  if (share < 1) {
    const worst = points[values.findIndex((value) => !Number.isFinite(value))] ?? [];
    const at = prepared.inputs.map(
      ({ name, unit }, i) => `${name} = ${((worst[i] ?? 0) / unit.factor).toPrecision(3)}`,
    );
    const text = `${Math.floor(100 * share)} % of the declared box has a finite value; none at ${at.join(', ')}`;
    const report = share < MIN_FINITE_SHARE ? error : warning;
    diagnostics.push(
      report(
        text,
        'Narrow min and max to where the law holds; an undeclared limit is sampled far beyond the examples.',
      ),
    );
  }
  return [...diagnostics, ...checkLimits(prepared, examples, evaluator)];
}

/** Limits are allowed values: the law should have a value there with all other inputs as in the first example. */
function checkLimits(prepared: PreparedOperator, examples: readonly ExampleRow[], evaluator: Evaluator): Diagnostic[] {
  const base = examples[0]?.row.slice(0, prepared.inputs.length);
  if (base === undefined) return [];
  const ends = prepared.inputs.flatMap((input, i) => {
    const { lower, upper } = boundsOf(prepared, input);
    const { min, max } = input.declared;
    return [
      ...(min === undefined
        ? []
        : [{ name: input.name, end: 'min', value: lower, row: base.with(i, lower * input.unit.factor) }]),
      ...(max === undefined
        ? []
        : [{ name: input.name, end: 'max', value: upper, row: base.with(i, upper * input.unit.factor) }]),
    ];
  });
  const allowed = ends.filter(({ row }) => unmetBy(prepared.operator, valuesAt(prepared, row)).length === 0);
  const values = evaluator.values(
    prepared.program,
    allowed.map(({ row }) => rowOf(prepared, row)),
  );
  return allowed
    .filter((_, i) => !Number.isFinite(values[i]))
    .map(({ name, end, value }) => {
      const text = `no finite value at the ${end} of ${name} (${value}), the rest as in example 1`;
      return warning(
        text,
        'Limits are allowed values: declare the smallest or largest value for which the law is defined.',
      );
    });
}
