// Previews the next steps of a contract: enabled transitions and due timers. Writes nothing.

import { z } from 'zod';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation } from '../operation.ts';
import { queryCount, success, Tick } from '../schemas.ts';
import { CONTRACT_PATH, UpcomingFires } from './schemas.ts';

export const contractNextFires = defineOperation({
  name: 'contract.next-fires',
  summary: "Due ticks of a contract's timers, if its state does not change.",
  route: 'GET /api/chain/{slug}/contracts/{id}/next-fires',
  tier: 'key',
  effect: 'read',
  machine: 'owner',
  input: z.object({ ...CONTRACT_PATH, n: queryCount({ default: 5, max: 100 }).describe('Maximum fires.') }),
  output: success({ next_fires: UpcomingFires, note: z.string().optional().describe('Why the list is empty.') }),
  errors: [],
  handle: ({ id, n }, { services }, { machine }) => services.contracts.nextFires(machine, id, n),
});

export const previewContract = defineOperation({
  name: 'contract.preview',
  summary: 'Current state of a contract, its outgoing transitions, and whether their conditions hold.',
  description: `Cached for ${LIMITS.contracts.previewTicks} ticks; use If-None-Match. Writes nothing.`,
  route: 'GET /api/chain/{slug}/contracts/{id}/preview',
  tier: 'key',
  effect: 'read',
  machine: 'owner',
  caching: 'etag',
  input: z.object(CONTRACT_PATH),
  output: success({
    svcond: Tick.describe('Tick of this preview.'),
    definition: z.strictObject({
      name: z.string(),
      version: z.string(),
      title: z.string().nullable(),
      states: z.array(z.string()),
      transitions: z.int(),
      operators: z.array(z.string()),
    }),
    currentState: z.string(),
    status: z.string(),
    enabled: z.array(
      z.strictObject({
        transition: z.string(),
        to: z.string(),
        trigger: z.string(),
        guard: z.string().nullable().describe('Its condition.'),
        value: z.boolean().nullable().describe('Whether it holds; null if that depends on an event.'),
      }),
    ),
    next_fires: UpcomingFires,
  }),
  errors: [],
  handle: async ({ id }, { services }, { machine }) => {
    const { next_fires: fires, ...preview } = await services.contractPreviews.get(machine, id);
    const next_fires = fires.map((one) => ({ ...one, at: isoFromNs(startOfTick(one.svcond)) }));
    return { ...preview, next_fires };
  },
});
