// Audit chains read and checked: rows, checkpoints, proofs.

import { z } from 'zod';
import { toHex } from '../../core/bits.ts';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, media } from '../operation.ts';
import { Ok, Sha256, Tick } from '../schemas.ts';
import { Head, PAGE, Row, RowType, Slug } from './schemas.ts';

/** Version of the explorer's rows. */
const EXPLORER = 1;
const seq = z.coerce.number().int().min(0);

export const exploreMachine = defineOperation({
  name: 'chain.explore',
  summary: 'Rows of a chain, newest first, as the explorer shows them.',
  route: 'GET /api/chain/{slug}/explore',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    type: RowType.optional().describe('Only rows of this type.'),
    contract: z
      .uuid()
      .optional()
      .describe('Only rows whose payload names this contract; those that are sealed or erased are left out.'),
    since: z.coerce.number().int().min(0).optional().describe('Only rows of this tick and later.'),
    version: z.coerce.number().int().min(EXPLORER).max(EXPLORER).default(EXPLORER).describe('Version of the answer.'),
    ...PAGE,
  }),
  output: z.strictObject({
    ok: Ok,
    version: z.literal(EXPLORER),
    rows: z.array(Row),
    next_cursor: z.string().nullable(),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, ...asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, version: EXPLORER, ...(await services.machineLog.explore(machine, asked)) } as const;
  },
});

export const machineState = defineOperation({
  name: 'chain.state',
  summary: 'The newest snapshot and the newest row of a machine.',
  route: 'GET /api/chain/{slug}/state',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, state: Row.nullable(), head: Row }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.machineLog.state(machine)) };
  },
});

export const machineStats = defineOperation({
  name: 'chain.stats',
  summary: 'How many rows of which type a chain has.',
  route: 'GET /api/chain/{slug}/stats',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({
    ok: Ok,
    rows: z.int(),
    by_type: z.record(z.string(), z.int()),
    first_svcond: Tick,
    last_svcond: Tick,
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.machineLog.stats(machine)) };
  },
});

export const machineAt = defineOperation({
  name: 'chain.at',
  summary: 'The chain as it stood at the end of a tick.',
  route: 'GET /api/chain/{slug}/at',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug, svcond: z.coerce.number().int().min(0).describe('The tick.') }),
  output: z.strictObject({ ok: Ok, svcond: Tick, head: Row, state: Row.nullable() }),
  errors: ['NOT_FOUND', 'TICK_IN_FUTURE'],
  handle: async ({ slug, svcond }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.machineLog.at(machine, svcond)) };
  },
});

const Checkpoint = z
  .strictObject({
    size: z.int().describe('Rows that it covers.'),
    root: Sha256,
    svcond: Tick.describe('When it was signed.'),
    note: z.string().describe('The signed note of C2SP tlog-checkpoint, Ed25519.'),
  })
  .meta({ id: 'Checkpoint' });

const shown = ({ size, root, svcond, note }: { size: number; root: Uint8Array; svcond: number; note: string }) => ({
  size,
  root: toHex(root),
  svcond,
  note,
});

export const validateChain = defineOperation({
  name: 'chain.validate',
  summary: 'Check a stretch of a chain: hashes, links, ticks, payloads, and the tree of the newest checkpoint.',
  description: `The last ${LIMITS.chain.validated.default} rows by default, at most ${LIMITS.chain.validated.max} a call; \`next_from\` says where to go on.`,
  route: 'GET /api/chain/{slug}/pohc/validate',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    from: seq.optional().describe('First row.'),
    to: seq.optional().describe('Last row.'),
  }),
  output: z.strictObject({
    ok: Ok,
    valid: z.boolean(),
    from: z.int(),
    to: z.int(),
    checked: z.int(),
    erased: z.int().describe('Rows whose payload is not there to be compared.'),
    sealed: z.int().describe('Rows whose payload only the owner can open and compare.'),
    first_bad: z
      .strictObject({ seq: z.int(), reason: z.enum(['HASH', 'LINK', 'GAP', 'TICK', 'COMMIT', 'TREE']) })
      .optional(),
    next_from: z.int().nullable(),
    head: Head.extend({ slug: Slug }),
    checkpoint: Checkpoint.nullable(),
    uncheckpointed_from: z.int().nullable().describe('The first row of the stretch that no checkpoint covers yet.'),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, ...asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const { checkpoint, ...found } = await services.machineLog.validate(machine, asked);
    return { ok: true as const, ...found, checkpoint: checkpoint ? shown(checkpoint) : null };
  },
});

export const chainCheckpoint = defineOperation({
  name: 'chain.checkpoint',
  summary: 'The newest signed checkpoint of a chain, as a C2SP note.',
  route: 'GET /api/chain/{slug}/checkpoint',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: media('text/plain; charset=utf-8'),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return (await services.trees.checkpoint(machine)).note;
  },
});

export const inclusionProof = defineOperation({
  name: 'chain.inclusion',
  summary: 'The path from a row to the root of a checkpointed tree (RFC 6962).',
  route: 'GET /api/chain/{slug}/proof/inclusion',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    seq: seq.describe('Number of the row.'),
    size: seq.optional().describe('Size of the tree; that of the newest checkpoint by default.'),
  }),
  output: z.strictObject({
    ok: Ok,
    seq: z.int(),
    size: z.int(),
    leaf: Sha256,
    root: Sha256,
    path: z.array(Sha256),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, seq: row, size: asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const size = asked ?? (await services.trees.checkpoint(machine)).size;
    const { leaf, root, path } = await services.trees.inclusion(machine, row, size);
    return { ok: true as const, seq: row, size, leaf: toHex(leaf), root: toHex(root), path: path.map(toHex) };
  },
});

export const consistencyProof = defineOperation({
  name: 'chain.consistency',
  summary: 'What shows that one tree of a chain begins with another (RFC 6962).',
  route: 'GET /api/chain/{slug}/proof/consistency',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    from: seq.describe('The earlier size.'),
    to: seq.optional().describe('The later size; that of the newest checkpoint by default.'),
  }),
  output: z.strictObject({
    ok: Ok,
    from: z.int(),
    to: z.int(),
    from_root: Sha256,
    to_root: Sha256,
    path: z.array(Sha256),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, from, to: asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const to = asked ?? (await services.trees.checkpoint(machine)).size;
    const { roots, path } = await services.trees.consistency(machine, from, to);
    const [before, after] = roots;
    return { ok: true as const, from, to, from_root: toHex(before), to_root: toHex(after), path: path.map(toHex) };
  },
});
