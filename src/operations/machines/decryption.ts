// Sealed payloads, opened by the owner.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation } from '../operation.ts';
import { Ok } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { Equation, Row, Slug } from './schemas.ts';

const { default: usual, max } = LIMITS.chain.decrypted;

export const decryptAudit = defineOperation({
  name: 'machine.decrypt',
  summary:
    'Open the sealed payloads of a private machine with the equation of its owner, and check what they commit to.',
  description: `The equation is used for this call and forgotten; the answer is never stored. ${LIMITS.rate.unlock} wrong equations in ten minutes.`,
  route: 'POST /api/chain/{slug}/audit/decrypt',
  tier: 'key',
  effect: 'read',
  isSecret: true,
  input: z.strictObject({
    slug: Slug,
    equation: Equation.describe('The one that was lent when the payloads began to be sealed.'),
    from: z.int().min(0).default(0).describe('First row.'),
    to: z.int().min(0).optional().describe('Last row; the newest by default.'),
    limit: z.int().min(1).max(max).default(usual).describe('Rows an answer; long payloads make it shorter.'),
  }),
  output: z.strictObject({
    ok: Ok,
    from: z.int(),
    to: z.int(),
    opened: z.int().describe('Rows that were sealed and stand open here.'),
    rows: z.array(
      Row.extend({
        commit_ok: z.boolean().nullable().describe('The payload is the one that was committed to; null without one.'),
        unopened: z.enum(['ANOTHER_KEY', 'DAMAGED']).optional().describe('Why it stays closed.'),
      }).meta({ id: 'OpenedRow' }),
    ),
    next_from: z.int().nullable(),
  }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED', 'CONFLICT', 'RATE_LIMITED', 'QUEUE_FULL'],
  handle: async ({ slug, ...asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'owner');
    return { ok: true as const, ...(await services.decryption.decrypt(machine, signedIn(principal), asked)) };
  },
});
