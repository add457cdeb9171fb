// Erases payloads for legal reasons.

import { z } from 'zod';
import { multiLine } from '../../core/text-schema.ts';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';
import { Logged, Slug } from './schemas.ts';

export const erasePayload = defineOperation({
  name: 'machine.erase',
  summary: 'Erase the payload of a row permanently; the chain still validates, and a row records it.',
  description: 'For the owner, on archived machines too. Contract state derived from the row remains.',
  route: 'POST /api/chain/{slug}/erase',
  tier: 'key',
  effect: 'write',
  machine: 'owner',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    seq: z.int().min(0).describe('Number of the row.'),
    reason: multiLine(500, 1).describe('Reason; written into the chain.'),
  }),
  output: success({ ...Logged }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED', 'CONFLICT', 'QUEUE_FULL'],
  handle: ({ seq, reason }, { services }, { machine, by }) => services.erasure.erase(machine, by, seq, reason),
});
