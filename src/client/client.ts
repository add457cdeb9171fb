// The service over HTTP, for the CLI and for programs.

import { methodOf, type Operation, pathOf, pathParameters } from '../operations/operation.ts';
import { request } from './request.ts';

export interface ClientOptions {
  readonly url: string;
  readonly key?: string | undefined;
}

/**
 * Call an operation by its record.
 *
 * @throws DomainError  the service's refusal under its own code; STORAGE_UNAVAILABLE never: an unreachable service is a plain Error
 */
export async function call(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: ClientOptions,
): Promise<Record<string, unknown>> {
  const names = new Set(pathParameters(operation));
  let path = pathOf(operation);
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (names.has(name)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else rest[name] = value;
  }
  const url = new URL(path, options.url);
  const method = methodOf(operation);
  if (method === 'GET') for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, String(value));
  const exchange = { method, key: options.key, ...(method === 'GET' ? {} : { body: rest }) };
  return (await request(url, exchange)).body;
}
