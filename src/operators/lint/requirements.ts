// Requirements: joint conditions that some allowed inputs meet and others break, between quantities of one dimension.
//
// That the examples meet them is checked with the examples, and that their symbols are declared with the symbols.

import { DomainError } from '../../core/errors.ts';
import { dimensionOf, withDefinitions } from '../../expressions/dimensions.ts';
import { compileOperator } from '../evaluate.ts';
import { holds } from '../requirements.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import { type PreparedOperator, valuesAt } from './prepared-operator.ts';
import { boxPoints } from './sampling.ts';

/** Points of the box, of which one must meet a condition and one break it. */
const POINTS = 512;

export function checkRequirements(prepared: PreparedOperator): Diagnostic[] {
  const { operator, where, dimensions } = prepared;
  const { requirements } = compileOperator(operator);
  if (requirements.length === 0) return [];
  const points = boxPoints(prepared, POINTS).map((point) => valuesAt(prepared, point));
  const met = requirements.map(({ condition }) => points.map((values) => holds(condition, where, values)));
  const diagnostics = requirements.flatMap(({ text, condition }, i): Diagnostic[] => {
    try {
      dimensionOf(condition, withDefinitions(where, dimensions));
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault;
      return [error(`${text}: ${fault.message}`, 'Compare quantities of one dimension.')];
    }
    if (!met[i]?.includes(true)) {
      return [error(`no point of the declared box meets ${text}`, 'A law must have inputs that it takes.')];
    }
    // Equality hits no sample of a range.
    if (condition.operator !== '!=' && !met[i]?.includes(false)) {
      const fix = 'The ranges imply it already: remove it, or widen them to where the law holds.';
      return [error(`every point of the declared box meets ${text}`, fix)];
    }
    return [];
  });
  const isMet = points.some((_, at) => met.every((one) => one[at]));
  if (diagnostics.length > 0 || isMet) return diagnostics;
  return [error('no point of the declared box meets all requirements', 'A law must have inputs that it takes.')];
}
