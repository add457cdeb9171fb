// A second evaluation of a formula, independent of the expression machine and of its byte code.

import { evaluatePrecisely, type Formula, type Outcome, StepBudget, type Values } from './precise/evaluate.ts';
import type { Expression } from './tree.ts';

export type { Formula };
export { StepBudget };

/** Called for every node, after its children. */
export type Visit = (node: Expression, value: number, parts: readonly number[]) => void;

export interface Verified {
  readonly reference: number;
  /** Description of the method, for the receipt. */
  readonly method: string;
  /** The largest magnitude among the summands of the value. */
  readonly scale: number;
  /** Bound of the rounding error of an evaluation in doubles; ∞ if unknown. */
  readonly bound: number;
  /** Whether every intermediate value is finite; otherwise a finite value is meaningless. */
  readonly hasFiniteParts: boolean;
}

/**
 * @param values  of every symbol
 * @param budget  shared with other evaluations of a request
 * @param errors  of the symbols, if the bound should count them and the rounding of decimal numbers
 * @throws DomainError BUDGET_EXCEEDED beyond that budget
 */
export function verifyValue(formula: Formula, values: Values, budget?: StepBudget, errors?: Values): Verified {
  const { value, method, scale, bound, hasFiniteParts } = evaluatePrecisely(formula, values, undefined, budget, errors);
  return { reference: value, method, scale, bound, hasFiniteParts };
}

/**
 * Visits the parts of a formula that has no value in the machine, to find the part without one. If every part is finite
 * here, rounding in the machine has reached a singularity close to the exact value: such a part is then visited with
 * NaN as its value, and its divisor as 0.
 */
export function traceValue(formula: Formula, values: Values, visit: Visit): void {
  const visited: (readonly [node: Expression, outcome: Outcome, parts: readonly Outcome[]])[] = [];
  evaluatePrecisely(formula, values, (...part) => void visited.push(part));
  const isUndefinedHere = visited.some(([, { value }]) => !Number.isFinite(value));
  for (const [node, outcome, parts] of visited) {
    const isAtSingularity =
      !isUndefinedHere && outcome.errorBound === Number.POSITIVE_INFINITY && parts.every(isBounded);
    const numbers = parts.map((part) =>
      isAtSingularity && node.kind === 'binary' && mayBeZero(part) ? 0 : part.value,
    );
    visit(node, isAtSingularity ? Number.NaN : outcome.value, numbers);
  }
}

const isBounded = ({ errorBound }: Outcome) => errorBound < Number.POSITIVE_INFINITY;
const mayBeZero = ({ value, errorBound }: Outcome) => Math.abs(value) <= errorBound;
