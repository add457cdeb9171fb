// Computes the address of a machine from its slug and first row.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { Sha256, success } from '../schemas.ts';
import { Slug } from './schemas.ts';

export const verifyAnchor = defineOperation({
  name: 'chain.verify-anchor',
  summary: 'Compute id_hash and address of a machine from its slug and genesis hash.',
  description:
    'With id_hash, valid says whether it matches the other two; without it, whether this node has that machine.',
  route: 'GET /api/chain/verify-anchor',
  tier: 'public',
  effect: 'read',
  input: z.object({
    slug: Slug,
    genesis_hash: Sha256.describe('Hash of row 0.'),
    id_hash: Sha256.optional().describe('Claimed id of the machine.'),
  }),
  example: { slug: 'boiler', genesis_hash: '0'.repeat(64) },
  output: success({
    valid: z.boolean(),
    known: z.boolean().describe('This node has that machine.'),
    id_hash: Sha256,
    address: z.string(),
  }),
  errors: [],
  handle: ({ slug, genesis_hash, id_hash }, { services }) =>
    services.overview.verifyAnchor(slug, genesis_hash, id_hash),
});
