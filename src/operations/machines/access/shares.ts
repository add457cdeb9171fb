// Share tokens: read access to a private machine for the holder.

import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { Ok, singleLine, Timestamp } from '../../schemas.ts';
import { MEMBER_WRITE_ERRORS } from '../errors.ts';
import { Slug } from '../schemas.ts';
import { withMember } from '../with-machine.ts';

export const setShare = defineOperation({
  name: 'share.set',
  summary: 'Create a token that lets its holder read a machine. It is shown only once.',
  description:
    'Send it as `Authorization: Bearer svc_sh_…` on the GET routes that every reader of the machine may use.',
  route: 'POST /api/chain/state-machines/{slug}/share/set',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    label: singleLine(80).describe('Recipient or purpose.'),
    expires_at: Timestamp.optional().describe('Expiry; valid until disabled by default.'),
    scope: z.literal('read').default('read'),
  }),
  output: z.strictObject({
    ok: Ok,
    token: z.string(),
    share: z.strictObject({
      id: z.string(),
      label: z.string(),
      scope: z.literal('read'),
      created_at: Timestamp,
      expires_at: Timestamp.nullable(),
    }),
  }),
  errors: MEMBER_WRITE_ERRORS,
  handle: withMember('admin', async (machine, by, { label, expires_at }, { services }) => {
    return services.shares.set(machine, by, { label, expires_at });
  }),
});

export const disableShares = defineOperation({
  name: 'share.disable',
  summary: 'Disable all share tokens of a machine and the cookies unlocked with them.',
  route: 'POST /api/chain/state-machines/{slug}/share/disable',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug }),
  output: z.strictObject({ ok: Ok, disabled: z.int().describe('Number of tokens.') }),
  errors: MEMBER_WRITE_ERRORS,
  handle: withMember('admin', async (machine, by, _, { services }) => ({
    disabled: await services.shares.disable(machine, by),
  })),
});
