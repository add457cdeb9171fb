// Replays a sealed result and compares it bit by bit.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';
import { invalidField, ReceiptReference, receiptOf } from './receipt-reference.ts';
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

const CLAIM_WORDS: ReadonlyMap<boolean | null, string> = new Map([
  [true, 'holds'],
  [false, 'fails'],
  [null, 'not compared'],
]);

type Fields = Readonly<Record<string, unknown>>;

/** The envelope, which is the body itself or named by it. @throws DomainError VALIDATION_FAILED */
function subjectOf({ receipt, ...envelope }: Fields & { readonly receipt?: string | undefined }): string | Fields {
  if (receipt !== undefined) {
    const extra = Object.keys(envelope).find((name) => envelope[name] !== undefined);
    if (extra === undefined) return receipt;
    throw invalidField(extra, 'ONE_OF', `${extra} is given beside receipt; remove one of the two.`);
  }
  const missing = ['solver', 'kernel_sha256'].find((name) => envelope[name] === undefined);
  if (missing === undefined) return envelope;
  const message = `${missing} is missing; an envelope is expected, or its link as receipt.`;
  throw invalidField(missing, 'MISSING', message);
}

export const replay = defineOperation({
  name: 'receipt.replay',
  summary: 'Re-run a sealed envelope with the bytes of its kernel and compare every bit.',
  description:
    'The body is the envelope as received, or `receipt` alone with its link, hash or run id on this node. Each claim is checked by itself; the kernel is found by its hash, never taken from the request.',
  route: 'POST /api/svc/replay',
  tier: 'public',
  effect: 'read',
  input: z.looseObject({
    receipt: ReceiptReference.optional(),
    solver: z.string().optional(),
    kernel_sha256: z.string().optional(),
  }),
  output: ReplayReport,
  brief: {
    sentences: ({ equal, verdict, first_difference: difference, claims, receipt: { lines, warnings } }) => [
      `${equal ? 'Equal: no claim fails' : 'Not equal'}. ${verdict.title}.`,
      ...(difference === undefined ? [] : [`First difference: ${difference.field}.`]),
      ...lines
        .filter(({ kind }) => kind === 'result' || kind === 'date')
        .map(({ label, text }) => `${label}: ${text}.`),
      ...warnings,
      `Claims: ${claims.map(({ claim, ok }) => `${claim} ${CLAIM_WORDS.get(ok)}`).join(', ')}.`,
    ],
    omitted: ['receipt'],
  },
  errors: ['NOT_FOUND', 'RUN_NOT_FOUND', 'KERNEL_UNAVAILABLE', 'BUDGET_EXCEEDED', 'QUEUE_FULL', 'OUT_OF_TIME'],
  handle: async (body, context) => {
    const { services, signal, caller } = context;
    return services.replay.run(await receiptOf(subjectOf(body), context), { signal, caller });
  },
});
