// Oracles of the contracts of a machine: what they read, and readings that are pushed.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { Fire } from '../contracts/schemas.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Sha256, Tick } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';

const Reading = z
  .strictObject({
    seq: z.int().min(0).describe('Its row in the chain.'),
    svcond: Tick.describe('The tick that it is about.'),
    value: z.number(),
    unit: z.string().nullable(),
    status: z.enum(['ok', 'stale', 'out_of_range']).describe('Only what is ok is seen by conditions.'),
    source: z.string(),
  })
  .meta({ id: 'Reading', description: 'A reading of an oracle.' });

const Oracle = z
  .strictObject({
    contract: z.string(),
    name: z.string(),
    status: z.enum(['active', 'paused', 'frozen', 'completed', 'failed']),
    kind: z.enum(['event', 'push', 'http', 'operator', 'machine']),
    fn: z.enum(['last', 'avg', 'median', 'min', 'max']),
    unit: z.string().nullable(),
    value: z.number().nullable().describe('What conditions see now.'),
    reason: z.string().nullable().describe('Why they see nothing.'),
    age: z.int().nullable().describe('Ticks since the newest reading that is ok.'),
    latest: Reading.nullable(),
    series: z.array(Reading).describe('Newest first.'),
    readings: z.int(),
    out_of_range: z.int(),
    stale: z.int(),
    polls: z.strictObject({
      count: z.int(),
      failed: z.int(),
      last_error: z.string().nullable(),
      next: Tick.nullable(),
    }),
  })
  .meta({ id: 'Oracle' });

export const listOracles = defineOperation({
  name: 'oracle.list',
  summary: 'The contracts of a machine that carry an oracle, each with its latest reading and a recent series.',
  route: 'GET /api/chain/{slug}/oracles',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(LIMITS.oracles.series.max)
      .default(LIMITS.oracles.series.default)
      .describe('Readings of a series.'),
  }),
  output: z.strictObject({ ok: Ok, rows: z.array(Oracle) }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, limit }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, rows: await services.oracles.list(machine, limit) };
  },
});

export const pushReading = defineOperation({
  name: 'oracle.push',
  summary: 'Tell the oracle of a contract what was read; without a value, an oracle of kind operator is asked now.',
  route: 'POST /api/chain/{slug}/contracts/{id}/readings',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    id: z.uuid().describe('Id of the contract.'),
    value: z.number().optional(),
    unit: z.string().min(1).max(40).optional().describe('Of the value; converted to that of the oracle.'),
    source: z
      .string()
      .min(1)
      .max(LIMITS.oracles.sourceCharacters)
      .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'control characters are not allowed')
      .optional()
      .describe('Who measured it, as min_sources counts; your ZID by default.'),
  }),
  output: z.strictObject({
    ok: Ok,
    seq: z.int().min(0),
    svcond: Tick,
    row_hash: Sha256,
    reading: Reading,
    fired: z.array(Fire),
  }),
  errors: [
    'NOT_FOUND',
    'FORBIDDEN',
    'ADMIN_REQUIRED',
    'ZID_NOT_LINKED',
    'MACHINE_ARCHIVED',
    'CONFLICT',
    'UNIT_INVALID',
    'UNIT_MISMATCH',
    'OPERATOR_UNKNOWN',
    'VALUE_UNDEFINED',
    'QUEUE_FULL',
  ],
  handle: async ({ slug, id, ...pushed }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'operator');
    return { ok: true as const, ...(await services.oracles.push(machine, signedIn(principal), id, pushed)) };
  },
});
