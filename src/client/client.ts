// The service over HTTP, for the CLI and for programs.

import { DomainError, ERROR_FORMS, type ErrorCode, type ErrorDetail } from '../core/errors.ts';
import { methodOf, type Operation, pathOf, pathParameters } from '../operations/operation.ts';

export interface ClientOptions {
  readonly url: string;
  readonly key?: string | undefined;
}

interface Refusal {
  readonly code?: string;
  readonly error?: string;
  readonly details?: readonly ErrorDetail[];
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERROR_FORMS, code);
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
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(rest) }),
  }).catch((cause: unknown) => {
    throw new Error(`There is no service at ${options.url}.`, { cause });
  });
  const text = await response.text();
  let body: Record<string, unknown> & Refusal;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${options.url} answered ${response.status} with something that is not JSON.`, { cause });
  }
  if (!response.ok) {
    const code = isErrorCode(body.code) ? body.code : 'INTERNAL';
    throw new DomainError(code, body.error ?? `The service answered ${response.status}.`, {
      details: body.details ?? [],
    });
  }
  return body;
}
