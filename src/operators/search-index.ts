// The inverted index of the operator search: postings by word and by symbol, weighted by field.

import { printDimension } from '../core/units/dimension.ts';
import { EVERYDAY_WORDS, UNIT_NAMES } from './aliases.ts';
import type { Domain } from './find-domain.ts';
import type { Operator } from './operator.ts';
import { inflectionStem } from './stems.ts';
import { unitOf } from './unit-table.ts';
import { tokenize, transliterate } from './words.ts';

/** Weight of a word by field. A prefix match in a name still outweighs a symbol. */
export const FIELD_WEIGHTS = { name: 8, tag: 6, everyday: 5, output: 4.5, input: 4, domain: 2.9, text: 2.5 } as const;

export interface Entry<Law = Operator> {
  readonly operator: Law;
  /** The id, normalized. */
  readonly key: string;
  /** Equation and intermediate expressions without spaces and `*`. */
  readonly formulas: readonly string[];
  /** Of the output, as `printDimension` writes it. */
  readonly dimension: string;
  /** Of the output and of the inputs, any of which may be the unknown. */
  readonly dimensions: ReadonlySet<string>;
  /** Number of distinct words of the name. */
  readonly nameWords: number;
}

/** Weight by index of the entry. */
export type Postings = ReadonlyMap<number, number>;

export interface SearchIndex<Law = Operator> {
  /** In the order of the domains and of the operators in their files. */
  readonly entries: readonly Entry<Law>[];
  readonly words: ReadonlyMap<string, Postings>;
  readonly symbols: ReadonlyMap<string, Postings>;
  /** The same, without case and underscores. */
  readonly foldedSymbols: ReadonlyMap<string, Postings>;
  /** The words sorted, and grouped by length. */
  readonly sorted: readonly string[];
  readonly byLength: ReadonlyMap<number, readonly string[]>;
  /** The words of each inflection. */
  readonly stems: ReadonlyMap<string, readonly string[]>;
}

/** Ids are compared without case, hyphens and spaces. */
export const normalizedId = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

export const foldedSymbol = (symbol: string) => symbol.toLowerCase().replaceAll('_', '');

type Searched = Pick<Domain, 'prefix' | 'name' | 'aliases' | 'operators'>;

export function indexOperators(domains: readonly Searched[]): SearchIndex {
  return indexLaws(
    domains.map(({ prefix, name, aliases, operators }) => ({ prefix, name, aliases, operators })),
  ) as SearchIndex;
}

/** Laws that the worklist names and that are not written are entries without an operator, known by their names. */
export function indexLaws(
  domains: readonly (Searched & Pick<Domain, 'unwritten'>)[],
): SearchIndex<Operator | undefined> {
  const entries: Entry<Operator | undefined>[] = [];
  const words: Table = new Map();
  const symbols: Table = new Map();
  const foldedSymbols: Table = new Map();
  for (const domain of domains) {
    const domainWords = new Set([domain.name, domain.prefix, ...domain.aliases].flatMap(tokenize));
    for (const operator of domain.operators) {
      const at = entries.length;
      const nameWords = new Set(tokenize(operator.name));
      // Highest weight first: a word counts once, in its best field.
      add(words, at, nameWords, FIELD_WEIGHTS.name);
      add(words, at, (operator.tags ?? []).flatMap(tokenize), FIELD_WEIGHTS.tag);
      add(words, at, (EVERYDAY_WORDS.get(operator.id) ?? []).flatMap(tokenize), FIELD_WEIGHTS.everyday);
      add(words, at, UNIT_NAMES.get(operator.output.unit) ?? [], FIELD_WEIGHTS.output);
      add(words, at, domainWords, FIELD_WEIGHTS.domain);
      const formulas = formulasOf(operator);
      add(words, at, [descriptiveText(operator), ...formulas].flatMap(tokenize), FIELD_WEIGHTS.text);
      const inputs = Object.keys(operator.inputs);
      add(symbols, at, [operator.output.symbol], FIELD_WEIGHTS.output);
      add(symbols, at, inputs, FIELD_WEIGHTS.input);
      add(foldedSymbols, at, [foldedSymbol(operator.output.symbol)], FIELD_WEIGHTS.output);
      add(foldedSymbols, at, inputs.map(foldedSymbol), FIELD_WEIGHTS.input);
      const dimension = dimensionOf(operator.output.unit);
      const dimensions = new Set([dimension, ...Object.values(operator.inputs).map(({ unit }) => dimensionOf(unit))]);
      entries.push({
        ...{ operator, key: normalizedId(operator.id), formulas, dimension, dimensions },
        nameWords: nameWords.size,
      });
    }
    for (const name of domain.unwritten ?? []) {
      const nameWords = new Set(tokenize(name));
      add(words, entries.length, nameWords, FIELD_WEIGHTS.name);
      entries.push({
        ...{ operator: undefined, key: '', formulas: [], dimension: '', dimensions: new Set<string>() },
        nameWords: nameWords.size,
      });
    }
  }
  const sorted = [...words.keys()].sort();
  const byLength = grouped(sorted, ({ length }) => length);
  const stems = grouped(sorted, inflectionStem);
  return { entries, words, symbols, foldedSymbols, sorted, byLength, stems };
}

const dimensionOf = (unit: string) => printDimension(unitOf(unit).dimension);

function grouped<Key>(words: readonly string[], keyOf: (word: string) => Key): ReadonlyMap<Key, readonly string[]> {
  const groups = new Map<Key, string[]>();
  for (const word of words) {
    const key = keyOf(word);
    const group = groups.get(key);
    if (group) group.push(word);
    else groups.set(key, [word]);
  }
  return groups;
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
  return [equation, ...Object.entries(where).map(([name, text]) => `${name}=${text}`)].map(withoutProducts);
}

/** A formula, normalized for comparison: `E = mc^2` and `E = m*c^2` are one. */
export const withoutProducts = (formula: string) => transliterate(formula).replaceAll(/[\s*]+/g, '');

/** Descriptions of the symbols, and the validity: the text of an operator apart from its name. */
export function descriptiveText({ output, inputs, validity }: Operator): string {
  const descriptions = Object.values(inputs).map(({ description }) => description);
  return [output.description ?? '', ...descriptions, validity].join(' ');
}
