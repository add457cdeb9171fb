// Why a formula has no value: which part of it divides by zero, is not defined, or grows too large.

import type { ErrorCode } from '../core/errors.ts';
import { printExpression } from './print.ts';
import type { Expression } from './tree.ts';
import type { Visit } from './verify.ts';

export interface Finding {
  readonly code: ErrorCode;
  /** A clause: `in a/b the divisor is 0`. */
  readonly reason: string;
}

/**
 * @param value  what came out: infinite or NaN
 * @param walk  evaluates the formula from its tree and tells of every part
 */
export function findLoss(value: number, walk: (visit: Visit) => void): Finding {
  let found: Finding | undefined;
  walk((node, part, operands) => {
    // Parts are told of before what they are parts of, so the first that is not finite is the cause.
    if (found === undefined && !Number.isFinite(part)) found = findingOf(node, part, operands);
  });
  if (found !== undefined) return found;
  return Number.isNaN(value)
    ? { code: 'VALUE_UNDEFINED', reason: 'its formula is not defined for these inputs' }
    : { code: 'NUMERIC_OVERFLOW', reason: 'it is beyond the largest number, 1.8e308' };
}

function findingOf(node: Expression, value: number, operands: readonly number[]): Finding {
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

/** Functions that are infinite at a finite number, each with the places; Bessel's K has its argument behind its order. */
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
