// Joint conditions of a law over its inputs, which ranges of single inputs cannot express: `g < r`, `A1*F12 <= A2`.
//
// They are decided in double-double arithmetic. Where both sides agree to within rounding they count as equal, so that
// 0.3*0.1 <= 0.03 holds.

import type { ErrorDetail } from '../core/errors.ts';
import { expressionInvalid } from '../expressions/invalid.ts';
import { parseExpression } from '../expressions/parse.ts';
import { type Binary, type Expression, symbolsOf } from '../expressions/tree.ts';
import { type Formula, verifyValue } from '../expressions/verify.ts';
import type { OperatorDefinition } from './operator.ts';
import { fromCoherent } from './unit-table.ts';

export interface Requirement {
  readonly text: string;
  readonly condition: Binary;
}

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '!=']);

/** @throws DomainError EXPRESSION_INVALID for a text that is not one comparison */
export function parseRequirement(text: string): Requirement {
  const condition = parseExpression(text);
  if (condition.kind !== 'binary' || !COMPARISONS.has(condition.operator)) {
    throw expressionInvalid(condition.start, { found: text, expected: 'one comparison by <, <=, >, >= or !=' });
  }
  return { text, condition };
}

/** A law and the values of its symbols. */
interface Checked {
  readonly definition: OperatorDefinition;
  readonly requirements: readonly Requirement[];
  readonly where: Formula['where'];
  /** Of inputs and constants, in coherent units. */
  readonly values: ReadonlyMap<string, number>;
}

/** One detail for each condition that does not hold, with the numbers in their declared units. */
export function unmetRequirements({ definition, requirements, where, values }: Checked): ErrorDetail[] {
  return requirements
    .filter(({ condition }) => !holds(condition, where, values))
    .map(({ text, condition }) => {
      const inputs = inputsOf(condition, where).filter((symbol) => Object.hasOwn(definition.inputs, symbol));
      const numbers = inputs.map((symbol) => {
        const unit = definition.inputs[symbol]?.unit ?? '1';
        const value = fromCoherent(values.get(symbol) ?? Number.NaN, unit);
        return `${symbol} = ${Number(value.toPrecision(12))}${unit === '1' ? '' : ` ${unit}`}`;
      });
      const message = `${definition.id} requires ${text}, which does not hold for ${numbers.join(', ')}.`;
      return { path: `inputs.${inputs[0] ?? ''}`, code: 'REQUIREMENT', message };
    });
}

/** Roundings of a few products and sums, relative to the largest summand. */
const SLACK = 8 * Number.EPSILON;

/** Whether a comparison holds. @param values  of inputs and constants, in coherent units */
export function holds(
  { operator, left, right }: Binary,
  where: Formula['where'],
  values: ReadonlyMap<string, number>,
): boolean {
  const a = verifyValue({ expression: left, where }, values);
  const b = verifyValue({ expression: right, where }, values);
  const difference = a.reference - b.reference;
  if (Number.isNaN(difference)) return false;
  const isEqual = Math.abs(difference) <= SLACK * Math.max(a.scale, b.scale);
  switch (operator) {
    case '<':
      return difference < 0 && !isEqual;
    case '<=':
      return difference < 0 || isEqual;
    case '>':
      return difference > 0 && !isEqual;
    case '>=':
      return difference > 0 || isEqual;
    default:
      return !isEqual;
  }
}

/** The definitions that an expression needs, directly or through others. */
function usedBy(expression: Expression, where: Formula['where']): Formula['where'] {
  const needed = new Set(symbolsOf(expression));
  const used: Formula['where'][number][] = [];
  for (const one of where.toReversed()) {
    if (!needed.has(one.name)) continue;
    for (const symbol of symbolsOf(one.expression)) needed.add(symbol);
    used.unshift(one);
  }
  return used;
}

/** Symbols of a condition, those of the definitions that it uses in place of their names. */
function inputsOf(condition: Expression, where: Formula['where']): readonly string[] {
  const expressions = [condition, ...usedBy(condition, where).map(({ expression }) => expression)];
  return [...new Set(expressions.flatMap((one) => [...symbolsOf(one)]))];
}
