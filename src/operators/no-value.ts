// The error for an operator without a value; names the part of the formula that causes it.

import { DomainError } from '../core/errors.ts';
import { findCause } from '../expressions/no-value.ts';
import type { Visit } from '../expressions/verify.ts';
import type { OperatorDefinition } from './operator.ts';

/**
 * @param value  infinite or NaN
 * @param walk  evaluates the formula from its tree and calls the visitor for every node
 */
export function noValue(
  { id, name, output }: OperatorDefinition,
  value: number,
  walk: (visit: Visit) => void,
): DomainError {
  const { code, reason } = findCause(value, walk);
  const message = `${id} (${name}) has no value ${output.symbol}: ${reason}.`;
  return new DomainError(code, message, { facts: { operator_id: id } });
}
