// Where to call an operation: its path, filled.

import { methodOf, type Operation, pathOf } from '../../src/operations/operation.ts';

/** The route with the inputs of its example; what the example does not name is filled with what does not exist. */
export function addressOf(operation: Operation): string {
  const method = methodOf(operation);
  const given = new Map(Object.entries(operation.example ?? {}).map(([name, value]) => [name, String(value)]));
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const value = given.get(name) ?? NOTHING.get(name);
    given.delete(name);
    return value === undefined ? parameter : encodeURIComponent(value);
  });
  const query = new URLSearchParams([...given]);
  return `${method} ${path}${method === 'GET' && query.size > 0 ? `?${query}` : ''}`;
}

const NOTHING = new Map([
  ['sha256', '0'.repeat(64)],
  ['id', '00000000-0000-7000-8000-000000000000'],
]);
