// Payloads erased by law.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { Ok } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { Logged, Slug } from './schemas.ts';

export const erasePayload = defineOperation({
  name: 'machine.erase',
  summary: 'Erase the payload of a row for good; the chain still validates, and a row says that it was done.',
  description:
    'For the owner, on archived machines too. What contracts have taken from the row into their state stays there.',
  route: 'POST /api/chain/{slug}/erase',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    seq: z.int().min(0).describe('Number of the row.'),
    reason: z
      .string()
      .min(1)
      .max(500)
      .refine((text) => text.isWellFormed() && !text.includes('\0'), 'NUL and lone surrogates are not allowed')
      .describe('On what ground; it is written into the chain.'),
  }),
  output: z.strictObject({ ok: Ok, ...Logged }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED', 'CONFLICT', 'QUEUE_FULL'],
  handle: async ({ slug, seq, reason }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'owner');
    return { ok: true as const, ...(await services.erasure.erase(machine, signedIn(principal), seq, reason)) };
  },
});
