// Domains that share words with a text. A match by words does not say that the domain can solve the problem.

import { log } from '../core/elementary.ts';
import { DOMAINS, type Domain } from './find-domain.ts';
import type { Operator } from './operator.ts';
import { descriptiveText } from './search-index.ts';
import { GENERIC_WORDS, isUnitSymbol, STOP_WORDS, tokenize, withoutQuantities } from './words.ts';

export interface DomainMatch {
  readonly domain: Domain;
  /**
   * From 0 to 1: the words of the text that this domain has, weighted by inverse document frequency and by field, over
   * all its words that any domain has. 1 if all are in the name of the domain.
   */
  readonly score: number;
  /** The shared words as the registry spells them, the rarest first. */
  readonly terms: readonly string[];
}

/** Weight of a shared word by the field of the domain that has it. */
const WEIGHTS = { name: 1, description: 0.8, law: 0.6 } as const;

interface Term {
  /** Its first spelling in the registry. */
  readonly shown: string;
  /** Inverse document frequency: ln(1 + domains / domains with the word). */
  readonly idf: number;
  /** Weight by index of the domain. */
  readonly domains: ReadonlyMap<number, number>;
}

let vocabulary: ReadonlyMap<string, Term> | undefined;

/** Whether so many shared words, of all words of a text, say anything: three, two of six, or more than half. */
const isFit = (shared: number, words: number) => shared >= 3 || shared >= (shared === 2 ? 0.3 : 0.51) * words;

/** Words of a text that may tell a domain: not numbers, symbols of units or generic words. */
const contentWords = (text: string) => [
  ...new Set(
    withoutQuantities(text)
      .split(/[^\p{L}\p{N}\p{M}'\u2019]+/u)
      .filter((token) => !isUnitSymbol(token))
      .flatMap(tokenize)
      .filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !GENERIC_WORDS.has(word)),
  ),
];

/**
 * The best first, without domains that share no word; ties in the order of the domains. None if even the best has too
 * few of the words.
 */
export function matchDomains(text: string, limit: number): DomainMatch[] {
  vocabulary ??= vocabularyOf(DOMAINS);
  const words = contentWords(text);
  const known = words.flatMap((word) => vocabulary?.get(word) ?? []);
  known.sort((a, b) => b.idf - a.idf);
  const sharedBy = (domain: number) => known.filter(({ domains }) => domains.has(domain)).length;
  if (!isFit(Math.max(...DOMAINS.map((_, at) => sharedBy(at))), words.length)) return [];
  const all = known.reduce((sum, { idf }) => sum + idf, 0);
  return DOMAINS.map((domain, at) => {
    const shared = known.filter(({ domains }) => domains.has(at));
    const sum = shared.reduce((total, { idf, domains }) => total + idf * (domains.get(at) ?? 0), 0);
    return { domain, score: sum / all, terms: shared.map(({ shown }) => shown) };
  })
    .filter(({ terms }) => terms.length > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/** Text of an operator to match against the domains; leaves out its own domain. */
export const descriptionOf = (operator: Operator) => `${operator.name} ${descriptiveText(operator)}`;

function vocabularyOf(domains: readonly Domain[]): Map<string, Term> {
  const table = new Map<string, { shown: string; domains: Map<number, number> }>();
  const add = (at: number, text: string, weight: number) => {
    const written = text.split(/[^A-Za-z0-9']+/).filter((word) => word !== '');
    for (const form of written)
      for (const word of tokenize(form)) {
        if (STOP_WORDS.has(word)) continue;
        let term = table.get(word);
        if (!term) {
          term = { shown: form.toLowerCase(), domains: new Map() };
          table.set(word, term);
        }
        if (!term.domains.has(at)) term.domains.set(at, weight);
      }
  };
  for (const [at, { name, prefix, aliases, description, laws, operators }] of domains.entries()) {
    for (const text of [name, prefix, ...aliases]) add(at, text, WEIGHTS.name);
    add(at, description, WEIGHTS.description);
    for (const law of laws) add(at, law, WEIGHTS.law);
    for (const { tags = [] } of operators) for (const tag of tags) add(at, tag, WEIGHTS.law);
  }
  const count = domains.length;
  return new Map(
    [...table].map(([word, { shown, domains: within }]) => [
      word,
      { shown, idf: log(1 + count / within.size), domains: within },
    ]),
  );
}
