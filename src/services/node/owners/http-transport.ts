// Messages between nodes over HTTP: a POST whose answer has one part a line.

import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { LIMITS } from '../../../core/limits.ts';
import { type NodeAddress, type Receive, type Transport, Undelivered } from './transport.ts';

/** Path of a node for messages of other nodes. */
const NODE_PATH = '/internal/node-calls';
/** Of one message: a batch of calls, or one call with the largest body, as JSON text within JSON. */
const MAX_MESSAGE_BYTES = 4 * LIMITS.body.bytes;
/** Anybody may send a message as long as this, which is read before its MAC is known; a longer one needs a ticket. */
const UNPROVED_BYTES = 16_384;
const TICKET_HEADER = 'x-svc-ticket';
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
  readonly #ticketFor: (id: string) => string;
  readonly #agents = {
    'http:': new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
    'https:': new TlsAgent({ keepAlive: true, maxSockets: CONNECTIONS }),
  };

  /** @param ticketFor  makes a ticket for the node with this id */
  constructor(ticketFor: (id: string) => string) {
    this.#ticketFor = ticketFor;
  }

  canSend(bytes: number): boolean {
    return bytes <= MAX_MESSAGE_BYTES;
  }

  async send(to: NodeAddress, message: string, onPart: (part: string) => void, signal: AbortSignal): Promise<void> {
    const response = await this.#post(to, message, signal);
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onPart(line);
    }
    if (response.statusCode !== 200) throw new Error(`${to.url} answered ${response.statusCode}.`);
  }

  /** A connection that was kept may have been closed meanwhile; the node takes a message once, so it is sent again. */
  async #post(to: NodeAddress, message: string, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#postOnce(to, message, signal);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.#postOnce(to, message, signal).catch((second: unknown) => {
        throw second instanceof Undelivered ? new Error(second.message, { cause: error }) : second;
      });
    }
  }

  #postOnce(to: NodeAddress, message: string, signal: AbortSignal): Promise<IncomingMessage> {
    const url = new URL(NODE_PATH, to.url);
    const isTls = url.protocol === 'https:';
    const agent = this.#agents[isTls ? 'https:' : 'http:'];
    const bytes = Buffer.byteLength(message);
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': bytes,
      ...(bytes > UNPROVED_BYTES ? { [TICKET_HEADER]: this.#ticketFor(to.id) } : {}),
    };
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

/** What takes the messages of other nodes. */
export interface NodeCallTaker {
  readonly receive: Receive;
  /** Whether a ticket was made for this node by one with its master key. */
  readonly admits: (ticket: string) => boolean;
}

/** Answers a request of another node. */
export async function serveNodeCall(
  call: IncomingMessage,
  response: ServerResponse,
  { receive, admits }: NodeCallTaker,
): Promise<void> {
  // The other node may go away; its calls go on.
  response.on('error', () => {});
  // A call that is not read to its end loses its socket.
  const { socket } = call;
  const ticket = call.headers[TICKET_HEADER];
  const maxBytes = typeof ticket === 'string' && admits(ticket) ? MAX_MESSAGE_BYTES : UNPROVED_BYTES;
  const message = await readMessage(call, maxBytes);
  if (message === undefined) {
    // What is left of the message is not read.
    response.once('finish', () => socket.destroy());
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  await receive(message, (part) => void response.write(`${part}\n\n`));
  response.end();
}

async function readMessage(call: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(call.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of call as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined; // the other node broke off
  }
  return Buffer.concat(chunks).toString('utf8');
}
