// Operator search by id, name, symbol, equation and descriptive text.
//
// Ranking: the exact id, ids with the query as prefix, equations that contain the query, then words. Each word of the
// query scores its inverse document frequency times the weight of the best field that has it (name, tag, everyday
// word, symbol, domain, other text); the sum is multiplied by the share of the query that was found. Ties are in the
// order of the registry. Nothing matches if even the best has too little of the query.

import { log } from '../core/elementary.ts';
import { editDistance } from '../core/nearest.ts';
import { SYNONYMS } from './aliases.ts';
import { DOMAINS } from './find-domain.ts';
import type { Operator } from './operator.ts';
import {
  type Entry,
  FIELD_WEIGHTS,
  foldedSymbol,
  indexOperators,
  normalizedId,
  type Postings,
  type SearchIndex,
  withoutProducts,
} from './search-index.ts';
import { GENERIC_WORDS, STOP_WORDS, tokenize, transliterate, withoutQuantities } from './words.ts';

export interface SearchResult {
  /** The best first, at most `limit`. */
  readonly operators: readonly Operator[];
  /** Number of all matches. */
  readonly total: number;
  /** Spelling corrections: for each unknown word of the query, the words of the registry that were searched instead. */
  readonly corrections: ReadonlyMap<string, readonly string[]>;
}

/** Further words of a query are ignored. */
const MAX_TERMS = 16;
const MAX_CORRECTIONS = 3;

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
  const { scores, shares } = scoreByWords(index, query, corrections);
  if (Math.max(...shares) < MIN_SHARE) scores.fill(0);
  rankByFormula(index, query, scores);
  rankById(index, query, scores);
  const isWanted = (at: number) => prefix === undefined || index.entries[at]?.operator.prefix === prefix;
  const found = [...scores.keys()].filter((at) => (scores[at] ?? 0) > 0 && isWanted(at));
  found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const operators = found.slice(0, limit).flatMap((at) => index.entries[at]?.operator ?? []);
  return { operators, total: found.length, corrections };
}

/** Of the query, weighted as `Scores.shares`, in the best match. One word in a text suffices, one of two does not. */
const MIN_SHARE = 0.35;

export interface WordEvidence {
  readonly score: number;
  /** From 0 to 1: the share of the query that the law has. */
  readonly share: number;
}

