// svc_http: gives agents that have only tools access to every route of this node.
//
// It sends no request: it looks the path up among the routes of the operations list and calls the operation with the
// caller's key. A path outside that list, such as /api/mcp itself, cannot be reached however it is encoded. Admin routes
// are in the list and are rejected.

import { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { assertTier, invoke } from '../operations/invoke.ts';
import {
  type Context,
  isMedia,
  isStreamedContent,
  isTypedContent,
  type Media,
  type Operation,
} from '../operations/operation.ts';
import { mergeQuery } from '../operations/query-method.ts';
import { withRefusalLog } from '../operations/refusal-log.ts';
import { type RouteMatch, RouteTable } from '../operations/route-table.ts';
import { argumentsSchema } from './schema.ts';
import { Detail, overflowOf, parseArguments, type Tool } from './tool.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as const;
type HttpMethod = (typeof METHODS)[number];

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const REACHABLE = /^\/(api\/|openapi\.json$|readyz$|\.well-known\/)/;

const Arguments = z.strictObject({
  method: z.enum(METHODS),
  path: z
    .string()
    .max(2_000)
    .regex(REACHABLE, 'A path that begins with /api/')
    .describe('Begins with /api/ and has no query: that goes into `query`.'),
  query: z.record(z.string(), Scalar).optional().describe('Flat.'),
  body: z.record(z.string(), z.unknown()).optional(),
  detail: Detail,
});

export function httpTool(operations: readonly Operation[]): Tool {
  const routes = new RouteTable(operations);

  function find(method: HttpMethod, path: string): RouteMatch {
    const isPlain = PLAIN_PATH.test(path);
    const match = isPlain ? routes.find(method, path) : undefined;
    if (match) return match;
    const allowed = isPlain ? METHODS.filter((each) => routes.methodsAt(path).includes(each)) : [];
    if (allowed.length === 0)
      throw new DomainError('NOT_FOUND', `No route at ${path} for svc_http; svc_api_catalog lists the routes.`);
    throw new DomainError('METHOD_NOT_ALLOWED', `${method} is not allowed at ${path}; use ${allowed.join(', ')}.`);
  }

  return {
    listing: {
      name: 'svc_http',
      title: 'HTTP request',
      description:
        'Use for routes without a dedicated tool. GET /api/svc/solvers/heat describes the inputs of svc_heat. Sends your key; admin routes and /api/mcp are excluded.',
      inputSchema: argumentsSchema(Arguments),
      annotations: { destructiveHint: true, openWorldHint: false },
    },
    profile: 'core',
    call: async (given, context, options) => {
      const { method, path, query = {}, body = {}, detail } = parseArguments(Arguments, given);
      const { operation: found, parameters } = find(method, path);
      const operation = found.once ?? found;
      await withRefusalLog(operation, parameters, context, async () => assertReachable(operation, path, context));
      const href = `${context.baseUrl}${path}`;
      if (operation.events !== undefined) {
        const stream = { ok: true, status: 200, media_type: 'text/event-stream', href };
        return { answer: stream, operation, wrap: () => stream, overflow: 'inline', detail };
      }
      const fields = method === 'GET' || method === 'QUERY' ? mergeQuery(query, body) : { ...query, ...body };
      const input = { ...fields, ...parameters };
      const answer = await invoke(operation, input, context, options);
      const overflow = overflowOf(operation, input, context);
      const { output, status = 200 } = operation;
      if (!isMedia(output))
        return { answer, operation, wrap: (body) => ({ ok: true, status, body }), overflow, detail };
      const content = { ok: true, status, ...mediaOf(output, answer, href) };
      return { answer: content, operation, wrap: (one) => one as typeof content, overflow, detail };
    },
  };
}

/** Unreserved characters only, so that nothing is decoded; ids, hashes and names contain no others. */
const PLAIN_PATH = /^(\/\.well-known|(\/[\w~-][\w~.-]*))+$/;

/** @throws DomainError FORBIDDEN, AUTH_REQUIRED, ADMIN_REQUIRED */
function assertReachable(operation: Operation, path: string, context: Context): void {
  const refusal = httpToolRefusal(operation, path);
  if (refusal !== undefined) throw new DomainError('FORBIDDEN', refusal);
  assertTier(operation, context);
}

/** Why the tool cannot call an operation, if it cannot. */
export function httpToolRefusal({ tier, isSecret }: Operation, path: string): string | undefined {
  if (tier === 'admin') return `${path} is an admin route, which svc_http cannot call.`;
  // Conversations are recorded.
  if (isSecret) return `${path} handles secrets, so svc_http cannot call it.`;
  return REACHABLE.test(path) ? undefined : `${path} is not below /api/, so svc_http cannot call it.`;
}

/** Text and JSON of a route that does not answer with a record; binary and streamed content becomes a link. */
function mediaOf({ mediaType }: Media, result: unknown, href: string): Record<string, unknown> {
  if (isTypedContent(result)) return { media_type: result.mediaType, bytes: result.bytes.length, href };
  if (isStreamedContent(result)) return { media_type: mediaType, href };
  if (result instanceof Uint8Array) return { media_type: mediaType, bytes: result.length, href };
  const text = String(result);
  return { media_type: mediaType, body: isJson(mediaType) ? JSON.parse(text) : text };
}

const isJson = (mediaType: string) => /^application\/json\b/.test(mediaType);
