// Domains that share words with a text: their own words, and those by which the search finds their laws. A match by words
// does not say that the domain can solve the problem.

import { log } from '../core/elementary.ts';
import { wishOf } from './asked-quantity.ts';
import { DOMAINS, type Domain } from './find-domain.ts';
import { type Evidence, lookUp } from './look-up.ts';
import type { Operator } from './operator.ts';
import { isAnsweredByWords, registryIndex } from './search.ts';
import { descriptiveText, FIELD_WEIGHTS, type SearchIndex } from './search-index.ts';
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

/** Weight of a shared word by the field of the domain that has it; of a law that the search finds, at most. */
const WEIGHTS = { name: 1, description: 0.8, found: 0.7, law: 0.6 } as const;

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

/** A word of a text. */
interface Word {
  readonly idf: number;
  readonly term: Term | undefined;
  /** By entry of the search: how much a law has of it, from 0 to 1, and the word by which. */
  readonly laws: ReadonlyMap<number, number>;
  readonly evidence: ReadonlyMap<number, Evidence>;
}

/**
 * The best first, without domains that share no word; ties in the order of the domains. None if even the best has too
 * few of the words, and the search finds no law.
 */
export function matchDomains(text: string, limit: number): DomainMatch[] {
  vocabulary ??= vocabularyOf(DOMAINS);
  const index = registryIndex();
  const written = contentWords(text);
  const known = vocabulary;
  const isQuestion = written.length <= MAX_WORDS && written.filter((word) => known.has(word)).length <= MAX_SEARCHED;
  const words = written.map((word) => wordOf(isQuestion ? index : undefined, word)).filter(({ idf }) => idf > 0);
  words.sort((a, b) => b.idf - a.idf);
  const sharedBy = (domain: number) => words.filter(({ term }) => term?.domains.has(domain)).length;
  const isNamed = isFit(Math.max(...DOMAINS.map((_, at) => sharedBy(at))), written.length);
  const isAnswered = () => written.length > 0 && isAnsweredByWords(index, withoutSymbols(text));
  if (!(isNamed && wishOf(text) === undefined) && !isAnswered()) return [];
  const all = words.reduce((sum, { idf }) => sum + idf, 0);
  return DOMAINS.map((domain, at) => {
    const law = bestLaw(index, words, domain);
    const weightOf = ({ term, laws }: Word) => Math.max(term?.domains.get(at) ?? 0, laws.get(law) ?? 0);
    const shared = words.filter((word) => weightOf(word) > 0);
    const sum = shared.reduce((total, word) => total + word.idf * weightOf(word), 0);
    const shownOf = ({ term, evidence }: Word) =>
      term?.domains.has(at) ? term.shown : (evidence.get(law)?.word ?? '');
    return { domain, score: Math.min(1, sum / all), terms: [...new Set(shared.map(shownOf))] };
  })
    .filter(({ terms }) => terms.length > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/** A text with more words of the registry names fields, it asks no question; and each word costs a search. */
const MAX_SEARCHED = 16;
/** Known or not. */
const MAX_WORDS = 48;

function wordOf(index: SearchIndex | undefined, word: string): Word {
  const term = vocabulary?.get(word);
  const evidence = new Map<number, Evidence>();
  const found = index ? lookUp(index, { word, symbol: undefined }, false, new Map(), evidence) : new Map();
  const laws = new Map([...found].map(([at, value]) => [at, WEIGHTS.found * Math.min(1, value / FIELD_WEIGHTS.tag)]));
  const domains = new Set([...laws.keys()].map((at) => index?.entries[at]?.operator.prefix)).size;
  const idf = term?.idf ?? (domains > 0 ? log(1 + DOMAINS.length / domains) : 0);
  return { idf, term, laws, evidence };
}

/** The entry of the law of a domain that has most of the words. */
function bestLaw(index: SearchIndex, words: readonly Word[], { prefix }: Domain): number {
  const scores = new Map<number, number>();
  for (const { idf, laws } of words)
    for (const [at, weight] of laws)
      if (index.entries[at]?.operator.prefix === prefix) scores.set(at, (scores.get(at) ?? 0) + idf * weight);
  return [...scores].reduce((best, one) => (one[1] > best[1] ? one : best), [-1, 0])[0];
}

/** Without numbers, symbols of units and single letters, which are symbols to a search. */
const withoutSymbols = (text: string) =>
  withoutQuantities(text)
    .split(/\s+/)
    .filter((token) => token.length > 1 && !isUnitSymbol(token))
    .join(' ');

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
