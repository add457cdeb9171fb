// A sealed result for a model: sentences to quote, without the fields that only a replay or a verifier reads.

import type { z } from 'zod';
import { withShortArrays } from '../../protocol/short-arrays.ts';
import { registryKnowledge } from '../../protocol/words/registry-knowledge.ts';
import { gateSentences, receiptSentences } from '../../protocol/words/sentences.ts';
import type { Brief } from '../operation.ts';
import type { EnvelopeOrGate } from './envelope.ts';

export const ENVELOPE_BRIEF: Brief<z.output<typeof EnvelopeOrGate>> = {
  sentences: (answer) =>
    answer.value === null
      ? gateSentences(answer)
      : receiptSentences(
          answer,
          registryKnowledge(answer.kernel_sha256, () => undefined),
        ),
  shorten: withShortArrays,
  omitted: [
    'runs',
    'outcomes',
    'definitions',
    'plots',
    'trajectory_sha256',
    'seed',
    'stamps',
    'public_key',
    'receipts',
    'seal',
  ],
};
