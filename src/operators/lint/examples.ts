// Examples: the law gives what an independent route gave, inside the declared ranges.
//
// A failure says how far off it is and never what was computed: an expected value that is pasted back proves nothing.

import { DomainError } from '../../core/errors.ts';
import { bindOperator } from '../evaluate.ts';
import type { OperatorExample } from '../operator.ts';
import { fromCoherent } from '../unit-table.ts';
import type { Evaluator } from './evaluator.ts';
import { type Complaint, error } from './finding.ts';
import type { Trial } from './trial.ts';

/** Unless the example gives its own. */
export const DEFAULT_RTOL = 1e-4;

const AGAIN =
  'Derive it again by the independent route, with units converted there; one of law, constants, units and expected is wrong.';

/** An example whose inputs are allowed. */
export interface ExampleRow {
  readonly number: number;
  readonly example: OperatorExample;
  /** Slots in coherent SI. */
  readonly row: readonly number[];
}

/** @returns the rows of the examples that can be tried, and what is wrong with the inputs of the others */
export function exampleRows(trial: Trial): { readonly rows: ExampleRow[]; readonly complaints: Complaint[] } {
  const complaints: Complaint[] = [];
  const rows: ExampleRow[] = [];
  const seen = new Map<string, number>();
  for (const [i, example] of trial.operator.examples.entries()) {
    const number = i + 1;
    const bound = bind(trial, example);
    const faults = [...bound.faults];
    const twin = seen.get(bound.row.join());
    if (faults.length === 0 && twin !== undefined) faults.push(`has the inputs of example ${twin}`);
    for (const fault of faults) {
      complaints.push(error(`example ${number} ${fault}`, 'Give every input once, inside its range.'));
    }
    if (faults.length > 0) continue;
    seen.set(bound.row.join(), number);
    rows.push({ number, example, row: bound.row });
  }
  return { rows, complaints };
}

function bind({ operator, program }: Trial, { inputs }: OperatorExample): { row: number[]; faults: string[] } {
  const strangers = Object.keys(inputs).filter((name) => !Object.hasOwn(operator.inputs, name));
  const unknown = strangers.length === 0 ? [] : [`gives ${strangers.join(', ')}, which the law does not take`];
  try {
    const values = bindOperator(operator, inputs);
    return { row: program.slots.map((name) => values[name] ?? Number.NaN), faults: unknown };
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    return { row: [], faults: [...unknown, ...fault.details.map(({ message }) => `is refused: ${message}`)] };
  }
}

export function checkExamples(trial: Trial, rows: readonly ExampleRow[], evaluator: Evaluator): Complaint[] {
  const values = evaluator.values(
    trial.program,
    rows.map(({ row }) => row),
  );
  return rows.flatMap(({ number, example }, i) => {
    const value = fromCoherent(values[i] ?? Number.NaN, trial.operator.output.unit);
    const rtol = example.rtol ?? DEFAULT_RTOL;
    const complaints: Complaint[] = [];
    if (!Number.isFinite(value)) {
      complaints.push(error(`example ${number} has no finite value`, AGAIN));
    } else if (!isClose(value, example.expected, rtol)) {
      complaints.push(error(`example ${number} is off by ${size(value, example.expected)}, allowed ${rtol}`, AGAIN));
    }
    const { published } = example;
    if (published !== undefined && Number.isFinite(value) && !agreesInPrint(value, published)) {
      const text = `example ${number} is off by ${size(value, published.value)} from what is published with ${published.digits} digits`;
      complaints.push(error(text, 'Compare inputs and constants with those of the source.'));
    }
    return complaints;
  });
}

export function isClose(value: number, expected: number, rtol: number): boolean {
  return Math.abs(value - expected) <= rtol * Math.abs(expected);
}

/** Relative deviation in one significant digit; more would let the value be computed. */
function size(value: number, expected: number): string {
  if (expected === 0) return 'more than nothing (expected is 0)';
  const deviation = Math.abs(value / expected - 1);
  return deviation > 1e3 ? 'a factor of more than 1000' : `a relative ${deviation.toExponential(0)}`;
}

/** Half a unit of the last printed digit. */
function agreesInPrint(value: number, { value: printed, digits }: NonNullable<OperatorExample['published']>): boolean {
  const exponent = Number(printed.toExponential().split('e')[1]);
  const unit = Number(`1e${exponent - digits + 1}`);
  return Math.abs(value - printed) <= 0.5 * unit * (1 + 1e-9);
}
