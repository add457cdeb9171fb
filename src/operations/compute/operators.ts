// Lists, searches and reads operators of the registry.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { definitionOf } from '../../operators/definition.ts';
import { DOMAINS, findDomain, isDomainName, listNearestDomains } from '../../operators/find-domain.ts';
import { findOperator, OPERATORS } from '../../operators/load.ts';
import { relatedLaws } from '../../operators/related.ts';
import { searchOperators } from '../../operators/search.ts';
import { MATCH_FIELDS, matchesOf } from '../../operators/search-matches.ts';
import { headOf, summaryOf } from '../../operators/summary.ts';
import { defineOperation } from '../operation.ts';
import { queryCount, success } from '../schemas.ts';
import { DOMAIN_ROW, domainRow, OperatorRecord, OperatorSummary } from './schemas.ts';

const DomainText = singleLine(80).describe('Name, prefix or alias of a domain.');

const ListInput = z.object({ domain: DomainText.optional() });

const DomainCounts = success({
  count: z.int().describe('Domains.'),
  operators: DOMAIN_ROW.operators,
  budget: DOMAIN_ROW.budget,
  rows: z.array(z.strictObject(DOMAIN_ROW)),
}).meta({ id: 'DomainCounts' });

const DomainOperators = success({ ...DOMAIN_ROW, description: z.string(), rows: z.array(OperatorSummary) }).meta({
  id: 'DomainOperators',
});

export function operatorList({ domain: text }: z.output<typeof ListInput>) {
  if (text !== undefined) {
    const domain = findDomain(text);
    const { description, operators } = domain;
    return { ...domainRow(domain), description, rows: operators.map(summaryOf) };
  }
  const rows = DOMAINS.map(domainRow);
  const sum = (column: 'operators' | 'budget') => rows.reduce((total, row) => total + row[column], 0);
  return { count: rows.length, operators: sum('operators'), budget: sum('budget'), rows };
}

/** `QM5 Particle in a box (Quantum Mechanics): E = …; inputs n [1], m [kg].` */
function operatorSentence({ id, name, domain, equation, accepted, output }: z.output<typeof OperatorSummary>): string {
  const inputs = Object.entries(accepted).map(([key, unit]) => `${key} [${unit}]`);
  return `${id} ${name} (${domain}): ${equation} [${output.unit}]; inputs ${inputs.join(', ')}.`;
}

export const listOperators = defineOperation({
  name: 'operator.list',
  summary: 'The operators of a domain, or all domains with their counts.',
  route: 'GET /api/svc/operators',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  mcp: {
    tool: 'svc_list_operators',
    title: 'Operators of a domain',
    description:
      'Use to see what a domain can compute: operators with equation and inputs. Without a domain, all domains.',
    profile: 'science',
  },
  input: ListInput,
  output: z.union([DomainOperators, DomainCounts]),
  brief: {
    sentences: (answer) =>
      'name' in answer
        ? [`${answer.operators} operators of ${answer.name} (${answer.prefix}).`, ...answer.rows.map(operatorSentence)]
        : [
            `${answer.operators} operators in ${answer.count} domains: prefix name (operators).`,
            ...answer.rows.map(({ prefix, name, operators }) => `${prefix} ${name} (${operators});`),
          ],
  },
  errors: ['DOMAIN_UNKNOWN'],
  handle: async (input) => operatorList(input),
});

const { hits } = LIMITS.search;

const Term = singleLine(LIMITS.search.characters).describe(
  'Words, a symbol, part of an equation, or an id; for example kinetic energy, hbar, m*v^2 or QM5.',
);

const DomainFilter = DomainText.refine(isDomainName, {
  error: ({ input }) => `no domain has this name; the nearest are ${listNearestDomains(String(input))}`,
})
  .optional()
  .describe('Only this domain: name, prefix or alias.');

export const FindInput = z.object({
  term: Term,
  domain: DomainFilter,
  limit: queryCount(hits).describe('Maximum rows.'),
});

export function searchResults({ term, domain, limit }: z.output<typeof FindInput>) {
  const prefix = domain === undefined ? undefined : findDomain(domain).prefix;
  const { operators, total, corrections } = searchOperators(term, limit, prefix);
  return {
    count: operators.length,
    total,
    ...(corrections.size === 0 ? {} : { read_as: Object.fromEntries(corrections) }),
    matches: Object.fromEntries(
      matchesOf(
        term,
        operators.map(({ id }) => id),
      ),
    ),
    rows: operators.map(summaryOf),
  };
}

export const findOperators = defineOperation({
  name: 'operator.find',
  summary: 'Search operators by id, name, symbol, equation or text, best first.',
  description:
    'Ranked by exact id, id prefix, equations that contain the term, then words in name, symbol and other text. Corrected misspellings are listed in `read_as`.',
  route: 'GET /api/svc/operators/search',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  mcp: {
    tool: 'svc_find_operator',
    title: 'Find an operator',
    description:
      'Use to find the law for svc_compute by words, symbol, equation or id. Returns domain, equation, accepted input keys and units.',
    profile: 'core',
    input: z.strictObject({
      term: Term,
      domain: DomainFilter,
      limit: z.int().min(1).max(hits.max).default(hits.default),
    }),
  },
  input: FindInput,
  example: { term: 'particle in a box' },
  output: success({
    count: z.int().describe('Operators in this answer.'),
    total: z.int().describe('All matching operators.'),
    read_as: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('Unknown words of the term, and the words searched instead.'),
    matches: z
      .record(z.string(), z.array(z.strictObject({ term: z.string(), word: z.string(), field: z.enum(MATCH_FIELDS) })))
      .describe('By id: the words of the term, and the word of the operator and its field that each was found by.'),
    rows: z.array(OperatorSummary),
  }),
  brief: {
    sentences: ({ count, total, rows }) => [`${count} of ${total} matches, best first.`, ...rows.map(operatorSentence)],
  },
  errors: [],
  handle: async (input) => searchResults(input),
});

/** @throws DomainError OPERATOR_UNKNOWN */
export function operatorRecord(id: string) {
  const operator = findOperator(id);
  const {
    where,
    output,
    inputs,
    requires,
    validity,
    accuracy,
    source,
    examples,
    published,
    variantOf,
    analogOf,
    tags,
  } = operator;
  return {
    ...headOf(operator),
    ...(where && { where }),
    output,
    inputs,
    constants: definitionOf(operator).constants ?? {},
    ...(requires && { requires }),
    validity,
    ...(accuracy && { accuracy }),
    source,
    examples,
    ...(published && { published }),
    related: relatedLaws(operator, OPERATORS.values()).map(({ symbols, ...law }) => ({
      ...law,
      symbols: [...symbols],
    })),
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
  input: z.object({ id: singleLine(40).describe('For example QM5; case-sensitive.') }),
  example: { id: 'QM5' },
  output: success({ operator: OperatorRecord }),
  errors: ['OPERATOR_UNKNOWN'],
  handle: async ({ id }) => ({ operator: operatorRecord(id) }),
});
