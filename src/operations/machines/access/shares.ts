// Share tokens: read access to a private machine for the holder.

import { z } from 'zod';
import { singleLine } from '../../../core/text-schema.ts';
import { defineOperation } from '../../operation.ts';
import { success, Timestamp } from '../../schemas.ts';
import { WRITE_ERRORS } from '../errors.ts';
import { Slug } from '../schemas.ts';

export const setShare = defineOperation({
  name: 'share.set',
  summary: 'Create a token that lets its holder read a machine. It is shown only once.',
  description:
    'Send it as `Authorization: Bearer svc_sh_…` on the GET routes that every reader of the machine may use.',
  route: 'POST /api/chain/state-machines/{slug}/share/set',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    label: singleLine(80).describe('Recipient or purpose.'),
    expires_at: Timestamp.optional().describe('Expiry, at most that of your own key; valid until disabled by default.'),
    scope: z.literal('read').default('read'),
  }),
  output: success({
    token: z.string(),
    share: z.strictObject({
      id: z.string(),
      label: z.string(),
      scope: z.literal('read'),
      created_at: Timestamp,
      expires_at: Timestamp.nullable(),
    }),
  }),
  errors: [...WRITE_ERRORS, 'RATE_LIMITED'],
  handle: async ({ label, expires_at }, { services }, { machine, by }) => {
    return services.shares.set(machine, by, { label, expires_at });
  },
});

export const disableShares = defineOperation({
  name: 'share.disable',
  summary: 'Disable all share tokens of a machine and the cookies unlocked with them.',
  route: 'POST /api/chain/state-machines/{slug}/share/disable',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({ slug: Slug }),
  output: success({ disabled: z.int().describe('Number of tokens.') }),
  errors: WRITE_ERRORS,
  handle: async (_, { services }, { machine, by }) => ({
    disabled: await services.shares.disable(machine, by),
  }),
});
