// If-Match (RFC 9110, §13.1.1) on operations that change what has versions: the header is another way to fill the field.

import { DomainError } from '../core/errors.ts';
import { show } from '../core/validation.ts';

/**
 * Puts the version that the header names into the input.
 *
 * @throws DomainError VALIDATION_FAILED for a header that names no version, or another one than the body
 */
export function fillIfMatch(input: Record<string, unknown>, field: string, header: string | undefined): void {
  // Any version that there is: what is not there is refused anyway.
  if (header === undefined || header.trim() === '*') return;
  const [, , digits] = /^\s*("?)(\d{1,9})\1\s*$/.exec(header) ?? [];
  if (digits === undefined)
    throw invalid(`If-Match is ${show(header)}; the ETag of one version, such as "3", is expected.`);
  const version = Number(digits);
  if (Object.hasOwn(input, field) && input[field] !== version)
    throw invalid(`If-Match is ${version} and ${field} is ${show(input[field])}; one of them is enough.`);
  input[field] = version;
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'If-Match', code: 'INVALID_HEADER', message }],
  });
}
