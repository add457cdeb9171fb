// Why a formula has no value: which part of it divides by zero, is undefined, or overflows.

import type { ErrorCode } from '../core/errors.ts';
import { printExpression } from './print.ts';
import type { Expression } from './tree.ts';
import type { Visit } from './verify.ts';

export interface Cause {
  readonly code: ErrorCode;
  /** A clause: `in a/b the divisor is 0`. */
  readonly reason: string;
}

/**
 * @param value  infinite or NaN
 * @param walk  evaluates the formula from its tree and calls the visitor for every node
 */
export function findCause(value: number, walk: (visit: Visit) => void): Cause {
  let found: Cause | undefined;
  walk((node, part, operands) => {
    // Nodes are visited after their children, so the first that is not finite is the cause.
    if (found === undefined && !Number.isFinite(part)) found = causeOf(node, part, operands);
  });
  if (found !== undefined) return found;
  return Number.isNaN(value)
    ? { code: 'VALUE_UNDEFINED', reason: 'its formula is not defined for these inputs' }
    : { code: 'NUMERIC_OVERFLOW', reason: 'it is beyond the largest number, 1.8e308' };
}

function causeOf(node: Expression, value: number, operands: readonly number[]): Cause {
  const text = printExpression(node);
  const where = operands.length === 0 ? '' : ` at ${operands.join(', ')}`;
  const [, second] = operands;
  if (node.kind === 'binary' && node.operator === '/' && second === 0) {
    return { code: 'DIVISION_BY_ZERO', reason: `in ${text} the divisor is 0` };
  }
  if (node.kind === 'binary' && node.operator === '^' && operands[0] === 0 && value === Number.POSITIVE_INFINITY) {
    return { code: 'DIVISION_BY_ZERO', reason: `in ${text} a power of 0 has the negative exponent ${second}` };
  }
  if (Number.isNaN(value) || (node.kind === 'call' && isPole(node.name, operands))) {
    return { code: 'VALUE_UNDEFINED', reason: `${text} is not defined${where}` };
  }
  return { code: 'NUMERIC_OVERFLOW', reason: `${text}${where} is beyond the largest number, 1.8e308` };
}

/** Poles at finite arguments. The argument of Bessel's K is the second one. */
const POLES: ReadonlyMap<string, (x: number, y: number) => boolean> = new Map<
  string,
  (x: number, y: number) => boolean
>([
  ['log', (x) => x === 0],
  ['log10', (x) => x === 0],
  ['log2', (x) => x === 0],
  ['log1p', (x) => x === -1],
  ['atanh', (x) => Math.abs(x) === 1],
  ['gamma', (x) => Number.isInteger(x) && x <= 0],
  ['lgamma', (x) => Number.isInteger(x) && x <= 0],
  ['zeta', (x) => x === 1],
  ['ellipk', (x) => x === 1],
  ['norminv', (x) => x === 0 || x === 1],
  ['expint1', (x) => x === 0],
  ['besselk', (_, y) => y === 0],
]);

function isPole(name: string, [x = Number.NaN, y = Number.NaN]: readonly number[]): boolean {
  return POLES.get(name)?.(x, y) === true;
}
