// Messages between nodes over HTTP: a POST whose answer has one part a line.

import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { LIMITS } from '../../../core/limits.ts';
import { type NodeAddress, type Receive, type Transport, Undelivered } from './transport.ts';

/** Path of a node for messages of other nodes. */
const NODE_PATH = '/internal/node-calls';
/** Of one message: a batch of calls, or one call with the largest body, as JSON text within JSON. */
const MAX_MESSAGE_BYTES = 4 * LIMITS.body.bytes;
const CONNECTIONS = 64;
const CONNECT_MS = 1_000;
/** Nothing was sent: no connection came about. */
const NOT_CONNECTED: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

export class HttpTransport implements Transport {
  readonly name = 'http';
  readonly #agents = {
    'http:': new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
    'https:': new TlsAgent({ keepAlive: true, maxSockets: CONNECTIONS }),
  };

  canSend(bytes: number): boolean {
    return bytes <= MAX_MESSAGE_BYTES;
  }

  async send(to: NodeAddress, message: string, onPart: (part: string) => void, signal: AbortSignal): Promise<void> {
    const response = await this.#post(new URL(NODE_PATH, to.url), message, signal);
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onPart(line);
    }
    if (response.statusCode !== 200) throw new Error(`${to.url} answered ${response.statusCode}.`);
  }

  /** A connection that was kept may have been closed meanwhile; the node takes a message once, so it is sent again. */
  async #post(url: URL, message: string, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#postOnce(url, message, signal);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.#postOnce(url, message, signal).catch((second: unknown) => {
        throw second instanceof Undelivered ? new Error(second.message, { cause: error }) : second;
      });
    }
  }

  #postOnce(url: URL, message: string, signal: AbortSignal): Promise<IncomingMessage> {
    const isTls = url.protocol === 'https:';
    const agent = this.#agents[isTls ? 'https:' : 'http:'];
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(message) };
    return new Promise((resolve, reject) => {
      const sent: ClientRequest = (isTls ? tlsRequest : request)(url, { method: 'POST', agent, headers, signal });
      const connecting = setTimeout(() => sent.destroy(new Undelivered(`No connection to ${url.host}.`)), CONNECT_MS);
      sent.once('socket', (socket) => {
        if (!socket.connecting) clearTimeout(connecting);
        else socket.once('connect', () => clearTimeout(connecting));
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(connecting);
        if (sent.reusedSocket && error.code === 'ECONNRESET') reject(new StaleConnection(error.message));
        else reject(NOT_CONNECTED.has(error.code) ? new Undelivered(error.message, { cause: error }) : error);
      });
      sent.once('response', (response) => {
        clearTimeout(connecting);
        resolve(response);
      });
      sent.end(message);
    });
  }

  async close(): Promise<void> {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** Whether a request is a message of another node. */
export const isNodeCall = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url === NODE_PATH;

/** Answers a request of another node. */
export async function serveNodeCall(call: IncomingMessage, response: ServerResponse, receive: Receive): Promise<void> {
  // The other node may go away; its calls go on.
  response.on('error', () => {});
  const message = await readMessage(call);
  if (message === undefined) {
    response.writeHead(413).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  await receive(message, (part) => void response.write(`${part}\n\n`));
  response.end();
}

async function readMessage(call: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of call as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_MESSAGE_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined; // the other node broke off
  }
  return Buffer.concat(chunks).toString('utf8');
}
