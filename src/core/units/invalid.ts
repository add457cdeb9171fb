// Creates errors for invalid units.

import { DomainError } from '../errors.ts';
import { quoteValue } from '../validation.ts';

export interface UnitProblem {
  /** A sentence without its full stop. */
  readonly reason: string;
  readonly nearest?: readonly string[];
  readonly hint?: string | undefined;
}

/** @param offset  position of the error, from 0; the message gives the column, from 1 */
export function unitError(text: string, offset: number, { reason, nearest = [], hint }: UnitProblem): DomainError {
  const position = offset + 1;
  const advice = hint === undefined ? '' : ` (${hint})`;
  const suggestion = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  const message = `Invalid unit ${quoteValue(text)} at column ${position}: ${reason}${advice}.${suggestion}`;
  return new DomainError('UNIT_INVALID', message, {
    details: [{ path: `column ${position}`, code: 'UNIT_INVALID', message }],
    facts: { unit: text.slice(0, MAX_QUOTED), position, nearest },
  });
}

const MAX_QUOTED = 100;
