// Every refusal and every defect in one shape.

import { DomainError, ERROR_FORMS, type ErrorCode } from '../core/errors.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Nginx's number for a caller who left; nobody reads it, but the log does. */
export function answerFor(error: unknown, requestId: string): ErrorAnswer {
  const known = error instanceof DomainError ? error : undefined;
  const code: ErrorCode = known?.code ?? 'INTERNAL';
  const { status, isShown } = ERROR_FORMS[code];
  const headers: Record<string, string> = {};
  if (known?.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds);
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="svc"';
  const message =
    known && isShown
      ? known.message
      : `Something failed on our side. Quote request_id ${requestId} when you report it.`;
  return {
    status,
    headers,
    body: {
      ok: false,
      error: message,
      code,
      request_id: requestId,
      ...(known && known.details.length > 0 ? { details: known.details } : {}),
      ...(known && isShown ? known.facts : {}),
    },
  };
}
