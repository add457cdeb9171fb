// Checks of an answer that share nothing with the kernel: a model against every clause, a refutation lemma by lemma, and
// a count of models by the plainest enumeration.

import { powerOfTwo } from '../../core/elementary.ts';
import type { Formula } from './dimacs.ts';
import { ProofChecker } from './proof-checker.ts';

/** Begins a deletion in a proof. */
const DELETION = 2 ** 31;

/** Number of clauses, and of assumptions, that a model makes false. */
export function falsifiedClauses({ words }: Formula, assumptions: Int32Array, model: ArrayLike<number>): number {
  const isTrue = (literal: number) => (model[Math.abs(literal) - 1] ?? 0) * literal > 0;
  let falsified = assumptions.filter((literal) => !isTrue(literal)).length;
  let isSatisfied = false;
  for (const literal of words) {
    if (literal !== 0) isSatisfied ||= isTrue(literal);
    else {
      if (!isSatisfied) falsified++;
      isSatisfied = false;
    }
  }
  return falsified;
}

export interface Refutation {
  /** `open`: the budget was spent first. */
  readonly verdict: 'refuted' | 'failed' | 'open';
  /** Lemmas that were checked. */
  readonly lemmas: number;
}

/**
 * Whether every lemma follows by unit propagation from the clauses, the assumptions and the lemmas before it, and the last
 * one is empty.
 *
 * @param maxVisits  visits of clauses
 */
export function checkRefutation(
  { variables, words }: Formula,
  assumptions: Int32Array,
  proof: Float64Array,
  maxVisits: number,
): Refutation {
  const checker = new ProofChecker(variables, words.length + 2 * assumptions.length + proof.length, maxVisits);
  for (const clause of clausesOf(words)) checker.add(clause);
  for (const literal of assumptions) checker.add(Int32Array.of(literal));
  let lemmas = 0;
  for (const entry of clausesOf(proof)) {
    if (checker.isExhausted) return { verdict: 'open', lemmas };
    if (entry[0] === DELETION) checker.remove(Int32Array.from(entry.subarray(1)));
    else {
      const lemma = Int32Array.from(entry);
      lemmas++;
      if (!checker.follows(lemma)) return { verdict: checker.isExhausted ? 'open' : 'failed', lemmas };
      if (lemma.length === 0) return { verdict: 'refuted', lemmas };
      checker.add(lemma);
    }
  }
  return { verdict: 'failed', lemmas };
}

/** The parts of a list that end with 0. */
export function* clausesOf<Words extends Int32Array | Float64Array>(words: Words): Generator<Words, void, void> {
  let start = 0;
  for (let i = 0; i < words.length; i++) {
    if (words[i] !== 0) continue;
    yield words.subarray(start, i) as Words;
    start = i + 1;
  }
}

/**
 * Number of models: variables in their order, each clause checked when its last variable has a value, powers of two for
 * what is free. @returns undefined if it takes more than `maxNodes`
 */
export function countModels(formula: Formula, assumptions: Int32Array, maxNodes: number): number | undefined {
  const { variables } = formula;
  const clauses = [...clausesOf(formula.words), ...Array.from(assumptions, (literal) => Int32Array.of(literal))];
  if (clauses.some((clause) => clause.length === 0)) return 0;
  const values = new Int8Array(variables + 1);
  const lastOf = (clause: Int32Array) => clause.reduce((last, literal) => Math.max(last, Math.abs(literal)), 0);
  const byLast = Array.from({ length: variables + 1 }, (): Int32Array[] => []);
  for (const clause of clauses) byLast[lastOf(clause)]?.push(clause);
  const isFalse = (clause: Int32Array) => clause.every((literal) => (values[Math.abs(literal)] ?? 0) * literal < 0);
  const isTrue = (clause: Int32Array) => clause.some((literal) => (values[Math.abs(literal)] ?? 0) * literal > 0);
  let nodes = 0;

  const below = (variable: number, pending: readonly Int32Array[]): number => {
    nodes += 1 + pending.length / 16;
    if (nodes > maxNodes) return Number.NaN;
    if (pending.length === 0) return powerOfTwo(Math.min(variables - variable + 1, 1023));
    let sum = 0;
    for (const sign of [1, -1]) {
      values[variable] = sign;
      if (!(byLast[variable] ?? []).some(isFalse))
        sum += below(
          variable + 1,
          pending.filter((one) => !isTrue(one)),
        );
    }
    values[variable] = 0;
    return sum;
  };
  const models = below(1, clauses);
  return Number.isNaN(models) ? undefined : models;
}
