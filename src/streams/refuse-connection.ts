// Writes an HTTP error response to a connection that the HTTP server does not manage, and closes it.

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { errorResponseOf } from '../operations/error-response.ts';

export function refuseConnection(socket: Duplex, error: unknown, requestId: string): void {
  const errorResponse = errorResponseOf(error, requestId);
  const { status } = ERROR_FORMS[errorResponse.code];
  const body = JSON.stringify(errorResponse);
  const retryAfter = error instanceof DomainError ? error.retryAfterSeconds : undefined;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ];
  // The client could keep its half of the connection open.
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
