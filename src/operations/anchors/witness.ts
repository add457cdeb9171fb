// Cosigns checkpoints of other logs: this node as a C2SP witness.

import { z } from 'zod';
import type { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { defineOperation, media } from '../operation.ts';

const SIZE_TYPE = 'text/x.tlog.size';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** A conflict returns only the stored size. */
function formatError({ code, message, facts }: DomainError): { mediaType: string; text: string } {
  return code === 'CONFLICT'
    ? { mediaType: SIZE_TYPE, text: `${Number(facts.size)}\n` }
    : { mediaType: TEXT_TYPE, text: `${message}\n` };
}

export const addCheckpoint = defineOperation({
  name: 'witness.add-checkpoint',
  summary: 'Have the checkpoint of a log cosigned by this node (C2SP tlog-witness).',
  description:
    'The body is text: `old <size>`, the consistency proof, an empty line, the checkpoint. The answer is a cosignature line. 404 for an unknown log, 403 without a valid signature of its key, 409 with the stored size, 422 for an invalid proof.',
  route: 'POST /api/witness/add-checkpoint',
  tier: 'public',
  effect: 'write',
  text: { field: 'text', maxBytes: LIMITS.chain.witnessBytes, formatError, errorMediaTypes: { 409: SIZE_TYPE } },
  input: z.strictObject({
    text: multiLine(LIMITS.chain.witnessBytes).describe('The submission.'),
  }),
  output: media(TEXT_TYPE),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  handle: ({ text }, { services }) => services.witness.addCheckpoint(text),
});
