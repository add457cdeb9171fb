// The library of filed runs, and the bytes that envelopes link to.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, media } from '../operation.ts';
import { Envelope, Folder, Ok, Sha256, Tick, Timestamp } from '../schemas.ts';

const RunRow = z
  .strictObject({
    id: z.string(),
    folder: z.string().nullable(),
    solver: z.string(),
    value: z.number(),
    unit: z.string(),
    svcond: Tick,
    created_at: Timestamp,
    href: z.string(),
  })
  .meta({ id: 'RunRow' });

export const listRuns = defineOperation({
  name: 'run.list',
  summary: 'List your filed runs, newest first.',
  route: 'GET /api/svc/runs',
  tier: 'key',
  effect: 'read',
  input: z.object({
    folder: Folder.optional().describe('Only this folder.'),
    solver: z
      .string()
      .max(32)
      .regex(/^[a-z][a-z0-9-]*$/)
      .optional()
      .describe('Only this solver.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(LIMITS.pageSize.max)
      .default(LIMITS.pageSize.default)
      .describe('Rows a page.'),
    cursor: z.string().max(512).optional().describe('`next_cursor` of the page before.'),
  }),
  output: z.strictObject({ ok: Ok, rows: z.array(RunRow), next_cursor: z.string().nullable() }),
  errors: [],
  handle: async (input, { services, principal }) => ({
    ok: true as const,
    ...(await services.runs.list(principal, input)),
  }),
});

export const getRun = defineOperation({
  name: 'run.get',
  summary: 'One filed run: the envelope exactly as it was sealed.',
  route: 'GET /api/svc/runs/{id}',
  tier: 'key',
  effect: 'read',
  input: z.object({ id: z.uuid().describe('Id of the run.') }),
  output: z.strictObject({
    ok: Ok,
    id: z.string(),
    folder: z.string().nullable(),
    created_at: Timestamp,
    envelope: Envelope,
  }),
  errors: ['RUN_NOT_FOUND'],
  handle: async ({ id }, { services, principal }) => ({
    ok: true as const,
    ...(await services.runs.get(principal, id)),
  }),
});

export const getField = defineOperation({
  name: 'field.get',
  summary: 'The bytes of a large series or field: little-endian f64, row-major.',
  route: 'GET /api/svc/fields/{sha256}.bin',
  tier: 'public',
  effect: 'read',
  caching: 'immutable',
  input: z.object({ sha256: Sha256 }),
  output: media('application/octet-stream'),
  errors: ['NOT_FOUND'],
  handle: ({ sha256 }, { services }) => services.runs.field(sha256),
});

export const getResult = defineOperation({
  name: 'result.get',
  summary: 'A whole answer that was too long for the context of an agent.',
  description: `Of computations only, kept ${LIMITS.resultHours} hours. Whoever knows the hash may read it.`,
  route: 'GET /api/svc/results/{sha256}.json',
  tier: 'public',
  effect: 'read',
  caching: 'immutable',
  input: z.object({ sha256: Sha256 }),
  output: media('application/json'),
  errors: ['NOT_FOUND'],
  handle: ({ sha256 }, { services }) => services.results.read(sha256),
});

export const getKernel = defineOperation({
  name: 'kernel.get',
  summary: 'The WebAssembly of a kernel by its hash. Every kernel that ever sealed a result is kept.',
  route: 'GET /api/kernels/{sha256}.wasm',
  tier: 'public',
  effect: 'read',
  caching: 'immutable',
  input: z.object({ sha256: Sha256 }),
  output: media('application/wasm'),
  errors: ['KERNEL_UNAVAILABLE'],
  handle: ({ sha256 }, { services }) => services.kernels.bytes(sha256),
});
