// Health counters of a machine.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { success, Tick } from '../schemas.ts';
import { Counts, Head, Slug } from './schemas.ts';

export const awarenessStatus = defineOperation({
  name: 'chain.awareness',
  summary: 'Health counters of a machine: its chain, contracts, fires, events and keys.',
  route: 'GET /api/chain/{slug}/awareness/status',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: success({
    rows: z.int(),
    head: Head,
    chain_ok: z.boolean().describe('Whether the newest rows validate, against the newest checkpoint too.'),
    verified_from_seq: z.int(),
    verified_to_seq: z.int(),
    erased: z.int(),
    checkpoint: z.strictObject({ size: z.int(), svcond: Tick }).nullable(),
    uncheckpointed: z.int().describe('Rows that no checkpoint covers yet.'),
    contracts: Counts.describe('By status.'),
    def_mismatch: z.int().describe('Contracts whose stored definition no longer matches its hash.'),
    fires: z.strictObject({
      total: z.int(),
      guarded: z.int().describe('Blocked by a condition.'),
      refused: z.int().describe('Rejected because an action failed.'),
      skipped: z.int(),
      missed: z.int(),
    }),
    scheduler_lag_ticks: z.strictObject({
      now: z.int().describe('Delay of the most overdue timer.'),
      p99_60: z.int().describe('99th percentile of timer delay over the last 60 ticks.'),
    }),
    events: z.strictObject({ ingested: z.int(), emitted: z.int() }),
    oracles: z.strictObject({
      contracts: z.int().describe('Contracts with an oracle.'),
      readings: z.int(),
      out_of_range: z.int(),
      stale: z.int(),
      failing: z.int().describe('Oracles whose last poll failed.'),
    }),
    anchors: z.strictObject({
      held: z.int().describe('Anchors of other machines in this chain.'),
      made: z.int().describe('Anchors of this machine in other chains.'),
    }),
    keys: z.strictObject({ live: z.int(), expiring: z.int().describe('Expiring within a week.') }),
  }),
  errors: [],
  handle: (_, { services }, { machine }) => services.awareness.status(machine),
});
