// Lists domains, and matches a text to domains.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { DOMAINS, isNamed } from '../../operators/find-domain.ts';
import { findOperator } from '../../operators/load.ts';
import { descriptionOf, matchDomains } from '../../operators/match-domains.ts';
import { SOLVERS } from '../../solvers/index.ts';
import { defineOperation } from '../operation.ts';
import { queryCount, success } from '../schemas.ts';
import { DOMAIN_ROW, domainRow } from './schemas.ts';

const Domain = z
  .strictObject({
    ...DOMAIN_ROW,
    description: z.string().describe('What it covers.'),
    aliases: z.array(z.string()).describe('Other accepted names.'),
    solvers: z.array(z.string()).describe('Solvers whose results are filed under it.'),
  })
  .meta({ id: 'Domain' });

export const listDomains = defineOperation({
  name: 'domain.list',
  summary: 'The domains: scope, aliases, solvers, and how complete each is.',
  route: 'GET /api/svc/domains',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  mcp: {
    tool: 'svc_science_domains',
    title: 'Domains of science',
    description: 'Use to learn which fields are covered. Every domain with its scope, aliases and solvers.',
    profile: 'science',
  },
  input: z.object({}),
  output: success({ count: z.int(), rows: z.array(Domain) }),
  brief: {
    sentences: ({ count, rows }) => [
      `${count} domains: name (prefix, operators, solvers).`,
      ...rows.map(({ name, prefix, operators, solvers }) => `${name} (${[prefix, operators, ...solvers].join(', ')});`),
    ],
  },
  errors: [],
  handle: async () => {
    const rows = DOMAINS.map((domain) => ({
      ...domainRow(domain),
      description: domain.description,
      aliases: domain.aliases,
      solvers: SOLVERS.filter((solver) => isNamed(domain, solver.domain)).map(({ id }) => id),
    }));
    return { count: rows.length, rows };
  },
});

const NOTE = 'Term overlap only: shared words, not a proof that a problem can be solved in a domain.';

const { domains } = LIMITS.search;
const Text = multiLine(LIMITS.search.textCharacters, 1)
  .optional()
  .describe('A problem in words, a title, an abstract.');
const Id = singleLine(40).optional().describe('Operator whose description to match.');

export const matchDomain = defineOperation({
  name: 'domain.match',
  summary: 'Domains that share terms with a text or an operator, best first.',
  description: `${NOTE} Rare terms weigh more, as do terms in the name of a domain before those in its scope and laws.`,
  route: 'GET /api/svc/domains/match',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  mcp: {
    tool: 'svc_domain_match',
    title: 'Match domains',
    description: 'Use to guess the domain of a problem or an abstract. Overlap of terms only.',
    profile: 'science',
    input: z.strictObject({
      text: Text,
      id: Id,
      limit: z.int().min(1).max(domains.max).default(domains.default),
    }),
  },
  input: z.object({
    text: Text,
    id: Id,
    limit: queryCount(domains).describe('Maximum rows.'),
  }),
  example: { text: 'deflection of a cantilever beam' },
  output: success({
    note: z.string().describe('Limits of this match.'),
    count: z.int(),
    rows: z.array(
      z.strictObject({
        ...DOMAIN_ROW,
        score: z.number().min(0).max(1).describe('Share of the text whose terms the domain has; 1 if all name it.'),
        terms: z.array(z.string()).describe('Shared terms, rarest first.'),
      }),
    ),
  }),
  brief: {
    sentences: ({ count, rows, note }) => [
      `${count} domains share terms.`,
      ...rows.map(({ name, prefix, score, terms }) => `${name} (${prefix}): score ${score}, ${terms.join(', ')};`),
      note,
    ],
  },
  errors: ['OPERATOR_UNKNOWN'],
  handle: async ({ id, text, limit }) => {
    if (id === undefined && text === undefined) {
      const message = 'text and id are missing; at least one of them is expected.';
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'text', code: 'MISSING', message }] });
    }
    const operatorText = id === undefined ? '' : descriptionOf(findOperator(id));
    const rows = matchDomains(`${text ?? ''} ${operatorText}`, limit).map(({ domain, score, terms }) => ({
      ...domainRow(domain),
      score: Number(score.toFixed(4)),
      terms,
    }));
    return { note: NOTE, count: rows.length, rows };
  },
});
