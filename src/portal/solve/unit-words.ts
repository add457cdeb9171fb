// Words for the value and for units that are scales of a problem, in place of their symbols and explained below the
// value.

import type { Solution } from '../../solvers/definition.ts';
import type { AnswerWords, UnitWords } from '../../solvers/solver-form.ts';
import { holds } from './field-help.ts';
import type { Draft } from './fields.ts';
import type { SolverDescription } from './solver-description.ts';

/** What the value is for these inputs. */
export function answerOf({ answer, answers = [] }: SolverDescription, draft: Draft): AnswerWords | undefined {
  return answers.find(({ when }) => holds(when, draft)) ?? answer;
}

/** The words that hold for these inputs, one for each unit. */
export function unitWordsOf({ units = [] }: SolverDescription, draft: Draft): readonly UnitWords[] {
  const found = units.filter(({ when }) => when === undefined || holds(when, draft));
  return found.filter(({ unit }, at) => found.findIndex((one) => one.unit === unit) === at);
}

export const inUnitWords = (unit: string, words: readonly UnitWords[]): string =>
  words.find((one) => one.unit === unit)?.words ?? unit;

/** The solution with words for units; its numbers stay. */
export function withUnitWords(solution: Solution, words: readonly UnitWords[]): Solution {
  if (words.length === 0) return solution;
  const worded = <Part extends { readonly unit: string }>(part: Part): Part => ({
    ...part,
    unit: inUnitWords(part.unit, words),
  });
  const { series, fields, quantities } = solution;
  return {
    ...solution,
    series: series.map(worded),
    fields: fields.map(worded),
    quantities: quantities.map(worded),
  };
}

/** Sentences on the units that a solution has, also within others: ε of ε/σ³. */
export function unitMeanings(units: readonly string[], words: readonly UnitWords[]): readonly string[] {
  const named = new Set(units.flatMap((unit) => unit.split(/[^A-Za-z_]+/)));
  return words.flatMap(({ unit, meaning }) => (named.has(unit) || units.includes(unit) ? [meaning] : []));
}
