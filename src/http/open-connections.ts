// Connections of the server while the node drains: each answer ends its connection, so that its client or proxy comes
// back on a new one, which another node may take.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class OpenConnections {
  readonly #server: Server;
  /** Each with its responses that are not sent. One behind others has no socket, and never closes. */
  readonly #sockets = new Map<Socket, Set<ServerResponse>>();
  #isDraining = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.set(socket, new Set());
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.prependListener('request', (_, response) => this.#follow(response));
  }

  /** Number of requests without an answer. */
  get unanswered(): number {
    let count = 0;
    for (const responses of this.#sockets.values()) count += responses.size;
    return count;
  }

  /** From now on, answers are sent with `Connection: close`. */
  drain(): void {
    this.#isDraining = true;
    for (const responses of this.#sockets.values()) for (const response of responses) response.shouldKeepAlive = false;
  }

  /** Takes no more connections. Resolves when those that are open have had their answers. */
  async close(): Promise<void> {
    this.drain();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    // Browsers open connections in advance. Node counts one without a request as busy, so that `close` would wait.
    for (const socket of this.#sockets.keys()) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  #follow(response: ServerResponse): void {
    if (this.#isDraining) {
      response.shouldKeepAlive = false;
      return;
    }
    const responses = this.#sockets.get(response.req.socket);
    responses?.add(response);
    response.once('close', () => responses?.delete(response));
  }
}
