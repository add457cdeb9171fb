// Every refusal and every defect as an HTTP answer.

import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { type Refusal, refusalOf } from '../operations/refusal.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Refusal;
}

/** 499 is nginx's number for a caller who left; nobody reads it, but the log does. */
export function answerFor(error: unknown, requestId: string): ErrorAnswer {
  const body = refusalOf(error, requestId);
  const { status } = ERROR_FORMS[body.code];
  const headers: Record<string, string> = {};
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(error.retryAfterSeconds);
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="svc"';
  return { status, headers, body };
}
