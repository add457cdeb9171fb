// Example strength, by mutation testing: examples and published values must kill nearly all mutants of the law.
//
// A mutant is killed when it misses the expected value of some example, or a published one by more than its tolerance. An equivalent mutant, which has the law's
// values all over the declared box (a reference of SI value 1 left out, abs of a non-negative value), is not counted.

import { DomainError } from '../../core/errors.ts';
import { assemble, type Definition, type Program } from '../../expressions/bytecode.ts';
import type { Expression } from '../../expressions/tree.ts';
import { toCoherent } from '../unit-table.ts';
import { type Diagnostic, error, warning } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import { DEFAULT_RTOL, type ExampleRow, isClose } from './examples.ts';
import { mutantsOf } from './mutants.ts';
import { type PreparedOperator, rowOf } from './prepared-operator.ts';
import { agrees, type PublishedRow } from './published.ts';

/** Share of the mutants of the registry that may survive. */
const MAX_SURVIVED = 0.03;
/** Share of the mutants of one operator, so that strong examples of others do not compensate weak ones. */
const MAX_SURVIVED_OF_ONE = 0.1;
/** Relative difference of values that rounding explains. */
const TOLERANCE = 1e-12;

export interface StrengthReport {
  /** Mutants that are not equivalent to the law. */
  readonly mutants: number;
  readonly survived: number;
  /** Those that miss a published value, whatever the examples say. */
  readonly killedByPublished: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a mutant must not miss. */
export interface Killers {
  readonly examples: readonly ExampleRow[];
  readonly published: readonly PublishedRow[];
}

/** @param points  values of the inputs over the box, in coherent SI */
export function checkStrength(
  prepared: PreparedOperator,
  { examples, published }: Killers,
  points: readonly (readonly number[])[],
  evaluator: Evaluator,
): StrengthReport {
  const rows = examples.map(({ row }) => row);
  const expected = examples.map(({ example }) => toCoherent(example.expected, prepared.operator.output.unit));
  const printed = published.map(({ row }) => row);
  const { unit } = prepared.operator.output;
  const missesPublished = ({ program, slots }: MutantProgram) =>
    evaluator
      .values(program, printed.map(slots))
      .some((value, i) => published[i] !== undefined && !agrees(value, unit, published[i].published));
  const missesExample = (values: readonly number[]) =>
    examples.some(({ example }, i) => {
      const value = values[i] ?? Number.NaN;
      return !(Number.isFinite(value) && isClose(value, expected[i] ?? 0, example.rtol ?? DEFAULT_RTOL));
    });
  const box = points.map((point) => rowOf(prepared, point));
  let law: readonly number[] | undefined;
  const isEquivalent = (mutant: MutantProgram) => {
    law ??= evaluator.values(prepared.program, box);
    const values = evaluator.values(mutant.program, box.map(mutant.slots));
    return values.every((value, i) => Object.is(value, law?.[i]) || isClose(value, law?.[i] ?? Number.NaN, TOLERANCE));
  };

  let [mutants, killedByPublished] = [0, 0];
  const survived: string[] = [];
  for (const mutant of mutantPrograms(prepared)) {
    const isMissed = missesPublished(mutant);
    const hasSurvived = !isMissed && !missesExample(evaluator.values(mutant.program, rows.map(mutant.slots)));
    if (hasSurvived && isEquivalent(mutant)) continue;
    mutants++;
    if (isMissed) killedByPublished++;
    if (hasSurvived) survived.push(mutant.change);
  }
  return { mutants, survived: survived.length, killedByPublished, diagnostics: diagnose(survived, mutants) };
}

interface MutantProgram {
  readonly change: string;
  readonly program: Program;
  readonly slots: (row: readonly number[]) => readonly number[];
}

function* mutantPrograms({ equation, where, program, inputs, constants }: PreparedOperator): Generator<MutantProgram> {
  const make = (change: string, result: Expression, definitions: readonly Definition[]): MutantProgram[] => {
    const mutant = tryAssemble(result, program.slots, definitions);
    return mutant === undefined ? [] : [{ change, program: mutant, slots: (row) => row }];
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

/** @returns undefined for a mutant that does not assemble (a sum of too many terms) */
function tryAssemble(result: Expression, slots: readonly string[], where: readonly Definition[]): Program | undefined {
  try {
    return assemble(result, slots, where);
  } catch (fault) {
    if (fault instanceof DomainError) return undefined;
    throw fault;
  }
}

function diagnose(survived: readonly string[], mutants: number): Diagnostic[] {
  const fix = 'Choose inputs at which each term and factor counts (no ones, zeros or limits), or a smaller rtol.';
  if (survived.length > 1 && survived.length > MAX_SURVIVED_OF_ONE * mutants) {
    const text = `${survived.length} of ${mutants} mutants survive the examples: ${survived.slice(0, 6).join('; ')}`;
    return [error(text, fix)];
  }
  return survived.map((change) => warning(`the examples do not fail when ${change}`, fix));
}

/** For all selected domains together. */
export function checkSurvivedShare(mutants: number, survived: number): Diagnostic[] {
  if (survived <= MAX_SURVIVED * mutants) return [];
  const share = ((100 * survived) / mutants).toFixed(1);
  const text = `${share} % of ${mutants} mutants survive the examples; at most ${100 * MAX_SURVIVED} % are allowed`;
  return [error(text, 'Strengthen the examples of the operators named above.')];
}
