// A receipt in a request: the envelope itself, or where this node stores it.

import { DomainError } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import { singleLine } from '../../core/text-schema.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { Context } from '../operation.ts';

export const ReceiptReference = singleLine(300).describe(
  'Link or SHA-256 of a stored result, or link or id of a filed run, on this node.',
);

/**
 * @throws DomainError VALIDATION_FAILED for a summary, which has no seal; NOT_FOUND, RUN_NOT_FOUND
 */
export async function receiptOf(
  given: string | Untrusted,
  { services, principal, baseUrl }: Pick<Context, 'services' | 'principal' | 'baseUrl'>,
): Promise<Untrusted> {
  if (typeof given === 'string') return services.receipts.find(given, principal, baseUrl);
  const { seal, complete } = given;
  if (seal !== undefined || !isRecord(complete)) return given;
  const message = `The receipt is the summary of a tool answer, which has no seal; give its complete.href as receipt: ${complete.href}`;
  throw invalidField('receipt', 'SUMMARY', message);
}

/** An invalid field of a receipt or of its reference. */
export function invalidField(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}
