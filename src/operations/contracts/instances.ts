// Instances of a contract by key: the list, one of them, and its transitions.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { defineOperation } from '../operation.ts';
import { beforeSeq, PAGE, pageOf, pageRecord, QueryInt, SEQ_PAGE, success, Tick } from '../schemas.ts';
import { transitionRow } from './audit.ts';
import { CONTRACT_PATH, Collections, QuorumCount, Scalars, TransitionRow } from './schemas.ts';

const Instance = z
  .strictObject({
    key: z.string(),
    currentState: z.string(),
    status: z.enum(['active', 'completed', 'failed']),
    fire_count: z.int(),
    next_fire: Tick.nullable(),
    version_no: z.int().describe('The version that decides it until it is touched next.'),
    context: Scalars,
    collections: Collections.optional(),
    quorums: z
      .array(QuorumCount)
      .optional()
      .describe('Of the transitions out of its present state that votes decide, if there are any.'),
    missed: z.int().describe('Occurrences of timers that were missed.'),
    created_svcond: Tick,
    updated_svcond: Tick,
  })
  .meta({ id: 'ContractInstance', description: 'An instance of a contract by key.' });

const { keyCharacters: KEY_CHARACTERS } = LIMITS.contracts.instances;

const INSTANCE_PATH = { ...CONTRACT_PATH, key: singleLine(KEY_CHARACTERS) };

export const listInstances = defineOperation({
  name: 'contract.instances',
  summary: 'The instances of a contract with a key, in the order of their keys.',
  description:
    'With due_before, in the order of their timers. A page may have fewer than `limit`, or none, though more follow: ' +
    'go on until `next_cursor` is null.',
  route: 'GET /api/chain/{slug}/contracts/{id}/instances',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    ...CONTRACT_PATH,
    ...PAGE,
    cursor: singleLine(1_024, 0).optional().describe('`next_cursor` of the previous page.'),
    status: z.enum(['active', 'completed', 'failed']).optional(),
    state: singleLine(48, 0).optional().describe('Only this current state.'),
    due_before: QueryInt.optional().describe('Only instances whose next timer is due before this tick.'),
    updated_since: QueryInt.optional().describe('Only instances that changed at this tick or later.'),
  }),
  output: pageOf(Instance),
  errors: ['CONFLICT'],
  handle: async ({ id, due_before: dueBefore, updated_since: updatedSince, ...page }, { services }, { machine }) =>
    pageRecord(await services.contractInstances.list(machine, id, { ...page, dueBefore, updatedSince })),
});

export const getInstance = defineOperation({
  name: 'contract.instance',
  summary: 'One instance of a contract, by its key.',
  route: 'GET /api/chain/{slug}/contracts/{id}/instances/{key}',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object(INSTANCE_PATH),
  output: success({ instance: Instance }),
  errors: ['CONFLICT'],
  handle: async ({ id, key }, { services }, { machine }) => ({
    instance: await services.contractInstances.get(machine, id, key),
  }),
});

export const instanceAudit = defineOperation({
  name: 'contract.instance-audit',
  summary: 'Every transition of an instance, newest first.',
  route: 'GET /api/chain/{slug}/contracts/{id}/instances/{key}/audit',
  tier: 'key',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object({ ...INSTANCE_PATH, ...SEQ_PAGE }),
  output: pageOf(TransitionRow),
  errors: ['CONFLICT'],
  handle: async ({ id, key, ...page }, { services }, { machine }) => {
    const { limit, before } = beforeSeq(page);
    const fires = await services.contractInstances.fires(machine, id, key, { limit: limit + 1, before });
    const rows = fires.slice(0, limit).map(transitionRow);
    const last = rows.at(-1);
    return { rows, next_cursor: fires.length > limit && last ? String(last.seq) : null };
  },
});
