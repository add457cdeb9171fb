// Sensitivity: every input changes the value somewhere in its range. Otherwise it has no effect: `z - z`, `0*z`.

import { type Diagnostic, error } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import { type PreparedOperator, rowOf } from './prepared-operator.ts';

/** Smaller relative changes may be rounding. */
const MIN_CHANGE = 1e-9;
/** Sample points from which one input is varied, and the number of its other values. */
const BASES = 6;
const VARIATIONS = 6;

/** @param points  values of the inputs over the box, in coherent SI */
export function checkSensitivity(
  prepared: PreparedOperator,
  examples: readonly ExampleRow[],
  points: readonly (readonly number[])[],
  evaluator: Evaluator,
): Diagnostic[] {
  const count = prepared.inputs.length;
  const bases = [...examples.map(({ row }) => row.slice(0, count)), ...points.slice(0, BASES)];
  const insensitive = prepared.inputs.filter((_, i) => {
    const targets = points.slice(-VARIATIONS).map((point) => point[i] ?? 0);
    const rows = bases.flatMap((base) => [base, ...targets.map((target) => base.with(i, target))]);
    const values = evaluator.values(
      prepared.program,
      rows.map((row) => rowOf(prepared, row)),
    );
    return !bases.some((_base, b) => {
      const [at = Number.NaN, ...varied] = values.slice(b * (VARIATIONS + 1), (b + 1) * (VARIATIONS + 1));
      return varied.some((value) => isChanged(at, value));
    });
  });
  return insensitive.map(({ name }) =>
    error(
      `${name} does not change the value anywhere in its range`,
      'Remove what cancels, or give the input its true range.',
    ),
  );
}

function isChanged(before: number, after: number): boolean {
  if (!Number.isFinite(before) || !Number.isFinite(after)) return false;
  return Math.abs(after - before) > MIN_CHANGE * Math.max(Math.abs(before), Math.abs(after));
}
