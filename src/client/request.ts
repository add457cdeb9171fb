// JSON requests to the service; error responses become DomainErrors with their own codes.

import { DomainError, ERROR_FORMS, type ErrorCode, type ErrorDetail } from '../core/errors.ts';

export interface RequestOptions {
  readonly method: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonResponse {
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

interface ErrorBody {
  readonly code?: string;
  readonly error?: string;
  readonly details?: readonly ErrorDetail[];
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERROR_FORMS, code);
}

/**
 * @param onHeaders  called before an error is thrown, because error responses carry rate-limit headers too
 * @throws DomainError  an error response, with its own code. An unreachable service throws a plain Error.
 */
export async function request(
  url: URL,
  { method, key, body, signal }: RequestOptions,
  onHeaders: (headers: Headers) => void = () => {},
): Promise<JsonResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw new Error(`Cannot connect to ${url.origin}.`, { cause });
  });
  onHeaders(response.headers);
  const parsed = parseBody(await response.text(), response, url);
  if (!response.ok) throw errorFromBody(parsed, response.status);
  return { body: parsed, headers: response.headers };
}

/** Returns the unread response of a GET, or of another method. @throws DomainError and Error as `request` does */
export async function fetchResponse(
  url: URL,
  {
    key,
    headers = {},
    signal,
    method = 'GET',
    body,
  }: Pick<RequestOptions, 'key' | 'signal' | 'body'> & {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
  onHeaders: (headers: Headers) => void = () => {},
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw new Error(`Cannot connect to ${url.origin}.`, { cause });
  });
  onHeaders(response.headers);
  if (response.ok) return response;
  throw errorFromBody(parseBody(await response.text(), response, url), response.status);
}

function parseBody(text: string, { status }: Response, url: URL): Record<string, unknown> & ErrorBody {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${url.origin} returned status ${status} and a body that is not JSON.`, { cause });
  }
}

/** The error of an error response, with its own code. */
export function errorFromBody({ code, error, details = [] }: ErrorBody, status = 500): DomainError {
  return new DomainError(isErrorCode(code) ? code : 'INTERNAL', error ?? `The service returned status ${status}.`, {
    details,
  });
}
