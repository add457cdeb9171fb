// A question in words: chooses the solver or law, reads its inputs, shows both, and runs it.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { withShortArrays } from '../../protocol/short-arrays.ts';
import type { AutoBody } from '../../services/compute/auto.ts';
import { defineOperation } from '../operation.ts';
import { Folder, JsonObject, queryCount, success } from '../schemas.ts';
import { EnvelopeOrGate, SelfContained } from './envelope.ts';
import { ENVELOPE_BRIEF } from './envelope-brief.ts';

const { characters, constants: maxConstants, alternatives, threshold: leastConfidence } = LIMITS.auto;

const Key = singleLine(LIMITS.keyCharacters);
const Query = multiLine(characters, 1).describe(
  'The question in English, with its numbers and units: price of a call, spot 100, strike 105, 6 months.',
);
const Constants = z
  .record(Key, z.number())
  .refine((record) => Object.keys(record).length <= maxConstants, `at most ${maxConstants} constants`);
const Target = singleLine(40).optional().describe('Id of a solver or law, to choose it by name.');

const Input = z.strictObject({
  query: Query,
  constants: Constants.default({}).describe('Numbers by name, in the units of the target.'),
  overrides: JsonObject.default({}).describe('Inputs of the target that win over those of the question.'),
  target: Target,
  top_k: z.int().min(1).max(alternatives.max).default(alternatives.default).describe('Alternatives that are listed.'),
  threshold: z.number().min(0).max(1).default(leastConfidence).describe('Least confidence of an answer.'),
  run: z.boolean().default(true).describe('false: shows what was understood and computes nothing.'),
  ignore_unused: z.boolean().default(false).describe('Answers although a number of the question has no place.'),
  folder: Folder.optional(),
  strict: z.boolean().optional().describe('Refuse instead of sealing an unconverged result.'),
  self_contained: SelfContained,
});

const Confidence = z.number().min(0).max(1);
const Kind = z.enum(['solver', 'law']);
const Named = { name: z.string(), label: z.string().describe('In words.'), unit: z.string() };

const DispatchShape = z
  .strictObject({
    target: z.strictObject({ kind: Kind, id: z.string(), title: z.string(), unit: z.string() }),
    confidence: Confidence,
    inputs: z.array(
      z.strictObject({
        ...Named,
        value: z.unknown(),
        words: z.string().describe('Where the question says it.'),
        by: z
          .enum(['name', 'words', 'unit', 'order', 'choice', 'equations', 'given'])
          .describe('Its name, words beside the number, its unit alone, the order, a choice, equations; or constants.'),
      }),
    ),
    defaults: z
      .array(z.strictObject({ ...Named, value: z.unknown() }))
      .describe('Inputs that the question leaves open.'),
    missing: z.array(z.strictObject(Named)).describe('Inputs that it lacks.'),
    unused: z.array(z.string()).describe('Numbers of the question without a place.'),
    alternatives: z.array(z.strictObject({ kind: Kind, id: z.string(), title: z.string(), confidence: Confidence })),
  })
  .meta({ id: 'Dispatch', description: 'What a question was understood as. Advice: no seal covers it.' });

const Understood = {
  dispatch: DispatchShape,
  request: z
    .strictObject({ route: z.string(), body: z.record(z.string(), z.unknown()) })
    .describe('The call of the target that this stands for.'),
};

const Output = success({
  ...Understood,
  result: EnvelopeOrGate.optional().describe('The answer of the target, with its own receipt and seal.'),
});

type Answer = z.output<typeof Output>;

/** `quant (Option prices), confidence 0.9: S0 = 100 $ ("spot 100")` */
function understoodSentence({ dispatch: { target, confidence, inputs } }: Pick<Answer, 'dispatch'>): string {
  const read = inputs.map(({ name, value, unit, words }) => {
    const suffix = typeof value === 'number' && unit !== '1' ? ` ${unit}` : '';
    return `${name} = ${String(value)}${suffix}${words === '' ? '' : ` (${JSON.stringify(words)})`}`;
  });
  return `Understood as ${target.id} (${target.title}), confidence ${confidence}: ${read.length === 0 ? 'defaults only' : read.join(', ')}.`;
}

