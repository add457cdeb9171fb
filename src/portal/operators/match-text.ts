// Why the search found a law, in words: `cool, temperature in the name`.

import type { SearchResult } from './registry.ts';

type Match = SearchResult['matches'][string][number];

const FIELD_WORDS: Readonly<Record<Match['field'], string>> = {
  id: 'as its id',
  equation: 'in the equation',
  name: 'in the name',
  keyword: 'in everyday words for it',
  symbol: 'as a symbol',
  unit: 'as its unit',
  domain: 'in the subject',
  text: 'in the description',
};

/** One text per field; a word that the law has in another form is named with that form. */
export function matchTexts(matches: readonly Match[]): readonly string[] {
  const byField = new Map<Match['field'], Set<string>>();
  for (const { term, word, field } of matches) {
    const isSame = field === 'id' || field === 'equation' || word.toLowerCase() === term.toLowerCase();
    const text = isSame ? term : `${term} (${word})`;
    byField.set(field, (byField.get(field) ?? new Set()).add(text));
  }
  return [...byField].map(([field, words]) => `${[...words].join(', ')} ${FIELD_WORDS[field]}`);
}
