// A bridge from MCP over stdio to /api/mcp over HTTP.
//
// Messages pass unchanged in both directions and in both protocol generations. Only differences between the transports
// are translated: HTTP headers are derived from the message, and a 2026-07-28 cancellation, a notification over stdio,
// closes the HTTP stream.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports

import { eventData } from './event-stream.ts';

export interface BridgeOptions {
  /** Address of the service, without the path. */
  readonly url: string;
  readonly key: () => Promise<string | undefined>;
  /** Receives one message: a line of JSON without its line break. */
  readonly send: (line: string) => void;
}

type RequestId = string | number;

interface Message {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly requestId?: RequestId;
  };
}

interface PendingRequest {
  readonly controller: AbortController;
  isCancelled: boolean;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;

export class McpBridge {
  readonly #options: BridgeOptions;
  readonly #requests = new Map<RequestId, PendingRequest>();
  /** The version negotiated by `initialize` (2025). The newest revision states it in every message. */
  #version: string | undefined;
  #sessionId: string | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Forwards one line and sends its responses back. Never rejects: failures become error responses. */
  async receive(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#fail(null, PARSE_ERROR, 'The line is not valid JSON.');
      return;
    }
    if (message.method === 'notifications/cancelled') this.#cancel(message);
    const { id, method } = message;
    const request: PendingRequest = { controller: new AbortController(), isCancelled: false };
    const isRequest = id !== undefined && method !== undefined;
    if (isRequest) this.#requests.set(id, request);
    let failure: string | undefined;
    try {
      const isAnswered = await this.#post(message, line, request.controller.signal);
      if (!isAnswered) failure = 'The service ended the stream without a response.';
    } catch (error) {
      failure = `${this.#options.url} did not respond: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (!isRequest) return;
    if (this.#requests.get(id) === request) this.#requests.delete(id);
    if (failure !== undefined && !request.isCancelled) this.#fail(id, INTERNAL_ERROR, failure);
  }

  /** Aborts all requests in progress. */
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
    // A session means the 2025 generation: the notification itself is forwarded, and the service ends the stream.
    if (this.#sessionId === undefined) request.controller.abort();
  }

  /** @returns whether a response to the message was received */
  async #post(message: Message, line: string, signal: AbortSignal): Promise<boolean> {
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
    const forward = (text: string) => {
      const incoming: Message & { result?: { protocolVersion?: string } } = JSON.parse(text);
      if (message.method === 'initialize') this.#version = incoming.result?.protocolVersion ?? this.#version;
      if (incoming.method === undefined) isAnswered = true;
      // An error before the message was parsed has no id; the bridge knows which request it belongs to.
      const hasNoId = incoming.method === undefined && (incoming.id ?? null) === null;
      this.#options.send(JSON.stringify(hasNoId ? { ...incoming, id: message.id ?? null } : incoming));
    };
    if (type.startsWith('text/event-stream') && response.body !== null) {
      for await (const text of eventData(response.body)) forward(text);
    } else {
      const text = await response.text();
      const isMessage = type.startsWith('application/json') && text !== '';
      if (isMessage && (message.id !== undefined || !response.ok)) forward(text);
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
    const statedVersion = params?._meta?.[VERSION_KEY];
    if (typeof statedVersion === 'string') {
      headers['mcp-protocol-version'] = statedVersion;
      if (method !== undefined) headers['mcp-method'] = method;
      const name = params?.name ?? params?.uri;
      if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
      return headers;
    }
    if (this.#version !== undefined && method !== 'initialize') headers['mcp-protocol-version'] = this.#version;
    if (this.#sessionId !== undefined && method !== 'initialize') headers['mcp-session-id'] = this.#sessionId;
    return headers;
  }

  #fail(id: RequestId | null, code: number, message: string): void {
    this.#options.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}

/** Encodes text that a header cannot carry as is (2026-07-28, Transports, Standard Request Headers). */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}