const ERRORS = ['QUERY_NOT_UNDERSTOOD', 'QUERY_AMBIGUOUS', 'OPERATOR_UNKNOWN'] as const;

export const auto = defineOperation({
  name: 'auto.run',
  summary: 'Choose the solver or law that a question in words means, and run it.',
  description:
    'Deterministic and offline. The dispatch shows the choice, the inputs with the words that they came from, defaults and alternatives; it stands outside of the seal of the result, whose inputs are sealed as by the route of the target. What nothing fits, a tie, and a number without a place are refused.',
  route: 'POST /api/svc/auto',
  tier: 'key',
  effect: 'compute',
  hasProgress: true,
  mcp: {
    tool: 'svc_auto',
    title: 'Ask',
    description: 'Use for a question in words with units. Shows choice and inputs; run false computes nothing.',
    profile: 'core',
    input: z.strictObject({
      query: multiLine(characters, 1),
      constants: Constants.optional().describe('Numbers by name.'),
      overrides: JsonObject.optional().describe('Inputs that win.'),
      target: Target.describe('Solver or law.'),
      run: z.boolean().optional(),
    }),
  },
  input: Input,
  example: { query: 'kinetic energy of a car of 1200 kg at 30 m/s', run: false },
  output: Output,
  brief: {
    sentences: (answer) => [
      understoodSentence(answer),
      ...(answer.result === undefined ? [] : ENVELOPE_BRIEF.sentences(answer.result)),
    ],
    shorten: ({ result, ...rest }) => (result === undefined ? rest : { ...rest, result: shortResult(result) }),
  },
  errors: [
    ...ERRORS,
    'DIVISION_BY_ZERO',
    'NUMERIC_OVERFLOW',
    'VALUE_UNDEFINED',
    'UNIT_INVALID',
    'UNIT_MISMATCH',
    'PRECISION_REFUSED',
    'BUDGET_EXCEEDED',
    'UNSTABLE_SCHEME',
    'EXPRESSION_INVALID',
    'QUEUE_FULL',
    'OUT_OF_TIME',
    'KERNEL_FAILED',
    'BODY_TOO_LARGE',
  ],
  handle: async (input, { services, principal, tenant, signal, onProgress, idempotencyKey }) => {
    if (!principal) throw new DomainError('AUTH_REQUIRED', 'API key required to run a solver.');
    const body = bodyOf(input);
    if (!input.run) return services.auto.understand(body);
    return services.auto.run(body, { principal, tenant, signal, onProgress, isFiled: idempotencyKey !== undefined });
  },
});

function bodyOf(input: z.output<typeof Input>): AutoBody {
  const { query, constants, overrides, target, top_k: limit, threshold, folder, strict } = input;
  return {
    query,
    constants,
    overrides,
    target,
    limit,
    threshold,
    ignoreUnused: input.ignore_unused,
    folder,
    strict,
    isSelfContained: input.self_contained,
  };
}

function shortResult(result: unknown): Readonly<Record<string, unknown>> {
  const omitted = new Set<string>(ENVELOPE_BRIEF.omitted);
  const entries = Object.entries(result as object).filter(([name]) => !omitted.has(name));
  return withShortArrays(Object.fromEntries(entries));
}

export const readQuestion = defineOperation({
  name: 'auto.read',
  summary: 'What a question in words would run, without running it.',
  route: 'GET /api/svc/auto',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({
    query: Query,
    target: Target,
    top_k: queryCount(alternatives).describe('Alternatives that are listed.'),
  }),
  example: { query: 'kinetic energy of a car of 1200 kg at 30 m/s' },
  output: success(Understood),
  errors: [...ERRORS],
  handle: async ({ query, target, top_k: limit }, { services }) =>
    services.auto.understand({ query, target, limit, overrides: {}, constants: {} }),
});
