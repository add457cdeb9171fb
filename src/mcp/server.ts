// Model Context Protocol server for one request: both protocol generations, the same tools.
//
// https://modelcontextprotocol.io/specification/2026-07-28 and 2025-11-25. Uses the SDK's low-level server with lists that
// are built once: registering every tool for every request costs more than most calls.

import {
  type CallToolResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { DomainError } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import type { InvokeOptions } from '../operations/invoke.ts';
import { MCP_VERSIONS } from '../operations/node/field-status.ts';
import { SOFTWARE_VERSION } from '../operations/node/software-version.ts';
import type { Context } from '../operations/operation.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { readResource, resourceTemplates } from './resources.ts';
import { callResult, errorResult } from './result.ts';
import type { ToolProfile, ToolRegistry } from './tools.ts';

/** The request context, known before the message is read. */
export type Caller = Omit<Context, 'signal' | 'onProgress' | 'idempotencyKey'>;

export interface McpRequest {
  readonly caller: Caller;
  readonly profile: ToolProfile;
}

export interface HandlerOptions extends InvokeOptions {
  readonly tools: ToolRegistry;
  readonly onToolError: (tool: string, requestId: string, error: unknown) => void;
}

export const SERVER_INFO = { name: 'svc', title: 'svc: verifiable computation', version: SOFTWARE_VERSION };
/** The lists change only with the service's version, so clients may cache them. */
const LIST_TTL_MS = 3_600_000;
const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: 'public' as const };

export const SERVER_OPTIONS: ServerOptions = {
  capabilities: { tools: {}, resources: {} },
  instructions: INSTRUCTIONS,
  supportedProtocolVersions: [...MCP_VERSIONS],
  cacheHints: {
    'tools/list': CACHE_HINT,
    'resources/list': CACHE_HINT,
    'resources/templates/list': CACHE_HINT,
    'resources/read': CACHE_HINT,
    'server/discover': CACHE_HINT,
  },
};

/** Handlers of the protocol's methods. */
export interface Handlers {
  listTools(): ListToolsResult;
  callTool(parameters: CallParameters, context: ServerContext): Promise<CallToolResult>;
  listResources(): ListResourcesResult;
  listResourceTemplates(): ListResourceTemplatesResult;
  readResource(parameters: { readonly uri: string }, context: ServerContext): Promise<ReadResourceResult>;
}

export function createHandlers({ caller, profile }: McpRequest, options: HandlerOptions): Handlers {
  return {
    listTools: () => ({ tools: [...options.tools.list(profile)] }),
    callTool: (parameters, context) => callTool(parameters, context, caller, options),
    listResources: () => ({ resources: [] }),
    listResourceTemplates: () => ({ resourceTemplates: resourceTemplates(caller.baseUrl) }),
    readResource: ({ uri }, context) => read(uri, context, caller, options),
  };
}

export function createServer(handlers: Handlers): Server {
  const server = new Server(SERVER_INFO, SERVER_OPTIONS);
  registerHandlers(server, handlers);
  return server;
}

export function registerHandlers(server: Server, handlers: Handlers): void {
  server.setRequestHandler('tools/list', () => handlers.listTools());
  server.setRequestHandler('tools/call', ({ params }, context) => {
    // A cancelled call has no answer: its stream ends without one.
    context.mcpReq.signal.addEventListener('abort', () => void server.close(), { once: true });
    return handlers.callTool(params, context);
  });
  server.setRequestHandler('resources/list', () => handlers.listResources());
  server.setRequestHandler('resources/templates/list', () => handlers.listResourceTemplates());
  server.setRequestHandler('resources/read', ({ params }, context) => handlers.readResource(params, context));
}

export interface CallParameters {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

async function callTool(
  { name, arguments: given }: CallParameters,
  { mcpReq }: ServerContext,
  caller: Caller,
  options: HandlerOptions,
): Promise<CallToolResult> {
  const tool = options.tools.find(name);
  if (tool === undefined) {
    const nearest = nearestNames(name, options.tools.names);
    const hint = nearest.length === 0 ? 'tools/list lists all tools' : `did you mean ${nearest.join(', ')}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${JSON.stringify(name)} not found; ${hint}.`);
  }
  const token = mcpReq._meta?.progressToken;
  const onProgress =
    token === undefined
      ? undefined
      : (progress: number, message?: string) => {
          // Fails if the client has disconnected; its signal has already stopped the run.
          const params = { progressToken: token, progress, total: 1, ...(message === undefined ? {} : { message }) };
          void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
        };
  const context: Context = { ...caller, signal: mcpReq.signal, onProgress, idempotencyKey: undefined };
  try {
    return await callResult(await tool.call(given, context, options), context);
  } catch (error) {
    if (!(error instanceof DomainError)) options.onToolError(name, caller.requestId, error);
    await caller.services.refusalDelay.wait(error, () => caller.tenant);
    return errorResult(error, caller.requestId);
  }
}

async function read(
  uri: string,
  { mcpReq }: ServerContext,
  caller: Caller,
  options: HandlerOptions,
): Promise<ReadResourceResult> {
  const context: Context = { ...caller, signal: mcpReq.signal, onProgress: undefined, idempotencyKey: undefined };
  try {
    return { contents: [await readResource(uri, context, options)] };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
}
