// Formats errors, expected and unexpected, as HTTP responses.

import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { type ErrorResponse, errorResponseOf } from '../operations/error-response.ts';

export interface HttpErrorResponse<Body = ErrorResponse> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** A rejected body up to this size is read and discarded, so that its connection can be reused. */
const MAX_DISCARDED_BYTES = 16_000_000;

/** Status 499 is nginx's code for a client that disconnected; it appears only in the log. */
export function httpErrorOf(error: unknown, requestId: string): HttpErrorResponse {
  const body = errorResponseOf(error, requestId);
  const { status } = ERROR_FORMS[body.code];
  const headers: Record<string, string> = {};
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(error.retryAfterSeconds);
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="svc"';
  return { status, headers, body };
}

export function sendError(context: Koa.Context, { status, headers, body }: HttpErrorResponse<unknown>): void {
  const { req, res } = context;
  context.status = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('cache-control', 'no-store');
  context.type = 'application/json';
  context.body = JSON.stringify(body);
  if (!canReuseConnection(req)) res.setHeader('connection', 'close');
}

/** Is the body completely read, or short enough for Node to discard the rest? */
function canReuseConnection({ complete, headers }: IncomingMessage): boolean {
  return complete || Number(headers['content-length'] ?? Number.NaN) <= MAX_DISCARDED_BYTES;
}
