// The catalog of operations: the route registry and the OpenAPI document.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { defineOperation, media, type Operation } from '../operation.ts';
import { methodOf, pathOf } from '../route.ts';
import { queryInt, success } from '../schemas.ts';
import { openApiText } from './openapi.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const AUTHS = ['public', 'user', 'key', 'admin'] as const;

const EndpointRow = z
  .strictObject({
    method: z.string(),
    path: z.string(),
    operation: z.string(),
    summary: z.string(),
    auth: z.enum(AUTHS),
    effect: z.enum(['read', 'compute', 'write']),
    tool: z.string().nullable(),
  })
  .meta({ id: 'EndpointRow' });

function endpointRows(operations: readonly Operation[]): z.output<typeof EndpointRow>[] {
  return operations.map((operation) => ({
    method: methodOf(operation),
    path: pathOf(operation),
    operation: operation.name,
    summary: operation.summary,
    auth: operation.tier,
    effect: operation.effect,
    tool: operation.mcp?.tool ?? null,
  }));
}

const CatalogInput = z.object({
  q: singleLine(100, 0).optional().describe('Text in a path or summary, case-insensitive.'),
  method: z.enum(METHODS).optional().describe('Only this method.'),
  auth: z.enum(AUTHS).optional().describe('Only routes that need this: nothing, a session, a key, an admin key.'),
  limit: queryInt(1, 1_000).optional().describe('Maximum rows; all by default.'),
});

/** Smaller default limit, because an agent reads the response into its context. */
const ToolInput = z.strictObject({
  ...CatalogInput.shape,
  limit: z.int().min(1).max(200).default(40).describe('Maximum rows.'),
});

type CatalogFilter = z.output<typeof CatalogInput>;

/** Matching rows in catalog order, and the total before the limit. */
function findEndpoints(operations: readonly Operation[], { q, method, auth, limit }: CatalogFilter) {
  const text = q?.toLowerCase();
  const matches = endpointRows(operations).filter(
    (row) =>
      (text === undefined || `${row.path}\n${row.summary}`.toLowerCase().includes(text)) &&
      (method === undefined || row.method === method) &&
      (auth === undefined || row.auth === auth),
  );
  const rows = matches.slice(0, limit);
  return { count: rows.length, total: matches.length, rows };
}

/** These describe all operations including themselves, so they get the complete list lazily. */
export function catalogOperations(all: () => readonly Operation[]) {
  let document: Promise<string> | undefined;
  return [
    defineOperation({
      name: 'endpoint.list',
      summary: 'The live route registry of this node.',
      route: 'GET /api/endpoints',
      tier: 'public',
      effect: 'read',
      caching: 'etag',
      mcp: {
        tool: 'svc_api_catalog',
        title: 'API catalog',
        description: 'Use to find the route for a task before svc_http. Filters by text, method and auth.',
        profile: 'core',
        input: ToolInput,
      },
      input: CatalogInput,
      output: success({
        count: z.int().describe('Rows in this answer.'),
        total: z.int().describe('Matching rows before the limit.'),
        rows: z.array(EndpointRow),
      }),
      brief: {
        sentences: ({ count, total, rows }) => [
          `${count} of ${total} matching routes.`,
          ...rows.map(({ method, path, summary, auth, tool }) => {
            const access = tool === null ? auth : `${auth}, tool ${tool}`;
            return `${method} ${path} (${access}): ${summary}`;
          }),
        ],
      },
      errors: [],
      handle: async (filter) => findEndpoints(all(), filter),
    }),
    defineOperation({
      name: 'openapi.read',
      summary: 'This interface as an OpenAPI 3.1 document.',
      route: 'GET /openapi.json',
      tier: 'public',
      effect: 'read',
      caching: 'etag',
      input: z.object({}),
      output: media('application/json'),
      errors: [],
      handle: async () => {
        document ??= openApiText(all());
        return document;
      },
    }),
  ] as const;
}
