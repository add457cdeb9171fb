// Fit of a solver to a sentence: the phrases that name it, the share of the words that are at home in it, and the
// share of the numbers that have a place.

import { GENERIC_WORDS, STOP_WORDS } from '../operators/words.ts';
import { type Bound, bindQuantities } from './bind.ts';
import { type FoundEquations, isWithin } from './equations.ts';
import { type Hit, PhraseIndex } from './phrases.ts';
import { isStated, type Quantity } from './quantity.ts';
import { ELSEWHERE, headOf } from './scope.ts';
import type { Token } from './sentence.ts';
import { foldedName, type Target } from './target.ts';

/** A sentence, read once for all targets. */
export interface Reading {
  readonly sentence: string;
  readonly tokens: readonly Token[];
  readonly quantities: readonly Quantity[];
  readonly negated: ReadonlySet<number>;
  readonly equations: FoundEquations | undefined;
  /** Keys of numbers that the caller gives by name. */
  readonly constants: readonly string[];
}

type Mention =
  | { readonly kind: 'name' | 'topic' | 'hint'; readonly target: Target; readonly phrase: string }
  | { readonly kind: 'choice'; readonly target: Target; readonly field: string; readonly option: string };

const WEIGHTS = { name: 1, topic: 0.5, hint: 0.22, choice: 0.22, input: 0.16 } as const;

export class SolverVocabulary {
  readonly targets: readonly Target[];
  readonly #index = new PhraseIndex<Mention>();

  constructor(targets: readonly Target[]) {
    this.targets = targets;
    for (const target of targets) {
      const { words, fields } = target;
      this.#add(target, 'name', [target.title, ...(words?.names ?? [])]);
      this.#add(target, 'topic', words?.topics ?? []);
      this.#add(target, 'hint', words?.hints ?? []);
      for (const { key, choices } of fields)
        for (const [option, phrases] of Object.entries(choices))
          for (const phrase of phrases) this.#index.add(phrase, { kind: 'choice', target, field: key, option });
    }
  }

  #add(target: Target, kind: 'name' | 'topic' | 'hint', phrases: readonly string[]): void {
    for (const phrase of phrases) this.#index.add(phrase, { kind, target, phrase });
  }

  mentions(tokens: readonly Token[]): ReadonlyMap<Target, readonly Hit<Mention>[]> {
    const found = new Map<Target, Hit<Mention>[]>();
    for (const hit of this.#index.find(tokens)) {
      const list = found.get(hit.value.target);
      if (list === undefined) found.set(hit.value.target, [hit]);
      else list.push(hit);
    }
    return found;
  }
}

export interface Chosen {
  readonly option: string;
  readonly words: string;
}

export interface SolverFit {
  readonly target: Target;
  readonly confidence: number;
  readonly bound: Bound;
  readonly choices: ReadonlyMap<string, Chosen>;
  readonly equations: FoundEquations | undefined;
  /** The sentence says that it does not mean this solver. */
  readonly isNegated: boolean;
}

/** Fits of the solvers that a sentence mentions, in no order. */
export function solverFits(vocabulary: SolverVocabulary, reading: Reading): SolverFit[] {
  const { tokens, equations } = reading;
  const mentions = vocabulary.mentions(tokens);
  return vocabulary.targets.flatMap((target) => {
    const hits = mentions.get(target) ?? [];
    const takesEquations = target.words?.equations !== undefined && equations !== undefined;
    return hits.length === 0 && !takesEquations ? [] : [fitOf(target, hits, reading)];
  });
}

/** Of one solver, whether it is mentioned or not. */
export const solverFit = (vocabulary: SolverVocabulary, target: Target, reading: Reading): SolverFit =>
  fitOf(target, vocabulary.mentions(reading.tokens).get(target) ?? [], reading);

function fitOf(target: Target, hits: readonly Hit<Mention>[], reading: Reading): SolverFit {
  const { sentence, tokens, quantities, negated, constants } = reading;
  const equations = target.words?.equations === undefined ? undefined : reading.equations;
  const isDenied = ({ from }: Hit<unknown>) => negated.has(from);
  const kept = longestHits(hits.filter((hit) => !isDenied(hit)));
  const choices = choicesOf(kept, reading);
  const inPhrases = covered(kept);
  const free = quantities.filter((quantity) => {
    const token = tokens[quantity.from];
    return (
      !isTaken(quantity, kept) && (equations === undefined || token === undefined || !isWithin(token, equations.spans))
    );
  });
  const options = new Map([...choices].map(([field, { option }]) => [field, option]));
  const bound = bindQuantities(target, sentence, tokens, free, options);
  const equationWeight = equations === undefined ? 0 : equations.isDifferential ? 1.1 : 0.7;
  const evidence = evidenceOf(kept) + WEIGHTS.input * distinctInputs(bound) + equationWeight;
  const isNegated = hits.some((hit) => isDenied(hit) && hit.value.kind === 'name') && evidenceOf(kept) < WEIGHTS.name;
  const known = knownShare(target, reading, new Set([...inPhrases, ...covered(bound.hits)]), equations);
  const counted = free.filter(isStated);
  const keys = new Set(target.fields.map(({ key }) => key));
  const given = counted.length + constants.length;
  const placed = counted.length - bound.unused.length + constants.filter((key) => keys.has(key)).length;
  const fit = given === 0 ? 1 : placed / given;
  // Words that are at home elsewhere too say little alone.
  const count = (kind: Mention['kind']) => distinct(kept.filter(({ value }) => value.kind === kind));
  const support = count('topic') + Math.min(1, distinctInputs(bound) + count('choice'));
  const isNamed = equations !== undefined || count('name') > 0 || (count('topic') > 0 && support > 1);
  const strength = (1 - 1 / (1 + evidence) ** 2) * (isNamed ? 1 : 0.6);
  const isHeaded = count('name') > 0 || isHeadKnown(target, reading, new Set([...inPhrases, ...covered(bound.hits)]));
  const confidence = isNegated ? 0 : (isHeaded ? 1 : 0.5) * strength * (0.3 + 0.7 * known) * (0.75 + 0.25 * fit);
  return { target, confidence, bound, choices, equations, isNegated };
}

