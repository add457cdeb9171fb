// Upgrades HTTP connections to WebSockets at /api/ws, for pages of this service and for programs.
//
// RFC 6455 §10.2: any page may open a WebSocket to any server, so the Origin header, which only browsers send, is
// checked. The Origin may equal the Host, so the Host is checked first; operations/allowed-hosts.ts explains why.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { quoteValue } from '../core/validation.ts';
import { AllowedHosts, type ServiceAddress } from '../operations/allowed-hosts.ts';
import { assertHostHeader } from '../operations/host-header.ts';
import { SOCKET_PATH, SUBPROTOCOL } from '../operations/node/socket.ts';
import type { ForwardedHeaders } from '../services/access/forwarded-headers.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { OpenStreams } from './open-streams.ts';
import { refuseConnection } from './refuse-connection.ts';

export interface UpgradeHandlerOptions extends ConnectionOptions, ServiceAddress {
  readonly open: OpenStreams;
  readonly forwarded: ForwardedHeaders;
}

export class UpgradeHandler {
  readonly #options: UpgradeHandlerOptions;
  readonly #hosts: AllowedHosts;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: LIMITS.stream.messageBytes,
    maxFragments: LIMITS.stream.messageFragments,
    maxBufferedChunks: LIMITS.stream.framePieces,
    // Pings are answered by the connection, which counts them.
    autoPong: false,
    handleProtocols: () => SUBPROTOCOL,
  });

  constructor(options: UpgradeHandlerOptions) {
    this.#options = options;
    this.#hosts = new AllowedHosts(options);
  }

  /** Whether the request is a WebSocket upgrade. Other Upgrade headers, for example h2c, are ignored. */
  matches({ headers, url = '' }: IncomingMessage): boolean {
    return url.split('?')[0] === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket';
  }

  /** Takes over the connection, or responds with an error and closes it. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { services, open, forwarded, onError } = this.#options;
    const requestId = randomUUID();
    const address = forwarded.addressOf(request);
    const destroy = () => socket.destroy();
    socket.on('error', destroy);
    try {
      if (!this.matches(request))
        throw new DomainError('NOT_FOUND', `WebSocket upgrades are available only at ${SOCKET_PATH}.`);
      assertHostHeader(request);
      this.#assertAllowed(request);
      const usage = await services.rateLimit.consume(undefined, address);
      if (usage.isExceeded) {
        const retryAfterSeconds = usage.resetSeconds;
        throw new DomainError('RATE_LIMITED', `Limit of ${usage.limit} requests per minute reached.`, {
          retryAfterSeconds,
        });
      }
      let connection: Connection | undefined;
      const slot = await open.acquire(services.rateLimit.holderOf(undefined, address), (reason) => {
        if (connection) void connection.end(reason);
        else destroy();
      });
      socket.once('close', slot.release);
      if (socket.destroyed) slot.release();
      const baseUrl = forwarded.baseUrlOf(request);
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', destroy);
        connection = new Connection(webSocket, this.#options, { address, baseUrl, requestId, slot });
      });
    } catch (error) {
      onError(requestId, error);
      await services.refusalDelay.wait(error, () => services.rateLimit.tenantOf(undefined, address));
      refuseConnection(socket, error, requestId);
    }
  }

  /** @throws DomainError FORBIDDEN for a foreign Host or Origin, BAD_REQUEST without the subprotocol */
  #assertAllowed({ headers }: IncomingMessage): void {
    const { origin, host = '' } = headers;
    this.#hosts.assertAllowed(host);
    if (origin !== undefined && !this.#isAllowedOrigin(origin, host)) {
      throw new DomainError('FORBIDDEN', `The Origin ${quoteValue(origin)} is not a page of this service.`);
    }
    const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    if (!offered.includes(SUBPROTOCOL)) {
      throw new DomainError('BAD_REQUEST', `Sec-WebSocket-Protocol must include ${SUBPROTOCOL}.`);
    }
  }

  #isAllowedOrigin(origin: string, host: string): boolean {
    if (!URL.canParse(origin)) return false;
    const { publicUrl } = this.#options;
    const allowed = [host.toLowerCase(), ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])];
    return allowed.includes(new URL(origin).host);
  }
}
