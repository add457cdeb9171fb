// Machines: making one, finding it, changing what it is called, and writing into its chain.

import { z } from 'zod';
import { Fire } from '../contracts/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Sha256 } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { Equation, EventName, Logged, Machine, MachineStatus, PAGE, Slug, Zid } from './schemas.ts';

const Name = z
  .string()
  .min(1)
  .max(80)
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'control characters are not allowed');
const Description = z
  .string()
  .max(2_000)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'NUL and lone surrogates are not allowed');

export const createMachine = defineOperation({
  name: 'machine.create',
  summary: 'Make a machine with an audit chain of its own.',
  description:
    'The account of the key owns it. Without a key, or with a demo key, an account with an identity and a key is made as well: `zid`, `equation`, `salt` and `key` are answered this once.',
  route: 'POST /api/chain/state-machines',
  tier: 'public',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug.optional().describe('Made from the name when absent.'),
    name: Name.optional().describe('What people call it.'),
    description: Description.optional().describe('What it is for.'),
    is_public: z.boolean().default(true).describe('A private machine is there for its members only.'),
    equation: Equation.optional().describe(
      'Yours, for a private machine: its payloads are sealed for you alone to open.',
    ),
  }),
  example: { name: 'boiler house 3' },
  output: z.strictObject({
    ok: Ok,
    machine: Machine,
    zid: Zid.optional(),
    equation: z.string().optional().describe('With the salt, the only way back to the account. Keep it.'),
    salt: z.string().optional(),
    key: z.string().optional(),
  }),
  errors: ['CONFLICT', 'RATE_LIMITED', 'FORBIDDEN', 'QUEUE_FULL'],
  handle: async (input, { services, principal, caller }) => {
    const { machine, spunUp } = await services.machines.create(principal, input, caller);
    return { ok: true as const, machine: services.machines.record(machine), ...spunUp };
  },
});

export const getMachine = defineOperation({
  name: 'machine.get',
  summary: 'One machine: what it is called, who may see it, the head of its chain.',
  route: 'GET /api/chain/state-machines/{slug}',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, machine: Machine }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => ({
    ok: true as const,
    machine: services.machines.record(await services.machines.find(slug, principal, 'reader')),
  }),
});

export const newestMachines = defineOperation({
  name: 'machine.newest',
  summary: 'Public machines, newest first.',
  route: 'GET /api/chain/newest',
  tier: 'public',
  effect: 'read',
  input: z.object(PAGE),
  output: z.strictObject({ ok: Ok, rows: z.array(Machine), next_cursor: z.string().nullable() }),
  errors: [],
  handle: async (input, { services }) => {
    const { rows, nextCursor } = await services.machines.newest(input);
    return {
      ok: true as const,
      rows: rows.map((one) => services.machines.record(one)),
      next_cursor: nextCursor ?? null,
    };
  },
});

export const setMachineStatus = defineOperation({
  name: 'machine.status',
  summary: 'Pause, resume or archive a machine.',
  description:
    'active and paused change into each other and into archived; only the owner brings an archived machine back, as paused.',
  route: 'POST /api/chain/{slug}/status',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug, status: MachineStatus }),
  output: z.strictObject({ ok: Ok, machine: Machine }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED', 'CONFLICT'],
  handle: async ({ slug, status }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return {
      ok: true as const,
      machine: services.machines.record(await services.machines.setStatus(machine, principal, status)),
    };
  },
});

