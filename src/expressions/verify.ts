// The value of a formula a second way, independent of the machine and of the code that it runs.

import { evaluatePrecisely, type Formula, type Outcome, type Values } from './precise/evaluate.ts';
import type { Expression } from './tree.ts';

export type { Formula };

/** Told of every part after its own parts. */
export type Visit = (node: Expression, value: number, parts: readonly number[]) => void;

export interface Verified {
  readonly reference: number;
  /** In words, for the receipt. */
  readonly method: string;
  /** The largest magnitude that the value was summed up from. */
  readonly scale: number;
  /** How far rounding in doubles may have moved the value, all at its worst; ∞ where nothing is known. */
  readonly bound: number;
  /** Whether every part that the value was made of is finite; where one is not, a finite value says nothing. */
  readonly isWhole: boolean;
}

/** @param values  of every symbol */
export function verifyValue(formula: Formula, values: Values): Verified {
  const { value, method, scale, bound, isWhole } = evaluatePrecisely(formula, values);
  return { reference: value, method, scale, bound, isWhole };
}

/**
 * The parts of a value that the machine did not get, for saying where it was lost. Where every part is finite here, the
 * machine's roundings have met an edge that the value only lies beside: then such a part is told of as the machine
 * may have seen it, without a value, and a divisor there as 0.
 */
export function traceValue(formula: Formula, values: Values, visit: Visit): void {
  const told: (readonly [node: Expression, outcome: Outcome, parts: readonly Outcome[]])[] = [];
  evaluatePrecisely(formula, values, (...part) => void told.push(part));
  const isLostHere = told.some(([, { value }]) => !Number.isFinite(value));
  for (const [node, outcome, parts] of told) {
    const isAtEdge = !isLostHere && outcome.spread === Number.POSITIVE_INFINITY && parts.every(isBounded);
    const numbers = parts.map((part) => (isAtEdge && node.kind === 'binary' && mayBeZero(part) ? 0 : part.value));
    visit(node, isAtEdge ? Number.NaN : outcome.value, numbers);
  }
}

const isBounded = ({ spread }: Outcome) => spread < Number.POSITIVE_INFINITY;
const mayBeZero = ({ value, spread }: Outcome) => Math.abs(value) <= spread;
