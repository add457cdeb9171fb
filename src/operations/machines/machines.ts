// Machines: created, listed, read, renamed, paused, archived.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine, unmarked } from '../../core/text-schema.ts';
import { defineOperation } from '../operation.ts';
import { PAGE, pageOf, pageRecord, success } from '../schemas.ts';
import { AcceptAnchors, Equation, KeepDays, KeepRows, Machine, MachineStatus, Role, Slug, Zid } from './schemas.ts';

const Name = singleLine(80);

const Description = unmarked(multiLine(2_000));

const IsPublic = z.boolean().optional().describe('Anyone may read a public machine. By default members only.');

const OneMachine = success({ machine: Machine });

export const spinUp = defineOperation({
  name: 'machine.spin-up',
  summary: 'Create a machine, an identity and a key. Equation, salt and key are shown only once.',
  route: 'POST /api/chain/spin-up',
  tier: 'public',
  effect: 'write',
  status: 201,
  mcp: {
    tool: 'svc_spin_up',
    title: 'Spin up a machine',
    description:
      'Use to get a machine with an audit chain, an identity and a key of your own, once. Keep equation, salt and key: they are shown once.',
    profile: 'chain',
  },
  input: z.strictObject({
    displayName: singleLine(80).default('mcp-agent').describe('Display name of the machine.'),
    is_public: IsPublic,
  }),
  example: { displayName: 'mcp-agent' },
  output: success({
    machine: Machine,
    zid: Zid.optional(),
    equation: z.string().optional(),
    salt: z.string().optional(),
    key: z.string().optional().describe('Send it as Authorization: Bearer from now on.'),
  }),
  brief: {
    sentences: ({ machine: { slug, name, address }, zid, key, equation, salt }) => [
      `Machine ${slug} (${name}) exists at ${address}.`,
      ...(zid === undefined ? [] : [`ZID: ${zid}.`]),
      ...(key === undefined ? [] : [`Key, shown once: ${key}`]),
      ...(equation === undefined ? [] : [`Equation, shown once: ${equation}`]),
      ...(salt === undefined ? [] : [`Salt, shown once: ${salt}`]),
    ],
  },
  errors: ['RATE_LIMITED', 'CONFLICT'],
  handle: async ({ displayName: name, is_public = false }, { services, principal, tenant }) => {
    const request = { name, is_public, sealed: false };
    const { machine, credentials } = await services.machines.create(principal, request, tenant);
    return { machine: services.machines.record(machine), ...credentials };
  },
});

export const createMachine = defineOperation({
  name: 'machine.create',
  summary: 'Create a machine with its own audit chain.',
  description:
    'The account of the key owns it. Without a key, or with a demo key, an account with an identity and a key is created too: `zid`, `equation`, `salt` and `key` are returned only once.',
  route: 'POST /api/chain/state-machines',
  tier: 'public',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug.optional().describe('Derived from the name by default.'),
    name: Name.optional().describe('Display name.'),
    description: Description.optional().describe('Its purpose.'),
    is_public: IsPublic,
    equation: Equation.optional().describe(
      'Yours, for a private machine: seals its payloads so that only you can decrypt them.',
    ),
    sealed: z
      .boolean()
      .optional()
      .describe(
        'Whether payloads are sealed to the equation, yours or the new one. By default with equation, or where is_public is false.',
      ),
  }),
  example: { name: 'boiler house 3' },
  output: success({
    machine: Machine,
    zid: Zid.optional(),
    equation: z.string().optional().describe('With the salt, the only way back to the account. Keep it.'),
    salt: z.string().optional(),
    key: z.string().optional(),
  }),
  errors: ['CONFLICT', 'RATE_LIMITED', 'FORBIDDEN', 'QUEUE_FULL'],
  handle: async (input, { services, principal, tenant }) => {
    const { machine, credentials } = await services.machines.create(principal, input, tenant);
    return { machine: services.machines.record(machine), ...credentials };
  },
});

