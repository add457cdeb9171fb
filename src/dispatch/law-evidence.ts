// Fits of the laws of the registry to a sentence: the search ranks them by its words (src/operators/search), and the
// numbers must be all that a law needs.

import { DOMAINS } from '../operators/find-domain.ts';
import type { Operator } from '../operators/operator.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import { evidenceIn, type WordEvidence } from '../operators/search.ts';
import { indexLaws, type SearchIndex } from '../operators/search-index.ts';
import { inflectionStem } from '../operators/stems.ts';
import { type Bound, bindQuantities } from './bind.ts';
import { ELSEWHERE, headOf } from './scope.ts';
import type { Reading } from './solver-evidence.ts';
import { lawTarget, type Target } from './target.ts';

export interface LawFit {
  readonly target: Target;
  readonly operator: Operator;
  readonly confidence: number;
  /** By the words alone. */
  readonly wordConfidence: number;
  readonly score: number;
  readonly bound: Bound;
  /** Required inputs without a number. */
  readonly missing: readonly string[];
}

let registry: SearchIndex<Operator | undefined> | undefined;
const targets = new Map<string, Target>();

function targetOf(operator: Operator): Target {
  const known = targets.get(operator.id);
  if (known) return known;
  const target = lawTarget(operator);
  targets.set(operator.id, target);
  return target;
}

/** Laws whose numbers are looked for. */
const MAX_CANDIDATES = 10;
/** Share of the words below which a law is not meant. */
const MIN_SHARE = 0.25;
const NO_CHOICES: ReadonlyMap<string, string> = new Map();

/** The best first. */
export function lawFits(reading: Reading): LawFit[] {
  registry ??= indexLaws(DOMAINS);
  const { sentence, tokens, negated } = reading;
  const plain =
    negated.size === 0 ? sentence : tokens.flatMap((one, at) => (negated.has(at) ? [] : [one.text])).join(' ');
  const evidence = evidenceIn(registry, plain);
  if (evidence === undefined) return [];
  const headAt = headOf(tokens);
  const head = headAt === undefined ? undefined : tokens[headAt]?.word;
  const elsewhere = tokens.filter(({ word }) => ELSEWHERE.has(word)).length;
  const ranked = evidence
    .map((one, at) => ({ ...one, at, operator: registry?.entries[at]?.operator }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.score - a.score)
    .flatMap(({ operator, ...one }) =>
      operator === undefined || operator.id === PULSE_OPERATOR ? [] : [{ ...one, operator }],
    )
    .slice(0, MAX_CANDIDATES);
  return ranked
    .map(({ operator, at, ...words }) => {
      const isOther = head !== undefined && registry !== undefined && !hasWord(registry, head, at);
      return fitOf(operator, reading, words, elsewhere + (isOther ? 1 : 0));
    })
    .sort((a, b) => b.confidence - a.confidence);
}

function hasWord({ words, stems }: SearchIndex<unknown>, word: string, at: number): boolean {
  const forms = [word, ...(stems.get(inflectionStem(word)) ?? [])];
  return forms.some((form) => words.get(form)?.has(at) === true);
}

/** Of a law that the caller names. */
export const lawFit = (operator: Operator, reading: Reading): LawFit =>
  fitOf(operator, reading, { score: 0, share: 1 }, 0);

function fitOf(
  operator: Operator,
  reading: Reading,
  { score, share }: Pick<WordEvidence, 'score' | 'share'>,
  elsewhere: number,
): LawFit {
  const { sentence, tokens, quantities, constants } = reading;
  const target = targetOf(operator);
  const bound = bindQuantities(target, sentence, tokens, quantities, NO_CHOICES);
  const has = new Set([...bound.bindings.map(({ field }) => field.key), ...constants]);
  const missing = target.fields.filter(({ key, isRequired }) => isRequired && !has.has(key)).map(({ key }) => key);
  const used =
    quantities.length - bound.unused.length + target.fields.filter(({ key }) => constants.includes(key)).length;
  const all = quantities.length + constants.length;
  const wordConfidence = Math.min(0.99, (1.18 * share) / (share + 0.18) / (1 + elsewhere));
  const complete = missing.length === 0 && used > 0 ? 0.6 + (0.4 * used) / all : 0.45;
  return { target, operator, confidence: wordConfidence * complete, wordConfidence, score, bound, missing };
}
