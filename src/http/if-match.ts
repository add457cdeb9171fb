// If-Match (RFC 9110, §13.1.1) on operations that change versioned resources: an alternative to the version field.

import { DomainError } from '../core/errors.ts';
import { quoteValue } from '../core/validation.ts';

/**
 * Copies the version of the header into the input.
 *
 * @throws DomainError VALIDATION_FAILED for a header without a version, or a version that differs from the body's
 */
export function applyIfMatch(input: Record<string, unknown>, field: string, header: string | undefined): void {
  // `*` matches any version; a missing resource is rejected anyway.
  if (header === undefined || header.trim() === '*') return;
  const [, , digits] = /^\s*("?)(\d{1,9})\1\s*$/.exec(header) ?? [];
  if (digits === undefined)
    throw invalid(`If-Match must be the ETag of one version, such as "3"; got ${quoteValue(header)}.`);
  const version = Number(digits);
  if (Object.hasOwn(input, field) && input[field] !== version)
    throw invalid(
      `If-Match and ${field} must be equal; got ${version} and ${quoteValue(input[field])}. Give only one of them.`,
    );
  input[field] = version;
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'If-Match', code: 'INVALID_HEADER', message }],
  });
}
