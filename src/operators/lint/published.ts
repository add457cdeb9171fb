// Published values: the law gives the number that somebody else printed, within the tolerance of the printed digits.
// Neither the accuracy of the law nor the uncertainty of its constants widens the tolerance.

import { DomainError } from '../../core/errors.ts';
import { bindOperator } from '../evaluate.ts';
import { fromCoherent } from '../unit-table.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import type { PreparedOperator } from './prepared-operator.ts';

/** A wider one says nothing about the law. */
const MAX_RELATIVE_TOLERANCE = 0.05;

const FIX = 'Compare inputs, units and constants with those of the source; leave out what the source got wrong.';

export function checkPublished({ operator, program }: PreparedOperator, evaluator: Evaluator): Diagnostic[] {
  return (operator.published ?? []).flatMap(({ inputs, value, tolerance }, i) => {
    const name = `published value ${i + 1}`;
    const unknown = Object.keys(inputs).filter((key) => !Object.hasOwn(operator.inputs, key));
    if (unknown.length > 0) return [error(`${name} gives ${unknown.join(', ')}, which the law does not take`, FIX)];
    if (tolerance > MAX_RELATIVE_TOLERANCE * Math.abs(value)) {
      return [error(`${name} has a tolerance of more than ${100 * MAX_RELATIVE_TOLERANCE} %`, FIX)];
    }
    try {
      const bound = bindOperator(operator, inputs);
      const row = program.slots.map((slot) => bound[slot] ?? Number.NaN);
      const own = fromCoherent(evaluator.values(program, [row])[0] ?? Number.NaN, operator.output.unit);
      if (Math.abs(own - value) <= tolerance) return [];
      return [error(`${name} is missed by more than its tolerance of ${tolerance}`, FIX)];
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault;
      return fault.details.map(({ message }) => error(`${name} is refused: ${message}`, FIX));
    }
  });
}
