// Contracts from words, and the feed of what happens, for agents.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { LIMITS } from '../../core/limits.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Sha256, Tick, Timestamp } from '../schemas.ts';

const { least, most } = LIMITS.contracts.generate;

export const generateContract = defineOperation({
  name: 'contract.generate',
  summary:
    'A contract from a sentence, by a grammar: cadences, delays, events, aggregates, actions. Nothing is deployed.',
  description:
    'The same text gives the same bytes, and what is answered can be deployed. What is not understood stands in unparsed; where that changes the meaning, or below a confidence of 0.4, it is refused with how to say it and the nearest templates.',
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
    query: z.string().min(least).max(most).describe('What it should do, in English.'),
  }),
  example: { query: 'every day at 09:00 Europe/Berlin emit report' },
  output: z.strictObject({
    ok: Ok,
    definition: Definition,
    explanation: z.array(z.string()).describe('What it does, a sentence each.'),
    matched_template: z.string().nullable().describe('A template that the text comes near to.'),
    confidence: z.number().min(0).max(1).describe('The share of the words that were understood.'),
    unparsed: z.array(z.string()).describe('What was not understood.'),
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
      .describe('What it would do on a Monday from midnight on: first timers, then sample events.'),
  }),
  errors: ['CANNOT_GENERATE'],
  handle: async ({ query }, { services }) => ({ ok: true as const, ...services.generator.generate(query) }),
});

export const observer = defineOperation({
  name: 'observer.feed',
  summary: 'The newest rows of your machines, or without a key of all public ones; no payloads.',
  route: 'GET /api/observer',
  tier: 'public',
  effect: 'read',
  mcp: {
    tool: 'svc_observer',
    title: 'Recent activity',
    description:
      'Use to see what happened last: the newest rows of your machines, or of all public ones without a key.',
    profile: 'chain',
  },
  input: z.object({ limit: z.coerce.number().int().min(1).max(50).default(15).describe('At most so many rows.') }),
  example: { limit: 15 },
  output: z.strictObject({
    ok: Ok,
    feed: z.enum(['own', 'public']),
    rows: z.array(
      z.strictObject({
        slug: Slug,
        seq: z.int(),
        svcond: Tick,
        at: Timestamp,
        type: z.string(),
        source: z.string(),
        actor: z.string(),
        row_hash: Sha256,
      }),
    ),
  }),
  errors: [],
  handle: async ({ limit }, { services, principal }) => ({
    ok: true as const,
    ...(await services.overview.observed(principal, limit)),
  }),
});
