// A WebSocket client that keeps what it hears until it is asked for.

import { once } from 'node:events';
import { WebSocket } from 'ws';

export type Heard = Readonly<Record<string, unknown>>;

export interface Client {
  readonly socket: WebSocket;
  /** Text as it is; anything else as JSON. */
  say(message: unknown): void;
  /** The next message that fits, passing over the others. */
  hear(fits?: (message: Heard) => boolean): Promise<Heard>;
  /** All that was heard and not asked for. */
  readonly heard: readonly Heard[];
  /** Code and reason of the close. */
  closed(): Promise<{ readonly code: number; readonly reason: string }>;
}

export interface Dialled {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: string[];
}

/** Rejects with the status and body of a refused upgrade. */
export async function dial(url: string, { headers = {}, protocols = ['svc.v1'] }: Dialled = {}): Promise<Client> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, protocols, { headers });
  const heard: Heard[] = [];
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  socket.on('message', (bytes) => {
    heard.push(JSON.parse(String(bytes)));
    wake();
  });
  const end = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) });
      wake();
    });
  });
  const refused = new Promise<never>((_, reject) => {
    socket.on('unexpected-response', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      request.destroy();
      reject(
        Object.assign(new Error('refused'), { status: response.statusCode, body: Buffer.concat(chunks).toString() }),
      );
    });
    socket.on('error', reject);
  });
  refused.catch(() => {});
  await Promise.race([once(socket, 'open'), refused]);
  return {
    socket,
    heard,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async hear(fits = () => true) {
      for (;;) {
        const message = heard.shift();
        if (message === undefined) {
          if (socket.readyState === WebSocket.CLOSED) throw new Error('The connection is closed.');
          await new Promise<void>((resolve) => waiting.push(resolve));
        } else if (fits(message)) return message;
      }
    },
    closed: () => end,
  };
}
