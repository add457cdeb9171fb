// Examples: the law gives the value that was computed independently, inside the declared ranges.
//
// A failure reports the deviation and never the computed value, so that nobody can copy it into `expected`.

import { DomainError } from '../../core/errors.ts';
import { bindOperator } from '../evaluate.ts';
import type { OperatorExample } from '../operator.ts';
import { fromCoherent } from '../unit-table.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import type { PreparedOperator } from './prepared-operator.ts';

/** Relative tolerance of an example that gives none. */
export const DEFAULT_RTOL = 1e-4;

const FIX =
  'Compute it again by the independent route, units included; the law, a constant, a unit or expected is wrong.';

/** An example whose inputs are allowed. */
export interface ExampleRow {
  readonly number: number;
  readonly example: OperatorExample;
  /** Slots in coherent SI. */
  readonly row: readonly number[];
}

/** @returns the rows of the examples with valid inputs, and diagnostics for the others */
export function exampleRows(prepared: PreparedOperator): {
  readonly rows: ExampleRow[];
  readonly diagnostics: Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const rows: ExampleRow[] = [];
  const seen = new Map<string, number>();
  for (const [i, example] of prepared.operator.examples.entries()) {
    const number = i + 1;
    const bound = bind(prepared, example);
    const faults = [...bound.faults];
    const duplicate = seen.get(bound.row.join());
    if (faults.length === 0 && duplicate !== undefined) faults.push(`has the inputs of example ${duplicate}`);
    for (const fault of faults) {
      diagnostics.push(error(`example ${number} ${fault}`, 'Give every input once, inside its range.'));
    }
    if (faults.length > 0) continue;
    seen.set(bound.row.join(), number);
    rows.push({ number, example, row: bound.row });
  }
  return { rows, diagnostics };
}

function bind(
  { operator, program }: PreparedOperator,
  { inputs }: OperatorExample,
): { row: number[]; faults: string[] } {
  const unknownInputs = Object.keys(inputs).filter((name) => !Object.hasOwn(operator.inputs, name));
  const unknown = unknownInputs.length === 0 ? [] : [`gives ${unknownInputs.join(', ')}, which the law does not take`];
  try {
    const values = bindOperator(operator, inputs);
    return { row: program.slots.map((name) => values[name] ?? Number.NaN), faults: unknown };
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    return { row: [], faults: [...unknown, ...fault.details.map(({ message }) => `is refused: ${message}`)] };
  }
}

export function checkExamples(
  prepared: PreparedOperator,
  rows: readonly ExampleRow[],
  evaluator: Evaluator,
): Diagnostic[] {
  const values = evaluator.values(
    prepared.program,
    rows.map(({ row }) => row),
  );
  return rows.flatMap(({ number, example }, i) => {
    const value = fromCoherent(values[i] ?? Number.NaN, prepared.operator.output.unit);
    const rtol = example.rtol ?? DEFAULT_RTOL;
    const diagnostics: Diagnostic[] = [];
    if (!Number.isFinite(value)) {
      diagnostics.push(error(`example ${number} has no finite value`, FIX));
    } else if (!isClose(value, example.expected, rtol)) {
      diagnostics.push(error(`example ${number} is off by ${size(value, example.expected)}, allowed ${rtol}`, FIX));
    }
    const { published } = example;
    if (published !== undefined && Number.isFinite(value) && !agreesToPrintedDigits(value, published)) {
      const text = `example ${number} is off by ${size(value, published.value)} from what is published with ${published.digits} digits`;
      diagnostics.push(error(text, 'Compare inputs and constants with those of the source.'));
    }
    return diagnostics;
  });
}

export function isClose(value: number, expected: number, rtol: number): boolean {
  return Math.abs(value - expected) <= rtol * Math.abs(expected);
}

/** Relative deviation with one significant digit; more digits would reveal the value. */
function size(value: number, expected: number): string {
  if (expected === 0) return 'any amount (expected is 0)';
  const deviation = Math.abs(value / expected - 1);
  return deviation > 1e3 ? 'a factor of more than 1000' : `a relative ${deviation.toExponential(0)}`;
}

/** Half a unit of the last printed digit. */
function agreesToPrintedDigits(
  value: number,
  { value: printed, digits }: NonNullable<OperatorExample['published']>,
): boolean {
  const exponent = Number(printed.toExponential().split('e')[1]);
  const unit = Number(`1e${exponent - digits + 1}`);
  return Math.abs(value - printed) <= 0.5 * unit * (1 + 1e-9);
}
