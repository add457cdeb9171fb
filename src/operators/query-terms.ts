// The terms of a query: words as the index has them, and symbols as written.

import { STOP_WORDS, tokenize, transliterate, withoutQuantities } from './words.ts';

/** Further words of a query are ignored. */
const MAX_TERMS = 16;

export interface Term {
  readonly word: string;
  /** As written, if it may be a symbol. */
  readonly symbol: string | undefined;
}

export const tokensOf = (query: string) =>
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
