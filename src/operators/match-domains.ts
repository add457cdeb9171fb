// Which domains share words with a text. Words only: it says nothing of whether a problem can be solved.

import { log } from '../core/elementary.ts';
import { DOMAINS, type Domain } from './find-domain.ts';
import type { Operator } from './operator.ts';
import { meaningOf } from './search-index.ts';
import { FUNCTION_WORDS, wordsOf } from './words.ts';

export interface DomainMatch {
  readonly domain: Domain;
  /**
   * Share of the text, 0 to 1: of its words that occur in any domain, each as much as it is rare, those that occur in this
   * one, by where. 1 if all of them stand in its name.
   */
  readonly score: number;
  /** The words that are shared, as the domain has them, the rarest first. */
  readonly terms: readonly string[];
}

/** How much a shared word counts by where the domain has it. */
const WEIGHTS = { name: 1, description: 0.8, law: 0.6 } as const;

interface Term {
  /** The first form that it has in the registry. */
  readonly shown: string;
  /** Natural logarithm of 1 + domains / domains with the word. */
  readonly rarity: number;
  /** Weight by the number of the domain. */
  readonly domains: ReadonlyMap<number, number>;
}

let vocabulary: ReadonlyMap<string, Term> | undefined;

/** The best first, none without a shared word; equal scores in the order of the domains. */
export function matchDomains(text: string, limit: number): DomainMatch[] {
  vocabulary ??= vocabularyOf(DOMAINS);
  const known = [...new Set(wordsOf(text))].flatMap((word) => vocabulary?.get(word) ?? []);
  known.sort((a, b) => b.rarity - a.rarity);
  const all = known.reduce((sum, { rarity }) => sum + rarity, 0);
  return DOMAINS.map((domain, at) => {
    const shared = known.filter(({ domains }) => domains.has(at));
    const sum = shared.reduce((total, { rarity, domains }) => total + rarity * (domains.get(at) ?? 0), 0);
    return { domain, score: sum / all, terms: shared.map(({ shown }) => shown) };
  })
    .filter(({ terms }) => terms.length > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/** What an operator says of itself, as a text to match; not its domain, which the answer is about. */
export const descriptionOf = (operator: Operator) => `${operator.name} ${meaningOf(operator)}`;

function vocabularyOf(domains: readonly Domain[]): Map<string, Term> {
  const table = new Map<string, { shown: string; domains: Map<number, number> }>();
  const add = (at: number, text: string, weight: number) => {
    const written = text.split(/[^A-Za-z0-9']+/).filter((word) => word !== '');
    for (const form of written)
      for (const word of wordsOf(form)) {
        if (FUNCTION_WORDS.has(word)) continue;
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
      { shown, rarity: log(1 + count / within.size), domains: within },
    ]),
  );
}
