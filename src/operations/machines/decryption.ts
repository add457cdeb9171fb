// Decrypts sealed payloads for the owner.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';
import { Equation, Row, Slug } from './schemas.ts';

const { default: defaultCount, max } = LIMITS.chain.decryptedRows;

export const decryptAudit = defineOperation({
  name: 'machine.decrypt',
  summary: "Decrypt the sealed payloads of a private machine with its owner's equation, and check their commitments.",
  description: `Neither equation nor response is stored. At most ${LIMITS.rate.unlock} wrong equations in ten minutes.`,
  route: 'POST /api/chain/{slug}/audit/decrypt',
  tier: 'key',
  effect: 'read',
  machine: 'owner',
  isSecret: true,
  input: z.strictObject({
    slug: Slug,
    equation: Equation.describe('The equation that the payloads are sealed with.'),
    from: z.int().min(0).default(0).describe('First row.'),
    to: z.int().min(0).optional().describe('Last row; the newest by default.'),
    limit: z.int().min(1).max(max).default(defaultCount).describe('Maximum rows; fewer if payloads are long.'),
  }),
  output: success({
    from: z.int(),
    to: z.int(),
    opened: z.int().describe('Number of decrypted rows.'),
    rows: z.array(
      Row.extend({
        commit_ok: z.boolean().nullable().describe('The payload matches its commitment; null without one.'),
        unopened: z.enum(['ANOTHER_KEY', 'DAMAGED']).optional().describe('Why it could not be decrypted.'),
      }).meta({ id: 'OpenedRow' }),
    ),
    next_from: z.int().nullable(),
  }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED', 'CONFLICT', 'RATE_LIMITED', 'QUEUE_FULL'],
  handle: (request, { services, tenant }, { machine }) => services.decryption.decrypt(machine, tenant, request),
});
