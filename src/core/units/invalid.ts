// The one form of a complaint about the text of a unit.

import { DomainError } from '../errors.ts';
import { show } from '../validation.ts';

export interface Fault {
  /** A sentence without its full stop. */
  readonly reason: string;
  readonly nearest?: readonly string[];
  readonly hint?: string | undefined;
}

/** @param offset  where the fault begins, counted from 0; people are told the column, counted from 1 */
export function unitInvalid(text: string, offset: number, { reason, nearest = [], hint }: Fault): DomainError {
  const position = offset + 1;
  const advice = hint === undefined ? '' : ` (${hint})`;
  const meant = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  const message = `The unit ${show(text)} is not understood at column ${position}: ${reason}${advice}.${meant}`;
  return new DomainError('UNIT_INVALID', message, {
    details: [{ path: `column ${position}`, code: 'UNIT_INVALID', message }],
    facts: { unit: text.slice(0, MAX_QUOTED), position, nearest },
  });
}

const MAX_QUOTED = 100;
