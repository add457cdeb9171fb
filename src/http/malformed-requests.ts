// Refuses what Node's HTTP parser cannot read, in the form of every other error. Node itself answers without a body.

import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '../core/errors.ts';
import { refuseConnection } from '../streams/refuse-connection.ts';

export function refuseMalformedRequests(server: Server, respond: RequestListener): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, error.code));
  // RFC 9110, §10.1.1: an unknown expectation may be ignored.
  server.on('checkExpectation', respond);
  // A listener keeps Node from closing the connection without an answer.
  server.on('connect', (_, socket) => refuse(socket, 'CONNECT'));
}

function refuse(socket: Duplex, code: string | undefined): void {
  // As Node does: nothing may follow the headers of an answer that has begun.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || current?.headersSent === true) socket.destroy();
  else refuseConnection(socket, errorOf(code), randomUUID());
}

function errorOf(code: string | undefined): DomainError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('REQUEST_TIMEOUT', 'The request was not complete in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('HEADERS_TOO_LARGE', 'The address and the headers together are too long.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('BODY_TOO_LARGE', 'The extensions of a chunk are too long.');
    case 'CONNECT':
      return new DomainError('METHOD_NOT_ALLOWED', 'CONNECT is not allowed: this node is no proxy.');
    default:
      return new DomainError('BAD_REQUEST', `The request is not valid HTTP/1.1 (${code ?? 'no code'}).`);
  }
}
