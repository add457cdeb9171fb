// Members of a machine and their roles.

import { z } from 'zod';
import { singleLine } from '../../../core/text-schema.ts';
import { roleErrors } from '../../machine-role.ts';
import { defineOperation } from '../../operation.ts';
import { rowsOf, success, Tick } from '../../schemas.ts';
import { WRITE_ERRORS } from '../errors.ts';
import { Role, Slug } from '../schemas.ts';

/** The service validates the format, so that a malformed ZID is always INVALID_ZID. */
const ZidText = singleLine(128, 0).describe('Identity of an account: 32 lower-case hex digits.');

const Member = z
  .strictObject({
    zid: z.string(),
    role: Role,
    kind: z
      .enum(['identity', 'developer-keys'])
      .describe('An ordinary identity, or the one that developer keys of the machine act under.'),
    since_svcond: Tick,
  })
  .meta({ id: 'Member' });

export const listMembers = defineOperation({
  name: 'member.list',
  summary: 'Members of a machine and their roles; for members.',
  route: 'GET /api/chain/{slug}/admins',
  tier: 'key',
  effect: 'read',
  machine: 'viewer',
  input: z.object({ slug: Slug }),
  output: rowsOf(Member),
  errors: [],
  handle: async (_, { services }, { machine }) => ({ rows: await services.members.list(machine) }),
});

export const addMember = defineOperation({
  name: 'member.add',
  summary: 'Add an identity to the members of a machine.',
  route: 'POST /api/chain/{slug}/admins',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({ slug: Slug, zid: ZidText, role: z.enum(['admin', 'operator', 'viewer']) }),
  output: success({ member: Member }),
  errors: [...WRITE_ERRORS, 'INVALID_ZID'],
  handle: async ({ zid, role }, { services }, { machine, by }) => ({
    member: await services.members.add(machine, by, zid, role),
  }),
});

export const changeMember = defineOperation({
  name: 'member.change',
  summary: 'Change the role of a member; only an owner can appoint owners.',
  route: 'PATCH /api/chain/{slug}/admins/{zid}',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({ slug: Slug, zid: ZidText, role: Role }),
  output: success({ member: Member }),
  errors: [...WRITE_ERRORS, 'INVALID_ZID'],
  handle: async ({ zid, role }, { services }, { machine, by }) => ({
    member: await services.members.setRole(machine, by, zid, role),
  }),
});

export const removeMember = defineOperation({
  name: 'member.remove',
  summary: 'Remove a member from a machine, or leave it; not the last owner.',
  route: 'DELETE /api/chain/{slug}/admins/{zid}',
  tier: 'key',
  effect: 'write',
  machine: 'viewer',
  input: z.strictObject({ slug: Slug, zid: ZidText }),
  output: success({}),
  errors: [...roleErrors('admin'), ...WRITE_ERRORS, 'INVALID_ZID'],
  handle: async ({ zid }, { services }, { machine, by }) => {
    const isLeaving = zid === by.zid;
    if (!isLeaving) await services.machines.find(machine.head.slug, by, 'admin');
    await services.members.remove(machine, by, zid);
    return {};
  },
});
