// Reference values of algebraic equations: each from its syntax tree, with other algorithms than the machine, and with a
// bound of the rounding of all that enters it.

import { type StepBudget, verifyValue } from '../../expressions/verify.ts';
import type { Line } from './lines.ts';
import { innerValues, type Problem } from './problem.ts';

export interface VerifiedRow {
  /** Coherent, by symbol. */
  readonly values: ReadonlyMap<string, number>;
  /** The largest magnitude of the terms of a value, by symbol. */
  readonly scales: ReadonlyMap<string, number>;
  /**
   * Bound of the distance between the machine's value and that of exact decimal numbers, by symbol; ∞ if unknown. Of
   * what was given, its error.
   */
  readonly bounds: ReadonlyMap<string, number>;
  readonly method: string;
  /** The first equation with a finite value but a part that is not finite. */
  readonly undefinedLine: Line | undefined;
}

/**
 * @param start   coherent values of all symbols that no equation of the row computes
 * @param errors  of these values
 * @throws DomainError BUDGET_EXCEEDED
 */
export function verifyRow(
  { algebraic }: Problem,
  start: ReadonlyMap<string, number>,
  errors: ReadonlyMap<string, number>,
  budget: StepBudget,
): VerifiedRow {
  const known = new Map(start);
  const bounds = new Map(errors);
  const scales = new Map<string, number>();
  let undefinedLine: Line | undefined;
  const methods = new Set<string>();
  for (const line of algebraic) {
    const verified = verifyValue(line, innerValues(line, known), budget, innerValues(line, bounds));
    const { reference, method, scale, bound, hasFiniteParts: isWhole } = verified;
    known.set(line.symbol, reference);
    scales.set(line.symbol, scale);
    bounds.set(line.symbol, bound);
    if (!isWhole) undefinedLine ??= line;
    methods.add(method);
  }
  return { values: known, scales, bounds, method: [...methods].join('; '), undefinedLine };
}
