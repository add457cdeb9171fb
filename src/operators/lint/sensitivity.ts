// Sensitivity: every input moves the value somewhere in its range. What does not is padding: `z - z`, `0*z`.

import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import { type Complaint, error } from './finding.ts';
import { rowOf, type Trial } from './trial.ts';

/** A smaller relative change may be rounding. */
const LEAST_CHANGE = 1e-9;
/** Points from which one input is moved, and places that it is moved to. */
const BASES = 6;
const MOVES = 6;

/** @param points  values of the inputs over the box, in coherent SI */
export function checkSensitivity(
  trial: Trial,
  examples: readonly ExampleRow[],
  points: readonly (readonly number[])[],
  evaluator: Evaluator,
): Complaint[] {
  const count = trial.inputs.length;
  const bases = [...examples.map(({ row }) => row.slice(0, count)), ...points.slice(0, BASES)];
  const still = trial.inputs.filter((_, i) => {
    const targets = points.slice(-MOVES).map((point) => point[i] ?? 0);
    const rows = bases.flatMap((base) => [base, ...targets.map((target) => base.with(i, target))]);
    const values = evaluator.values(
      trial.program,
      rows.map((row) => rowOf(trial, row)),
    );
    return !bases.some((_base, b) => {
      const [at = Number.NaN, ...moved] = values.slice(b * (MOVES + 1), (b + 1) * (MOVES + 1));
      return moved.some((value) => isMoved(at, value));
    });
  });
  return still.map(({ name }) =>
    error(
      `${name} does not move the value anywhere in its range`,
      'Remove what cancels, or give the input its true range.',
    ),
  );
}

function isMoved(before: number, after: number): boolean {
  if (!Number.isFinite(before) || !Number.isFinite(after)) return false;
  return Math.abs(after - before) > LEAST_CHANGE * Math.max(Math.abs(before), Math.abs(after));
}
