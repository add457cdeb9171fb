// Joint conditions of a law over its inputs, which ranges of single inputs cannot express: `g < r`, `A1*F12 <= A2`.
//
// They are decided in double-double arithmetic. Where both sides agree to within rounding they count as equal, so that
// 0.3*0.1 <= 0.03 holds.

import type { ErrorDetail } from '../core/errors.ts';
import { expressionInvalid } from '../expressions/invalid.ts';
import { parseExpression } from '../expressions/parse.ts';
import { FormulaColumns, hasColumns } from '../expressions/precise/columns.ts';
import { type Binary, type BinaryOperator, type Expression, symbolsOf } from '../expressions/tree.ts';
import { type Formula, type Verified, verifyValue } from '../expressions/verify.ts';
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
  return isOrdered(operator, a, b);
}

type Side = Pick<Verified, 'reference' | 'scale'>;

function isOrdered(operator: BinaryOperator, a: Side, b: Side): boolean {
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

/** The requirements of an operator at many points: both sides in columns, with the bits of `holds`. */
export class RequirementColumns {
  readonly #sides: readonly { readonly operator: BinaryOperator; readonly sides: readonly FormulaColumns[] }[];

  /**
   * @param values   of the symbols that have the same value at every point
   * @param varying  the other symbols
   */
  constructor({ requirements, where, values }: Omit<Checked, 'definition'>, varying: readonly string[]) {
    this.#sides = requirements.map(({ condition: { operator, left, right } }) => ({
      operator,
      sides: [left, right].map(
        (expression) => new FormulaColumns({ expression, where: usedBy(expression, where) }, values, varying),
      ),
    }));
  }

  /** Whether all sides have columns. */
  static canHold({ requirements, where }: Pick<Checked, 'requirements' | 'where'>): boolean {
    return requirements.every(({ condition: { left, right } }) =>
      [left, right].every((expression) => hasColumns({ expression, where })),
    );
  }

  /** To be written before `evaluate`. */
  columnsOf(symbol: string): readonly Float64Array[] {
    return this.#sides.flatMap(({ sides }) => sides.map((side) => side.symbol(symbol)));
  }

  /** @param count  rows, at most COLUMN_LENGTH */
  evaluate(count: number): void {
    for (const { sides } of this.#sides) for (const side of sides) side.evaluate(count);
  }

  holds(row: number): boolean {
    return this.#sides.every(({ operator, sides }) => {
      const [a, b] = sides.map((side): Side => ({ reference: side.reference(row), scale: side.scale(row) }));
      return a !== undefined && b !== undefined && isOrdered(operator, a, b);
    });
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