/** Without those inside of a longer one of the same kind of evidence. */
function longestHits(hits: readonly Hit<Mention>[]): Hit<Mention>[] {
  const isInside = (inner: Hit<Mention>, outer: Hit<Mention>) =>
    outer !== inner &&
    outer.from <= inner.from &&
    outer.to >= inner.to &&
    outer.length > inner.length &&
    fieldOf(outer) === fieldOf(inner);
  return hits.filter((hit) => !hits.some((other) => isInside(hit, other)));
}

/** Of a choice. */
const fieldOf = ({ value }: Hit<Mention>) => (value.kind === 'choice' ? value.field : undefined);

const keyOf = (value: Mention) =>
  value.kind === 'choice' ? `${value.field}=${value.option}` : `${value.kind} ${value.phrase}`;

const distinct = (hits: readonly Hit<Mention>[]) => new Set(hits.map(({ value }) => keyOf(value))).size;

/** Each phrase counts once. */
function evidenceOf(hits: readonly Hit<Mention>[]): number {
  const counted = new Map(hits.map(({ value }): [string, number] => [keyOf(value), WEIGHTS[value.kind]]));
  return [...counted.values()].reduce((sum, weight) => sum + weight, 0);
}

/** The first value of each choice; of two at one place the longer phrase. */
function choicesOf(hits: readonly Hit<Mention>[], { sentence, tokens }: Reading): Map<string, Chosen> {
  const found = new Map<string, { hit: Hit<Mention>; chosen: Chosen }>();
  for (const hit of hits) {
    const { value, from, to, length } = hit;
    if (value.kind !== 'choice') continue;
    const known = found.get(value.field);
    if (known !== undefined && known.hit.length >= length) continue;
    const words = sentence.slice(tokens[from]?.start, tokens[to - 1]?.end);
    found.set(value.field, { hit, chosen: { option: value.option, words } });
  }
  return new Map([...found].map(([field, { chosen }]) => [field, chosen]));
}

function covered(hits: readonly Hit<unknown>[]): Set<number> {
  const indexes = new Set<number>();
  for (const { from, to } of hits) for (let at = from; at < to; at++) indexes.add(at);
  return indexes;
}

/** Whether the number is part of a phrase that names something: SU(2), IEEE 14. */
const isTaken = ({ from }: Quantity, hits: readonly Hit<Mention>[]) =>
  hits.some((hit) => hit.from <= from && hit.to > from && hit.length > 1);

const distinctInputs = ({ bindings }: Bound) => bindings.filter(({ by }) => by !== 'unit').length;

/** Words of sentences that say nothing about their subject. */
const NEUTRAL: ReadonlySet<string> = new Set(
  (
    'simulate simulation run model solve solution show plot draw give me tell want need like please case problem ' +
    'system after before until up using use method estimate determine evaluate result answer study look take consider ' +
    'value number amount start begin end first second third total several some different same each other my own it there ' +
    'if then where during time long much well good just only very let make set'
  ).split(' '),
);

const isContent = ({ kind, word }: Token) =>
  kind === 'word' && word.length > 1 && !STOP_WORDS.has(word) && !GENERIC_WORDS.has(word) && !NEUTRAL.has(word);

/** Whether the target knows the noun that the question begins with. */
function isHeadKnown(target: Target, { tokens }: Reading, phrases: ReadonlySet<number>): boolean {
  const at = headOf(tokens);
  const token = at === undefined ? undefined : tokens[at];
  if (at === undefined || token === undefined || !isContent(token)) return true;
  const isName = target.fields.some(({ names }) => names.includes(foldedName(token.text)));
  return phrases.has(at) || isName || target.known.has(token.word);
}

/** The share of the content words that the target knows. */
function knownShare(
  target: Target,
  { tokens, quantities }: Reading,
  phrases: ReadonlySet<number>,
  equations: FoundEquations | undefined,
): number {
  const inNumbers = new Set(
    quantities.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
  );
  const names = new Set(target.fields.flatMap(({ names }) => names.map((name) => name.toLowerCase())));
  const isName = ({ text }: Token) => names.has(foldedName(text).toLowerCase());
  let all = 0;
  let known = 0;
  for (const [at, token] of tokens.entries()) {
    if (ELSEWHERE.has(token.word) && !phrases.has(at)) {
      all += 3;
      continue;
    }
    if (!isContent(token) || inNumbers.has(at)) continue;
    if (equations !== undefined && isWithin(token, equations.spans)) continue;
    all++;
    if (phrases.has(at) || isName(token)) known++;
    else if (target.known.has(token.word)) known += 0.8;
  }
  return all === 0 ? 1 : known / all;
}
