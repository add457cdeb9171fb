// Ranking of the entries of the search: every word of the query must be in the title or the place of an entry, as a
// whole word, as its start, or with a typing error.

import { editDistance } from '../../core/nearest.ts';
import { tokenize } from '../../operators/words.ts';

export interface Entry {
  readonly title: string;
  readonly path: string;
  /** Kind, or the page that it is on. */
  readonly place: string;
}

export interface IndexedEntry extends Entry {
  readonly titleWords: readonly string[];
  readonly placeWords: readonly string[];
}

export const indexed = (entry: Entry): IndexedEntry => ({
  ...entry,
  titleWords: tokenize(entry.title),
  placeWords: tokenize(entry.place),
});

/** Of a word by where it stands. */
const WEIGHT = { title: 8, place: 3 } as const;
/** Shares of the weight of a whole word. */
const QUALITY = { prefix: 0.6, misspelt: 0.3 } as const;
/** Shorter words are not corrected, and words of this length have two errors at most. */
const [MIN_CORRECTED, MIN_TWO_ERRORS] = [4, 8] as const;

/** The best first, at most `limit`; ties in the order of the entries, shorter titles first. */
export function rank(entries: readonly IndexedEntry[], query: string, limit: number): IndexedEntry[] {
  const words = tokenize(query);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.titleWords.length - b.entry.titleWords.length)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

function scoreOf({ titleWords, placeWords }: IndexedEntry, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const score = Math.max(WEIGHT.title * bestMatch(word, titleWords), WEIGHT.place * bestMatch(word, placeWords));
    if (score === 0) return 0;
    sum += score;
  }
  // A title that says little else is what was meant.
  return sum * (0.75 + 0.25 * Math.min(1, words.length / Math.max(1, titleWords.length)));
}

const bestMatch = (word: string, candidates: readonly string[]) =>
  candidates.reduce((best, candidate) => Math.max(best, matchOf(word, candidate)), 0);

function matchOf(word: string, candidate: string): number {
  if (word === candidate) return 1;
  if (candidate.startsWith(word)) return QUALITY.prefix;
  if (word.length < MIN_CORRECTED) return 0;
  const max = word.length < MIN_TWO_ERRORS ? 1 : 2;
  // Of a word that is still being typed, only the start is compared.
  const start = candidate.slice(0, Math.max(word.length, MIN_CORRECTED));
  return Math.min(editDistance(word, candidate, max), editDistance(word, start, max)) <= max ? QUALITY.misspelt : 0;
}
