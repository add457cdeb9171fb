// The service over HTTP, for the CLI and for programs.

import { addressOf } from '../operations/address.ts';
import { methodOf, type Operation } from '../operations/operation.ts';
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
  const method = methodOf(operation);
  const { url, rest } = addressOf(operation, input, options.url);
  const exchange = { method, key: options.key, ...(method === 'GET' ? {} : { body: rest }) };
  return (await request(url, exchange)).body;
}
