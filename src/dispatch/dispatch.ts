// Dispatch: from a sentence to the solver or law that answers it, with its inputs and the words that they came from.
// Pure, offline and deterministic; about a millisecond. What fits nothing is refused, and so is a tie.

import { LIMITS } from '../core/limits.ts';
import { printDimension } from '../core/units/dimension.ts';
import { type AskedQuantity, askedQuantity } from '../operators/asked-quantity.ts';
import { findOperator } from '../operators/load.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import { equationsOf } from './equations.ts';
import { type LawFit, lawFit, lawFits } from './law-evidence.ts';
import { quantitiesOf } from './quantities.ts';
import { isForeign, negatedTokens } from './scope.ts';
import { tokensOf, withPlainSigns } from './sentence.ts';
import { type Reading, type SolverFit, SolverVocabulary, solverFit, solverFits } from './solver-evidence.ts';
import { solverTarget, type Target, type TargetField } from './target.ts';

export interface Candidate {
  readonly kind: 'solver' | 'law';
  readonly id: string;
  readonly title: string;
  readonly confidence: number;
}

/** An input of the target as the sentence states it. */
export interface ReadInput {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  readonly unit: string;
  /** As written: the number, or the words of a choice; "" for numbers that are given by name. */
  readonly words: string;
  /** Why it is this input: its name, words beside the number, its unit, the order; a choice, equations; given by name. */
  readonly by: 'name' | 'words' | 'unit' | 'order' | 'choice' | 'equations' | 'given';
}

export interface Dispatch {
  readonly target: Omit<Candidate, 'confidence'> & { readonly unit: string };
  readonly confidence: number;
  readonly inputs: readonly ReadInput[];
  /** Inputs of the problem that the sentence leaves open. */
  readonly defaults: readonly {
    readonly name: string;
    readonly label: string;
    readonly value: unknown;
    readonly unit: string;
  }[];
  /** Required inputs that it lacks. */
  readonly missing: readonly { readonly name: string; readonly label: string; readonly unit: string }[];
  /** Numbers of the sentence without a place. */
  readonly unused: readonly string[];
  readonly alternatives: readonly Candidate[];
}

export type RefusalReason = 'language' | 'nothing' | 'unsure' | 'tie' | 'negated' | 'missing';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly alternatives: readonly Candidate[];
  /** The law that is meant and lacks numbers. */
  readonly nearest?: Dispatch;
}

export type Outcome =
  | { readonly kind: 'chosen'; readonly dispatch: Dispatch }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface DispatchOptions {
  /** Least confidence of an answer. */
  readonly threshold: number;
  /** Alternatives that are listed. */
  readonly limit: number;
  /** Numbers by name, beside those of the sentence. */
  readonly constants: Readonly<Record<string, number>>;
  /** Id of the solver or law that the caller names. */
  readonly target?: string | undefined;
}

const DEFAULTS: DispatchOptions = {
  threshold: LIMITS.auto.threshold,
  limit: LIMITS.auto.alternatives.default,
  constants: {},
};

/** Ratio of the confidence of the best to that of the next. */
const MIN_LEAD = 1.06;
/** Ratio of the score of a law to that of the next. */
const MIN_LAW_LEAD = 1.15;
/** Ratio of the score of another law from which a law is not meant, although it uses more of the numbers. */
const MAX_WORD_LEAD = 2;

export class Dispatcher {
  readonly #vocabulary: SolverVocabulary;

  constructor(solvers: readonly SolverDefinition[]) {
    this.#vocabulary = new SolverVocabulary(solvers.map(solverTarget));
  }

