// Why an operator has no value: which part of its formula divides by zero, is not defined, or grows too large.

import { DomainError, type ErrorCode } from '../core/errors.ts';
import { printExpression } from '../expressions/print.ts';
import type { Expression } from '../expressions/tree.ts';
import type { Visit } from '../expressions/verify.ts';
import type { OperatorDefinition } from './operator.ts';

interface Finding {
  readonly code: ErrorCode;
  readonly reason: string;
}

/**
 * @param value  what came out: infinite or NaN
 * @param walk  evaluates the formula from its tree and tells of every part
 */
export function noValue(
  { id, name, output }: OperatorDefinition,
  value: number,
  walk: (visit: Visit) => void,
): DomainError {
  let found: Finding | undefined;
  walk((node, part, operands) => {
    // Parts are told of before what they are parts of, so the first that is not finite is the cause.
    if (found === undefined && !Number.isFinite(part)) found = findingOf(node, part, operands);
  });
  const { code, reason } = found ?? findingOfValue(value);
  const message = `${id} (${name}) has no value ${output.symbol}: ${reason}.`;
  return new DomainError(code, message, { facts: { operator_id: id } });
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

/** Elementary functions with a pole in reach of a finite number. */
function isPole(name: string, [x = Number.NaN]: readonly number[]): boolean {
  if (name === 'log' || name === 'log10' || name === 'log2') return x === 0;
  if (name === 'log1p') return x === -1;
  return name === 'atanh' && Math.abs(x) === 1;
}

function findingOfValue(value: number): Finding {
  return Number.isNaN(value)
    ? { code: 'VALUE_UNDEFINED', reason: 'its formula is not defined for these inputs' }
    : { code: 'NUMERIC_OVERFLOW', reason: 'it is beyond the largest number, 1.8e308' };
}
