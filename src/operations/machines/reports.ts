// What a chain comes to: counts over time and by source, one tick of it, its events, and how sound it is.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import type { RowRecord } from '../../services/machines/log.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Sha256, Tick, Timestamp } from '../schemas.ts';
import { EventName, Head, PAGE, Row, Slug } from './schemas.ts';

const { ticks: mostTicks, bins: mostBins } = LIMITS.chain.analytics;
const Counts = z.record(z.string(), z.int());

export const machineAnalytics = defineOperation({
  name: 'chain.analytics',
  summary: 'How many rows of which type the last ticks brought, in equal parts.',
  route: 'GET /api/chain/{slug}/analytics',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    ticks: z.coerce.number().int().min(1).max(mostTicks).default(600).describe('How far back.'),
    bins: z.coerce.number().int().min(1).max(mostBins).default(60).describe('Parts; at most one a tick.'),
  }),
  output: z.strictObject({
    ok: Ok,
    bins: z.array(z.strictObject({ from: Tick, to: Tick.describe('The last tick of the part.'), by_type: Counts })),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, ...asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, bins: await services.machineReports.analytics(machine, asked) };
  },
});

export const machineSources = defineOperation({
  name: 'chain.sources',
  summary: 'Where the rows of a chain came from.',
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
        rejected: z.int().describe('How many of them note a refusal.'),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, rows: await services.machineReports.sources(machine) };
  },
});

export const machineBlock = defineOperation({
  name: 'chain.block',
  summary: 'All rows of one tick, the head before them, their RFC 6962 root and the pulse.',
  route: 'GET /api/chain/{slug}/block',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    svcond: z.coerce.number().int().min(0).describe('The tick.'),
    from: z.coerce.number().int().min(0).optional().describe('`next_from` of the page before.'),
    limit: PAGE.limit,
  }),
  output: z.strictObject({
    ok: Ok,
    svcond: Tick,
    is_closed: z.boolean().describe('The tick is over: nothing is added any more.'),
    count: z.int().describe('Rows of the tick.'),
    prev_head: Sha256.describe('Hash of the row before them; zeros before the first row.'),
    root: Sha256.describe('Over the hashes of all of them.'),
    pulse: z.strictObject({ svcond: Tick, timestamp: Timestamp, R_t: z.number() }).describe('As the tick began.'),
    rows: z.array(Row),
    next_from: z.int().nullable(),
  }),
  errors: ['NOT_FOUND', 'TICK_IN_FUTURE'],
  handle: async ({ slug, svcond, ...page }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.machineReports.block(machine, svcond, page)) };
  },
});

/** A row of an event as it is answered: what it carried, without the row around it. */
export function eventRecord({ seq, svcond, at, source, payload, row_hash }: RowRecord) {
  const { name = null, payload: carried = null } = (payload ?? {}) as { name?: string; payload?: unknown };
  return { seq, svcond, at, source, name, payload: carried, row_hash };
}

export const machineEvents = defineOperation({
  name: 'chain.events',
  summary: 'Events that contracts of a machine emitted, newest first; for members.',
  description: 'With source=all, those that were sent to it as well.',
  route: 'GET /api/chain/{slug}/events',
  tier: 'key',
  effect: 'read',
  input: z.object({
    slug: Slug,
    name: EventName.optional().describe('Only events of this name.'),
    since: z.coerce.number().int().min(0).optional().describe('Only events of this tick and later.'),
    source: z.enum(['emitted', 'all']).default('emitted'),
    ...PAGE,
  }),
  output: z.strictObject({
    ok: Ok,
    rows: z.array(
      z.strictObject({
        seq: z.int(),
        svcond: Tick,
        at: Timestamp,
        source: z.string(),
        name: z.string().nullable().describe('Null where the payload was erased.'),
        payload: z.unknown(),
        row_hash: Sha256,
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED'],
  handle: async ({ slug, source, ...asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'viewer');
    const types = source === 'all' ? ['emit', 'event'] : ['emit'];
    const { rows, next_cursor } = await services.machineLog.explore(machine, { ...asked, types });
    return { ok: true as const, rows: rows.map(eventRecord), next_cursor };
  },
});

export const awarenessStatus = defineOperation({
  name: 'chain.awareness',
  summary: 'Counters of how sound a machine is: its chain, contracts, fires, events and keys.',
  route: 'GET /api/chain/{slug}/awareness/status',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({
    ok: Ok,
    rows: z.int(),
    head: Head,
    chain_ok: z.boolean().describe('The newest rows, checked just now against themselves and the newest checkpoint.'),
    verified_from_seq: z.int(),
    verified_to_seq: z.int(),
    erased: z.int(),
    checkpoint: z.strictObject({ size: z.int(), svcond: Tick }).nullable(),
    uncheckpointed: z.int().describe('Rows that no checkpoint covers yet.'),
    contracts: Counts.describe('By status.'),
    def_mismatch: z.int().describe('Contracts whose stored definition has another hash than it was deployed with.'),
    fires: z.strictObject({
      total: z.int(),
      guarded: z.int().describe('Held back by a condition.'),
      refused: z.int().describe('Refused by an action that failed.'),
      skipped: z.int(),
      missed: z.int(),
    }),
    scheduler_lag_ticks: z.strictObject({
      now: z.int().describe('How long the oldest due timer waits.'),
      p99_60: z.int().describe('How late timers fired in the last 60 ticks, 99 of 100 of them no later.'),
    }),
    events: z.strictObject({ ingested: z.int(), emitted: z.int() }),
    oracles: z.strictObject({
      contracts: z.int().describe('That carry one.'),
      readings: z.int(),
      out_of_range: z.int(),
      stale: z.int(),
      failing: z.int().describe('Whose last question was answered with nothing.'),
    }),
    anchors: z.strictObject({
      held: z.int().describe('Of other machines, in this chain.'),
      made: z.int().describe('Of this machine, in the chains of others.'),
    }),
    keys: z.strictObject({ live: z.int(), expiring: z.int().describe('Within a week.') }),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.awareness.status(machine)) };
  },
});
