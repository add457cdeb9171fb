// The registry of operators, read: listed by domain, found by word, and one of them with all that stands of it.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { definitionOf } from '../../operators/definition.ts';
import { DOMAINS, type Domain, findDomain } from '../../operators/find-domain.ts';
import { findOperator } from '../../operators/load.ts';
import { searchOperators } from '../../operators/search.ts';
import { summaryOf } from '../../operators/summary.ts';
import { defineOperation } from '../operation.ts';
import { Ok } from '../schemas.ts';

const DomainText = z.string().min(1).max(80).describe('Name, prefix or alias of a domain.');

/** How much of a domain stands. */
export const DOMAIN_ROW = {
  prefix: z.string().describe('With which the ids of its operators begin, but for those that the interface names.'),
  name: z.string(),
  operators: z.int().describe('How many there are.'),
  budget: z.int().describe('How many there are when it is complete.'),
  complete: z.boolean(),
} as const;

export const domainRow = ({ prefix, name, operators, budget }: Domain) => ({
  prefix,
  name,
  operators: operators.length,
  budget,
  complete: operators.length >= budget,
});

const Tier = z
  .literal([0, 1, 2, 3])
  .describe('0 definition, 1 fundamental law or exact result, 2 derived or empirical relation, 3 advanced.');
const Where = z.record(z.string(), z.string()).optional().describe('Intermediate expressions, in order.');

const OperatorSummary = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    domain: z.string(),
    prefix: z.string(),
    tier: Tier,
    equation: z.string(),
    where: Where,
    accepted: z.record(z.string(), z.string()).describe('Accepted keys of `inputs` and their units.'),
    defaults: z.record(z.string(), z.number()).optional().describe('Keys that may be left out, and what then counts.'),
    output: z.strictObject({ symbol: z.string(), unit: z.string() }),
  })
  .meta({ id: 'OperatorSummary', description: 'A closed-form law: what it computes, and from what.' });

const ListInput = z.object({ domain: DomainText.optional() });

const Domains = z
  .strictObject({
    ok: Ok,
    count: z.int().describe('Domains.'),
    operators: DOMAIN_ROW.operators,
    budget: DOMAIN_ROW.budget,
    rows: z.array(z.strictObject(DOMAIN_ROW)),
  })
  .meta({ id: 'DomainCounts' });

const OneDomain = z
  .strictObject({ ok: Ok, ...DOMAIN_ROW, description: z.string(), rows: z.array(OperatorSummary) })
  .meta({ id: 'DomainOperators' });

export function operatorList({ domain: text }: z.output<typeof ListInput>) {
  if (text !== undefined) {
    const domain = findDomain(text);
    const { description, operators } = domain;
    return { ok: true as const, ...domainRow(domain), description, rows: operators.map(summaryOf) };
  }
  const rows = DOMAINS.map(domainRow);
  const sum = (count: 'operators' | 'budget') => rows.reduce((total, row) => total + row[count], 0);
  return { ok: true as const, count: rows.length, operators: sum('operators'), budget: sum('budget'), rows };
}

export const listOperators = defineOperation({
  name: 'operator.list',
  summary: 'The operators of a domain, or all domains with how many each has.',
  route: 'GET /api/svc/operators',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  mcp: {
    tool: 'svc_list_operators',
    title: 'Operators of a domain',
    description:
      'Use to see what a domain can compute: its operators with equation, input keys and units. Without a domain, all domains and their counts.',
    profile: 'science',
  },
  input: ListInput,
  output: z.union([OneDomain, Domains]),
  errors: ['DOMAIN_UNKNOWN'],
  handle: async (input) => operatorList(input),
});

const { hits } = LIMITS.search;
const Term = z
  .string()
  .min(1)
  .max(LIMITS.search.characters)
  .describe('Words, a symbol, part of an equation, or an id; for example kinetic energy, hbar, m*v^2 or QM5.');
export const FindInput = z.object({
  term: Term,
  limit: z.coerce.number().int().min(1).max(hits.max).default(hits.default).describe('At most so many.'),
});

