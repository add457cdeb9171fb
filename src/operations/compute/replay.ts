// Replays a sealed result and compares it bit by bit.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';
import { ReceiptVerdict, ReceiptWords } from './receipt-words.ts';

const Registration = z.enum(['registered', 'changed since', 'not registered']);

const ReplayReport = success({
  equal: z.boolean().describe('True if no claim fails; claims that were not compared do not count.'),
  kernel_sha256: z.string(),
  revision: z
    .strictObject({
      sealed: z.int(),
      current: z.int().optional().describe('Missing if this node has no such solver.'),
      derived: z
        .strictObject({ value: z.number(), unit: z.string(), uncertainty: z.number() })
        .optional()
        .describe('What the current revision derives from the same outputs, if it differs from that of the receipt.'),
    })
    .describe('Revision of the solver: plan and answer are compared within a revision.'),
  first_difference: z
    .strictObject({ field: z.string(), stored: z.unknown(), recomputed: z.unknown() })
    .optional()
    .describe('The first differing field, in schema order.'),
  laws: z
    .strictObject({ verdict: Registration, by_id: z.record(z.string(), Registration) })
    .describe('Whether a registry of this project holds, or once held, the definitions of the receipt.'),
  claims: z.array(
    z.strictObject({
      claim: z.string().describe('keyid, signature, statement, key pinned; kernel, plan, answer, stamps, laws.'),
      ok: z.boolean().nullable().describe('null: not compared.'),
      reason: z.string().optional(),
    }),
  ),
  verdict: ReceiptVerdict,
  receipt: ReceiptWords,
}).meta({ id: 'ReplayReport' });

export const replay = defineOperation({
  name: 'receipt.replay',
  summary: 'Re-run a sealed envelope with the bytes of its kernel and compare every bit.',
  description:
    'The body is the envelope as received. Each claim is checked by itself; the kernel is found by its hash, never taken from the request.',
  route: 'POST /api/svc/replay',
  tier: 'public',
  effect: 'read',
  input: z.looseObject({ solver: singleLine(64, 0), kernel_sha256: singleLine(64, 0) }),
  output: ReplayReport,
  errors: ['KERNEL_UNAVAILABLE', 'BUDGET_EXCEEDED', 'QUEUE_FULL', 'OUT_OF_TIME'],
  handle: async (envelope, { services, signal, tenant }) => services.replay.run(envelope, { signal, tenant }),
});
