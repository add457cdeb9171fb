// Generates contracts from English sentences.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';

const { min, max } = LIMITS.contracts.generate;

export const generateContract = defineOperation({
  name: 'contract.generate',
  summary: 'Generate a contract from a sentence: cadences, delays, events, aggregates, actions. Nothing is deployed.',
  description:
    'Deterministic; the result can be deployed. A text with a part that was not understood is rejected: unparsed lists the parts, with a hint and the nearest templates.',
  route: 'POST /api/contracts/generate',
  tier: 'key',
  effect: 'read',
  mcp: {
    tool: 'svc_contract_generate',
    title: 'Contract from words',
    description:
      'Use to get a contract definition from a sentence: "when temperature above 80 emit alarm". Deploy it with svc_contract_deploy.',
    profile: 'chain',
  },
  input: z.strictObject({
    query: multiLine(max, min).describe('What it should do, in English.'),
  }),
  example: { query: 'every day at 09:00 Europe/Berlin emit report' },
  output: success({
    definition: Definition,
    explanation: z.array(z.string()).describe('What it does, in sentences.'),
    matched_template: z.string().nullable().describe('Nearest template.'),
    confidence: z.number().min(0).max(1).describe('Share of understood words: 1, since other texts are rejected.'),
    unparsed: z.array(z.string()).describe('Parts not understood: none, since such texts are rejected.'),
    mode: z.literal('deterministic'),
    timeline: z
      .array(
        z.strictObject({
          after: z.int().describe('Ticks after the deployment.'),
          cause: z.string(),
          transition: z.string(),
          from: z.string(),
          to: z.string(),
          emitted: z.array(z.string()),
        }),
      )
      .describe('Simulation from a Monday at midnight: timers, then sample events.'),
  }),
  brief: {
    sentences: ({ explanation, confidence, unparsed, matched_template: nearest, definition }) => [
      ...explanation,
      `Confidence ${confidence}.`,
      ...(unparsed.length === 0 ? [] : [`Not understood: ${unparsed.join(', ')}.`]),
      ...(nearest === null ? [] : [`Nearest template: ${nearest}.`]),
      `Definition: ${JSON.stringify(definition)}`,
    ],
  },
  errors: ['CANNOT_GENERATE'],
  handle: async ({ query }, { services }) => ({ ...services.generator.generate(query) }),
});
