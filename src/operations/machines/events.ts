// Events that contracts of a machine emitted or the machine received.

import { z } from 'zod';
import type { RowRecord } from '../../services/machines/log.ts';
import { defineOperation } from '../operation.ts';
import { PAGE, pageOf, QueryInt, Sha256, Tick, Timestamp } from '../schemas.ts';
import { EventName, Slug } from './schemas.ts';

export const machineEvents = defineOperation({
  name: 'chain.events',
  summary: 'Events that contracts of a machine emitted, newest first; for members.',
  description: 'With source=all, received events too.',
  route: 'GET /api/chain/{slug}/events',
  tier: 'key',
  effect: 'read',
  machine: 'viewer',
  input: z.object({
    slug: Slug,
    name: EventName.optional().describe('Only events of this name.'),
    since: QueryInt.optional().describe('Only events of this tick and later.'),
    source: z.enum(['emitted', 'all']).default('emitted'),
    ...PAGE,
  }),
  output: pageOf(
    z.strictObject({
      seq: z.int(),
      svcond: Tick,
      at: Timestamp,
      source: z.string(),
      name: z.string().nullable().describe('Null if the payload was erased.'),
      payload: z.unknown(),
      row_hash: Sha256,
    }),
  ),
  errors: [],
  handle: async ({ source, ...query }, { services }, { machine }) => {
    const types = source === 'all' ? ['emit', 'event'] : ['emit'];
    const { rows, next_cursor } = await services.machineLog.explore(machine, { ...query, types });
    return { rows: rows.map(eventRecord), next_cursor };
  },
});

/** An event in a response, from its row. */
export function eventRecord({ seq, svcond, at, source, payload, row_hash }: RowRecord) {
  const { name = null, payload: eventPayload = null } = (payload ?? {}) as { name?: string; payload?: unknown };
  return { seq, svcond, at, source, name, payload: eventPayload, row_hash };
}