  dispatch(query: string, options: Partial<DispatchOptions> = {}): Outcome {
    const { threshold, limit, constants, target } = { ...DEFAULTS, ...options };
    const constantNames = Object.keys(constants);
    const reading = readingOf(query, constantNames);
    if (target !== undefined) return this.#named(target, reading, constants);
    if (isForeign(reading.tokens)) return refused('language', []);
    const solvers = solverFits(this.#vocabulary, reading);
    const isNegated = solvers.some((fit) => fit.isNegated);
    const asksForPeople = reading.tokens.some(({ word }) => PEOPLE.has(word));
    // "Is it satisfiable?" has no number as its answer, so a solver that is named decides it.
    const isWhether =
      WHETHER.has(reading.tokens[0]?.word ?? '') && solvers.some(({ confidence }) => confidence >= SURE);
    const asked = askedQuantity(query);
    const found: readonly (SolverFit | LawFit)[] = [...solvers, ...lawFits(reading)];
    const isAnswered = asked !== undefined && found.some((fit) => fit.confidence > MIN_SHOWN && hasAsked(fit, asked));
    const fits = found
      .map((fit) => (isAnswered && answersOther(fit, asked) ? { ...fit, confidence: fit.confidence / 2 } : fit))
      .map((fit) => (isWhether && 'score' in fit ? { ...fit, confidence: fit.confidence / 2 } : fit))
      .map((fit) => (asksForPeople ? { ...fit, confidence: fit.confidence / 2 } : fit))
      .filter(({ confidence }) => confidence > MIN_SHOWN)
      .sort((a, b) => b.confidence - a.confidence);
    const runnable = fits.filter(isRunnable);
    const [best] = runnable.length > 0 && (runnable[0]?.confidence ?? 0) >= threshold ? runnable : fits;
    const first = best && (runnable.find((fit) => replaces(fit, best)) ?? best);
    if (first === undefined) return refused(isNegated ? 'negated' : 'nothing', []);
    const alternatives = [first, ...fits.filter((fit) => fit !== first)].map(candidateOf);
    const { bindings, unused } = first.bound;
    const isWordsAlone =
      isRunnable(first) && bindings.length + unused.length + constantNames.length === 0 && !reading.equations;
    if (first.confidence < (isWordsAlone ? WITHOUT_NUMBERS * threshold : threshold))
      return refused(isNegated ? 'negated' : 'unsure', alternatives.slice(0, limit));
    const isSure = !('score' in first) && (first.confidence >= SURE || first.equations !== undefined);
    const lacking = isSure ? undefined : fits.find((fit) => !isRunnable(fit));
    if (!isRunnable(first) || (lacking !== undefined && isMeant(lacking, first)))
      return missing(lacking ?? first, constants, alternatives.slice(0, limit));
    if (runnable.some((other) => other !== first && other !== best && isTie(first, other)))
      return refused('tie', alternatives.slice(0, Math.max(2, limit)));
    const dispatch = dispatchOf(first, constants, alternatives.slice(1, 1 + limit));
    return { kind: 'chosen', dispatch };
  }

  /** The caller chose: only the inputs are read. @throws DomainError OPERATOR_UNKNOWN */
  #named(id: string, reading: Reading, constants: Readonly<Record<string, number>>): Outcome {
    const solver = this.#vocabulary.targets.find((one) => one.id === id);
    const fit = solver === undefined ? lawFit(findOperator(id), reading) : solverFit(this.#vocabulary, solver, reading);
    if (!isRunnable(fit)) return missing(fit, constants, []);
    return { kind: 'chosen', dispatch: { ...dispatchOf(fit, constants, []), confidence: 1 } };
  }
}

/** Ratio to the threshold of the confidence that an answer needs which takes no number: its words may mean another thing. */
const WITHOUT_NUMBERS = 1.7;
/** What a person did is no computation. */
const PEOPLE: ReadonlySet<string> = new Set(['who', 'whom', 'whose', 'biography']);
/** Begin a question whose answer is yes or no. */
const WHETHER: ReadonlySet<string> = new Set('is are does do can could will would has have'.split(' '));
/** Below it nothing is listed. */
const MIN_SHOWN = 0.1;
/** A solver of this confidence is not given up for a law that lacks numbers. */
const SURE = 0.5;
/** Confidence of a solver from which its words outweigh the kind of quantity that is asked for. */
const MAX_UNNAMED = 0.7;
/** Ratio of what the words say of a law that lacks a number to the confidence of another answer, from which it is meant. */
const MAX_OTHER = 1.3;

const hasAsked = ({ target: { dimension } }: SolverFit | LawFit, { dimensions }: AskedQuantity): boolean =>
  dimension !== undefined && dimensions.has(printDimension(dimension));

/** Whether the answer has another dimension than the question asks for, and no words that outweigh that. */
function answersOther(fit: SolverFit | LawFit, asked: AskedQuantity): boolean {
  if (fit.target.dimension === undefined || hasAsked(fit, asked)) return false;
  return 'score' in fit ? asked.isCertain : fit.confidence < MAX_UNNAMED;
}

const isRunnable = (fit: SolverFit | LawFit) => !('missing' in fit) || fit.missing.length === 0;

function valueOfOption(kind: string | undefined, option: string): unknown {
  if (kind === 'switch') return option === 'true';
  return kind === 'number' ? Number(option) : option;
}

/** A law leaves at its default what a solver reads from the words: how a column is held. */
function replaces(fit: SolverFit | LawFit, law: SolverFit | LawFit): boolean {
  if (!('score' in law && 'choices' in fit)) return false;
  const isRead = fit.choices.size > 0 && fit.bound.unused.length <= law.bound.unused.length;
  const hasDefaults = law.target.fields.some(
    ({ key, isRequired }) => !isRequired && law.bound.bindings.every(({ field }) => field.key !== key),
  );
  return isRead && hasDefaults && fit.confidence > MIN_SHARE * law.confidence;
}

const MIN_SHARE = 0.75;

/** Two answers that a sentence does not tell apart. Laws are compared as `compute` compares them. */
function isTie(first: SolverFit | LawFit, other: SolverFit | LawFit): boolean {
  if (first.target.chain.includes(other.target.id)) return false;
  if ('score' in first && 'score' in other) {
    if (other.score > MAX_WORD_LEAD * first.score) return true;
    // Words of like score, but the other does not know what is asked for.
    if (first.confidence > MAX_WORD_LEAD * other.confidence) return false;
    const isBetter = first.bound.unused.length < other.bound.unused.length;
    return !isBetter && first.score < MIN_LAW_LEAD * other.score;
  }
  return first.confidence < MIN_LEAD * other.confidence;
}

const refused = (reason: RefusalReason, alternatives: readonly Candidate[]): Outcome => {
  return { kind: 'refused', refusal: { reason, alternatives } };
};

function readingOf(query: string, constants: readonly string[]): Reading {
  const sentence = withPlainSigns(query);
  const tokens = tokensOf(sentence);
  const quantities = quantitiesOf(sentence, tokens);
  return { sentence, tokens, quantities, negated: negatedTokens(tokens), equations: equationsOf(sentence), constants };
}

/** A law that lacks numbers is meant where the words say so, or where it uses numbers that the other leaves. */
function isMeant(lacking: SolverFit | LawFit, first: SolverFit | LawFit): boolean {
  if (!('wordConfidence' in lacking)) return false;
  if (lacking.wordConfidence > MAX_OTHER * first.confidence) return true;
  const usesMore = lacking.bound.unused.length < first.bound.unused.length;
  return usesMore && 'wordConfidence' in first && lacking.wordConfidence > 0.8 * first.wordConfidence;
}

function missing(
  fit: SolverFit | LawFit,
  constants: Readonly<Record<string, number>>,
  alternatives: readonly Candidate[],
): Outcome {
  const nearest = dispatchOf(fit, constants, alternatives);
  return { kind: 'refused', refusal: { reason: 'missing', alternatives, nearest } };
}

const candidateOf = ({ target: { kind, id, title }, confidence }: SolverFit | LawFit): Candidate => {
  return { kind, id, title, confidence: Math.round(1000 * confidence) / 1000 };
};

function dispatchOf(
  fit: SolverFit | LawFit,
  constants: Readonly<Record<string, number>>,
  alternatives: readonly Candidate[],
): Dispatch {
  const { target, bound } = fit;
  const inputs = new Map<string, ReadInput>();
  const field = (key: string) => target.fields.find((one) => one.key === key);
  const add = (key: string, value: unknown, words: string, by: ReadInput['by'], unit?: string) => {
    const known = field(key);
    if (known !== undefined)
      inputs.set(key, { name: key, label: known.label, value, unit: unit ?? known.unit, words, by });
  };
  if ('choices' in fit) {
    for (const [key, { option, words }] of fit.choices)
      add(key, valueOfOption(field(key)?.kind, option), words, 'choice');
    const { equations } = fit;
    const key = target.words?.equations;
    if (equations !== undefined && key !== undefined) {
      add(key, equations.lines.join('\n'), equations.lines.join(', '), 'equations');
    }
  }
  for (const { field: bindingField, value, unit, by, words, sets = {} } of bound.bindings) {
    add(bindingField.key, value, words, by, unit);
    for (const [key, option] of Object.entries(sets)) if (option !== undefined) add(key, option, words, 'choice');
  }
  for (const [key, value] of Object.entries(constants)) add(key, value, '', 'given');
  const { kind, id, title, unit } = target;
  return {
    target: { kind, id, title, unit },
    confidence: Math.round(1000 * fit.confidence) / 1000,
    inputs: [...inputs.values()],
    ...openFields(target, inputs),
    unused: [
      ...bound.unused.map(({ words }) => words),
      ...Object.keys(constants).filter((key) => field(key) === undefined),
    ],
    alternatives,
  };
}

function openFields(target: Target, inputs: ReadonlyMap<string, unknown>): Pick<Dispatch, 'defaults' | 'missing'> {
  const open = target.fields.filter(({ key }) => !inputs.has(key));
  const words = ({ key, label, unit }: TargetField) => ({ name: key, label, unit });
  return {
    defaults: open
      .filter(({ defaultValue, isNumerics }) => defaultValue !== undefined && !isNumerics)
      .map((field) => ({ ...words(field), value: field.defaultValue })),
    missing: open.filter(({ isRequired }) => isRequired).map(words),
  };
}
