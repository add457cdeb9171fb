// /api/mcp over HTTP: both generations of the protocol on one address, without sessions.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
  type Server,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { OwnAddress } from '../operations/own-names.ts';
import { refusalOf } from '../operations/refusal.ts';
import { Door, profileOf } from './door.ts';
import { Exchanges, isForAnother } from './exchanges.ts';
import { type Caller, createServer, type Exchange, type Handlers, handlersOf, type ServerParts } from './server.ts';
import { openToolBox } from './tools.ts';

const MCP_PATH = '/api/mcp';
const MCP_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

export interface MountOptions extends OwnAddress, Omit<ServerParts, 'tools'> {
  readonly operations: readonly Operation[];
  /** Told why the SDK turned a message down; the caller is told too. */
  readonly onRejected: (error: Error) => void;
  /** Makes the servers instead of `createServer`: the fixtures of the conformance suite. */
  readonly fixtures?: ((handlers: Handlers, notifier: () => ServerNotifier) => McpServer) | undefined;
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface McpMount {
  readonly path: string;
  /** Before anything else. @throws DomainError FORBIDDEN, BAD_REQUEST */
  admit(request: IncomingMessage): void;
  /** @param message  the body, bounded and parsed. @throws DomainError BAD_REQUEST */
  handle(request: IncomingMessage, response: ServerResponse, message: Message, caller: Caller): Promise<void>;
  /** A refusal outside of the protocol's own: as a JSON-RPC error with our record in `data`. */
  refusal(error: unknown, caller: Pick<Caller, 'requestId' | 'baseUrl'>): McpAnswer;
  close(): Promise<void>;
}

type Message = Readonly<Record<string, unknown>>;

/** Given with the request and looked up by the factory: the SDK hands on what it calls authentication. */
interface Extra extends Record<string, unknown> {
  readonly exchange: Exchange;
  readonly onServer: (server: Server) => void;
}

function extraOf({ authInfo }: McpRequestContext): Extra {
  if (authInfo?.extra === undefined) throw new Error('A request came to the factory without what was given with it.');
  return authInfo.extra as Extra;
}

/** Headers that the protocol reads. */
const READ = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'] as const;
/** Our lists never change while we run: such a stream tells nothing, and few are enough. */
const MAX_SUBSCRIPTIONS = 64;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;

export function mountMcp(options: MountOptions): McpMount {
  const { operations, fixtures, onRejected, ...rest } = options;
  const parts: ServerParts = { ...rest, tools: openToolBox(operations) };
  const door = new Door(options);
  const exchanges = new Exchanges();
  const calls = new Set<Promise<void>>();
  const create = (context: McpRequestContext) => {
    const { exchange, onServer } = extraOf(context);
    const handlers = handlersOf(exchange, parts);
    const product = fixtures === undefined ? createServer(handlers) : fixtures(handlers, () => handler.notify);
    onServer('server' in product ? product.server : product);
    return product;
  };
  const handler: McpHttpHandler = createMcpHandler(create, {
    onerror: onRejected,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    message: Message,
    caller: Caller,
  ): Promise<void> {
    const { 'mcp-session-id': given } = request.headers;
    const speaker = typeof given === 'string' ? { caller: caller.caller, sessionId: given } : undefined;
    if (speaker && isForAnother(message)) {
      exchanges.pass(speaker, message);
      response.writeHead(202).end();
      return;
    }
    let end: (() => void) | undefined;
    const extra: Extra = {
      exchange: { caller, profile: profileOf(request.url ?? '') },
      onServer: (server) => {
        if (speaker) end = exchanges.begin(speaker, server);
      },
    };
    try {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const authInfo = { token: '', clientId: caller.caller, scopes: [], extra };
      const answer = await handler.fetch(toRequest(request, gone.signal), { authInfo, parsedBody: message });
      if (message.method === 'initialize' && answer.ok) response.setHeader('mcp-session-id', randomUUID());
      await write(answer, response);
    } finally {
      end?.();
    }
  }

  return {
    path: MCP_PATH,
    admit: (request) => door.admit(request),
    handle: async (request, response, message, caller) => {
      const handled = handle(request, response, message, caller);
      if (message.method !== 'tools/call') return handled;
      const call = handled.catch(() => {});
      calls.add(call);
      try {
        await handled;
      } finally {
        calls.delete(call);
      }
    },
    refusal,
    // Calls under way are waited for; streams that only listen are not.
    close: async () => {
      await Promise.all(calls);
      await handler.close();
    },
  };
}

/** The body is given apart, parsed: reading it again would cost more than the call. */
function toRequest({ url, headers }: IncomingMessage, signal: AbortSignal): Request {
  const read = new Headers();
  for (const name of READ) {
    const value = headers[name];
    if (typeof value === 'string') read.set(name, value);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('mcp-param-') && typeof value === 'string') read.set(name, value);
  }
  return new Request(new URL(url ?? '/', 'http://mcp.invalid'), { method: 'POST', headers: read, signal });
}

async function write(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'cache-control': 'no-store' });
  try {
    for await (const chunk of answer.body ?? []) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch {
    // The exchange broke off in the middle of its stream: so does the answer.
    response.destroy();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

function refusal(error: unknown, { requestId, baseUrl }: Pick<Caller, 'requestId' | 'baseUrl'>): McpAnswer {
  const data = refusalOf(error, requestId);
  const { status } = ERROR_FORMS[data.code];
  const headers: Record<string, string> = {};
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(error.retryAfterSeconds);
  // RFC 6750 §3 and RFC 9728 §5.1: what was wrong, and where it says how to do it right.
  if (status === 401) {
    const metadata = `${baseUrl}${MCP_METADATA_PATH}`;
    headers['www-authenticate'] = `Bearer realm="svc", error="invalid_token", resource_metadata="${metadata}"`;
  }
  const { ok: _, error: message, ...facts } = data;
  return { status, headers, body: { jsonrpc: '2.0', id: null, error: { code: codeOf(error), message, data: facts } } };
}

function codeOf(error: unknown): number {
  if (!(error instanceof DomainError)) return INTERNAL_ERROR;
  if (error.code !== 'BAD_REQUEST') return SERVER_ERROR;
  return error.cause instanceof SyntaxError ? PARSE_ERROR : INVALID_REQUEST;
}
