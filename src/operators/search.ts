// Operator search by id, name, symbol, equation and descriptive text.
//
// Ranking: the exact id, ids with the query as prefix, equations that contain the query, then words. Ties are in the
// order of the registry. Nothing matches if even the best has too little of the query.

import { askedQuantity, NUMBER, wishOf } from './asked-quantity.ts';
import { DOMAINS } from './find-domain.ts';
import type { Operator } from './operator.ts';
import { termsOf, tokensOf } from './query-terms.ts';
import { type Entry, indexOperators, normalizedId, type SearchIndex, withoutProducts } from './search-index.ts';
import { type Scores, scoreByWords } from './word-scores.ts';
import { GENERIC_WORDS, STOP_WORDS, transliterate } from './words.ts';

export interface SearchResult {
  /** The best first, at most `limit`. */
  readonly operators: readonly Operator[];
  /** Number of all matches. */
  readonly total: number;
  /** Spelling corrections: for each unknown word of the query, the words of the registry that were searched instead. */
  readonly corrections: ReadonlyMap<string, readonly string[]>;
}

type Laws = SearchIndex<unknown>;

let registry: SearchIndex | undefined;

/**
 * The index is built by the first search: about 50 ms for the whole registry.
 *
 * @param prefix  finds only operators of this domain; the ranks are those among all operators
 */
export function searchOperators(query: string, limit: number, prefix?: string): SearchResult {
  return searchIn(registryIndex(), query, limit, prefix);
}

export function registryIndex(): SearchIndex {
  registry ??= indexOperators(DOMAINS);
  return registry;
}

export function searchIn(index: SearchIndex, query: string, limit: number, prefix?: string): SearchResult {
  const corrections = new Map<string, readonly string[]>();
  const found = scoreByWords(index, query, corrections);
  const { scores } = found;
  if (!isAnswered(index, query, found)) scores.fill(0);
  rankByFormula(index, query, scores);
  rankById(index, query, scores);
  const isWanted = (at: number) => prefix === undefined || index.entries[at]?.operator.prefix === prefix;
  const ranked = [...scores.keys()].filter((at) => (scores[at] ?? 0) > 0 && isWanted(at));
  ranked.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const operators = ranked.slice(0, limit).flatMap((at) => index.entries[at]?.operator ?? []);
  return { operators, total: ranked.length, corrections };
}

/**
 * Of the query, weighted as `Scores.shares`, in the best match: of one that has all its words, perhaps misspelt; of one
 * everyday word among others; of more. Then of a question for something that is no quantity, and for a count of things where the
 * best law gives no number: the laws know its words and are not meant.
 */
const MIN_SHARE = {
  ofAll: 0.2,
  ofOneWord: 0.6,
  ofMore: 0.45,
  ofNoQuantity: 0.7,
  ofCount: 0.8,
} as const;
const ONE_WORD = 0.9;
/** Two everyday words suffice however many others the query has: a sentence names things that no law needs. */
const TWO_WORDS = 1.65;
/** Of a law without the quantity that is certainly asked for, also among its inputs. */
const WORDS_OF_OTHER_QUANTITY = 1.7;

/** Whether laws have enough of a question, and the best one what it asks for. */
function isAnswered({ entries }: SearchIndex, query: string, found: Scores): boolean {
  const { scores, shares, counts, names, hasAll, isMisspelt } = found;
  const minShareOf = (count: number) => (count < ONE_WORD ? MIN_SHARE.ofOneWord : MIN_SHARE.ofMore);
  const isFit = (share: number, at: number) => {
    const count = counts[at] ?? 0;
    return count >= TWO_WORDS || share >= (hasAll[at] ? MIN_SHARE.ofAll : minShareOf(count));
  };
  const best = scores.reduce((top, score, at) => (score > (scores[top] ?? 0) ? at : top), 0);
  const share = shares[best] ?? 0;
  if (!isFit(share, best)) return false;
  const asked = askedQuantity(query);
  // A law that is named is meant, whatever it gives: the force of infection is no force. Names may be misspelt.
  const isNamed = (names[best] ?? 0) === 1 || isMisspelt;
  const given = [...(entries[best]?.dimensions ?? [])];
  const isOther = asked?.isCertain === true && !given.some((dimension) => asked.dimensions.has(dimension));
  if (isOther && !isNamed && (counts[best] ?? 0) < WORDS_OF_OTHER_QUANTITY) return false;
  const wish = wishOf(query);
  if (wish === 'nothing to compute') return share >= MIN_SHARE.ofNoQuantity;
  return wish !== 'a count' || entries[best]?.dimension === NUMBER || share >= MIN_SHARE.ofCount;
}

/** Whether the search finds laws by the words of a text. */
export const isAnsweredByWords = (index: SearchIndex, query: string): boolean =>
  isAnswered(index, query, scoreByWords(index, query, new Map()));

export interface WordEvidence {
  readonly score: number;
  /** From 0 to 1: the share of the query that the law has. */
  readonly share: number;
  /** Words of the query that the law has, each from 0 to 1 by field. */
  readonly count: number;
}

/** What a question says for each law of an index, in its order; undefined if it has no word that can say anything. */
export function evidenceIn(index: Laws, query: string): readonly WordEvidence[] | undefined {
  if (termsOf(query).every(({ word }) => STOP_WORDS.has(word) || GENERIC_WORDS.has(word))) return undefined;
  const { scores, shares, counts } = scoreByWords(index, query, new Map());
  rankByFormula(index, query, scores);
  return index.entries.map((_, at) => {
    const score = scores[at] ?? 0;
    return { score, share: score >= RANK.formula ? 1 : (shares[at] ?? 0), count: counts[at] ?? 0 };
  });
}

/** Above any sum of word scores. */
const RANK = { id: 3e6, idPrefix: 2e6, formula: 1e6 } as const;
const MIN_ID_PREFIX = 2;
const MIN_FORMULA = 3;

/** The query is an id or a prefix of one, or has an id among other words. */
function rankById({ entries }: SearchIndex, query: string, scores: Float64Array): void {
  const whole = normalizedId(transliterate(query));
  if (whole.length < MIN_ID_PREFIX) return;
  const named = new Set([
    whole,
    ...tokensOf(query)
      .filter((token) => /[\d_]/.test(token))
      .map(normalizedId),
  ]);
  for (const [at, { key }] of entries.entries()) {
    if (named.has(key)) scores[at] = RANK.id;
    else if (key.startsWith(whole)) scores[at] = RANK.idPrefix;
  }
}

/** A query that looks like a formula is searched as a substring, without spaces and `*`; shorter equations rank higher. */
function rankByFormula({ entries }: Laws, query: string, scores: Float64Array): void {
  const wanted = withoutProducts(query);
  if (wanted.length < MIN_FORMULA || !/[=^*/()+]/.test(wanted)) return;
  const shareOf = ({ formulas }: Entry<unknown>) =>
    Math.max(0, ...formulas.filter((formula) => formula.includes(wanted)).map(({ length }) => wanted.length / length));
  for (const [at, entry] of entries.entries()) {
    const share = shareOf(entry);
    if (share > 0) scores[at] = RANK.formula * (1 + share / 2);
  }
}
