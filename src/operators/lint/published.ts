// Published values: the law gives the number that somebody else printed, within the tolerance of the printed digits.
// Neither the accuracy of the law nor the uncertainty of its constants widens the tolerance.

import { DomainError } from '../../core/errors.ts';
import { bindOperator } from '../evaluate.ts';
import type { PublishedValue } from '../operator.ts';
import { fromCoherent } from '../unit-table.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import type { PreparedOperator } from './prepared-operator.ts';

/** A wider one says nothing about the law. */
const MAX_RELATIVE_TOLERANCE = 0.05;

const FIX = 'Compare inputs, units and constants with those of the source; leave out what the source got wrong.';

/** A published value whose inputs are allowed. */
export interface PublishedRow {
  readonly number: number;
  readonly published: PublishedValue;
  /** Slots in coherent SI. */
  readonly row: readonly number[];
}

/** @returns the rows of the published values with valid inputs, and diagnostics for the others */
export function publishedRows({ operator, program }: PreparedOperator): {
  readonly rows: PublishedRow[];
  readonly diagnostics: Diagnostic[];
} {
  const rows: PublishedRow[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [i, published] of (operator.published ?? []).entries()) {
    const { inputs, value, tolerance } = published;
    const number = i + 1;
    const report = (text: string) => diagnostics.push(error(`published value ${number} ${text}`, FIX));
    const unknown = Object.keys(inputs).filter((key) => !Object.hasOwn(operator.inputs, key));
    if (unknown.length > 0) report(`gives ${unknown.join(', ')}, which the law does not take`);
    else if (tolerance > MAX_RELATIVE_TOLERANCE * Math.abs(value)) {
      report(`has a tolerance of more than ${100 * MAX_RELATIVE_TOLERANCE} %`);
    } else {
      try {
        const bound = bindOperator(operator, inputs);
        rows.push({ number, published, row: program.slots.map((slot) => bound[slot] ?? Number.NaN) });
      } catch (fault) {
        if (!(fault instanceof DomainError)) throw fault;
        for (const { message } of fault.details) report(`is refused: ${message}`);
      }
    }
  }
  return { rows, diagnostics };
}

/** @param value  of the law at the inputs of the published one, in coherent SI */
export function agrees(value: number, unit: string, { value: printed, tolerance }: PublishedValue): boolean {
  return Math.abs(fromCoherent(value, unit) - printed) <= tolerance;
}

export function checkPublished(
  { operator, program }: PreparedOperator,
  rows: readonly PublishedRow[],
  evaluator: Evaluator,
): Diagnostic[] {
  const values = evaluator.values(
    program,
    rows.map(({ row }) => row),
  );
  return rows.flatMap(({ number, published }, i) => {
    if (agrees(values[i] ?? Number.NaN, operator.output.unit, published)) return [];
    return [error(`published value ${number} is missed by more than its tolerance of ${published.tolerance}`, FIX)];
  });
}
