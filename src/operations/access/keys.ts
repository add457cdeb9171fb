// Keys: demo keys for anyone, and the keys of an account for its admins.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { KeyPrefix, Ok, Timestamp } from '../schemas.ts';

const Scope = z.enum(['read', 'write', 'admin']);
const RateTier = z.enum(['free', 'standard', 'high']);

export const KeyRecord = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    keyPrefix: KeyPrefix,
    scope: Scope,
    rate_limit_tier: z.enum(['demo', 'free', 'standard', 'high']),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'Key', description: 'A key as it is listed: never the key itself.' });

/** What is said of a key that is to be made. */
export const KeyDraft = {
  name: z
    .string()
    .min(1)
    .max(80)
    .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'control characters are not allowed')
    .describe('What the key is for.'),
  scope: Scope.default('write').describe(
    'What it may do: read; write, which is to compute and file as well; admin, which is to hold keys as well.',
  ),
  rate_limit_tier: RateTier.default('free').describe('Requests a minute: free 1,200, standard 1,200, high 6,000.'),
  expires_at: Timestamp.optional().describe('When it ends; without it, never.'),
};

export const mintDemoKey = defineOperation({
  name: 'demo-key.mint',
  summary: 'Mint a demo key: free, no sign-up, 24 hours.',
  route: 'POST /api/demo-key/mint',
  tier: 'public',
  effect: 'write',
  input: z.strictObject({}),
  output: z.strictObject({
    ok: Ok,
    key: z.string(),
    keyPrefix: KeyPrefix,
    tier: z.literal('demo'),
    expires_at: Timestamp,
  }),
  errors: [],
  handle: async (_, { services }) => ({ ok: true as const, ...(await services.keys.mintDemo()) }),
});

export const createKey = defineOperation({
  name: 'key.create',
  summary: 'Create a key for your account. The key itself is shown this once.',
  route: 'POST /api/keys',
  tier: 'admin',
  effect: 'write',
  status: 201,
  input: z.strictObject(KeyDraft),
  example: { name: 'notebook', scope: 'write' },
  output: z.strictObject({ ok: Ok, key: z.string(), record: KeyRecord }),
  errors: [],
  handle: async (input, { services, principal }) => {
    await services.developerKeys.assertNone(principal);
    return { ok: true as const, ...(await services.keys.create(principal, input)) };
  },
});

export const listKeys = defineOperation({
  name: 'key.list',
  summary: 'List the keys of your account, newest first.',
  route: 'GET /api/keys',
  tier: 'admin',
  effect: 'read',
  input: z.object({}),
  output: z.strictObject({ ok: Ok, rows: z.array(KeyRecord) }),
  errors: [],
  handle: async (_, { services, principal }) => ({ ok: true as const, rows: await services.keys.list(principal) }),
});

export const revokeKey = defineOperation({
  name: 'key.revoke',
  summary: 'Revoke a key of your account, at once and for good.',
  route: 'DELETE /api/keys/{id}',
  tier: 'admin',
  effect: 'write',
  input: z.strictObject({ id: z.uuid().describe('Id of the key, from the list.') }),
  output: z.strictObject({ ok: Ok, record: KeyRecord }),
  errors: ['NOT_FOUND'],
  handle: async ({ id }, { services, principal }) => {
    await services.developerKeys.assertNone(principal);
    return { ok: true as const, record: await services.keys.revoke(principal, id) };
  },
});
