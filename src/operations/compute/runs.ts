// The library of filed runs.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
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
    law_id: z.string().nullable().describe('Of a run of laws; several in a row have commas between. Null in old runs.'),
    law_title: z.string().nullable().describe('Likewise, with semicolons between.'),
    value: z.number(),
    unit: z.string(),
    svcond: Tick,
    created_at: Timestamp,
    href: z.string(),
  })
  .meta({ id: 'RunRow' });

/** Values of `solver` in a filed run. */
const FILED_BY = [...SOLVERS.map(({ id }) => id), COMPUTE];

const Search = singleLine(LIMITS.search.runCharacters, 0)
  .optional()
  .describe(
    'Words, each of which is part of the solver or its title, of the id or title of the law, or of the folder; in any letter case and order.',
  );

export const listRuns = defineOperation({
  name: 'run.list',
  summary: 'List your filed runs, newest first.',
  route: 'GET /api/svc/runs',
  tier: 'key',
  effect: 'read',
  input: z.object({
    folder: Folder.optional().describe('Only this folder.'),
    solver: z.enum(FILED_BY).optional().describe('Only this solver; `compute` for laws.'),
    search: Search,
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
