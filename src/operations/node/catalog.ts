// What the service says of itself: the route registry, the OpenAPI document, the kernel pages, the public keys.

import { z } from 'zod';
import { CURRENT_KERNEL_VERSION, KERNEL_VERSIONS } from '../../protocol/kernel-description.ts';
import { defineOperation, media, methodOf, type Operation, pathOf } from '../operation.ts';
import { Ok, PublicKey } from '../schemas.ts';
import { openApiDocument } from './openapi.ts';
import { KernelBlock } from './pulse.ts';

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
  q: z.string().max(100).optional().describe('Part of a path or description, in any case.'),
  method: z.enum(METHODS).optional().describe('Only this method.'),
  auth: z.enum(AUTHS).optional().describe('Only routes that need this: nothing, a session, a key, an admin key.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('At most so many rows; without it, all.'),
});

/** An agent reads the answer into its context. */
const ToolInput = z.strictObject({
  ...CatalogInput.shape,
  limit: z.int().min(1).max(200).default(40).describe('At most so many rows.'),
});

type CatalogFilter = z.output<typeof CatalogInput>;

/** Rows in the order of the list, and how many there would be without the limit. */
function findEndpoints(operations: readonly Operation[], { q, method, auth, limit }: CatalogFilter) {
  const wanted = q?.toLowerCase();
  const found = endpointRows(operations).filter(
    (row) =>
      (wanted === undefined || `${row.path}\n${row.summary}`.toLowerCase().includes(wanted)) &&
      (method === undefined || row.method === method) &&
      (auth === undefined || row.auth === auth),
  );
  const rows = found.slice(0, limit);
  return { ok: true as const, count: rows.length, total: found.length, rows };
}

const KernelVersionInput = z.object({
  version: z.enum(KERNEL_VERSIONS).default(CURRENT_KERNEL_VERSION).describe('Which published prompt.'),
});

/** These describe all operations, themselves included, so they are given the finished list when they are called. */
export function catalogOperations(all: () => readonly Operation[]): Operation[] {
  let document: string | undefined;
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
      output: z.strictObject({
        ok: Ok,
        count: z.int().describe('Rows in this answer.'),
        total: z.int().describe('Rows that match, with those beyond the limit.'),
        rows: z.array(EndpointRow),
      }),
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
        document ??= JSON.stringify(openApiDocument(all()));
        return document;
      },
    }),
    defineOperation({
      name: 'kernel.describe',
      summary: 'The kernel block: notice, addresses, version and directives.',
      route: 'GET /api/kernel',
      tier: 'public',
      effect: 'read',
      caching: 'etag',
      input: KernelVersionInput,
      output: z.strictObject({ ok: Ok, versions: z.array(z.string()), _kernel: KernelBlock }),
      errors: [],
      handle: async ({ version }, { services, baseUrl }) => ({
        ok: true as const,
        versions: [...KERNEL_VERSIONS],
        _kernel: services.description.block(baseUrl, version),
      }),
    }),
    defineOperation({
      name: 'kernel.prompt',
      summary: 'The kernel prompt for a language model.',
      route: 'GET /api/kernel/prompt',
      tier: 'public',
      effect: 'read',
      caching: 'etag',
      input: KernelVersionInput,
      output: z.strictObject({ ok: Ok, version: z.string(), prompt: z.string() }),
      errors: [],
      handle: async ({ version }, { services }) => ({
        ok: true as const,
        version,
        prompt: services.description.prompt(version),
      }),
    }),
    defineOperation({
      name: 'kernel.markdown',
      summary: 'The kernel page as Markdown.',
      route: 'GET /.well-known/svc-os-kernel.md',
      tier: 'public',
      effect: 'read',
      caching: 'etag',
      input: z.object({}),
      output: media('text/markdown; charset=utf-8'),
      errors: [],
      handle: async (_, { services, baseUrl }) => services.description.markdown(baseUrl),
    }),
    defineOperation({
      name: 'jwks.read',
      summary: 'The public keys that verify seals.',
      route: 'GET /api/.well-known/jwks.json',
      tier: 'public',
      effect: 'read',
      caching: 'etag',
      input: z.object({}),
      output: z.strictObject({ ok: Ok, keys: z.array(PublicKey) }),
      errors: [],
      handle: async (_, { services }) => ({ ok: true as const, keys: [...services.keyRing.jwks().keys] }),
    }),
  ];
}
