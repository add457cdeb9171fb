// Activities of the contracts of a machine that wait. Their results are rows of type `event`.

import { z } from 'zod';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { rowsOf, Tick } from '../schemas.ts';

const PendingActivity = z
  .strictObject({
    contract: z.string(),
    instance: z.string().nullable().describe('Key of the instance, if the contract has instances.'),
    transition: z.string(),
    seq: z.int().describe('Row of the transition that started it.'),
    no: z.int().min(0).describe('Its number in this row.'),
    call: z.string().describe('What is computed or called, and the event that tells the result.'),
    on_error: z.string(),
    tries: z.int().min(0).describe('Tries that have begun.'),
    tries_max: z.int().min(1),
    next_svcond: Tick.describe('Tick of the next try.'),
    has_result: z.boolean().describe('It is done, and waits for its contract.'),
    created_svcond: Tick.describe('Tick of the transition.'),
  })
  .meta({ id: 'PendingActivity' });

export const listActivities = defineOperation({
  name: 'activity.list',
  summary: 'The activities of a machine that wait for a try or for their contract, the next one first.',
  route: 'GET /api/chain/{slug}/activities',
  tier: 'key',
  effect: 'read',
  machine: 'operator',
  input: z.object({ slug: Slug }),
  output: rowsOf(PendingActivity),
  errors: [],
  handle: async (_, { services }, { machine }) => ({ rows: await services.activities.list(machine) }),
});
