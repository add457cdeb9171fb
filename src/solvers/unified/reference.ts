// Reference value of a table: evaluates every equation from its syntax tree, with other algorithms than the machine.

import { StepBudget, verifyValue } from '../../expressions/verify.ts';
import type { Line } from './lines.ts';
import { innerValues, type Problem } from './problem.ts';

export interface VerifiedRow {
  /** Coherent, by symbol. */
  readonly values: ReadonlyMap<string, number>;
  /** The largest magnitude of the terms of a value, by symbol. */
  readonly scales: ReadonlyMap<string, number>;
  /** Bound of the rounding error of a value from its own equation, by symbol. */
  readonly bounds: ReadonlyMap<string, number>;
  readonly method: string;
  /** The first equation with a finite value but a part that is not finite. */
  readonly undefinedLine: Line | undefined;
}

/** @param time  t of the row; NaN without t. @throws DomainError BUDGET_EXCEEDED */
export function verifyRow({ algebraic, slots, values }: Problem, time: number): VerifiedRow {
  const known = new Map(slots.map((name, i) => [name, values[i] ?? Number.NaN]));
  if (!Number.isNaN(time)) known.set('t', time);
  const scales = new Map<string, number>();
  const bounds = new Map<string, number>();
  let undefinedLine: Line | undefined;
  const budget = new StepBudget();
  const methods = new Set<string>();
  for (const line of algebraic) {
    const verified = verifyValue(line, innerValues(line, known), budget);
    const { reference, method, scale, bound, hasFiniteParts: isWhole } = verified;
    known.set(line.symbol, reference);
    scales.set(line.symbol, scale);
    bounds.set(line.symbol, Number.isFinite(bound) ? bound : 0);
    if (!isWhole) undefinedLine ??= line;
    methods.add(method);
  }
  return { values: known, scales, bounds, method: [...methods].join('; '), undefinedLine };
}
