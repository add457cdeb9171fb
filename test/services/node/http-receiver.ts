// HTTP server on loopback that records requests and replies as the test specifies.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = (received: Received, response: ServerResponse) => void;

export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** Oldest first. */
  readonly received: readonly Received[];
  reply: Reply;
  /** Closes all open connections. */
  cut(): void;
}

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    response.writeHead(code, headers).end();

/** Listens until the test is over. */
export async function receiver(reply: Reply = status(204), host = '127.0.0.1', port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const recorded = { method, path: url, headers, body: await text(request) };
    received.push(recorded);
    self.reply(recorded, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port: boundPort } = server.address() as AddressInfo;
  const self: Receiver = {
    port: boundPort,
    url: `http://${host}:${boundPort}/hook`,
    received,
    reply,
    cut: () => server.closeAllConnections(),
  };
  return self;
}
