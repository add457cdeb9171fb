// The library of filed runs.

import { z } from 'zod';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import { SOLVERS } from '../../solvers/index.ts';
import { defineOperation } from '../operation.ts';
import { Folder, PAGE, pageOf, pageRecord, success, Tick, Timestamp } from '../schemas.ts';
import { Envelope } from './envelope.ts';

const RunRow = z
  .strictObject({
    id: z.string(),
    folder: z.string().nullable(),
    solver: z.string(),
    value: z.number(),
    unit: z.string(),
    svcond: Tick,
    created_at: Timestamp,
    href: z.string(),
  })
  .meta({ id: 'RunRow' });

/** Values of `solver` in a filed run. */
const FILED_BY = [...SOLVERS.map(({ id }) => id), COMPUTE];

export const listRuns = defineOperation({
  name: 'run.list',
  summary: 'List your filed runs, newest first.',
  route: 'GET /api/svc/runs',
  tier: 'key',
  effect: 'read',
  input: z.object({
    folder: Folder.optional().describe('Only this folder.'),
    solver: z.enum(FILED_BY).optional().describe('Only this solver; `compute` for laws.'),
    ...PAGE,
  }),
  output: pageOf(RunRow),
  errors: [],
  handle: async (input, { services, principal }) => pageRecord(await services.runs.list(principal, input)),
});

export const getRun = defineOperation({
  name: 'run.get',
  summary: 'One filed run: the envelope exactly as it was sealed.',
  route: 'GET /api/svc/runs/{id}',
  tier: 'key',
  effect: 'read',
  input: z.object({ id: z.uuid().describe('Id of the run.') }),
  output: success({ id: z.string(), folder: z.string().nullable(), created_at: Timestamp, envelope: Envelope }),
  errors: ['RUN_NOT_FOUND'],
  handle: ({ id }, { services, principal }) => services.runs.get(principal, id),
});