export function operatorsFound({ term, limit }: z.output<typeof FindInput>) {
  const { operators, total, readAs } = searchOperators(term, limit);
  return {
    ok: true as const,
    count: operators.length,
    total,
    ...(readAs.size === 0 ? {} : { read_as: Object.fromEntries(readAs) }),
    rows: operators.map(summaryOf),
  };
}

export const findOperators = defineOperation({
  name: 'operator.find',
  summary: 'Operators by id, name, symbol, equation or what is said of them, the best first.',
  description:
    'The id itself comes first, then ids that begin so, equations that contain the term, and words: in the name, as a symbol, in any other text. Small misspellings are forgiven, and named in `read_as`.',
  route: 'GET /api/svc/operators/search',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  mcp: {
    tool: 'svc_find_operator',
    title: 'Find an operator',
    description:
      'Use to find the law for svc_compute by words, symbol, equation or id. Answers domain, equation, accepted input keys and units.',
    profile: 'core',
    input: z.strictObject({ term: Term, limit: z.int().min(1).max(hits.max).default(hits.default) }),
  },
  input: FindInput,
  example: { term: 'particle in a box' },
  output: z.strictObject({
    ok: Ok,
    count: z.int().describe('Operators in this answer.'),
    total: z.int().describe('Operators that match in anything.'),
    read_as: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('Words of the term that occur nowhere, and those that were looked for instead.'),
    rows: z.array(OperatorSummary),
  }),
  errors: [],
  handle: async (input) => operatorsFound(input),
});

const Relation = z.strictObject({ id: z.string(), reason: z.string() });

const OperatorRecord = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    domain: z.string(),
    prefix: z.string(),
    tier: Tier,
    equation: z.string(),
    where: Where,
    output: z.strictObject({ symbol: z.string(), unit: z.string(), description: z.string().optional() }),
    inputs: z.record(
      z.string(),
      z.strictObject({
        unit: z.string(),
        description: z.string(),
        min: z.number().optional(),
        max: z.number().optional(),
        default: z.number().optional().describe('Makes the input optional.'),
        integer: z.boolean().optional(),
      }),
    ),
    constants: z
      .record(z.string(), z.strictObject({ value: z.number(), unit: z.string(), note: z.string() }))
      .describe('With values, and where these come from.'),
    validity: z.string().describe('Where the law holds.'),
    source: z.strictObject({ cite: z.string(), locator: z.string(), doi: z.string().optional() }),
    examples: z
      .array(
        z.strictObject({
          inputs: z.record(z.string(), z.number()).describe('In the declared units.'),
          expected: z.number().describe('In the unit of the output.'),
          rtol: z.number().optional(),
          published: z.strictObject({ value: z.number(), digits: z.int() }).optional(),
          source: z.string().describe('The independent route to the number.'),
        }),
      )
      .describe('Each is computed and compared by the tests of this version.'),
    variantOf: Relation.optional(),
    analogOf: Relation.optional(),
    tags: z.array(z.string()).optional(),
  })
  .meta({ id: 'Operator', description: 'A closed-form law with all that stands of it in the registry.' });

/** @throws DomainError OPERATOR_UNKNOWN */
export function operatorRecord(id: string) {
  const operator = findOperator(id);
  const { name, prefix, tier, equation, where, output, inputs, validity, source, examples } = operator;
  const { variantOf, analogOf, tags } = operator;
  return {
    id,
    name,
    domain: findDomain(prefix).name,
    prefix,
    tier,
    equation,
    ...(where && { where }),
    output,
    inputs,
    constants: definitionOf(operator).constants ?? {},
    validity,
    source,
    examples,
    ...(variantOf && { variantOf }),
    ...(analogOf && { analogOf }),
    ...(tags && { tags }),
  };
}

export const getOperator = defineOperation({
  name: 'operator.get',
  summary: 'One operator: equation, inputs with ranges, constants, validity, source and examples.',
  route: 'GET /api/svc/operators/{id}',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({ id: z.string().min(1).max(40).describe('For example QM5; case counts.') }),
  example: { id: 'QM5' },
  output: z.strictObject({ ok: Ok, operator: OperatorRecord }),
  errors: ['OPERATOR_UNKNOWN'],
  handle: async ({ id }) => ({ ok: true as const, operator: operatorRecord(id) }),
});
