// Row counts of a chain over time and by source.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation } from '../operation.ts';
import { queryCount, success, Tick } from '../schemas.ts';
import { Counts, Slug } from './schemas.ts';

const { ticks: MAX_TICKS, bins: MAX_BINS } = LIMITS.chain.analytics;

export const machineAnalytics = defineOperation({
  name: 'chain.analytics',
  summary: 'Row counts by type over the last ticks, in equal bins.',
  route: 'GET /api/chain/{slug}/analytics',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    slug: Slug,
    ticks: queryCount({ default: 600, max: MAX_TICKS }).describe('Ticks to include.'),
    bins: queryCount({ default: 60, max: MAX_BINS }).describe('Number of bins; at most one per tick.'),
  }),
  output: success({
    bins: z.array(z.strictObject({ from: Tick, to: Tick.describe('The last tick of the bin.'), by_type: Counts })),
  }),
  errors: [],
  handle: async (query, { services }, { machine }) => ({
    bins: await services.machineReports.analytics(machine, query),
  }),
});

export const machineSources = defineOperation({
  name: 'chain.sources',
  summary: 'Row counts of a chain by source.',
  route: 'GET /api/chain/{slug}/sources',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: success({
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
  errors: [],
  handle: async (_, { services }, { machine }) => ({
    rows: await services.machineReports.sources(machine),
  }),
});
