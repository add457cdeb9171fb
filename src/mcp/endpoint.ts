// The MCP endpoint /api/mcp over HTTP: both protocol generations at one path, without sessions.

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
import type { ServiceAddress } from '../operations/allowed-hosts.ts';
import { errorResponseOf } from '../operations/error-response.ts';
import type { Operation } from '../operations/operation.ts';
import { ActiveRequests, isForActiveRequest } from './active-requests.ts';
import { OriginGuard, profileOf } from './origin-guard.ts';
import {
  type Caller,
  createHandlers,
  createServer,
  type HandlerOptions,
  type Handlers,
  type McpRequest,
} from './server.ts';
import { createToolRegistry } from './tools.ts';

const MCP_PATH = '/api/mcp';
const MCP_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

export interface McpEndpointOptions extends ServiceAddress, Omit<HandlerOptions, 'tools'> {
  readonly operations: readonly Operation[];
  /** Called with the reason when the SDK rejects a message; the caller receives it too. */
  readonly onRejected: (error: Error) => void;
  /** `createServer` by default. */
  readonly createServer?: CreateServer | undefined;
}

/** Creates the server of one request. */
export type CreateServer = (handlers: Handlers, notifier: () => ServerNotifier) => McpServer | Server;

export interface McpErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface McpEndpoint {
  readonly path: string;
  /** Checks Host, Origin and URL before authentication. @throws DomainError FORBIDDEN, BAD_REQUEST */
  admit(request: IncomingMessage): void;
  /** @param message  the body, bounded and parsed. @throws DomainError BAD_REQUEST */
  handle(request: IncomingMessage, response: ServerResponse, message: Message, caller: Caller): Promise<void>;
  /** Formats an error raised outside the protocol as a JSON-RPC error, with the service's error record in `data`. */
  formatError(error: unknown, caller: Pick<Caller, 'requestId' | 'baseUrl'>): McpErrorResponse;
  close(): Promise<void>;
}

type Message = Readonly<Record<string, unknown>>;

/** Context of a request, passed to the server factory in the SDK's `authInfo.extra`. */
interface Extra extends Record<string, unknown> {
  readonly mcpRequest: McpRequest;
  readonly onServer: (server: Server) => void;
}

function extraOf({ authInfo }: McpRequestContext): Extra {
  if (authInfo?.extra === undefined) throw new Error('The SDK called the server factory without authInfo.extra.');
  return authInfo.extra as Extra;
}

/** Headers that the protocol reads. */
const PROTOCOL_HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
] as const;
/** The lists never change while the service runs, so subscription streams stay silent and few are enough. */
const MAX_SUBSCRIPTIONS = 64;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;

export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { operations, createServer: makeServer = createServer, onRejected, ...rest } = options;
  const handlerOptions: HandlerOptions = { ...rest, tools: createToolRegistry(operations) };
  const originGuard = new OriginGuard(options);
  const activeRequests = new ActiveRequests();
  const pendingCalls = new Set<Promise<void>>();
  const notifier = () => handler.notify;
  const create = (context: McpRequestContext) => {
    const { mcpRequest, onServer } = extraOf(context);
    const server = makeServer(createHandlers(mcpRequest, handlerOptions), notifier);
    onServer('server' in server ? server.server : server);
    return server;
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
    const { 'mcp-session-id': sessionId } = request.headers;
    const sender = typeof sessionId === 'string' ? { caller: caller.caller, sessionId } : undefined;
    if (sender && isForActiveRequest(message)) {
      activeRequests.forward(sender, message);
      response.writeHead(202).end();
      return;
    }
    let remove: (() => void) | undefined;
    const extra: Extra = {
      mcpRequest: { caller, profile: profileOf(request.url ?? '') },
      onServer: (server) => {
        if (sender) remove = activeRequests.add(sender, server);
      },
    };
    try {
      const disconnected = new AbortController();
      response.once('close', () => disconnected.abort());
      const authInfo = { token: '', clientId: caller.caller, scopes: [], extra };
      const answer = await handler.fetch(toRequest(request, disconnected.signal), { authInfo, parsedBody: message });
      if (message.method === 'initialize' && answer.ok) response.setHeader('mcp-session-id', randomUUID());
      await write(answer, response);
    } finally {
      remove?.();
    }
  }

  return {
    path: MCP_PATH,
    admit: (request) => originGuard.admit(request),
    handle: async (request, response, message, caller) => {
      const handled = handle(request, response, message, caller);
      if (message.method !== 'tools/call') return handled;
      const call = handled.catch(() => {});
      pendingCalls.add(call);
      try {
        await handled;
      } finally {
        pendingCalls.delete(call);
      }
    },
    formatError,
    // Waits for pending calls, but not for subscription streams.
    close: async () => {
      await Promise.all(pendingCalls);
      await handler.close();
    },
  };
}

/** The parsed body is passed separately: reading it again would cost more than the call. */
function toRequest({ url, headers }: IncomingMessage, signal: AbortSignal): Request {
  const forwarded = new Headers();
  for (const name of PROTOCOL_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') forwarded.set(name, value);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('mcp-param-') && typeof value === 'string') forwarded.set(name, value);
  }
  return new Request(new URL(url ?? '/', 'http://mcp.invalid'), { method: 'POST', headers: forwarded, signal });
}

async function write(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'cache-control': 'no-store' });
  try {
    for await (const chunk of answer.body ?? []) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await waitForDrain(response);
    }
    response.end();
  } catch {
    // The stream failed midway; abort the response.
    response.destroy();
  }
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

function formatError(error: unknown, { requestId, baseUrl }: Pick<Caller, 'requestId' | 'baseUrl'>): McpErrorResponse {
  const data = errorResponseOf(error, requestId);
  const { status } = ERROR_FORMS[data.code];
  const headers: Record<string, string> = {};
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(error.retryAfterSeconds);
  // RFC 6750 §3 and RFC 9728 §5.1: the error, and the URL of the metadata that explains how to authenticate.
  if (status === 401) {
    const metadata = `${baseUrl}${MCP_METADATA_PATH}`;
    headers['www-authenticate'] = `Bearer realm="svc", error="invalid_token", resource_metadata="${metadata}"`;
  }
  const { ok: _, error: message, ...facts } = data;
  return {
    status,
    headers,
    body: { jsonrpc: '2.0', id: null, error: { code: rpcCodeOf(error), message, data: facts } },
  };
}

function rpcCodeOf(error: unknown): number {
  if (!(error instanceof DomainError)) return INTERNAL_ERROR;
  if (error.code !== 'BAD_REQUEST') return SERVER_ERROR;
  return error.cause instanceof SyntaxError ? PARSE_ERROR : INVALID_REQUEST;
}
