// The error EXPRESSION_INVALID: position, what was found, what is expected, and a suggestion.

import { DomainError } from '../core/errors.ts';

export interface Fault {
  readonly found: string;
  readonly expected: string;
  /** The known name nearest to an unknown one. */
  readonly nearest?: string | undefined;
  readonly hint?: string | undefined;
}

/** @param offset  position of the fault from 0; the message gives the column from 1 */
export function expressionInvalid(offset: number, { found, expected, nearest, hint }: Fault): DomainError {
  const position = offset + 1;
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const advice = hint === undefined ? '' : ` (${hint})`;
  const message = `Column ${position}: got ${found} instead of ${expected}${advice}.${meant}`;
  return new DomainError('EXPRESSION_INVALID', message, {
    details: [{ path: `column ${position}`, code: 'EXPRESSION_INVALID', message }],
    facts: { position, found, expected, ...(nearest === undefined ? {} : { nearest }) },
  });
}
