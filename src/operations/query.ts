// QUERY (RFC 10008): a read whose parameters stand in a JSON body.

import { DomainError } from '../core/errors.ts';
import { show } from '../core/validation.ts';

type Scalar = string | number | boolean;

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * Query parameters with the fields of a body merged into them; the body wins. Everything becomes text, as it would be
 * in an address, so that a route cannot tell QUERY from GET.
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
      const message = `${name} is ${show(value)}; text, a number, true, false or a list of these is expected in a query.`;
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: name, code: 'NOT_FLAT', message }] });
    }
  }
  return merged;
}
