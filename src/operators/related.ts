// Laws that are of use beside a law: those that give a quantity that it needs, need the one that it gives, or give the
// same one. Two quantities are the same if they have the same symbol and dimension, and a word of their descriptions in
// common; two words if the domains differ, since a letter means more there.

import { sameDimension } from '../core/units.ts';
import type { Operator } from './operator.ts';
import { unitOf } from './unit-table.ts';
import { STOP_WORDS, tokenize } from './words.ts';

/** `gives`: the other law gives an input of this one. `needs`: it needs the output of this one. */
export const RELATIONS = ['gives', 'needs', 'same', 'shares'] as const;

export interface RelatedLaw {
  readonly id: string;
  readonly name: string;
  readonly relation: (typeof RELATIONS)[number];
  /** Of this law: the quantities that both have. */
  readonly symbols: readonly string[];
}

const MAX_RELATED = 6;
const MAX_OF_A_RELATION = 2;
/** Inputs in common from which two laws of a domain are about the same thing. */
const MIN_SHARED = 2;

interface Quantity {
  readonly symbol: string;
  readonly unit: string;
  readonly description: string;
}

interface Candidate extends RelatedLaw {
  readonly rank: number;
}

const cache = new WeakMap<Operator, readonly RelatedLaw[]>();

/** @param laws  of the registry, in its order; always the same, since the answer is kept */
export function relatedLaws(law: Operator, laws: Iterable<Operator>): readonly RelatedLaw[] {
  const known = cache.get(law);
  if (known) return known;
  const fresh = findRelated(law, laws);
  cache.set(law, fresh);
  return fresh;
}

function findRelated(law: Operator, laws: Iterable<Operator>): readonly RelatedLaw[] {
  const candidates = [...laws].flatMap((other) => (other.id === law.id ? [] : (candidateOf(law, other) ?? [])));
  candidates.sort((a, b) => b.rank - a.rank);
  const counts = new Map<string, number>();
  const count = ({ relation }: Candidate) => {
    const next = (counts.get(relation) ?? 0) + 1;
    counts.set(relation, next);
    return next;
  };
  // A few of each relation first, so that six laws of one kind do not hide the others.
  const first = candidates.filter((candidate) => count(candidate) <= MAX_OF_A_RELATION);
  const rest = candidates.filter((candidate) => !first.includes(candidate));
  return [...first, ...rest].slice(0, MAX_RELATED).map(({ rank: _, ...related }) => related);
}

function candidateOf(law: Operator, other: Operator): Candidate | undefined {
  const isNear = law.prefix === other.prefix;
  const head = { id: other.id, name: other.name };
  const [output, ofOther] = [outputOf(law), outputOf(other)];
  const nearness = isNear ? 2 : 0;
  const found = (relation: RelatedLaw['relation'], symbols: readonly string[], rank: number) =>
    symbols.length === 0 ? undefined : { ...head, relation, symbols, rank: rank + nearness };
  const matching = (quantities: readonly Quantity[], one: Quantity) =>
    quantities.filter((quantity) => closeness(quantity, one, isNear) > 0);
  const [inputs, inputsOfOther] = [inputsOf(law), inputsOf(other)];
  const given = matching(inputs, ofOther);
  const [needed] = matching(inputsOfOther, output);
  const same = closeness(output, ofOther, isNear);
  const shared = isNear ? inputs.filter((input) => matching(inputsOfOther, input).length > 0) : [];
  const symbolsOf = (quantities: readonly Quantity[]) => quantities.map(({ symbol }) => symbol);
  const strength = (quantities: readonly Quantity[], one: Quantity) =>
    Math.max(0, ...quantities.map((quantity) => closeness(quantity, one, isNear)));
  return (
    found('gives', symbolsOf(given), 2 + strength(given, ofOther)) ??
    found('needs', needed === undefined ? [] : [output.symbol], 1.5 + strength([needed ?? output], output)) ??
    found('same', same > 0 ? [output.symbol] : [], 1 + same) ??
    found('shares', shared.length >= MIN_SHARED ? symbolsOf(shared) : [], shared.length / 4)
  );
}

/** 0 for two quantities; above it, the more words their descriptions share. */
function closeness(a: Quantity, b: Quantity, isNear: boolean): number {
  if (a.symbol !== b.symbol || !sameDimension(unitOf(a.unit).dimension, unitOf(b.unit).dimension)) return 0;
  const words = wordsOf(b.description);
  const common = [...wordsOf(a.description)].filter((word) => words.has(word)).length;
  if (common < (isNear ? 1 : 2)) return 0;
  return 0.25 + Math.min(3, common) / 4;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(tokenize(text).filter((word) => word.length > 2 && !STOP_WORDS.has(word)));

const outputOf = ({ name, output: { symbol, unit, description = '' } }: Operator): Quantity => ({
  symbol,
  unit,
  description: `${description} ${name}`,
});

const inputsOf = ({ inputs }: Operator): Quantity[] =>
  Object.entries(inputs).map(([symbol, { unit, description }]) => ({ symbol, unit, description }));
