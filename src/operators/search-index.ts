// What a search looks up: which operators a word or a symbol occurs in, and where in them.

import type { Domain } from './find-domain.ts';
import type { Operator } from './operator.ts';
import { spelledOut, wordsOf } from './words.ts';

/** What a word is worth by where it stands; the beginning of a word in a name is still worth more than a symbol. */
export const FIELD_WEIGHTS = { name: 8, tag: 6, output: 4.5, input: 4, domain: 2.9, text: 2.5 } as const;

export interface Entry {
  readonly operator: Operator;
  /** The id as it is compared. */
  readonly key: string;
  /** Equation and intermediate expressions without blanks. */
  readonly formulas: readonly string[];
  /** How many different words the name has. */
  readonly nameWords: number;
}

/** Weight of a word in an entry, by the number of the entry. */
export type Postings = ReadonlyMap<number, number>;

export interface SearchIndex {
  /** Domains in their order, operators in the order of their file. */
  readonly entries: readonly Entry[];
  readonly words: ReadonlyMap<string, Postings>;
  readonly symbols: ReadonlyMap<string, Postings>;
  /** The same, without case and underscores. */
  readonly foldedSymbols: ReadonlyMap<string, Postings>;
  /** The words in order of their letters, and by their length. */
  readonly sorted: readonly string[];
  readonly byLength: ReadonlyMap<number, readonly string[]>;
}

/** Ids are compared without case, hyphens and blanks. */
export const idKeyOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

export const foldedSymbol = (symbol: string) => symbol.toLowerCase().replaceAll('_', '');

export function indexOperators(
  domains: readonly Pick<Domain, 'prefix' | 'name' | 'aliases' | 'operators'>[],
): SearchIndex {
  const entries: Entry[] = [];
  const words: Table = new Map();
  const symbols: Table = new Map();
  const foldedSymbols: Table = new Map();
  for (const domain of domains) {
    const domainWords = new Set([domain.name, domain.prefix, ...domain.aliases].flatMap(wordsOf));
    for (const operator of domain.operators) {
      const at = entries.length;
      const nameWords = new Set(wordsOf(operator.name));
      // Highest weight first: a word counts once, where it is worth most.
      add(words, at, nameWords, FIELD_WEIGHTS.name);
      add(words, at, (operator.tags ?? []).flatMap(wordsOf), FIELD_WEIGHTS.tag);
      add(words, at, domainWords, FIELD_WEIGHTS.domain);
      const formulas = formulasOf(operator);
      add(words, at, [meaningOf(operator), ...formulas].flatMap(wordsOf), FIELD_WEIGHTS.text);
      const inputs = Object.keys(operator.inputs);
      add(symbols, at, [operator.output.symbol], FIELD_WEIGHTS.output);
      add(symbols, at, inputs, FIELD_WEIGHTS.input);
      add(foldedSymbols, at, [foldedSymbol(operator.output.symbol)], FIELD_WEIGHTS.output);
      add(foldedSymbols, at, inputs.map(foldedSymbol), FIELD_WEIGHTS.input);
      entries.push({ operator, key: idKeyOf(operator.id), formulas, nameWords: nameWords.size });
    }
  }
  const sorted = [...words.keys()].sort();
  const byLength = new Map<number, string[]>();
  for (const word of sorted) {
    const alike = byLength.get(word.length);
    if (alike) alike.push(word);
    else byLength.set(word.length, [word]);
  }
  return { entries, words, symbols, foldedSymbols, sorted, byLength };
}

type Table = Map<string, Map<number, number>>;

function add(table: Table, entry: number, keys: Iterable<string>, weight: number): void {
  for (const key of keys) {
    let postings = table.get(key);
    if (!postings) {
      postings = new Map();
      table.set(key, postings);
    }
    if (!postings.has(entry)) postings.set(entry, weight);
  }
}

function formulasOf({ equation, where = {} }: Operator): string[] {
  return [equation, ...Object.entries(where).map(([name, text]) => `${name}=${text}`)].map(squeezed);
}

/** A formula as it is compared. */
export const squeezed = (formula: string) => spelledOut(formula).replaceAll(/\s+/g, '');

/** What is said of an operator in words, beside its name: what its symbols mean, where it holds. */
export function meaningOf({ output, inputs, validity }: Operator): string {
  const meanings = Object.values(inputs).map(({ description }) => description);
  return [output.description ?? '', ...meanings, validity].join(' ');
}
