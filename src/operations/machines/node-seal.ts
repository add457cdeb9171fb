// The signed root over the heads of all machines of this node.

import { z } from 'zod';
import { SEAL_TYPE } from '../../chain/node-seal.ts';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation } from '../operation.ts';
import { PublicKey, Sha256, Signature, success, Tick } from '../schemas.ts';

export const nodeSeal = defineOperation({
  name: 'chain.seal',
  summary: 'The signed root over the heads of all machines of this node.',
  description: `RFC 6962 over the sorted id_hash ‖ head_hash (64 bytes each), in a DSSE envelope, Ed25519; a new one at most every ${LIMITS.chain.sealTicks} ticks, and at least every ${LIMITS.chain.sealEveryTicks}. The payload names the SHA-256 of the payload of the seal before, and the first start of the node.`,
  route: 'GET /api/chain/seal',
  tier: 'public',
  effect: 'read',
  input: z.object({}),
  example: {},
  output: success({
    no: z.int().min(1).describe('Number of the seal.'),
    svcond: Tick,
    machines: z.int().describe('How many it covers, private and archived ones too.'),
    root: Sha256,
    envelope: z.strictObject({
      payloadType: z.literal(SEAL_TYPE),
      payload: z.string().describe('Canonical JSON, base64.'),
      signatures: z.array(Signature).length(1),
    }),
    public_key: PublicKey,
  }),
  errors: [],
  handle: (_, { services }) => services.seals.newest(),
});
