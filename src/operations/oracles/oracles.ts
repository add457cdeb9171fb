// Oracles of a machine's contracts: lists them, and accepts pushed readings.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { CONTRACT_PATH, Fire } from '../contracts/schemas.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { queryCount, rowsOf, Sha256, success, Tick } from '../schemas.ts';

const Reading = z
  .strictObject({
    seq: z.int().min(0).describe('Its row in the chain.'),
    svcond: Tick.describe('Tick of the measurement.'),
    value: z.number(),
    unit: z.string().nullable(),
    status: z.enum(['ok', 'stale', 'out_of_range']).describe('Conditions use only ok readings.'),
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
    value: z.number().nullable().describe('Current value for conditions.'),
    reason: z.string().nullable().describe('Why there is no value.'),
    age: z.int().nullable().describe('Ticks since the newest ok reading.'),
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
  summary: "Oracles of a machine's contracts, each with its latest reading and a recent series.",
  route: 'GET /api/chain/{slug}/oracles',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    slug: Slug,
    limit: queryCount(LIMITS.oracles.series).describe('Readings per series.'),
  }),
  output: rowsOf(Oracle),
  errors: [],
  handle: async ({ limit }, { services }, { machine }) => ({
    rows: await services.oracles.list(machine, limit),
  }),
});

export const pushReading = defineOperation({
  name: 'oracle.push',
  summary: 'Push a reading to the oracle of a contract; without a value, an oracle of kind operator is evaluated.',
  route: 'POST /api/chain/{slug}/contracts/{id}/readings',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  status: 201,
  input: z.strictObject({
    ...CONTRACT_PATH,
    value: z.number().optional(),
    unit: singleLine(40).optional().describe('Unit of the value; converted to that of the oracle.'),
    source: singleLine(LIMITS.oracles.sourceCharacters)
      .optional()
      .describe('Source, as counted by min_sources; your ZID by default.'),
  }),
  output: success({ seq: z.int().min(0), svcond: Tick, row_hash: Sha256, reading: Reading, fired: z.array(Fire) }),
  errors: [...WRITE_ERRORS, 'BUDGET_EXCEEDED', 'UNIT_INVALID', 'UNIT_MISMATCH', 'OPERATOR_UNKNOWN', 'VALUE_UNDEFINED'],
  handle: ({ id, ...pushed }, { services }, { machine, by }) => services.oracles.push(machine, by, id, pushed),
});
