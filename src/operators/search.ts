// Finding operators by id, name, symbol, equation or any word that is said of them.
//
// Ranks: the id itself, ids that begin so, equations that contain the query, then words. There each word of the query
// counts by how rare it is and by the best place it is found in (name, tag, symbol, domain, other text); the sum is
// multiplied by the share of the query that was found at all. The order is total: equal scores stand as in the registry.

import { log } from '../core/elementary.ts';
import { editDistance } from '../core/nearest.ts';
import { DOMAINS } from './find-domain.ts';
import type { Operator } from './operator.ts';
import {
  type Entry,
  FIELD_WEIGHTS,
  foldedSymbol,
  idKeyOf,
  indexOperators,
  type Postings,
  type SearchIndex,
  squeezed,
} from './search-index.ts';
import { FUNCTION_WORDS, spelledOut, wordsOf } from './words.ts';

export interface SearchResult {
  /** The best first, at most as many as were asked for. */
  readonly operators: readonly Operator[];
  /** How many match at all. */
  readonly total: number;
  /** Words that occur nowhere, and the words of the registry that they were read as. */
  readonly readAs: ReadonlyMap<string, readonly string[]>;
}

/** Words of a query beyond these are not looked at. */
const MOST_TERMS = 16;
const MOST_READINGS = 3;

let registry: SearchIndex | undefined;

/** Made at the first search: about 50 ms for the whole registry. */
export function searchOperators(query: string, limit: number): SearchResult {
  registry ??= indexOperators(DOMAINS);
  return searchIn(registry, query, limit);
}

export function searchIn(index: SearchIndex, query: string, limit: number): SearchResult {
  const readAs = new Map<string, readonly string[]>();
  const scores = scoreByWords(index, query, readAs);
  rankByFormula(index, query, scores);
  rankById(index, query, scores);
  const found = [...scores.keys()].filter((at) => (scores[at] ?? 0) > 0);
  found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const operators = found.slice(0, limit).flatMap((at) => index.entries[at]?.operator ?? []);
  return { operators, total: found.length, readAs };
}

/** Above everything that words can sum up to. */
const RANK = { id: 3e6, idBegins: 2e6, formula: 1e6 } as const;
const LEAST_BEGINNING = 2;
const LEAST_FORMULA = 3;

/** The query as a whole is an id or its beginning, or names an id among other words. */
function rankById({ entries }: SearchIndex, query: string, scores: Float64Array): void {
  const whole = idKeyOf(spelledOut(query));
  if (whole.length < LEAST_BEGINNING) return;
  const named = new Set([
    whole,
    ...tokensOf(query)
      .filter((token) => /[\d_]/.test(token))
      .map(idKeyOf),
  ]);
  for (const [at, { key }] of entries.entries()) {
    if (named.has(key)) scores[at] = RANK.id;
    else if (key.startsWith(whole)) scores[at] = RANK.idBegins;
  }
}

/** What looks like a formula is looked for as it stands, but for blanks; the shortest equation with it is nearest. */
function rankByFormula({ entries }: SearchIndex, query: string, scores: Float64Array): void {
  const wanted = squeezed(query);
  if (wanted.length < LEAST_FORMULA || !/[=^*/()+]/.test(wanted)) return;
  const shareOf = ({ formulas }: Entry) =>
    Math.max(0, ...formulas.filter((formula) => formula.includes(wanted)).map(({ length }) => wanted.length / length));
  for (const [at, entry] of entries.entries()) {
    const share = shareOf(entry);
    if (share > 0) scores[at] = RANK.formula * (1 + share / 2);
  }
}

interface Term {
  readonly word: string;
  /** The same as it was written, where that may be a symbol. */
  readonly symbol: string | undefined;
}

