// Scores of laws by the words of a query.
//
// Each word scores its inverse document frequency times the weight of the best field that has it (name, tag, everyday
// word, symbol, domain, other text); the sum is multiplied by the share of the query that was found.

import { log } from '../core/elementary.ts';
import { askedQuantity } from './asked-quantity.ts';
import { lookUp } from './look-up.ts';
import { termsOf } from './query-terms.ts';
import { FIELD_WEIGHTS, type SearchIndex } from './search-index.ts';
import { GENERIC_WORDS } from './words.ts';

/** Factor for an operator whose name shares no word with the query. */
const MIN_NAME_FACTOR = 0.85;
/** Scores above that of any symbol are matches in the name. */
const MAX_SYMBOL_VALUE = FIELD_WEIGHTS.output;

export interface Scores {
  readonly scores: Float64Array;
  /**
   * The share of the query that an entry has: words weighted by inverse document frequency, unknown ones included, and
   * by field.
   */
  readonly shares: Float64Array;
  /** The number of words of the query that an entry has, each counted by field, generic ones not at all. */
  readonly counts: Float64Array;
  /** The share of the words of its name that the query has. */
  readonly names: Float64Array;
  /** Whether a word of the query is none of the registry, and others were searched instead. */
  readonly isMisspelt: boolean;
  /** Whether an entry has every word of the query, in whatever field. */
  readonly hasAll: readonly boolean[];
}

/** Factor for an operator whose output has the dimension that is asked for, or that a question names in full. */
const ASKED = 1.2;
/** The same where a query has one word of its own at most, so that what it asks for says more than that word. */
const ASKED_OF_ONE_WORD = 2;

/** Weight of a generic word that an entry lacks. */
const GENERIC = 0.15;

export function scoreByWords(
  index: SearchIndex<unknown>,
  query: string,
  corrections: Map<string, readonly string[]>,
): Scores {
  const count = index.entries.length;
  const [scores, covered, named, shares, counts] = [0, 0, 0, 0, 0].map(() => new Float64Array(count)) as [
    Float64Array,
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
    const isGeneric = GENERIC_WORDS.has(term.word);
    const factor = isGeneric ? GENERIC : 1;
    const idf = factor * log(1 + count / Math.max(1, best.size));
    whole += idf;
    if (best.size === 0) continue;
    all += idf;
    for (const [at, value] of best) {
      scores[at] = (scores[at] ?? 0) + idf * value;
      covered[at] = (covered[at] ?? 0) + idf;
      const part = Math.min(1, value / FIELD_WEIGHTS.tag);
      shares[at] = (shares[at] ?? 0) + idf * part;
      if (!isGeneric) counts[at] = (counts[at] ?? 0) + part;
      if (value > MAX_SYMBOL_VALUE) named[at] = (named[at] ?? 0) + 1;
    }
  }
  const asked = askedQuantity(query)?.dimensions;
  const own = terms.filter(({ word }) => !GENERIC_WORDS.has(word)).length;
  const askedFactor = own <= 1 ? ASKED_OF_ONE_WORD : ASKED;
  for (const [at, { nameWords, dimension }] of index.entries.entries()) {
    const fit = Math.min(1, (named[at] ?? 0) / nameWords);
    named[at] = fit;
    if (all > 0) {
      scores[at] =
        (scores[at] ?? 0) *
        ((covered[at] ?? 0) / all) *
        (MIN_NAME_FACTOR + (1 - MIN_NAME_FACTOR) * fit) *
        (asked !== undefined && (fit === 1 || asked.has(dimension)) ? askedFactor : 1);
      shares[at] = (shares[at] ?? 0) / whole;
    }
  }
  return {
    scores,
    shares,
    counts,
    names: named,
    isMisspelt: corrections.size > 0,
    hasAll: Array.from(covered, (weight) => whole > 0 && weight === whole),
  };
}
