// HTTP client of the service, for the CLI and for programs.

import { requestUrl } from '../operations/request-url.ts';
import { methodOf, type Routed } from '../operations/route.ts';
import { request } from './request.ts';

export interface ClientOptions {
  readonly url: string;
  readonly key?: string | undefined;
}

/**
 * Calls an operation by its definition.
 *
 * @throws DomainError  an error response, with its own code. An unreachable service throws a plain Error.
 */
export async function call(
  operation: Routed,
  input: Readonly<Record<string, unknown>>,
  options: ClientOptions,
): Promise<Record<string, unknown>> {
  const method = methodOf(operation);
  const { url, rest } = requestUrl(operation, input, options.url);
  const requestOptions = { method, key: options.key, ...(method === 'GET' ? {} : { body: rest }) };
  return (await request(url, requestOptions)).body;
}
