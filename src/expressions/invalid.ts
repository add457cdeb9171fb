// The one form of a complaint about an expression.

import { DomainError } from '../core/errors.ts';

export interface Fault {
  readonly found: string;
  readonly expected: string;
  /** A name that was probably meant. */
  readonly nearest?: string | undefined;
  readonly hint?: string | undefined;
}

/** @param offset  where the fault begins, counted from 0; people are told the column, counted from 1 */
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
