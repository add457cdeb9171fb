// The refusal of an operator that has no value, with the part of its formula that is to blame.

import { DomainError } from '../core/errors.ts';
import { findLoss } from '../expressions/no-value.ts';
import type { Visit } from '../expressions/verify.ts';
import type { OperatorDefinition } from './operator.ts';

/**
 * @param value  what came out: infinite or NaN
 * @param walk  evaluates the formula from its tree and tells of every part
 */
export function noValue(
  { id, name, output }: OperatorDefinition,
  value: number,
  walk: (visit: Visit) => void,
): DomainError {
  const { code, reason } = findLoss(value, walk);
  const message = `${id} (${name}) has no value ${output.symbol}: ${reason}.`;
  return new DomainError(code, message, { facts: { operator_id: id } });
}
