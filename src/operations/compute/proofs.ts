// Creates stamps, and verifies stamps and receipts.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { quoteValue } from '../../core/validation.ts';
import { type Brief, type Context, defineOperation } from '../operation.ts';
import { KeyPrefix, OperatorId, SvcProof, success, Tick } from '../schemas.ts';
import { invalidField, ReceiptReference, receiptOf } from './receipt-reference.ts';
import { ReceiptVerdict, ReceiptWords } from './receipt-words.ts';

const OperatorIds = z.array(OperatorId).min(1).max(8).describe('Operators that the proof names, in order.');

export const prove = defineOperation({
  name: 'proof.stamp',
  summary: 'Timestamp a statement, without a key. A stamp never proves that a number was computed.',
  route: 'POST /api/svc/prove',
  tier: 'public',
  effect: 'compute',
  input: z.strictObject({
    operatorIds: OperatorIds,
    value: z.number().optional().describe('A number to timestamp.'),
    unit: singleLine(40, 0).optional().describe('Its unit.'),
  }),
  example: { operatorIds: ['KO42', 'CHE17'], value: 1.5, unit: 'K' },
  output: success({
    svcProof: SvcProof,
    version: z.enum(['v1', 'v2']),
    operatorIds: z.array(z.string()),
    R_t: z.number(),
    svcond: Tick,
    phase: z.number(),
    keyPrefix: KeyPrefix,
    value: z.number().optional(),
    unit: z.string().optional(),
  }),
  errors: [],
  handle: async (input, { services }) => services.proofs.stamp(input),
});

const VerifyInput = z.strictObject({
  proof: singleLine(256, 0).optional().describe('The svcProof, 64 hex digits.'),
  svcProof: singleLine(256, 0).optional().describe('Alias, as named in the envelope.'),
  version: singleLine(8, 0).optional(),
  operatorIds: z.array(singleLine(64, 0)).max(64).optional().describe('The operators, in order.'),
  operatorChain: z.array(singleLine(64, 0)).max(64).optional().describe('Alias, as named in the envelope.'),
  R_t: z.number().optional().describe('Required without `receipt`.'),
  svcond: z.number().optional().describe('Required without `receipt`.'),
  phase: z.number().optional(),
  keyPrefix: KeyPrefix.optional().describe("The caller's by default."),
  value: z.number().optional().describe('Required for a v2 receipt.'),
  unit: singleLine(40, 0).optional(),
  epoch: z.int().optional().describe('Epoch of the signing secret; by default all, newest first.'),
  receipt: z
    .union([ReceiptReference, z.looseObject({})])
    .optional()
    .describe('Link, hash or run id of a result of this node, or the whole envelope; then its seal is checked too.'),
});

const VerifyOutput = success({
  valid: z.boolean(),
  kind: z.enum(['stamp', 'computation']).optional(),
  version: z.enum(['v1', 'v2']).optional(),
  epoch: z.int().optional(),
  reason: z.string().optional(),
  covered: z.array(z.string()).optional().describe('Fields of the receipt that the seal covers.'),
  uncovered: z
    .array(z.string())
    .optional()
    .describe('Other fields of the receipt, inner ones by path: anybody can have written them.'),
  verdict: ReceiptVerdict,
  receipt: ReceiptWords,
});

const VERIFY_BRIEF: Brief<z.output<typeof VerifyOutput>> = {
  sentences: ({ reason, verdict, receipt: { lines, warnings } }) => [
    `Verdict: ${verdict.title}.`,
    ...(reason === undefined ? [] : [`Reason: ${reason}.`]),
    ...lines.filter(({ kind }) => kind === 'result' || kind === 'date').map(({ label, text }) => `${label}: ${text}.`),
    ...warnings,
    `Checked: ${verdict.checked.join(', ') || 'nothing'}.`,
    ...(verdict.failed.length === 0 ? [] : [`Failed: ${verdict.failed.join(', ')}.`]),
    `Not checked: ${verdict.unchecked.join(', ') || 'nothing'}.`,
  ],
  omitted: ['receipt', 'covered', 'uncovered'],
};

/** The value of a field with two names, of which exactly one must be given. @throws DomainError VALIDATION_FAILED */
function either<Value>(fields: Readonly<Record<string, Value | undefined>>): Value {
  const [name = '', inEnvelope = ''] = Object.keys(fields);
  const [first, second] = Object.values(fields).filter((value) => value !== undefined);
  if (first === undefined) {
    const message = `${name} is missing; the ${inEnvelope} of the envelope is expected, under either name.`;
    throw invalidField(name, 'MISSING', message);
  }
  if (second === undefined) return first;
  throw invalidField(
    inEnvelope,
    'ONE_OF',
    `${inEnvelope} is ${quoteValue(second)} beside ${name}; one of the two is expected.`,
  );
}

async function check({ receipt, ...fields }: z.output<typeof VerifyInput>, context: Context) {
  const { services, principal, signal, tenant } = context;
  const [extra] = Object.keys(fields);
  if (receipt !== undefined && extra !== undefined)
    throw invalidField(extra, 'ONE_OF', `${extra} is given beside receipt, which holds it; remove one of the two.`);
  if (receipt !== undefined)
    return services.proofs.verifyReceipt(await receiptOf(receipt, context), { signal, tenant });
  const { proof, svcProof, operatorIds, operatorChain, R_t, svcond, ...claim } = fields;
  const signed = {
    proof: either({ proof, svcProof }),
    operatorIds: either<readonly string[]>({ operatorIds, operatorChain }),
    R_t: required('R_t', R_t),
    svcond: required('svcond', svcond),
  };
  return services.proofs.verify({ ...claim, ...signed }, principal);
}

/** @throws DomainError VALIDATION_FAILED */
function required(name: string, value: number | undefined): number {
  if (value !== undefined) return value;
  throw invalidField(name, 'MISSING', `${name} is missing; a number is expected, or the whole envelope as receipt.`);
}

const EXAMPLE = { proof: '0'.repeat(64), operatorIds: ['KO42', 'CHE17'], R_t: 1, svcond: 2303730000 };

/** A whole receipt is verified in a worker. */
const VERDICT_ERRORS = ['NOT_FOUND', 'RUN_NOT_FOUND', 'QUEUE_FULL', 'OUT_OF_TIME'] as const;

export const verifyProof = defineOperation({
  name: 'proof.verify',
  summary: 'Check a stamp or receipt against the secrets of this node.',
  route: 'POST /api/svc/prove/verify',
  tier: 'key',
  effect: 'read',
  input: VerifyInput,
  example: EXAMPLE,
  output: VerifyOutput,
  brief: VERIFY_BRIEF,
  errors: VERDICT_ERRORS,
  handle: check,
});

export const verify = defineOperation({
  name: 'receipt.verify',
  summary: 'Check a receipt: was this number computed and signed here?',
  route: 'POST /api/svc/verify',
  tier: 'key',
  effect: 'read',
  mcp: {
    tool: 'svc_verify',
    title: 'Verify a receipt',
    description:
      'Use to check that a number was computed and signed here. Give only receipt, or proof (the svcProof), operatorIds (the operatorChain), R_t, svcond, keyPrefix, value and unit of the envelope.',
    profile: 'core',
    input: VerifyInput.pick({
      receipt: true,
      proof: true,
      operatorIds: true,
      R_t: true,
      svcond: true,
      keyPrefix: true,
      value: true,
      unit: true,
      epoch: true,
    }),
  },
  brief: VERIFY_BRIEF,
  input: VerifyInput,
  example: EXAMPLE,
  output: VerifyOutput,
  errors: VERDICT_ERRORS,
  handle: check,
});
