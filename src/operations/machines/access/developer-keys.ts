// Developer keys of a machine, which act under an identity of the machine.

import { z } from 'zod';
import { KeyDraft, KeyRecord } from '../../access/schemas.ts';
import { defineOperation } from '../../operation.ts';
import { rowsOf, success } from '../../schemas.ts';
import { WRITE_ERRORS } from '../errors.ts';
import { Slug } from '../schemas.ts';

export const listDeveloperKeys = defineOperation({
  name: 'developer-key.list',
  summary: 'Developer keys of a machine, newest first, without the raw keys.',
  route: 'GET /api/chain/{slug}/api-keys',
  tier: 'key',
  effect: 'read',
  machine: 'admin',
  input: z.object({ slug: Slug }),
  output: rowsOf(KeyRecord),
  errors: [],
  handle: async (_, { services }, { machine }) => ({
    rows: await services.developerKeys.list(machine),
  }),
});

export const createDeveloperKey = defineOperation({
  name: 'developer-key.create',
  summary: 'Create a developer key of a machine. The raw key is shown only once.',
  description:
    'It acts under an identity of the machine: scope read as viewer, write as operator, admin as admin. Scope and tier are at most those of your own key.',
  route: 'POST /api/chain/{slug}/api-keys',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({ slug: Slug, ...KeyDraft }),
  output: success({ key: z.string(), record: KeyRecord }),
  errors: [...WRITE_ERRORS, 'RATE_LIMITED'],
  handle: (request, { services }, { machine, by }) => services.developerKeys.create(machine, by, request),
});

export const revokeDeveloperKey = defineOperation({
  name: 'developer-key.revoke',
  summary: 'Revoke a developer key of a machine, immediately and permanently.',
  route: 'DELETE /api/chain/{slug}/api-keys/{id}',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({ slug: Slug, id: z.uuid().describe('Id of the key, from the list.') }),
  output: success({ record: KeyRecord }),
  errors: WRITE_ERRORS,
  handle: async ({ id }, { services }, { machine, by }) => ({
    record: await services.developerKeys.revoke(machine, by, id),
  }),
});
