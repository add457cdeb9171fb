// Reports across machines: newest machines, most active machines, recent rows, totals.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { PAGE, pageOf, pageRecord, queryCount, rowsOf, Sha256, success, Tick, Timestamp } from '../schemas.ts';
import { Head, Machine, MachineStatus, RowType, Slug } from './schemas.ts';

/** Ticks in a day. */
const TICKS_PER_DAY = 111_197;

/** A row without its payload. */
const FeedRow = z.strictObject({
  slug: Slug,
  seq: z.int(),
  svcond: Tick,
  at: Timestamp,
  type: z.string(),
  source: z.string(),
  actor: z.string(),
  row_hash: Sha256,
});

export const newestMachines = defineOperation({
  name: 'machine.newest',
  summary: 'Public machines, newest first.',
  route: 'GET /api/chain/newest',
  tier: 'public',
  effect: 'read',
  input: z.object(PAGE),
  output: pageOf(Machine),
  errors: [],
  handle: async (input, { services }) => {
    const { rows, nextCursor } = await services.machines.newest(input);
    return pageRecord({ rows: rows.map((machine) => services.machines.record(machine)), nextCursor });
  },
});

export const recentRows = defineOperation({
  name: 'chain.recent',
  summary: 'The newest rows of the public machines, without their payloads.',
  description: 'Cached for one tick. A type filter searches the most recently active machines.',
  route: 'GET /api/chain/recent',
  tier: 'public',
  effect: 'read',
  input: z.object({ limit: PAGE.limit, type: RowType.optional().describe('Only rows of this type.') }),
  example: { limit: 50 },
  output: rowsOf(FeedRow),
  errors: [],
  handle: async ({ limit, type }, { services }) => ({
    rows: await services.overview.recent(limit, type),
  }),
});

export const observer = defineOperation({
  name: 'observer.feed',
  summary: 'The newest rows of your machines, or without a key of all public ones; no payloads.',
  route: 'GET /api/observer',
  tier: 'public',
  effect: 'read',
  mcp: {
    tool: 'svc_observer',
    title: 'Recent activity',
    description:
      'Use to see what happened last: the newest rows of your machines, or of all public ones without a key.',
    profile: 'chain',
  },
  input: z.object({ limit: queryCount({ default: 15, max: 50 }).describe('Maximum rows.') }),
  example: { limit: 15 },
  output: success({ feed: z.enum(['own', 'public']), rows: z.array(FeedRow) }),
  brief: {
    sentences: ({ feed, rows }) => [
      `The newest ${rows.length} rows of ${feed === 'own' ? 'your' : 'all public'} machines.`,
      ...rows.map(({ slug, seq, type, source, at }) => `${slug} #${seq}: ${type} by ${source} at ${at};`),
    ],
  },
  errors: [],
  handle: ({ limit }, { services, principal }) => services.overview.feed(principal, limit),
});

export const activeMachines = defineOperation({
  name: 'chain.active',
  summary: 'The public machines with the most transitions in the last ticks.',
  route: 'GET /api/chain/active',
  tier: 'public',
  effect: 'read',
  input: z.object({
    ticks: queryCount({ default: 60, max: TICKS_PER_DAY }).describe('Ticks to include.'),
    limit: PAGE.limit,
  }),
  example: { ticks: 60 },
  output: success({
    from: Tick.describe('First tick.'),
    to: Tick.describe('Last tick.'),
    rows: z.array(z.strictObject({ slug: Slug, name: z.string(), transitions: z.int() })),
  }),
  errors: [],
  handle: ({ ticks, limit }, { services }) => services.overview.active(ticks, limit),
});

export const aggregateList = defineOperation({
  name: 'chain.aggregate',
  summary: 'Every public machine with the head of its chain, newest first.',
  route: 'GET /api/chain/aggregate/list',
  tier: 'public',
  effect: 'read',
  input: z.object(PAGE),
  example: {},
  output: pageOf(
    z.strictObject({ slug: Slug, name: z.string(), status: MachineStatus, address: z.string(), head: Head }),
  ),
  errors: [],
  handle: async (input, { services }) => {
    const { rows, nextCursor } = await services.machines.newest(input);
    const summaries = rows.map((machine) => {
      const { slug, name, status, address, head } = services.machines.record(machine);
      return { slug, name, status, address, head };
    });
    return pageRecord({ rows: summaries, nextCursor });
  },
});

const Totals = z
  .strictObject({
    machines: z.int(),
    rows: z.int().describe('Rows of all chains.'),
    by_status: z.record(z.string(), z.int()),
    contracts: z.record(z.string(), z.int()).describe('By status.'),
  })
  .meta({ id: 'MachineTotals' });

export const fleet = defineOperation({
  name: 'chain.fleet',
  summary: 'Totals of machines, rows and contracts: public, and yours with a key.',
  route: 'GET /api/chain/fleet',
  tier: 'public',
  effect: 'read',
  input: z.object({}),
  example: {},
  output: success({ public: Totals, own: Totals.nullable().describe('Machines that your identity is a member of.') }),
  errors: [],
  handle: (_, { services, principal }) => services.overview.fleet(principal),
});
