// Replays a sealed result and compares it bit by bit.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';
import { ReceiptVerdict, ReceiptWords } from './receipt-words.ts';

const ReplayReport = success({
  equal: z.boolean().describe('True if all pure fields are bit-identical and the rest follows from the stamps.'),
  kernel_sha256: z.string(),
  first_difference: z
    .strictObject({ field: z.string(), stored: z.unknown(), recomputed: z.unknown() })
    .optional()
    .describe('The first differing field, in schema order.'),
  registry: z
    .strictObject({ same: z.boolean(), changed: z.array(z.string()) })
    .optional()
    .describe('Whether this node still has the same operator definitions; informational.'),
  claims: z.array(z.strictObject({ claim: z.string(), ok: z.boolean(), reason: z.string().optional() })),
  verdict: ReceiptVerdict,
  receipt: ReceiptWords,
}).meta({ id: 'ReplayReport' });

export const replay = defineOperation({
  name: 'receipt.replay',
  summary: 'Re-run a sealed envelope with the bytes of its kernel and compare every bit.',
  description: 'The body is the envelope as received. Large arrays are compared by hash.',
  route: 'POST /api/svc/replay',
  tier: 'public',
  effect: 'read',
  input: z.looseObject({ solver: z.string(), kernel_sha256: z.string() }),
  output: ReplayReport,
  errors: ['KERNEL_UNAVAILABLE', 'BUDGET_EXCEEDED', 'QUEUE_FULL', 'OUT_OF_TIME'],
  handle: async (envelope, { services, signal, caller }) => services.replay.run(envelope, { signal, caller }),
});
