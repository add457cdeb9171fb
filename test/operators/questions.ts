// Everyday questions and how selection and search answer them.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DomainError } from '../../src/core/errors.ts';
import { findDomain } from '../../src/operators/find-domain.ts';
import { matchDomains } from '../../src/operators/match-domains.ts';
import { searchOperators } from '../../src/operators/search.ts';
import { selectOperators } from '../../src/operators/select.ts';

export interface Question {
  readonly query: string;
  /** Missing where the question has no domain. */
  readonly domain?: string;
  /** Keys of the given inputs. */
  readonly given?: readonly string[];
  /** Id of the law that answers it; null if nothing does. */
  readonly law: string | null;
}

const { questions, later, further, unfamiliar, strangers, everyday, fresh, newcomers } = JSON.parse(
  readFileSync(new URL('questions.json', import.meta.url), 'utf8'),
) as {
  readonly questions: readonly Question[];
  readonly later: readonly Question[];
  readonly further: readonly Question[];
  readonly unfamiliar: readonly Question[];
  readonly strangers: readonly Question[];
  readonly everyday: readonly Question[];
  readonly fresh: readonly Question[];
  readonly newcomers: readonly Question[];
};

const isHeld = ({ query }: Question) => (createHash('sha256').update(query).digest()[0] ?? 0) % 2 === 1;

export const HELD = questions.filter(isHeld);
/** Written later, and only measured. */
export const LATER = later;
export const FURTHER = further.filter(isHeld);
/** About things that no word of the registry names; only measured. */
export const UNFAMILIAR = unfamiliar;
/** By an author who knew the laws and none of the words; only measured. */
export const STRANGERS = strangers;
/** By an author who drew the laws by lot, without their names; half is tuned on. */
export const EVERYDAY_HELD = everyday.filter(isHeld);
export const EVERYDAY_TUNE = everyday.filter((question) => !isHeld(question));
/** By an author who knew the laws, before the rule by which the search finds nothing; only measured. */
export const FRESH = fresh;
/** By an author who had read the titles of the laws and nothing of the search; half may be tuned on. */
export const NEWCOMERS_HELD = newcomers.filter(isHeld);
export const NEWCOMERS_TUNE = newcomers.filter((question) => !isHeld(question));
export const TUNE = [...questions, ...further].filter((question) => !isHeld(question));

/** The law that would be sealed; undefined for a refusal, or where the dimensional gate closes. */
export function sealedBy({ query, domain, given = [] }: Question, withWords = true): string | undefined {
  if (domain === undefined) return undefined;
  try {
    const wish = { keys: given, units: {}, ...(withWords ? { query } : {}) };
    const { operators } = selectOperators(findDomain(domain), [], wish);
    const accepts = (key: string) => operators.some(({ inputs }) => Object.hasOwn(inputs, key));
    return given.every(accepts) ? operators.at(-1)?.id : undefined;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

export const firstHits = ({ query }: Question, limit: number) =>
  searchOperators(query, limit).operators.map(({ id }) => id);

export const firstHit = (question: Question) => firstHits(question, 1)[0];

export const firstDomain = ({ query }: Question) => matchDomains(query, 1)[0]?.domain.prefix;