export const listMachines = defineOperation({
  name: 'machine.list',
  summary: 'Public machines and, with a key, those that its identity is a member of, newest first.',
  route: 'GET /api/chain/state-machines',
  tier: 'public',
  effect: 'read',
  input: z.object(PAGE),
  output: pageOf(Machine.extend({ role: Role.nullable().describe('Your role.') })),
  errors: [],
  handle: async (input, { services, principal }) => {
    const { rows, nextCursor } = await services.machines.list(principal, input);
    const records = rows.map((machine) => ({ ...services.machines.record(machine), role: machine.role ?? null }));
    return pageRecord({ rows: records, nextCursor });
  },
});

export const getMachine = defineOperation({
  name: 'machine.get',
  summary: 'One machine: name, status, visibility and the head of its chain.',
  route: 'GET /api/chain/state-machines/{slug}',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: OneMachine,
  versionOf: ({ machine }) => machine.settings_version,
  errors: [],
  handle: async (_, { services }, { machine }) => ({ machine: services.machines.record(machine) }),
});

export const setMachineStatus = defineOperation({
  name: 'machine.status',
  summary: 'Pause, resume or archive a machine.',
  description: 'Allowed: active ↔ paused, either → archived, and for the owner archived → paused.',
  route: 'POST /api/chain/{slug}/status',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({ slug: Slug, status: MachineStatus }),
  output: OneMachine,
  errors: ['CONFLICT'],
  handle: async ({ status }, { services, principal }, { machine }) => ({
    machine: services.machines.record(await services.machines.setStatus(machine, principal, status)),
  }),
});

export const patchMachine = defineOperation({
  name: 'machine.settings',
  summary: 'Change name, visibility and other settings of a machine.',
  description:
    'Settings that are not given stay as they are. If-Match (or if_match) is the settings_version you expect; a mismatch is 409 CONFLICT with current_version.',
  route: 'PATCH /api/chain/{slug}/settings',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  ifMatch: 'if_match',
  input: z.strictObject({
    slug: Slug,
    name: Name.optional(),
    description: Description.optional(),
    is_public: z.boolean().optional().describe('Making it public needs the owner.'),
    equation: Equation.optional().describe(
      'Yours, as the owner of a private machine: seals new payloads so that only you can decrypt them.',
    ),
    http_allow: z.array(singleLine(253)).max(32).optional().describe('Hosts that oracles may call.'),
    events_from: z
      .array(Slug)
      .max(LIMITS.contracts.sends.listed)
      .optional()
      .describe('Machines whose contracts may send events to this one; needs the owner.'),
    accept_anchors: AcceptAnchors.optional(),
    anchor_zids: z
      .array(Zid)
      .max(LIMITS.chain.anchors.listed)
      .optional()
      .describe('ZIDs whose machines may anchor in this one with `accept_anchors: listed`.'),
    keep_rows: KeepRows.optional(),
    keep_days: KeepDays.optional(),
    if_match: z.int().min(0).optional().describe('The version you expect; the If-Match header sets it too.'),
  }),
  example: { slug: 'boiler', description: 'Boiler house 3' },
  output: OneMachine,
  versionOf: ({ machine }) => machine.settings_version,
  errors: ['CONFLICT', 'MACHINE_ARCHIVED', 'QUEUE_FULL'],
  handle: async (request, { services }, { machine, by }) => {
    const { name, description, is_public, equation, http_allow, events_from, if_match } = request;
    const { accept_anchors, anchor_zids, keep_rows, keep_days } = request;
    const needsOwner = is_public === true || equation !== undefined || events_from !== undefined;
    if (needsOwner) await services.machines.find(machine.head.slug, by, 'owner');
    const isPrivate = is_public === undefined ? !machine.isPublic : !is_public;
    const sealing =
      equation === undefined ? undefined : await services.machines.prepareSealing(machine, by, equation, isPrivate);
    const settings = {
      ...(http_allow === undefined ? {} : { http_allow }),
      ...(events_from === undefined ? {} : { events_from }),
      ...(accept_anchors === undefined ? {} : { accept_anchors }),
      ...(anchor_zids === undefined ? {} : { anchor_zids }),
      ...(keep_rows === undefined ? {} : { keep_rows }),
      ...(keep_days === undefined ? {} : { keep_days }),
    };
    const patch = {
      ...sealing?.patch,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(is_public === undefined ? {} : { isPublic: is_public }),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
    };
    const after = await services.machines.patch(machine, by, patch, sealing?.writes, if_match);
    return { machine: services.machines.record(after) };
  },
});