/** What a question says for each law of an index, in its order; undefined if it has no word that can say anything. */
export function evidenceIn(index: Laws, query: string): readonly WordEvidence[] | undefined {
  if (termsOf(query).every(({ word }) => STOP_WORDS.has(word) || GENERIC_WORDS.has(word))) return undefined;
  const { scores, shares } = scoreByWords(index, query, new Map());
  rankByFormula(index, query, scores);
  return index.entries.map((_, at) => {
    const score = scores[at] ?? 0;
    return { score, share: score >= RANK.formula ? 1 : (shares[at] ?? 0) };
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

export interface Term {
  readonly word: string;
  /** As written, if it may be a symbol. */
  readonly symbol: string | undefined;
}

const tokensOf = (query: string) =>
  transliterate(query)
    .split(/[^\w'\u2019-]+/)
    .filter((token) => /\w/.test(token));

/** `E a_W Planck-Einstein`: words, and symbols as written. */
export function termsOf(query: string): Term[] {
  const terms = tokensOf(withoutQuantities(query)).flatMap((token): Term[] => {
    const words = tokenize(token);
    const [word = ''] = words;
    if (words.length === 1) return [{ word, symbol: token }];
    const joined = token.includes('_') ? [{ word: token.toLowerCase(), symbol: token }] : [];
    return [...joined, ...words.map((part) => ({ word: part, symbol: undefined }))];
  });
  const content = terms.filter(({ word }) => !STOP_WORDS.has(word));
  const kept = new Map((content.length > 0 ? content : terms).map((term) => [term.symbol ?? term.word, term]));
  return [...kept.values()].slice(0, MAX_TERMS);
}

/** Factor for an operator whose name shares no word with the query. */
const MIN_NAME_FACTOR = 0.85;
/** Scores above that of any symbol are matches in the name. */
const MAX_SYMBOL_VALUE = FIELD_WEIGHTS.output;

interface Scores {
  readonly scores: Float64Array;
  /**
   * The share of the query that an entry has: words weighted by inverse document frequency, unknown ones included, and
   * by field.
   */
  readonly shares: Float64Array;
}

/** Weight of a generic word that an entry lacks. */
const GENERIC = 0.15;

function scoreByWords(index: Laws, query: string, corrections: Map<string, readonly string[]>): Scores {
  const count = index.entries.length;
  const [scores, covered, named, shares] = [0, 0, 0, 0].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let all = 0;
  let whole = 0;
  const terms = termsOf(query);
  for (const term of terms) {
    const best = lookUp(index, term, term === terms.at(-1), corrections);
    const factor = GENERIC_WORDS.has(term.word) ? GENERIC : 1;
    const idf = factor * log(1 + count / Math.max(1, best.size));
    whole += idf;
    if (best.size === 0) continue;
    all += idf;
    for (const [at, value] of best) {
      scores[at] = (scores[at] ?? 0) + idf * value;
      covered[at] = (covered[at] ?? 0) + idf;
      shares[at] = (shares[at] ?? 0) + idf * Math.min(1, value / FIELD_WEIGHTS.tag);
      if (value > MAX_SYMBOL_VALUE) named[at] = (named[at] ?? 0) + 1;
    }
  }
  for (const [at, { nameWords }] of index.entries.entries()) {
    const fit = Math.min(1, (named[at] ?? 0) / nameWords);
    if (all > 0) {
      scores[at] = (scores[at] ?? 0) * ((covered[at] ?? 0) / all) * (MIN_NAME_FACTOR + (1 - MIN_NAME_FACTOR) * fit);
      shares[at] = (shares[at] ?? 0) / whole;
    }
  }
  return { scores, shares };
}

/** Factor for a match other than the exact word. */
const QUALITY = {
  synonym: 0.8,
  prefix: 0.6,
  sameStem: 0.6,
  otherCase: 0.75,
  oneEdit: 0.5,
  twoEdits: 0.3,
  knownWord: 0.1,
} as const;

/** The word or symbol of an entry that a term was found by, and the weight of its field. */
export interface Evidence {
  readonly word: string;
  readonly weight: number;
  readonly isSymbol: boolean;
}

/**
 * The value of a term by index of the entry.
 *
 * @param isLast  the word may still be typed
 * @param evidence  filled with what gave each entry its value
 */
export function lookUp(
  index: Laws,
  { word, symbol }: Term,
  isLast: boolean,
  corrections: Map<string, readonly string[]>,
  evidence?: Map<number, Evidence>,
): Map<number, number> {
  const best = new Map<number, number>();
  const add = (key: string, postings: Postings | undefined, quality: number, isSymbol = false) => {
    for (const [at, weight] of postings ?? []) {
      const value = weight * quality;
      if (value <= (best.get(at) ?? 0)) continue;
      best.set(at, value);
      evidence?.set(at, { word: key, weight, isSymbol });
    }
  };
  const addWord = (key: string, quality: number) => add(key, index.words.get(key), quality);
  addWord(word, 1);
  for (const longer of isLast || word.length >= MIN_STEM ? wordsWithPrefix(index, word) : [])
    addWord(longer, QUALITY.prefix + (0.3 * word.length) / longer.length);
  if (symbol !== undefined) {
    add(symbol, index.symbols.get(symbol), 1, true);
    add(symbol, index.foldedSymbols.get(foldedSymbol(symbol)), QUALITY.otherCase, true);
  }
  const isKnown = best.size > 0;
  for (const other of SYNONYMS.get(word) ?? []) addWord(other, QUALITY.synonym);
  for (const other of wordsOfSameStem(index, word)) addWord(other, QUALITY.sameStem);
  const found = spellingCorrections(index, word, isKnown);
  for (const { words, quality } of found) for (const one of words) addWord(one, quality);
  if (!isKnown && best.size > 0) corrections.set(word, found.flatMap(({ words }) => words).slice(0, MAX_CORRECTIONS));
  return best;
}

/** Endings that differ between words of one stem: gravity and gravitational, infected and infection. */
const MAX_ENDING = 6;
const MIN_STEM = 5;

function wordsOfSameStem(index: Laws, word: string): string[] {
  if (word.length <= MIN_STEM) return [];
  const stem = word.slice(0, Math.max(MIN_STEM, word.length - 3));
  return wordsWithPrefix(index, stem).filter((other) => other !== word && other.length - stem.length <= MAX_ENDING);
}

const MIN_WORD_PREFIX = 3;

function wordsWithPrefix({ sorted }: Laws, prefix: string): string[] {
  if (prefix.length < MIN_WORD_PREFIX) return [];
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= prefix) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let at = low; at < sorted.length; at++) {
    const word = sorted[at] ?? '';
    if (!word.startsWith(prefix)) break;
    found.push(word);
  }
  return found;
}

interface Correction {
  readonly words: readonly string[];
  readonly quality: number;
}

/**
 * Words within edit distance 1, or 2 for a long word without such a match. A long word that the registry has may still
 * be misspelt (Lorenz, Lorentz); its corrections have the lowest quality.
 */
function spellingCorrections(index: Laws, word: string, isKnown: boolean): Correction[] {
  const maxEdits = isKnown ? (word.length >= 6 ? 1 : 0) : word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
  for (let edits = 1; edits <= maxEdits; edits++) {
    const words: string[] = [];
    for (let length = word.length - edits; length <= word.length + edits; length++) {
      for (const other of index.byLength.get(length) ?? [])
        if (other !== word && editDistance(word, other, edits) <= edits) words.push(other);
    }
    if (words.length > 0)
      return [
        {
          words: words.sort(),
          quality: isKnown ? QUALITY.knownWord : edits === 1 ? QUALITY.oneEdit : QUALITY.twoEdits,
        },
      ];
  }
  return [];
}
