// JSON-RPC over fetch: what every client of /api/mcp does, in as few words as possible.

import { eventData } from '../../src/client/event-stream.ts';

export type Generation = '2025-11-25' | '2026-07-28';

export interface Rpc {
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

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that came back, in order; the last one is the answer. */
  readonly messages: readonly Rpc[];
}

export interface Given {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly signal?: AbortSignal;
  readonly onMessage?: (message: Rpc) => void;
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

  /** One POST of any text. */
  async post(body: string, { key, headers = {}, query = '', signal, onMessage }: Given = {}): Promise<Sent> {
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
    const messages: Rpc[] = [];
    const take = (text: string) => {
      const message = JSON.parse(text) as Rpc;
      messages.push(message);
      onMessage?.(message);
    };
    if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
      for await (const text of eventData(response.body)) take(text);
    } else {
      const text = await response.text();
      if (text !== '') take(text);
    }
    return { status: response.status, headers: response.headers, messages };
  }

  /** A request as a client of that generation sends it. */
  request(
    generation: Generation,
    method: string,
    params: Record<string, unknown> = {},
    given: Given = {},
  ): Promise<Sent> {
    const id = ++this.#lastId;
    if (generation === '2025-11-25') return this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), given);
    const { _meta: own = {}, ...rest } = params;
    const body = { jsonrpc: '2.0', id, method, params: { ...rest, _meta: { ...ENVELOPE, ...(own as object) } } };
    const name = params.name ?? params.uri;
    const headers = {
      'mcp-protocol-version': generation,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...given.headers,
    };
    return this.post(JSON.stringify(body), { ...given, headers });
  }

  async result(generation: Generation, method: string, params: Record<string, unknown> = {}, given: Given = {}) {
    const { messages, status } = await this.request(generation, method, params, given);
    const answer = messages.at(-1);
    if (answer?.result === undefined) throw new Error(`${method} answered ${status} ${JSON.stringify(answer)}`);
    return answer.result;
  }

  async call(name: string, given: Record<string, unknown> = {}, more: Given & { generation?: Generation } = {}) {
    const { generation = '2026-07-28', ...rest } = more;
    return (await this.result(generation, 'tools/call', { name, arguments: given }, rest)) as unknown as ToolResult;
  }
}
