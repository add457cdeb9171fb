// Keys: demo keys for anyone, and the keys of an account for its admins.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { KeyPrefix, rowsOf, success, Timestamp } from '../schemas.ts';
import { KeyDraft, KeyRecord } from './schemas.ts';

export const mintDemoKey = defineOperation({
  name: 'demo-key.mint',
  summary: 'Mint a demo key: free, no sign-up, 24 hours.',
  route: 'POST /api/demo-key/mint',
  tier: 'public',
  effect: 'write',
  input: z.strictObject({}),
  output: success({ key: z.string(), keyPrefix: KeyPrefix, tier: z.literal('demo'), expires_at: Timestamp }),
  errors: ['RATE_LIMITED'],
  handle: async (_, { services, tenant }) => {
    await services.rateLimit.admit('demoKey', tenant);
    return services.keys.mintDemo();
  },
});

export const createKey = defineOperation({
  name: 'key.create',
  summary: 'Create a key for your account. The raw key is shown only once.',
  route: 'POST /api/keys',
  tier: 'admin',
  effect: 'write',
  status: 201,
  input: z.strictObject(KeyDraft),
  example: { name: 'notebook', scope: 'write' },
  output: success({ key: z.string(), record: KeyRecord }),
  errors: ['RATE_LIMITED', 'CONFLICT'],
  handle: async (input, { services, principal }) => {
    await services.developerKeys.assertNotDeveloperKey(principal);
    return { ...(await services.keys.create(principal, input)) };
  },
});

export const listKeys = defineOperation({
  name: 'key.list',
  summary: 'List the keys of your account, newest first.',
  route: 'GET /api/keys',
  tier: 'admin',
  effect: 'read',
  input: z.object({}),
  output: rowsOf(KeyRecord),
  errors: [],
  handle: async (_, { services, principal }) => ({ rows: await services.keys.list(principal) }),
});

export const revokeKey = defineOperation({
  name: 'key.revoke',
  summary: 'Revoke a key of your account, immediately and permanently.',
  route: 'DELETE /api/keys/{id}',
  tier: 'admin',
  effect: 'write',
  input: z.strictObject({ id: z.uuid().describe('Id of the key, from the list.') }),
  output: success({ record: KeyRecord }),
  errors: ['NOT_FOUND'],
  handle: async ({ id }, { services, principal }) => {
    await services.developerKeys.assertNotDeveloperKey(principal);
    return { record: await services.keys.revoke(principal, id) };
  },
});
