// This node as a witness of other logs.

import { z } from 'zod';
import type { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, media } from '../operation.ts';

const SIZE_TYPE = 'text/x.tlog.size';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** A conflict is answered with the size that is remembered, and with nothing else. */
function refusal({ code, message, facts }: DomainError): { mediaType: string; text: string } {
  return code === 'CONFLICT'
    ? { mediaType: SIZE_TYPE, text: `${Number(facts.size)}\n` }
    : { mediaType: TEXT_TYPE, text: `${message}\n` };
}

export const addCheckpoint = defineOperation({
  name: 'witness.add-checkpoint',
  summary: 'Have the checkpoint of a log cosigned by this node (C2SP tlog-witness).',
  description:
    'The body is text: `old <size>`, the consistency proof, an empty line, the checkpoint. The answer is a cosignature line. 404 for a log whose key this node was not given, 403 without a signature of that key, 409 with the size that it remembers, 422 for a proof that does not hold.',
  route: 'POST /api/witness/add-checkpoint',
  tier: 'public',
  effect: 'write',
  text: { field: 'text', bytes: LIMITS.chain.witnessBytes, refusal, refusals: { 409: SIZE_TYPE } },
  input: z.strictObject({
    text: z.string().max(LIMITS.chain.witnessBytes).describe('The submission.'),
  }),
  output: media(TEXT_TYPE),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  handle: ({ text }, { services }) => services.witness.addCheckpoint(text),
});
