// Builds the URL of a call.

import { methodOf, pathOf, pathParameters, type Routed } from './route.ts';

/** Puts inputs into the path and, for GET, the query; `rest` belongs in the body. */
export function requestUrl(
  operation: Routed,
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
