// Phrases found in a sentence, word by word. A phrase is looked up by its first word, so the time does not grow with the
// number of solvers.

import { tokenize } from '../operators/words.ts';
import type { Token } from './sentence.ts';

interface Part {
  readonly word: string;
  readonly isPrefix: boolean;
}

export interface Hit<Value> {
  readonly value: Value;
  /** Index of the first token, and that behind the last. */
  readonly from: number;
  readonly to: number;
  /** Number of words. */
  readonly length: number;
}

/** Letters of a prefix by which it is looked up. */
const KEY = 3;

/** Marks that may stand between the words of a phrase: `SU(2)`, `Gray-Scott`. */
const INNER_MARKS: ReadonlySet<string> = new Set(['-', '(', ')', '/', '\u2013', '\u2019', "'", '_']);

export class PhraseIndex<Value> {
  readonly #exact = new Map<string, { parts: readonly Part[]; value: Value }[]>();
  readonly #prefixes = new Map<string, { parts: readonly Part[]; value: Value }[]>();

  add(phrase: string, value: Value): void {
    const parts = partsOf(phrase);
    const [first] = parts;
    if (first === undefined) return;
    const [table, key] = first.isPrefix ? [this.#prefixes, first.word.slice(0, KEY)] : [this.#exact, first.word];
    const list = table.get(key);
    if (list === undefined) table.set(key, [{ parts, value }]);
    else list.push({ parts, value });
  }

  find(tokens: readonly Token[]): Hit<Value>[] {
    const hits: Hit<Value>[] = [];
    for (const [at, { kind, word }] of tokens.entries()) {
      if (kind === 'mark') continue;
      const candidates = [...(this.#exact.get(word) ?? []), ...(this.#prefixes.get(word.slice(0, KEY)) ?? [])];
      for (const { parts, value } of candidates) {
        const to = endOf(tokens, at, parts);
        if (to !== undefined) hits.push({ value, from: at, to, length: parts.length });
      }
    }
    return hits;
  }
}

function partsOf(phrase: string): Part[] {
  return phrase.split(/\s+/).flatMap((written) => {
    const isPrefix = written.endsWith('*');
    const words = tokenize(isPrefix ? `${written.slice(0, -1)}` : written);
    return words.map((word, i) => ({ word, isPrefix: isPrefix && i === words.length - 1 }));
  });
}

function endOf(tokens: readonly Token[], start: number, parts: readonly Part[]): number | undefined {
  let at = start;
  for (const [i, { word, isPrefix }] of parts.entries()) {
    while (i > 0 && tokens[at]?.kind === 'mark' && INNER_MARKS.has(tokens[at]?.text ?? '')) at++;
    const token = tokens[at];
    if (token === undefined || token.kind === 'mark') return undefined;
    if (isPrefix ? !token.word.startsWith(word) : token.word !== word) return undefined;
    at++;
  }
  return at;
}
