// Why the search found an operator: for each word of the query, the word of the record that it met, and where.

import { lookUp } from './look-up.ts';
import { termsOf } from './query-terms.ts';
import { registryIndex } from './search.ts';
import { type Entry, FIELD_WEIGHTS, normalizedId, withoutProducts } from './search-index.ts';
import { transliterate } from './words.ts';

/** `keyword` is a tag, or a word that people use for the law. */
export const MATCH_FIELDS = ['id', 'equation', 'name', 'keyword', 'symbol', 'unit', 'domain', 'text'] as const;

export interface Match {
  /** Of the query. */
  readonly term: string;
  /** Of the record. */
  readonly word: string;
  readonly field: (typeof MATCH_FIELDS)[number];
}

/** Fields of words by their weight in the index. */
const FIELDS: ReadonlyMap<number, Match['field']> = new Map([
  [FIELD_WEIGHTS.name, 'name'],
  [FIELD_WEIGHTS.tag, 'keyword'],
  [FIELD_WEIGHTS.everyday, 'keyword'],
  [FIELD_WEIGHTS.output, 'unit'],
  [FIELD_WEIGHTS.domain, 'domain'],
  [FIELD_WEIGHTS.text, 'text'],
]);

/** @returns the matches of each id, in the order of the words of the query */
export function matchesOf(query: string, ids: readonly string[]): ReadonlyMap<string, readonly Match[]> {
  const index = registryIndex();
  const wanted = new Set(ids);
  const found = new Map(ids.map((id): [string, Match[]] => [id, []]));
  const entries = [...index.entries.entries()].filter(([, { operator }]) => wanted.has(operator.id));
  for (const [, entry] of entries) found.get(entry.operator.id)?.push(...wholeMatches(entry, query));
  const terms = termsOf(query);
  for (const term of terms) {
    const evidence: Evidences = new Map();
    lookUp(index, term, term === terms.at(-1), new Map(), evidence);
    for (const [at, { operator }] of entries) {
      const { word, weight, isSymbol } = evidence.get(at) ?? {};
      const field = isSymbol === true ? 'symbol' : FIELDS.get(weight ?? 0);
      if (word !== undefined && field !== undefined)
        found.get(operator.id)?.push({ term: term.symbol ?? term.word, word, field });
    }
  }
  return found;
}

type Evidences = NonNullable<Parameters<typeof lookUp>[4]>;

/** The query as an id, and as a part of an equation. */
function wholeMatches({ operator, key, formulas }: Entry, query: string): Match[] {
  const id = normalizedId(transliterate(query));
  const formula = withoutProducts(query);
  const isFormula = /[=^*/()+]/.test(formula) && formulas.some((text) => text.includes(formula));
  return [
    ...(id.length > 1 && key.startsWith(id) ? [{ term: query, word: operator.id, field: 'id' } as const] : []),
    ...(isFormula ? [{ term: query, word: operator.equation, field: 'equation' } as const] : []),
  ];
}
