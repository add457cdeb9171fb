// Example strength: an example that does not notice a mistake in the law does not test the law.
//
// Each mutant must miss the expected value of some example. One that has the law's own values all over the declared box
// is no mistake (a reference of SI value 1 left out, abs of what is never negative) and does not count.

import { DomainError } from '../../core/errors.ts';
import { assemble, type Definition, type Program } from '../../expressions/bytecode.ts';
import type { Expression } from '../../expressions/tree.ts';
import { toCoherent } from '../unit-table.ts';
import type { Evaluator } from './evaluator.ts';
import { DEFAULT_RTOL, type ExampleRow, isClose } from './examples.ts';
import { type Complaint, error, warning } from './finding.ts';
import { mutantsOf } from './mutants.ts';
import { rowOf, type Trial } from './trial.ts';

/** Of all mutants of the registry. */
const MOST_ALIVE = 0.03;
/** Of one operator's, so that a weak example cannot hide behind the strong ones of others. */
const MOST_ALIVE_HERE = 0.1;
/** Two values are one, up to rounding. */
const ROUNDING = 1e-12;

export interface Strength {
  /** Mutants that are mistakes. */
  readonly mutants: number;
  readonly alive: number;
  readonly complaints: readonly Complaint[];
}

/** @param points  values of the inputs over the box, in coherent SI */
export function checkStrength(
  trial: Trial,
  examples: readonly ExampleRow[],
  points: readonly (readonly number[])[],
  evaluator: Evaluator,
): Strength {
  const rows = examples.map(({ row }) => row);
  const expected = examples.map(({ example }) => toCoherent(example.expected, trial.operator.output.unit));
  const isNoticed = (values: readonly number[]) =>
    examples.some(({ example }, i) => {
      const value = values[i] ?? Number.NaN;
      return !(Number.isFinite(value) && isClose(value, expected[i] ?? 0, example.rtol ?? DEFAULT_RTOL));
    });
  const box = points.map((point) => rowOf(trial, point));
  let law: readonly number[] | undefined;
  const isHarmless = (wrong: WrongLaw) => {
    law ??= evaluator.values(trial.program, box);
    const values = evaluator.values(wrong.program, box.map(wrong.slots));
    return values.every((value, i) => Object.is(value, law?.[i]) || isClose(value, law?.[i] ?? Number.NaN, ROUNDING));
  };

  let mutants = 0;
  const alive: string[] = [];
  for (const wrong of wrongLaws(trial)) {
    const isSeen = isNoticed(evaluator.values(wrong.program, rows.map(wrong.slots)));
    if (!isSeen && isHarmless(wrong)) continue;
    mutants++;
    if (!isSeen) alive.push(wrong.change);
  }
  return { mutants, alive: alive.length, complaints: judge(alive, mutants) };
}

interface WrongLaw {
  readonly change: string;
  readonly program: Program;
  readonly slots: (row: readonly number[]) => readonly number[];
}

function* wrongLaws({ equation, where, program, inputs, constants }: Trial): Generator<WrongLaw> {
  const make = (change: string, result: Expression, definitions: readonly Definition[]): WrongLaw[] => {
    const wrong = tryAssemble(result, program.slots, definitions);
    return wrong === undefined ? [] : [{ change, program: wrong, slots: (row) => row }];
  };
  for (const { expression, change } of mutantsOf(equation.expression)) yield* make(change, expression, where);
  for (const [i, { name, expression: own }] of where.entries()) {
    for (const { expression, change } of mutantsOf(own)) {
      yield* make(`${name}: ${change}`, equation.expression, where.with(i, { name, expression }));
    }
  }
  for (const [i, { name, title }] of constants.entries()) {
    if (title !== undefined) continue;
    const at = inputs.length + i;
    const change = `the constant ${name} is a tenth larger`;
    yield { change, program, slots: (row) => row.with(at, (row[at] ?? 0) * 1.1) };
  }
}

/** A mistake that makes the text illegal (a sum of too many terms) needs no example to be noticed. */
function tryAssemble(result: Expression, slots: readonly string[], where: readonly Definition[]): Program | undefined {
  try {
    return assemble(result, slots, where);
  } catch (fault) {
    if (fault instanceof DomainError) return undefined;
    throw fault;
  }
}

function judge(alive: readonly string[], mutants: number): Complaint[] {
  const mend = 'Choose inputs at which each term and factor counts (no ones, zeros or limits), or a smaller rtol.';
  if (alive.length > 1 && alive.length > MOST_ALIVE_HERE * mutants) {
    const text = `${alive.length} of ${mutants} mistakes go unnoticed by the examples: ${alive.slice(0, 6).join('; ')}`;
    return [error(text, mend)];
  }
  return alive.map((change) => warning(`the examples do not notice when ${change}`, mend));
}

/** For the registry, or the part of it that is looked at. */
export function judgeShare(mutants: number, alive: number): Complaint[] {
  if (alive <= MOST_ALIVE * mutants) return [];
  const share = ((100 * alive) / mutants).toFixed(1);
  const text = `${share} % of ${mutants} mistakes go unnoticed by the examples, at most ${100 * MOST_ALIVE} % may`;
  return [error(text, 'Strengthen the examples that are named above.')];
}
