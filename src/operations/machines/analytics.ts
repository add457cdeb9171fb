// Row counts of a chain over time and by source.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation } from '../operation.ts';
import { Ok, queryCount, Tick } from '../schemas.ts';
import { Counts, Slug } from './schemas.ts';
import { withMachine } from './with-machine.ts';

const { ticks: MAX_TICKS, bins: MAX_BINS } = LIMITS.chain.analytics;

export const machineAnalytics = defineOperation({
  name: 'chain.analytics',
  summary: 'Row counts by type over the last ticks, in equal bins.',
  route: 'GET /api/chain/{slug}/analytics',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    ticks: queryCount({ default: 600, max: MAX_TICKS }).describe('Ticks to include.'),
    bins: queryCount({ default: 60, max: MAX_BINS }).describe('Number of bins; at most one per tick.'),
  }),
  output: z.strictObject({
    ok: Ok,
    bins: z.array(z.strictObject({ from: Tick, to: Tick.describe('The last tick of the bin.'), by_type: Counts })),
  }),
  errors: ['NOT_FOUND'],
  handle: withMachine('reader', async (machine, query, { services }) => ({
    bins: await services.machineReports.analytics(machine, query),
  })),
});

export const machineSources = defineOperation({
  name: 'chain.sources',
  summary: 'Row counts of a chain by source.',
  route: 'GET /api/chain/{slug}/sources',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({
    ok: Ok,
    rows: z.array(
      z.strictObject({
        kind: z.string().describe('The source.'),
        rows: z.int(),
        first: Tick,
        last: Tick,
        rejected: z.int().describe('Rows that record a refusal.'),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
  handle: withMachine('reader', async (machine, _, { services }) => ({
    rows: await services.machineReports.sources(machine),
  })),
});
