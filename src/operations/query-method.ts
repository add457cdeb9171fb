// QUERY (RFC 10008): a read with its parameters in a JSON body.

import { DomainError } from '../core/errors.ts';
import { quoteValue } from '../core/validation.ts';

type Scalar = string | number | boolean;

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * Merges the fields of a body into the query parameters; the body wins. Converts all values to text, as in a URL, so a
 * route cannot distinguish QUERY from GET.
 *
 * @throws DomainError VALIDATION_FAILED if a field is neither a scalar nor a list of scalars
 */
export function mergeQuery(
  query: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...query };
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === undefined) continue;
    if (isScalar(value)) merged[name] = String(value);
    else if (Array.isArray(value) && value.every(isScalar)) merged[name] = value.map(String);
    else {
      const message = `${name} is ${quoteValue(value)}; text, a number, true, false or a list of these is expected in a query.`;
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: name, code: 'NOT_FLAT', message }] });
    }
  }
  return merged;
}