export const patchMachine = defineOperation({
  name: 'machine.settings',
  summary: 'Change what a machine is called and who may see it.',
  route: 'PATCH /api/chain/{slug}/settings',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    slug: Slug,
    name: Name.optional(),
    description: Description.optional(),
    is_public: z.boolean().optional().describe('Making it public needs the owner.'),
    equation: Equation.optional().describe(
      'Yours, as the owner of a private machine: from now on its payloads are sealed for you alone to open.',
    ),
    retention: z.int().min(1).max(2_000_000_000).optional().describe('Ticks that payloads of samples are kept.'),
    http_allow: z.array(z.string().min(1).max(253)).max(32).optional().describe('Hosts that oracles may ask.'),
  }),
  example: { slug: 'boiler', description: 'Boiler house 3' },
  output: z.strictObject({ ok: Ok, machine: Machine }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED', 'MACHINE_ARCHIVED', 'QUEUE_FULL'],
  handle: async ({ slug, name, description, is_public, equation, retention, http_allow }, { services, principal }) => {
    const needed = is_public === true || equation !== undefined ? 'owner' : 'admin';
    const machine = await services.machines.find(slug, principal, needed);
    const isPrivate = is_public === undefined ? !machine.isPublic : !is_public;
    const lent =
      equation === undefined
        ? undefined
        : await services.machines.lend(machine, signedIn(principal), equation, isPrivate);
    const settings = {
      ...machine.settings,
      ...(retention === undefined ? {} : { retention }),
      ...(http_allow === undefined ? {} : { http_allow }),
    };
    const patch = {
      ...lent?.patch,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(is_public === undefined ? {} : { isPublic: is_public }),
      ...(retention === undefined && http_allow === undefined ? {} : { settings }),
    };
    const after = await services.machines.patch(machine, principal, patch, lent?.writes);
    return { ok: true as const, machine: services.machines.record(after) };
  },
});

const WRITE_ERRORS = [
  'NOT_FOUND',
  'FORBIDDEN',
  'ZID_NOT_LINKED',
  'MACHINE_ARCHIVED',
  'BODY_TOO_LARGE',
  'QUEUE_FULL',
] as const;
const EventId = z.string().min(1).max(128).optional().describe('Your own id: a repeat is answered with the first row.');

export const logEvent = defineOperation({
  name: 'machine.event',
  summary: 'Write an event into the chain of a machine; contracts hear of it.',
  route: 'POST /api/chain/{slug}/event',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    name: EventName.describe('Name of the event.'),
    payload: z.record(z.string().max(64), z.unknown()).optional().describe('What happened, as contracts read it.'),
    id: EventId,
  }),
  example: { slug: 'boiler', name: 'request', payload: { amount: 3 } },
  output: z.strictObject({ ok: Ok, ...Logged, fired: z.array(Fire) }),
  errors: [...WRITE_ERRORS],
  handle: async ({ slug, name, payload, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'operator');
    return {
      ok: true as const,
      ...(await services.machineLog.event(machine, signedIn(principal), { name, payload, key: id })),
    };
  },
});

export const logConnection = defineOperation({
  name: 'machine.connection',
  summary: 'Note a connection of a peer.',
  route: 'POST /api/chain/{slug}/connection',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    peer: z.string().min(1).max(255).describe('Who connected.'),
    kind: z.string().min(1).max(48).optional(),
    meta: z.record(z.string().max(64), z.unknown()).optional(),
  }),
  example: { slug: 'boiler', peer: 'plc-7' },
  output: z.strictObject({ ok: Ok, ...Logged }),
  errors: [...WRITE_ERRORS],
  handle: async ({ slug, ...given }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'operator');
    return {
      ok: true as const,
      ...(await services.machineLog.record(machine, signedIn(principal), 'connection', given)),
    };
  },
});

export const logFile = defineOperation({
  name: 'machine.file',
  summary: 'Note the hash of a file.',
  route: 'POST /api/chain/{slug}/file',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    name: z.string().min(1).max(255),
    sha256: Sha256,
    size: z.int().min(0).optional().describe('Bytes.'),
  }),
  example: { slug: 'boiler', name: 'report.pdf', sha256: '0'.repeat(64) },
  output: z.strictObject({ ok: Ok, ...Logged }),
  errors: [...WRITE_ERRORS],
  handle: async ({ slug, ...given }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'operator');
    return { ok: true as const, ...(await services.machineLog.record(machine, signedIn(principal), 'file', given)) };
  },
});

export const logState = defineOperation({
  name: 'machine.snapshot',
  summary: 'Write a snapshot of a state, or its hash, into the chain of a machine.',
  route: 'POST /api/chain/{slug}/state',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    state: z.record(z.string().max(64), z.unknown()).optional().describe('The state itself.'),
    state_hash: Sha256.optional().describe('SHA-256 of its canonical JSON, where the state is not to be shown.'),
    label: z.string().min(1).max(80).optional(),
  }),
  example: { slug: 'boiler', state: { valve: 'open' } },
  output: z.strictObject({ ok: Ok, ...Logged }),
  errors: [...WRITE_ERRORS],
  handle: async ({ slug, ...given }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'operator');
    return { ok: true as const, ...(await services.machineLog.recordState(machine, signedIn(principal), given)) };
  },
});
