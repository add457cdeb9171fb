// Minimal JSON-RPC client of /api/mcp over fetch.

import { eventData } from '../../src/client/event-stream.ts';

export type Generation = '2025-11-25' | '2026-07-28';

export interface RpcMessage {
  readonly jsonrpc?: string;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly uri?: string;
    readonly size?: number;
  }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

export interface RpcResponse {
  readonly status: number;
  readonly headers: Headers;
  /** All messages of the response, in order; the last one is the answer. */
  readonly messages: readonly RpcMessage[];
}

export interface RequestOptions {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly signal?: AbortSignal;
  readonly onMessage?: (message: RpcMessage) => void;
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class RpcClient {
  readonly #url: string;
  #lastId = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Posts any text. */
  async post(
    body: string,
    { key, headers = {}, query = '', signal, onMessage }: RequestOptions = {},
  ): Promise<RpcResponse> {
    const response = await fetch(`${this.#url}/api/mcp${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
    const messages: RpcMessage[] = [];
    const receive = (text: string) => {
      const message = JSON.parse(text) as RpcMessage;
      messages.push(message);
      onMessage?.(message);
    };
    if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
      for await (const text of eventData(response.body)) receive(text);
    } else {
      const text = await response.text();
      if (text !== '') receive(text);
    }
    return { status: response.status, headers: response.headers, messages };
  }

  /** Sends a request as a client of the given protocol generation does. */
  request(
    generation: Generation,
    method: string,
    params: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): Promise<RpcResponse> {
    const id = ++this.#lastId;
    if (generation === '2025-11-25') return this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), options);
    const { _meta: meta = {}, ...rest } = params;
    const body = { jsonrpc: '2.0', id, method, params: { ...rest, _meta: { ...ENVELOPE, ...(meta as object) } } };
    const name = params.name ?? params.uri;
    const headers = {
      'mcp-protocol-version': generation,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...options.headers,
    };
    return this.post(JSON.stringify(body), { ...options, headers });
  }

  async result(
    generation: Generation,
    method: string,
    params: Record<string, unknown> = {},
    options: RequestOptions = {},
  ) {
    const { messages, status } = await this.request(generation, method, params, options);
    const answer = messages.at(-1);
    if (answer?.result === undefined) throw new Error(`${method} returned ${status} ${JSON.stringify(answer)}`);
    return answer.result;
  }

  async call(
    name: string,
    input: Record<string, unknown> = {},
    more: RequestOptions & { generation?: Generation } = {},
  ) {
    const { generation = '2026-07-28', ...rest } = more;
    return (await this.result(generation, 'tools/call', { name, arguments: input }, rest)) as unknown as ToolResult;
  }
}
