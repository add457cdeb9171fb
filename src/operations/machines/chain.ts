// Reads rows of a chain: pages, ticks, snapshots and statistics.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { NextCursor, PAGE, QueryInt, queryInt, Sha256, success, Tick, Timestamp } from '../schemas.ts';
import { Row, RowType, Slug } from './schemas.ts';

/** Version of the explorer's rows. */
const EXPLORER = 1;

export const exploreMachine = defineOperation({
  name: 'chain.explore',
  summary: 'Rows of a chain, newest first.',
  route: 'GET /api/chain/{slug}/explore',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    slug: Slug,
    type: RowType.optional().describe('Only rows of this type.'),
    contract: z.uuid().optional().describe('Only rows whose payload names this contract; not sealed or erased ones.'),
    since: QueryInt.optional().describe('Only rows of this tick and later.'),
    version: queryInt(EXPLORER, EXPLORER).default(EXPLORER).describe('Version of the answer.'),
    ...PAGE,
  }),
  output: success({ version: z.literal(EXPLORER), rows: z.array(Row), next_cursor: NextCursor }),
  errors: [],
  handle: async (query, { services }, { machine }) =>
    ({ version: EXPLORER, ...(await services.machineLog.explore(machine, query)) }) as const,
});

export const machineState = defineOperation({
  name: 'chain.state',
  summary: 'The newest snapshot and the newest row of a machine.',
  route: 'GET /api/chain/{slug}/state',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: success({ state: Row.nullable(), head: Row }),
  errors: [],
  handle: (_, { services }, { machine }) => services.machineLog.state(machine),
});

export const machineStats = defineOperation({
  name: 'chain.stats',
  summary: 'Row counts of a chain by type.',
  route: 'GET /api/chain/{slug}/stats',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: success({ rows: z.int(), by_type: z.record(z.string(), z.int()), first_svcond: Tick, last_svcond: Tick }),
  errors: [],
  handle: (_, { services }, { machine }) => services.machineLog.stats(machine),
});

export const machineAt = defineOperation({
  name: 'chain.at',
  summary: 'Head and newest snapshot of a chain at the end of a tick.',
  route: 'GET /api/chain/{slug}/at',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug, svcond: QueryInt.describe('The tick.') }),
  output: success({ svcond: Tick, head: Row, state: Row.nullable() }),
  errors: ['NOT_FOUND', 'TICK_IN_FUTURE'],
  handle: ({ svcond }, { services }, { machine }) => services.machineLog.at(machine, svcond),
});

export const machineBlock = defineOperation({
  name: 'chain.block',
  summary: 'All rows of one tick, the head before them, their RFC 6962 root and the pulse.',
  route: 'GET /api/chain/{slug}/block',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    slug: Slug,
    svcond: QueryInt.describe('The tick.'),
    from: QueryInt.optional().describe('`next_from` of the previous page.'),
    limit: PAGE.limit,
  }),
  output: success({
    svcond: Tick,
    is_closed: z.boolean().describe('The tick is over and the block is final.'),
    count: z.int().describe('Rows of the tick.'),
    prev_head: Sha256.describe('Hash of the preceding row; zeros before the first row.'),
    root: Sha256.describe('Over the hashes of all rows.'),
    pulse: z
      .strictObject({ svcond: Tick, timestamp: Timestamp, R_t: z.number() })
      .describe('At the start of the tick.'),
    rows: z.array(Row),
    next_from: z.int().nullable(),
  }),
  errors: ['NOT_FOUND', 'TICK_IN_FUTURE'],
  handle: ({ svcond, ...page }, { services }, { machine }) => services.machineReports.block(machine, svcond, page),
});
