// A WebSocket client that queues messages until the test receives them.

import { once } from 'node:events';
import { WebSocket } from 'ws';

export type ReceivedMessage = Readonly<Record<string, unknown>>;

export interface SocketClient {
  readonly socket: WebSocket;
  /** Sends text unchanged and other values as JSON. */
  send(message: unknown): void;
  /** Resolves to the next matching message and discards the ones before it. */
  receive(matches?: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage>;
  /** Messages that arrived but were not received by the test. */
  readonly unread: readonly ReceivedMessage[];
  /** Resolves to the close code and reason. */
  closed(): Promise<{ readonly code: number; readonly reason: string }>;
}

export interface ConnectOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: string[];
}

/** Connects; rejects with the status and body of a rejected upgrade. */
export async function connectSocket(
  url: string,
  { headers = {}, protocols = ['svc.v1'] }: ConnectOptions = {},
): Promise<SocketClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, protocols, { headers });
  const received: ReceivedMessage[] = [];
  const waiters: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  socket.on('message', (bytes) => {
    received.push(JSON.parse(String(bytes)));
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) });
      wake();
    });
  });
  const rejected = new Promise<never>((_, reject) => {
    socket.on('unexpected-response', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      request.destroy();
      reject(
        Object.assign(new Error('upgrade rejected'), {
          status: response.statusCode,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    socket.on('error', reject);
  });
  rejected.catch(() => {});
  await Promise.race([once(socket, 'open'), rejected]);
  return {
    socket,
    unread: received,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async receive(matches = () => true) {
      for (;;) {
        const message = received.shift();
        if (message === undefined) {
          if (socket.readyState === WebSocket.CLOSED) throw new Error('connection closed');
          await new Promise<void>((resolve) => waiters.push(resolve));
        } else if (matches(message)) return message;
      }
    },
    closed: () => closed,
  };
}
