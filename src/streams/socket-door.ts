// The way to /api/ws: an upgrade of the HTTP server's own connection, for pages of this service and for programs.
//
// RFC 6455 §10.2: browsers let any page open a WebSocket anywhere, so the Origin, which only browsers send, is checked. It
// may be the Host, and so the Host is checked first: operations/own-names.ts says why.

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { show } from '../core/validation.ts';
import { SOCKET_PATH, SUBPROTOCOL } from '../operations/node/socket.ts';
import { type OwnAddress, OwnNames } from '../operations/own-names.ts';
import { refusalOf } from '../operations/refusal.ts';
import { Connection, type ConnectionParts } from './connection.ts';
import type { OpenStreams } from './open-streams.ts';

export interface DoorParts extends ConnectionParts, OwnAddress {
  readonly open: OpenStreams;
}

export class SocketDoor {
  readonly #parts: DoorParts;
  readonly #names: OwnNames;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: LIMITS.stream.messageBytes,
    handleProtocols: () => SUBPROTOCOL,
  });

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#names = new OwnNames(parts);
  }

  /** Other requests with an Upgrade header, for HTTP/2 in clear text say, are answered as if they had none. */
  isFor({ headers, url = '' }: IncomingMessage): boolean {
    return url.split('?')[0] === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket';
  }

  /** Takes the connection over, or answers it with a refusal and ends it. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { services, open, onFailed } = this.#parts;
    const requestId = randomUUID();
    const address = request.socket.remoteAddress ?? 'unknown';
    const drop = () => socket.destroy();
    socket.on('error', drop);
    try {
      if (!this.isFor(request)) throw new DomainError('NOT_FOUND', `Nothing is upgraded but ${SOCKET_PATH}.`);
      this.#admit(request);
      const usage = await services.rateLimit.consume(undefined, address);
      if (usage.isExceeded) {
        const retryAfterSeconds = usage.resetSeconds;
        throw new DomainError('RATE_LIMITED', `More than ${usage.limit} requests in a minute.`, { retryAfterSeconds });
      }
      let connection: Connection | undefined;
      const place = open.enter(services.rateLimit.nameOf(undefined, address), (reason) => {
        if (connection) void connection.end(reason);
        else drop();
      });
      socket.once('close', place.leave);
      if (socket.destroyed) place.leave();
      const baseUrl = this.#parts.publicUrl ?? `http://${request.headers.host}`;
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', drop);
        connection = new Connection(webSocket, this.#parts, { address, baseUrl, requestId, place });
      });
    } catch (error) {
      onFailed(requestId, error);
      refuse(socket, error, requestId);
    }
  }

  /** @throws DomainError FORBIDDEN for a foreign host or a page of another site, BAD_REQUEST without our subprotocol */
  #admit({ headers }: IncomingMessage): void {
    const { origin, host = '' } = headers;
    this.#names.admit(host);
    if (origin !== undefined && !this.#isOurs(origin, host)) {
      throw new DomainError('FORBIDDEN', `The Origin ${show(origin)} is not a page of this service.`);
    }
    const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    if (!offered.includes(SUBPROTOCOL)) {
      throw new DomainError('BAD_REQUEST', `The subprotocol ${SUBPROTOCOL} is expected in Sec-WebSocket-Protocol.`);
    }
  }

  #isOurs(origin: string, host: string): boolean {
    if (!URL.canParse(origin)) return false;
    const { publicUrl } = this.#parts;
    const own = [host.toLowerCase(), ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])];
    return own.includes(new URL(origin).host);
  }
}

/** An ordinary HTTP answer on a connection that Node no longer answers for. */
function refuse(socket: Duplex, error: unknown, requestId: string): void {
  const refusal = refusalOf(error, requestId);
  const { status } = ERROR_FORMS[refusal.code];
  const body = JSON.stringify(refusal);
  const retryAfter = error instanceof DomainError ? error.retryAfterSeconds : undefined;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ];
  // The other end may keep its half of the connection open for as long as it likes.
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
