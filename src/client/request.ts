// One exchange with the service: JSON there, JSON back, refusals under their own codes.

import { DomainError, ERROR_FORMS, type ErrorCode, type ErrorDetail } from '../core/errors.ts';

export interface Exchange {
  readonly method: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
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
 * @param onHeaders  told before a refusal is thrown, since limits are counted there too
 * @throws DomainError  the service's refusal under its own code; an unreachable service is a plain Error
 */
export async function request(
  url: URL,
  { method, key, body, signal }: Exchange,
  onHeaders: (headers: Headers) => void = () => {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw new Error(`There is no service at ${url.origin}.`, { cause });
  });
  onHeaders(response.headers);
  const answer = objectOf(await response.text(), response, url);
  if (!response.ok) throw refusalOf(answer, response.status);
  return { body: answer, headers: response.headers };
}

/** What a GET answers, as it comes. @throws DomainError and Error as `request` does */
export async function openResponse(
  url: URL,
  {
    key,
    headers = {},
    signal,
  }: Pick<Exchange, 'key' | 'signal'> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  const response = await fetch(url, {
    headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw new Error(`There is no service at ${url.origin}.`, { cause });
  });
  if (response.ok) return response;
  throw refusalOf(objectOf(await response.text(), response, url), response.status);
}

function objectOf(text: string, { status }: Response, url: URL): Record<string, unknown> & Refusal {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${url.origin} answered ${status} with something that is not JSON.`, { cause });
  }
}

/** What the service refused with, under its own code. */
export function refusalOf({ code, error, details = [] }: Refusal, status = 500): DomainError {
  return new DomainError(isErrorCode(code) ? code : 'INTERNAL', error ?? `The service answered ${status}.`, {
    details,
  });
}
