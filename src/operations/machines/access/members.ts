// Members of a machine and their roles.

import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { requirePrincipal } from '../../require-principal.ts';
import { Ok, rowsOf, Tick } from '../../schemas.ts';
import { MEMBER_ERRORS, MEMBER_WRITE_ERRORS } from '../errors.ts';
import { Role, Slug } from '../schemas.ts';
import { withMachine, withMember } from '../with-machine.ts';

/** The service validates the format, so that a malformed ZID is always INVALID_ZID. */
const ZidText = z.string().max(128).describe('Identity of an account: 32 lower-case hex digits.');

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
  input: z.object({ slug: Slug }),
  output: rowsOf(Member),
  errors: MEMBER_ERRORS,
  handle: withMachine('viewer', async (machine, _, { services }) => ({ rows: await services.members.list(machine) })),
});

export const addMember = defineOperation({
  name: 'member.add',
  summary: 'Add an identity to the members of a machine.',
  route: 'POST /api/chain/{slug}/admins',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({ slug: Slug, zid: ZidText, role: z.enum(['admin', 'operator', 'viewer']) }),
  output: z.strictObject({ ok: Ok, member: Member }),
  errors: [...MEMBER_WRITE_ERRORS, 'INVALID_ZID'],
  handle: withMember('admin', async (machine, by, { zid, role }, { services }) => ({
    member: await services.members.add(machine, by, zid, role),
  })),
});

export const changeMember = defineOperation({
  name: 'member.change',
  summary: 'Change the role of a member; only an owner can appoint owners.',
  route: 'PATCH /api/chain/{slug}/admins/{zid}',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug, zid: ZidText, role: Role }),
  output: z.strictObject({ ok: Ok, member: Member }),
  errors: [...MEMBER_WRITE_ERRORS, 'INVALID_ZID'],
  handle: withMember('admin', async (machine, by, { zid, role }, { services }) => ({
    member: await services.members.setRole(machine, by, zid, role),
  })),
});

export const removeMember = defineOperation({
  name: 'member.remove',
  summary: 'Remove a member from a machine, or leave it; not the last owner.',
  route: 'DELETE /api/chain/{slug}/admins/{zid}',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug, zid: ZidText }),
  output: z.strictObject({ ok: Ok }),
  errors: [...MEMBER_WRITE_ERRORS, 'INVALID_ZID'],
  handle: async ({ slug, zid }, { services, principal }) => {
    const isLeaving = zid === principal?.zid;
    const machine = await services.machines.find(slug, principal, isLeaving ? 'viewer' : 'admin');
    await services.members.remove(machine, requirePrincipal(principal), zid);
    return { ok: true as const };
  },
});
