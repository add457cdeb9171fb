// A client that speaks MCP over lines of text, connected to /api/mcp over HTTP.
//
// Messages pass as they are, in both directions and in both generations of the protocol. Only what differs between the
// two transports is translated: the headers of HTTP are read from the message, and a cancellation of 2026-07-28, which
// is a notification on a line and a closed stream over HTTP.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports

import { eventData } from './event-stream.ts';

export interface BridgeOptions {
  /** Address of the service, without the path. */
  readonly url: string;
  readonly key: () => Promise<string | undefined>;
  /** Takes one message, a line of JSON without its end. */
  readonly send: (line: string) => void;
}

type Id = string | number;

interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly requestId?: Id;
  };
}

interface Request {
  readonly controller: AbortController;
  isCancelled: boolean;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;

export class McpBridge {
  readonly #options: BridgeOptions;
  readonly #requests = new Map<Id, Request>();
  /** What `initialize` agreed on (2025); the newest revision says it in every message. */
  #version: string | undefined;
  #sessionId: string | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Passes one line on and its answers back. Never rejects: what goes wrong is answered to the request. */
  async receive(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#fail(null, PARSE_ERROR, 'That line is not JSON.');
      return;
    }
    if (message.method === 'notifications/cancelled') this.#cancel(message);
    const { id, method } = message;
    const request: Request = { controller: new AbortController(), isCancelled: false };
    const isRequest = id !== undefined && method !== undefined;
    if (isRequest) this.#requests.set(id, request);
    let failure: string | undefined;
    try {
      const isAnswered = await this.#exchange(message, line, request.controller.signal);
      if (!isAnswered) failure = 'The service ended the stream without an answer.';
    } catch (error) {
      failure = `${this.#options.url} did not answer: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (!isRequest) return;
    if (this.#requests.get(id) === request) this.#requests.delete(id);
    if (failure !== undefined && !request.isCancelled) this.#fail(id, INTERNAL_ERROR, failure);
  }

  /** Breaks off everything under way. */
  close(): void {
    for (const request of this.#requests.values()) {
      request.isCancelled = true;
      request.controller.abort();
    }
  }

  #cancel({ params }: Message): void {
    const request = params?.requestId === undefined ? undefined : this.#requests.get(params.requestId);
    if (request === undefined) return;
    request.isCancelled = true;
    // Who has a session is of the 2025 generation: there the notification itself is passed on, and the service ends the stream.
    if (this.#sessionId === undefined) request.controller.abort();
  }

  /** @returns whether the message, if it asks for an answer, has it */
  async #exchange(message: Message, line: string, signal: AbortSignal): Promise<boolean> {
    const headers = await this.#headers(message);
    const response = await fetch(new URL('/api/mcp', this.#options.url), {
      method: 'POST',
      headers,
      body: line,
      signal,
    });
    if (message.method === 'initialize' && response.ok)
      this.#sessionId = response.headers.get('mcp-session-id') ?? undefined;
    const type = response.headers.get('content-type') ?? '';
    let isAnswered = false;
    const pass = (text: string) => {
      const answer: Message & { result?: { protocolVersion?: string } } = JSON.parse(text);
      if (message.method === 'initialize') this.#version = answer.result?.protocolVersion ?? this.#version;
      if (answer.method === undefined) isAnswered = true;
      // A refusal before the message was read names no id; here it is known whose it is.
      const isNameless = answer.method === undefined && (answer.id ?? null) === null;
      this.#options.send(JSON.stringify(isNameless ? { ...answer, id: message.id ?? null } : answer));
    };
    if (type.startsWith('text/event-stream') && response.body !== null) {
      for await (const text of eventData(response.body)) pass(text);
    } else {
      const text = await response.text();
      const isMessage = type.startsWith('application/json') && text !== '';
      if (isMessage && (message.id !== undefined || !response.ok)) pass(text);
    }
    return isAnswered;
  }

  async #headers({ method, params }: Message): Promise<Record<string, string>> {
    const key = await this.#options.key();
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    const claimed = params?._meta?.[VERSION_KEY];
    if (typeof claimed === 'string') {
      headers['mcp-protocol-version'] = claimed;
      if (method !== undefined) headers['mcp-method'] = method;
      const name = params?.name ?? params?.uri;
      if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
      return headers;
    }
    if (this.#version !== undefined && method !== 'initialize') headers['mcp-protocol-version'] = this.#version;
    if (this.#sessionId !== undefined && method !== 'initialize') headers['mcp-session-id'] = this.#sessionId;
    return headers;
  }

  #fail(id: Id | null, code: number, message: string): void {
    this.#options.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}

/** What a header cannot hold as it is, is wrapped (2026-07-28, Transports, Standard Request Headers). */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}
