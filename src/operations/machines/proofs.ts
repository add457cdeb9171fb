// Proofs of a chain: validation, signed checkpoints, inclusion, consistency.

import { z } from 'zod';
import { toHex } from '../../core/bits.ts';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, media } from '../operation.ts';
import { QueryInt, Sha256, success, Tick } from '../schemas.ts';
import { Head, Slug } from './schemas.ts';

const Checkpoint = z
  .strictObject({
    size: z.int().describe('Rows covered.'),
    root: Sha256,
    svcond: Tick.describe('When it was signed.'),
    note: z.string().describe('The signed note of C2SP tlog-checkpoint, Ed25519.'),
  })
  .meta({ id: 'Checkpoint' });

const checkpointRecord = ({
  size,
  root,
  svcond,
  note,
}: {
  size: number;
  root: Uint8Array;
  svcond: number;
  note: string;
}) => ({
  size,
  root: toHex(root),
  svcond,
  note,
});

export const validateChain = defineOperation({
  name: 'chain.validate',
  summary: 'Validate a row range of a chain: hashes, links, ticks, payloads and the newest checkpoint.',
  description: `The last ${LIMITS.chain.validatedRows.default} rows by default, at most ${LIMITS.chain.validatedRows.max} a call; \`next_from\` continues.`,
  route: 'GET /api/chain/{slug}/pohc/validate',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    slug: Slug,
    from: QueryInt.optional().describe('First row.'),
    to: QueryInt.optional().describe('Last row.'),
  }),
  output: success({
    valid: z.boolean(),
    from: z.int(),
    to: z.int(),
    checked: z.int(),
    erased: z.int().describe('Rows whose payload was erased.'),
    sealed: z.int().describe('Rows whose payload only the owner can decrypt.'),
    first_bad: z
      .strictObject({ seq: z.int(), reason: z.enum(['HASH', 'LINK', 'GAP', 'TICK', 'COMMIT', 'TREE']) })
      .optional(),
    next_from: z.int().nullable(),
    head: Head.extend({ slug: Slug }),
    checkpoint: Checkpoint.nullable(),
    uncheckpointed_from: z.int().nullable().describe('First row of the range that no checkpoint covers yet.'),
  }),
  errors: [],
  handle: async (range, { services }, { machine }) => {
    const { checkpoint, ...validation } = await services.machineLog.validate(machine, range);
    return { ...validation, checkpoint: checkpoint ? checkpointRecord(checkpoint) : null };
  },
});

export const chainCheckpoint = defineOperation({
  name: 'chain.checkpoint',
  summary: 'The newest signed checkpoint of a chain, as a C2SP note.',
  route: 'GET /api/chain/{slug}/checkpoint',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: media('text/plain; charset=utf-8'),
  errors: [],
  handle: async (_, { services }, { machine }) => (await services.trees.checkpoint(machine)).note,
});

export const inclusionProof = defineOperation({
  name: 'chain.inclusion',
  summary: 'The path from a row to the root of a checkpointed tree (RFC 6962).',
  route: 'GET /api/chain/{slug}/proof/inclusion',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    slug: Slug,
    seq: QueryInt.describe('Number of the row.'),
    size: QueryInt.optional().describe('Size of the tree; that of the newest checkpoint by default.'),
  }),
  output: success({ seq: z.int(), size: z.int(), leaf: Sha256, root: Sha256, path: z.array(Sha256) }),
  errors: [],
  handle: async ({ seq: row, size: requestedSize }, { services }, { machine }) => {
    const size = requestedSize ?? (await services.trees.checkpoint(machine)).size;
    const { leaf, root, path } = await services.trees.inclusion(machine, row, size);
    return { seq: row, size, leaf: toHex(leaf), root: toHex(root), path: path.map(toHex) };
  },
});

export const consistencyProof = defineOperation({
  name: 'chain.consistency',
  summary: 'Proof that one tree of a chain is a prefix of another (RFC 6962).',
  route: 'GET /api/chain/{slug}/proof/consistency',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({
    slug: Slug,
    from: QueryInt.describe('The earlier size.'),
    to: QueryInt.optional().describe('The later size; that of the newest checkpoint by default.'),
  }),
  output: success({ from: z.int(), to: z.int(), from_root: Sha256, to_root: Sha256, path: z.array(Sha256) }),
  errors: [],
  handle: async ({ from, to: requestedTo }, { services }, { machine }) => {
    const to = requestedTo ?? (await services.trees.checkpoint(machine)).size;
    const { roots, path } = await services.trees.consistency(machine, from, to);
    const [before, after] = roots;
    return { from, to, from_root: toHex(before), to_root: toHex(after), path: path.map(toHex) };
  },
});