const tokensOf = (query: string) =>
  spelledOut(query)
    .split(/[^\w'\u2019-]+/)
    .filter((token) => /\w/.test(token));

/** `E a_W Planck-Einstein`: words, and symbols in their own spelling. */
function termsOf(query: string): Term[] {
  const terms = tokensOf(query).flatMap((token): Term[] => {
    const words = wordsOf(token);
    const [word = ''] = words;
    if (words.length === 1) return [{ word, symbol: token }];
    const joined = token.includes('_') ? [{ word: token.toLowerCase(), symbol: token }] : [];
    return [...joined, ...words.map((part) => ({ word: part, symbol: undefined }))];
  });
  const telling = terms.filter(({ word }) => !FUNCTION_WORDS.has(word));
  const kept = new Map((telling.length > 0 ? telling : terms).map((term) => [term.symbol ?? term.word, term]));
  return [...kept.values()].slice(0, MOST_TERMS);
}

/** How much of the score an operator keeps of whose name the query says nothing. */
const NAMELESS = 0.85;
/** A word that is worth more than any symbol stands in the name. */
const NAME_VALUE = FIELD_WEIGHTS.output;

function scoreByWords(index: SearchIndex, query: string, readAs: Map<string, readonly string[]>): Float64Array {
  const count = index.entries.length;
  const scores = new Float64Array(count);
  const covered = new Float64Array(count);
  const named = new Float64Array(count);
  let all = 0;
  for (const term of termsOf(query)) {
    const best = lookUp(index, term, readAs);
    if (best.size === 0) continue;
    const rarity = log(1 + count / best.size);
    all += rarity;
    for (const [at, value] of best) {
      scores[at] = (scores[at] ?? 0) + rarity * value;
      covered[at] = (covered[at] ?? 0) + rarity;
      if (value > NAME_VALUE) named[at] = (named[at] ?? 0) + 1;
    }
  }
  for (const [at, { nameWords }] of index.entries.entries()) {
    const fit = Math.min(1, (named[at] ?? 0) / nameWords);
    if (all > 0) scores[at] = (scores[at] ?? 0) * ((covered[at] ?? 0) / all) * (NAMELESS + (1 - NAMELESS) * fit);
  }
  return scores;
}

/** What is left of the weight where a word was not found as it was written. */
const QUALITY = { beginning: 0.6, otherCase: 0.75, oneSlip: 0.5, twoSlips: 0.3, known: 0.1 } as const;

/** The value of a term in each operator that it is found in. */
function lookUp(
  index: SearchIndex,
  { word, symbol }: Term,
  readAs: Map<string, readonly string[]>,
): Map<number, number> {
  const best = new Map<number, number>();
  const take = (postings: Postings | undefined, quality: number) => {
    for (const [at, weight] of postings ?? []) {
      const value = weight * quality;
      if (value > (best.get(at) ?? 0)) best.set(at, value);
    }
  };
  take(index.words.get(word), 1);
  for (const longer of wordsThatBegin(index, word))
    take(index.words.get(longer), QUALITY.beginning + (0.3 * word.length) / longer.length);
  if (symbol !== undefined) {
    take(index.symbols.get(symbol), 1);
    take(index.foldedSymbols.get(foldedSymbol(symbol)), QUALITY.otherCase);
  }
  const isKnown = best.size > 0;
  const readings = misspeltAs(index, word, isKnown);
  for (const { words, quality } of readings) for (const one of words) take(index.words.get(one), quality);
  if (!isKnown && best.size > 0) readAs.set(word, readings.flatMap(({ words }) => words).slice(0, MOST_READINGS));
  return best;
}

const LEAST_PREFIX = 3;

function wordsThatBegin({ sorted }: SearchIndex, beginning: string): string[] {
  if (beginning.length < LEAST_PREFIX) return [];
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= beginning) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let at = low; at < sorted.length; at++) {
    const word = sorted[at] ?? '';
    if (!word.startsWith(beginning)) break;
    found.push(word);
  }
  return found;
}

interface Reading {
  readonly words: readonly string[];
  readonly quality: number;
}

/**
 * Words that differ from it by one slip, or two in a long word where one finds nothing. A word that the registry knows
 * may still be another's misspelling (Lorenz, Lorentz) if it is long; those count least of all.
 */
function misspeltAs(index: SearchIndex, word: string, isKnown: boolean): Reading[] {
  const slips = isKnown ? (word.length >= 6 ? 1 : 0) : word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
  for (let most = 1; most <= slips; most++) {
    const words: string[] = [];
    for (let length = word.length - most; length <= word.length + most; length++) {
      for (const other of index.byLength.get(length) ?? [])
        if (other !== word && editDistance(word, other, most) <= most) words.push(other);
    }
    if (words.length > 0)
      return [
        { words: words.sort(), quality: isKnown ? QUALITY.known : most === 1 ? QUALITY.oneSlip : QUALITY.twoSlips },
      ];
  }
  return [];
}
