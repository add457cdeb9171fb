// What the service says of itself: the route registry, the OpenAPI document, the kernel pages, the public keys.

import { z } from 'zod';
import { CURRENT_KERNEL_VERSION, KERNEL_VERSIONS } from '../protocol/kernel-description.ts';
import { openApiDocument } from './openapi.ts';
import { defineOperation, media, methodOf, type Operation, pathOf } from './operation.ts';
import { KernelBlock } from './pulse.ts';
import { Ok, PublicKey } from './schemas.ts';

const EndpointRow = z
  .strictObject({
    method: z.string(),
    path: z.string(),
    operation: z.string(),
    summary: z.string(),
    auth: z.enum(['public', 'user', 'key', 'admin']),
    effect: z.enum(['read', 'compute', 'write']),
    tool: z.string().nullable(),
  })
  .meta({ id: 'EndpointRow' });

export function endpointRows(operations: readonly Operation[]): z.output<typeof EndpointRow>[] {
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
      input: z.object({}),
      output: z.strictObject({ ok: Ok, count: z.int(), rows: z.array(EndpointRow) }),
      errors: [],
      handle: async () => ({ ok: true as const, count: all().length, rows: endpointRows(all()) }),
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
