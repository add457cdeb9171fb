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
  const text = await response.text();
  let answer: Record<string, unknown> & Refusal;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${url.origin} answered ${response.status} with something that is not JSON.`, { cause });
  }
  if (!response.ok) {
    const code = isErrorCode(answer.code) ? answer.code : 'INTERNAL';
    throw new DomainError(code, answer.error ?? `The service answered ${response.status}.`, {
      details: answer.details ?? [],
    });
  }
  return { body: answer, headers: response.headers };
}
