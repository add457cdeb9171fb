// Domain: the law has a finite value all over the box that min and max declare.

import { faultOf } from '../range.ts';
import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import { type Complaint, error, warning } from './finding.ts';
import { boundsOf } from './sampling.ts';
import { rowOf, type Trial } from './trial.ts';

const LEAST_FINITE = 0.9;

/** Limits in order, and a default inside them. */
export function checkRanges({ inputs }: Trial): Complaint[] {
  return inputs.flatMap(({ name, declared }) => {
    const { min, max, default: given } = declared;
    const complaints: Complaint[] = [];
    if (min !== undefined && max !== undefined && min >= max) {
      complaints.push(error(`${name} goes from ${min} to ${max}`, 'The max is larger than the min.'));
    }
    if (given !== undefined && faultOf(given, declared) !== undefined) {
      complaints.push(error(`the default of ${name} ${faultOf(given, declared)}`, 'A default is an allowed value.'));
    }
    return complaints;
  });
}

/** @param points  values of the inputs over the box, in coherent SI */
export function checkDomain(
  trial: Trial,
  examples: readonly ExampleRow[],
  points: readonly (readonly number[])[],
  evaluator: Evaluator,
): Complaint[] {
  const values = evaluator.values(
    trial.program,
    points.map((point) => rowOf(trial, point)),
  );
  const finite = values.filter(Number.isFinite).length;
  const share = finite / values.length;
  const complaints: Complaint[] = [];
  if (share < 1) {
    const worst = points[values.findIndex((value) => !Number.isFinite(value))] ?? [];
    const at = trial.inputs.map(({ name, unit }, i) => `${name} = ${((worst[i] ?? 0) / unit.factor).toPrecision(3)}`);
    const text = `${Math.floor(100 * share)} % of the declared box has a finite value; none at ${at.join(', ')}`;
    const judge = share < LEAST_FINITE ? error : warning;
    complaints.push(
      judge(text, 'Narrow min and max to where the law holds; an end that is not declared is sampled far out.'),
    );
  }
  return [...complaints, ...edges(trial, examples, evaluator)];
}

/** Limits are allowed values, so the law should have a value there, everything else being as in an example. */
function edges(trial: Trial, examples: readonly ExampleRow[], evaluator: Evaluator): Complaint[] {
  const base = examples[0]?.row.slice(0, trial.inputs.length);
  if (base === undefined) return [];
  const ends = trial.inputs.flatMap((input, i) => {
    const { least, most } = boundsOf(trial, input);
    const { min, max } = input.declared;
    return [
      ...(min === undefined
        ? []
        : [{ name: input.name, end: 'min', value: least, row: base.with(i, least * input.unit.factor) }]),
      ...(max === undefined
        ? []
        : [{ name: input.name, end: 'max', value: most, row: base.with(i, most * input.unit.factor) }]),
    ];
  });
  const values = evaluator.values(
    trial.program,
    ends.map(({ row }) => rowOf(trial, row)),
  );
  return ends
    .filter((_, i) => !Number.isFinite(values[i]))
    .map(({ name, end, value }) => {
      const text = `no finite value at the ${end} of ${name} (${value}), the rest as in example 1`;
      return warning(text, 'Limits are allowed values: declare the smallest or largest that the law can take.');
    });
}
