// One server of the Model Context Protocol for one exchange: both generations, the same tools.
//
// https://modelcontextprotocol.io/specification/2026-07-28 and 2025-11-25. The low-level server of the SDK is used with
// lists made once: registering every tool anew for every request costs more than most calls.

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
import { INTERFACE_VERSION } from '../operations/node/openapi.ts';
import type { Context } from '../operations/operation.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { readResult, resultTemplates } from './resources.ts';
import { answerOf, refusalResult } from './result.ts';
import type { ToolBox, ToolProfile } from './tools.ts';

/** What is known of a request before its message is read. */
export type Caller = Omit<Context, 'signal' | 'onProgress' | 'idempotencyKey'>;

export interface Exchange {
  readonly caller: Caller;
  readonly profile: ToolProfile;
}

export interface ServerParts extends InvokeOptions {
  readonly tools: ToolBox;
  readonly onFailed: (tool: string, requestId: string, error: unknown) => void;
}

export const IDENTITY = { name: 'svc', title: 'svc: verifiable computation', version: INTERFACE_VERSION };
/** The lists change with the version of the service only; a client may keep them this long. */
const LIST_TTL_MS = 3_600_000;
const KEPT = { ttlMs: LIST_TTL_MS, cacheScope: 'public' as const };

export const OPTIONS: ServerOptions = {
  capabilities: { tools: {}, resources: {} },
  instructions: INSTRUCTIONS,
  supportedProtocolVersions: [...MCP_VERSIONS],
  cacheHints: {
    'tools/list': KEPT,
    'resources/list': KEPT,
    'resources/templates/list': KEPT,
    'resources/read': KEPT,
    'server/discover': KEPT,
  },
};

/** What is answered, method by method. */
export interface Handlers {
  listTools(): ListToolsResult;
  callTool(parameters: CallParameters, context: ServerContext): Promise<CallToolResult>;
  listResources(): ListResourcesResult;
  listResourceTemplates(): ListResourceTemplatesResult;
  readResource(parameters: { readonly uri: string }): Promise<ReadResourceResult>;
}

export function handlersOf({ caller, profile }: Exchange, parts: ServerParts): Handlers {
  return {
    listTools: () => ({ tools: [...parts.tools.rows(profile)] }),
    callTool: (parameters, context) => callTool(parameters, context, caller, parts),
    listResources: () => ({ resources: [] }),
    listResourceTemplates: () => ({ resourceTemplates: resultTemplates(caller.baseUrl) }),
    readResource: ({ uri }) => readOrRefuse(uri, caller),
  };
}

export function createServer(handlers: Handlers): Server {
  const server = new Server(IDENTITY, OPTIONS);
  equip(server, handlers);
  return server;
}

export function equip(server: Server, handlers: Handlers): void {
  server.setRequestHandler('tools/list', () => handlers.listTools());
  server.setRequestHandler('tools/call', ({ params }, context) => {
    // A cancelled call has no answer: its stream ends without one.
    context.mcpReq.signal.addEventListener('abort', () => void server.close(), { once: true });
    return handlers.callTool(params, context);
  });
  server.setRequestHandler('resources/list', () => handlers.listResources());
  server.setRequestHandler('resources/templates/list', () => handlers.listResourceTemplates());
  server.setRequestHandler('resources/read', ({ params }) => handlers.readResource(params));
}

export interface CallParameters {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

async function callTool(
  { name, arguments: given }: CallParameters,
  { mcpReq }: ServerContext,
  caller: Caller,
  parts: ServerParts,
): Promise<CallToolResult> {
  const tool = parts.tools.find(name);
  if (tool === undefined) {
    const nearest = nearestNames(name, parts.tools.names);
    const hint = nearest.length === 0 ? 'tools/list names them all' : `did you mean ${nearest.join(', ')}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name)}; ${hint}.`);
  }
  const token = mcpReq._meta?.progressToken;
  const onProgress =
    token === undefined
      ? undefined
      : (progress: number) => {
          // A client that went away is told nothing; its signal has stopped the run.
          void mcpReq
            .notify({ method: 'notifications/progress', params: { progressToken: token, progress, total: 1 } })
            .catch(() => {});
        };
  const context: Context = { ...caller, signal: mcpReq.signal, onProgress, idempotencyKey: undefined };
  try {
    return await answerOf(await tool.call(given, context, parts), context);
  } catch (error) {
    if (!(error instanceof DomainError)) parts.onFailed(name, caller.requestId, error);
    return refusalResult(error, caller.requestId);
  }
}

async function readOrRefuse(uri: string, caller: Caller): Promise<ReadResourceResult> {
  try {
    return { contents: [await readResult(uri, caller)] };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
}
