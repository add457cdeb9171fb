// Where an operation is called.

import { methodOf, type Operation, pathOf, pathParameters } from './operation.ts';

/** The inputs of its path in place, those of a GET as its query; `rest` is what a body holds. */
export function addressOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  base: string,
): { readonly url: URL; readonly rest: Readonly<Record<string, unknown>> } {
  const names = new Set(pathParameters(operation));
  let path = pathOf(operation);
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (names.has(name)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (value !== undefined) rest[name] = value;
  }
  const url = new URL(path, base);
  if (methodOf(operation) === 'GET')
    for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, String(value));
  return { url, rest };
}
