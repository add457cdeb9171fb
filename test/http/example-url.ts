// Example URL of an operation, with its path parameters filled.

import type { Operation } from '../../src/operations/operation.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';

/** The route with its example inputs; other parameters get ids that do not exist. */
export function exampleUrl(operation: Operation): string {
  const method = methodOf(operation);
  const inputs = new Map(Object.entries(operation.example ?? {}).map(([name, value]) => [name, String(value)]));
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const value = inputs.get(name) ?? MISSING_IDS.get(name);
    inputs.delete(name);
    return value === undefined ? parameter : encodeURIComponent(value);
  });
  const query = new URLSearchParams([...inputs]);
  return `${method} ${path}${method === 'GET' && query.size > 0 ? `?${query}` : ''}`;
}

const MISSING_IDS = new Map([
  ['sha256', '0'.repeat(64)],
  ['id', '00000000-0000-7000-8000-000000000000'],
]);
