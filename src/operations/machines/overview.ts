// Machines in general: listed, counted, sealed, and what they wrote last.

import { z } from 'zod';
import { SEAL_TYPE } from '../../chain/node-seal.ts';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation } from '../operation.ts';
import { Ok, PublicKey, Sha256, Tick, Timestamp } from '../schemas.ts';
import { Head, Machine, MachineStatus, PAGE, Role, RowType, Slug } from './schemas.ts';

/** A day. */
const MOST_TICKS = 111_197;
const { limit } = PAGE;
const NextCursor = z.string().nullable();

export const listMachines = defineOperation({
  name: 'machine.list',
  summary: 'The public machines and, with a key, all that its identity is a member of, newest first.',
  route: 'GET /api/chain/state-machines',
  tier: 'public',
  effect: 'read',
  input: z.object(PAGE),
  output: z.strictObject({
    ok: Ok,
    rows: z.array(Machine.extend({ role: Role.nullable().describe('What you are to it.') })),
    next_cursor: NextCursor,
  }),
  errors: [],
  handle: async (input, { services, principal }) => {
    const { rows, nextCursor } = await services.machines.list(principal, input);
    const shown = rows.map((machine) => ({ ...services.machines.record(machine), role: machine.role ?? null }));
    return { ok: true as const, rows: shown, next_cursor: nextCursor ?? null };
  },
});

export const recentRows = defineOperation({
  name: 'chain.recent',
  summary: 'The newest rows of the public machines, without their payloads.',
  description:
    'The answer is the same for a whole tick. Rows of one type are looked for in the machines that wrote last.',
  route: 'GET /api/chain/recent',
  tier: 'public',
  effect: 'read',
  input: z.object({ limit, type: RowType.optional().describe('Only rows of this type.') }),
  example: { limit: 50 },
  output: z.strictObject({
    ok: Ok,
    rows: z.array(
      z.strictObject({
        slug: Slug,
        seq: z.int(),
        svcond: Tick,
        at: Timestamp,
        type: z.string(),
        source: z.string(),
        actor: z.string(),
        row_hash: Sha256,
      }),
    ),
  }),
  errors: [],
  handle: async ({ limit: most, type }, { services }) => ({
    ok: true as const,
    rows: await services.overview.recent(most, type),
  }),
});

export const activeMachines = defineOperation({
  name: 'chain.active',
  summary: 'The public machines with the most transitions in the last ticks.',
  route: 'GET /api/chain/active',
  tier: 'public',
  effect: 'read',
  input: z.object({
    ticks: z.coerce.number().int().min(1).max(MOST_TICKS).default(60).describe('How far back.'),
    limit,
  }),
  example: { ticks: 60 },
  output: z.strictObject({
    ok: Ok,
    from: Tick.describe('The first tick that counts.'),
    to: Tick.describe('The last one.'),
    rows: z.array(z.strictObject({ slug: Slug, name: z.string(), transitions: z.int() })),
  }),
  errors: [],
  handle: async ({ ticks, limit: most }, { services }) => ({
    ok: true as const,
    ...(await services.overview.active(ticks, most)),
  }),
});

const Totals = z
  .strictObject({
    machines: z.int(),
    rows: z.int().describe('Of their chains.'),
    by_status: z.record(z.string(), z.int()),
    contracts: z.record(z.string(), z.int()).describe('By status.'),
  })
  .meta({ id: 'MachineTotals' });

export const fleet = defineOperation({
  name: 'chain.fleet',
  summary: 'How many machines, rows and contracts there are: public ones, and your own with a key.',
  route: 'GET /api/chain/fleet',
  tier: 'public',
  effect: 'read',
  input: z.object({}),
  example: {},
  output: z.strictObject({
    ok: Ok,
    public: Totals,
    own: Totals.nullable().describe('Of all machines that your identity is a member of.'),
  }),
  errors: [],
  handle: async (_, { services, principal }) => ({ ok: true as const, ...(await services.overview.fleet(principal)) }),
});

export const aggregateList = defineOperation({
  name: 'chain.aggregate',
  summary: 'Every public machine with the head of its chain, a line each, newest first.',
  route: 'GET /api/chain/aggregate/list',
  tier: 'public',
  effect: 'read',
  input: z.object(PAGE),
  example: {},
  output: z.strictObject({
    ok: Ok,
    rows: z.array(
      z.strictObject({ slug: Slug, name: z.string(), status: MachineStatus, address: z.string(), head: Head }),
    ),
    next_cursor: NextCursor,
  }),
  errors: [],
  handle: async (input, { services }) => {
    const { rows, nextCursor } = await services.machines.newest(input);
    const shown = rows.map((machine) => {
      const { slug, name, status, address, head } = services.machines.record(machine);
      return { slug, name, status, address, head };
    });
    return { ok: true as const, rows: shown, next_cursor: nextCursor ?? null };
  },
});

export const verifyAnchor = defineOperation({
  name: 'chain.verify-anchor',
  summary: 'What a machine of this name that began with this row is called everywhere, worked out again.',
  description:
    'With id_hash, valid says whether it follows from the other two; without it, whether this node has that machine.',
  route: 'GET /api/chain/verify-anchor',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    genesis_hash: Sha256.describe('Hash of row 0.'),
    id_hash: Sha256.optional().describe('What the machine is said to be called.'),
  }),
  example: { slug: 'boiler', genesis_hash: '0'.repeat(64) },
  output: z.strictObject({
    ok: Ok,
    valid: z.boolean(),
    known: z.boolean().describe('A machine of this name began with this row on this node.'),
    id_hash: Sha256,
    address: z.string(),
  }),
  errors: [],
  handle: async ({ slug, genesis_hash, id_hash }, { services }) => ({
    ok: true as const,
    ...(await services.overview.verifyAnchor(slug, genesis_hash, id_hash)),
  }),
});

export const nodeSeal = defineOperation({
  name: 'chain.seal',
  summary: 'The signed root over the heads of all machines of this node.',
  description: `RFC 6962 over the sorted id_hash ‖ head_hash (64 bytes each), in a DSSE envelope, Ed25519; a new one at most every ${LIMITS.chain.sealTicks} ticks. The payload names the root of the seal before.`,
  route: 'GET /api/chain/seal',
  tier: 'public',
  effect: 'read',
  input: z.object({}),
  example: {},
  output: z.strictObject({
    ok: Ok,
    no: z.int().min(1).describe('Number of the seal.'),
    svcond: Tick,
    machines: z.int().describe('How many it covers, private and archived ones too.'),
    root: Sha256,
    envelope: z.strictObject({
      payloadType: z.literal(SEAL_TYPE),
      payload: z.string().describe('Canonical JSON, base64.'),
      signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.string() })).length(1),
    }),
    public_key: PublicKey,
  }),
  errors: [],
  handle: async (_, { services }) => ({ ok: true as const, ...(await services.seals.newest()) }),
});
