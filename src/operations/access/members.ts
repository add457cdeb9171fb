// Members of a machine, and the developer keys that act for it.

import { z } from 'zod';
import { Role, Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Tick } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { KeyDraft, KeyRecord } from './keys.ts';

const READ = ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED'] as const;
const WRITE = [...READ, 'MACHINE_ARCHIVED', 'CONFLICT', 'QUEUE_FULL'] as const;

/** Looked at by the service: a wrong one is INVALID_ZID, whatever else is wrong. */
const AnyZid = z.string().max(128).describe('Identity of an account: 32 lower-case hex digits.');

const Member = z
  .strictObject({
    zid: z.string(),
    role: Role,
    kind: z
      .enum(['identity', 'developer-keys'])
      .describe('Somebody, or the identity that all developer keys of the machine act under.'),
    since_svcond: Tick,
  })
  .meta({ id: 'Member' });

export const listMembers = defineOperation({
  name: 'member.list',
  summary: 'The members of a machine and what each may do; for members.',
  route: 'GET /api/chain/{slug}/admins',
  tier: 'key',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, rows: z.array(Member) }),
  errors: [...READ],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'viewer');
    return { ok: true as const, rows: await services.members.list(machine) };
  },
});

export const addMember = defineOperation({
  name: 'member.add',
  summary: 'Make an identity a member of a machine.',
  route: 'POST /api/chain/{slug}/admins',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({ slug: Slug, zid: AnyZid, role: z.enum(['admin', 'operator', 'viewer']) }),
  output: z.strictObject({ ok: Ok, member: Member }),
  errors: [...WRITE, 'INVALID_ZID'],
  handle: async ({ slug, zid, role }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, member: await services.members.add(machine, signedIn(principal), zid, role) };
  },
});

export const changeMember = defineOperation({
  name: 'member.change',
  summary: 'Give a member another role; an owner may make somebody else owner.',
  route: 'PATCH /api/chain/{slug}/admins/{zid}',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug, zid: AnyZid, role: Role }),
  output: z.strictObject({ ok: Ok, member: Member }),
  errors: [...WRITE, 'INVALID_ZID'],
  handle: async ({ slug, zid, role }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, member: await services.members.setRole(machine, signedIn(principal), zid, role) };
  },
});

export const removeMember = defineOperation({
  name: 'member.remove',
  summary: 'Take a member out of a machine, or leave it; the last owner cannot.',
  route: 'DELETE /api/chain/{slug}/admins/{zid}',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug, zid: AnyZid }),
  output: z.strictObject({ ok: Ok }),
  errors: [...WRITE, 'INVALID_ZID'],
  handle: async ({ slug, zid }, { services, principal }) => {
    const isLeaving = zid === principal?.zid;
    const machine = await services.machines.find(slug, principal, isLeaving ? 'viewer' : 'admin');
    await services.members.remove(machine, signedIn(principal), zid);
    return { ok: true as const };
  },
});

export const listDeveloperKeys = defineOperation({
  name: 'developer-key.list',
  summary: 'The developer keys of a machine, newest first; never the keys themselves.',
  route: 'GET /api/chain/{slug}/api-keys',
  tier: 'key',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, rows: z.array(KeyRecord) }),
  errors: [...READ],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, rows: await services.developerKeys.list(machine) };
  },
});

export const createDeveloperKey = defineOperation({
  name: 'developer-key.create',
  summary: 'Create a developer key of a machine. The key itself is shown this once.',
  description:
    'It acts under an identity of the machine, as far as its scope lets it: read as viewer, write as operator, admin as admin. Scope and tier are at most those of your own key.',
  route: 'POST /api/chain/{slug}/api-keys',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({ slug: Slug, ...KeyDraft }),
  output: z.strictObject({ ok: Ok, key: z.string(), record: KeyRecord }),
  errors: [...WRITE],
  handle: async ({ slug, ...request }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, ...(await services.developerKeys.create(machine, signedIn(principal), request)) };
  },
});

export const revokeDeveloperKey = defineOperation({
  name: 'developer-key.revoke',
  summary: 'Revoke a developer key of a machine, at once and for good.',
  route: 'DELETE /api/chain/{slug}/api-keys/{id}',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug, id: z.uuid().describe('Id of the key, from the list.') }),
  output: z.strictObject({ ok: Ok, record: KeyRecord }),
  errors: [...WRITE],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, record: await services.developerKeys.revoke(machine, signedIn(principal), id) };
  },
});
