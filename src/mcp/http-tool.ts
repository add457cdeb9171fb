// svc_http: every route of this node for an agent that has only tools.
//
// No request is sent. The path is compared with the routes of the operations list, character by character, and the
// operation is called with the caller's own key. What is not in that list, first of all /api/mcp itself, cannot be
// reached in any spelling; admin routes are in it and are refused.

import { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { assertTier, invoke } from '../operations/invoke.ts';
import { noting } from '../operations/noting.ts';
import { type Context, isMedia, isTyped, methodOf, type Operation, pathOf } from '../operations/operation.ts';
import { mergeQuery } from '../operations/query.ts';
import { argumentsSchema } from './schema.ts';
import { parseArguments, type Tool, wholeOf } from './tool.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as const;
type HttpMethod = (typeof METHODS)[number];

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const Arguments = z.strictObject({
  method: z.enum(METHODS),
  path: z
    .string()
    .max(2_000)
    .regex(/^\/(api\/|openapi\.json$|\.well-known\/)/, 'A path that begins with /api/')
    .describe('Begins with /api/ and has no query: that goes into `query`.'),
  query: z.record(z.string(), Scalar).optional().describe('Flat.'),
  body: z.record(z.string(), z.unknown()).optional(),
});

interface Match {
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
}

export function httpTool(operations: readonly Operation[]): Tool {
  const routes = operations.map((operation) => ({ operation, pattern: patternOf(pathOf(operation)) }));

  function find(method: HttpMethod, path: string): Match {
    const here = routes.filter(({ pattern }) => pattern.test(path));
    const wanted = method === 'QUERY' ? 'GET' : method;
    const route = here.find(({ operation }) => methodOf(operation) === wanted);
    if (route) return { operation: route.operation, parameters: parametersOf(route.pattern, path) };
    if (here.length === 0) {
      throw new DomainError('NOT_FOUND', `There is nothing at ${path} for svc_http. svc_api_catalog lists the routes.`);
    }
    const allowed = here.map(({ operation }) => methodOf(operation)).join(', ');
    throw new DomainError('METHOD_NOT_ALLOWED', `${method} is not answered at ${path}; allowed are ${allowed}.`);
  }

  return {
    row: {
      name: 'svc_http',
      title: 'HTTP request',
      description:
        'Use for any route without a tool of its own. Your key goes along; admin routes and /api/mcp are closed.',
      inputSchema: argumentsSchema(Arguments),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    profile: 'core',
    call: async (given, context, options) => {
      const { method, path, query = {}, body = {} } = parseArguments(Arguments, given);
      const { operation, parameters } = find(method, path);
      await noting(operation, parameters, context, async () => assertReachable(operation, path, context));
      const href = `${context.baseUrl}${path}`;
      if (operation.events !== undefined)
        return { result: { ok: true, status: 200, media_type: 'text/event-stream', href }, whole: 'here' };
      const fields = method === 'GET' || method === 'QUERY' ? mergeQuery(query, body) : { ...query, ...body };
      const input = { ...fields, ...parameters };
      const result = shown(operation, await invoke(operation, input, context, options), href);
      return { result, whole: wholeOf(operation, input, context) };
    },
  };
}

/** @throws DomainError FORBIDDEN, AUTH_REQUIRED, ADMIN_REQUIRED */
function assertReachable(operation: Operation, path: string, context: Context): void {
  if (operation.tier === 'admin')
    throw new DomainError('FORBIDDEN', `${path} is an admin route: it is not reached through svc_http.`);
  // A conversation keeps what it was told.
  if (operation.isSecret)
    throw new DomainError('FORBIDDEN', `${path} takes and answers secrets: it is not reached through svc_http.`);
  assertTier(operation, context);
}

/** An answer with its status; bytes are named, not poured out. */
function shown({ output, status = 200 }: Operation, result: unknown, href: string): Record<string, unknown> {
  if (!isMedia(output)) return { ok: true, status, body: result };
  if (isTyped(result)) return { ok: true, status, media_type: result.mediaType, bytes: result.bytes.length, href };
  const { mediaType } = output;
  if (result instanceof Uint8Array) return { ok: true, status, media_type: mediaType, bytes: result.length, href };
  const text = String(result);
  return { ok: true, status, media_type: mediaType, body: isJson(mediaType) ? JSON.parse(text) : text };
}

const isJson = (mediaType: string) => /^application\/json\b/.test(mediaType);

/** A parameter is part of one segment, of characters that need no decoding: ids, hashes and names have no others. */
function patternOf(path: string): RegExp {
  const literal = path.replaceAll('.', '\\.');
  return new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w~-][\\w~.-]*)')}$`);
}

function parametersOf(pattern: RegExp, path: string): Record<string, string> {
  return { ...pattern.exec(path)?.groups };
}
