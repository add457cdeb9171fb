// The laws that a term of a query finds: by the word itself, by those that it begins, of its meaning, of its stem, or
// near in spelling, and by symbols.

import { editDistance } from '../core/nearest.ts';
import { SYNONYMS } from './aliases.ts';
import { ALIKE } from './kinds.ts';
import type { Term } from './query-terms.ts';
import { foldedSymbol, type Postings, type SearchIndex } from './search-index.ts';
import { inflectionStem } from './stems.ts';

type Laws = SearchIndex<unknown>;

const MAX_CORRECTIONS = 3;

/** Factor for a match other than the exact word. */
const QUALITY = {
  inflected: 0.9,
  synonym: 0.8,
  alike: 0.25,
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
  const stem = inflectionStem(word);
  for (const other of index.stems.get(stem) ?? []) addWord(other, QUALITY.inflected);
  const isKnown = best.size > 0;
  for (const other of SYNONYMS.get(word) ?? []) addWord(other, QUALITY.synonym);
  for (const other of ALIKE.get(word) ?? ALIKE.get(stem) ?? []) addWord(other, QUALITY.alike);
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
  const own = lettersOf(word);
  for (let edits = 1; edits <= maxEdits; edits++) {
    const words: string[] = [];
    for (let length = word.length - edits; length <= word.length + edits; length++) {
      const others = index.byLength.get(length) ?? [];
      const letters = lettersOfAll(others);
      for (const [at, other] of others.entries()) {
        if (bitCount(own ^ (letters[at] ?? 0)) > 2 * edits || other === word) continue;
        if (editDistance(word, other, edits) <= edits) words.push(other);
      }
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

/** The letters of a word as bits. An edit changes at most two of them, so most words need no comparison. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

const lettersByList = new WeakMap<readonly string[], Int32Array>();

function lettersOfAll(words: readonly string[]): Int32Array {
  const known = lettersByList.get(words);
  if (known !== undefined) return known;
  const letters = Int32Array.from(words, lettersOf);
  lettersByList.set(words, letters);
  return letters;
}

/** Hacker's Delight, §5-1. */
function bitCount(bits: number): number {
  let sum = bits - ((bits >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
