// The second evaluation of an expression for many values of its symbols: node by node, with a column for each part instead
// of objects for each value. The numbers are those of evaluate.ts, bit for bit, which stays the reference.
//
// An expression that branches or sums has no columns: which of its nodes are evaluated depends on the values.

import { LIMITS } from '../../core/limits.ts';
import type { BinaryOperator, Expression } from '../tree.ts';
import {
  type BoundedValue,
  exactValue,
  negatedValue,
  productOf,
  quotientOf,
  SUM_MARGIN,
  sumOf,
} from './bounded-value.ts';
import type { Formula, Values } from './evaluate.ts';
import {
  BINARY_OPERATIONS,
  differenceOf,
  FUNCTION_OPERATIONS,
  foldedCall,
  stepsOfBinary,
  stepsOfFunction,
  UNKNOWN,
  valueOfLiteral,
} from './operations.ts';

/** Values that are evaluated at once: few enough that the columns of a law stay near the processor. */
export const COLUMN_LENGTH = 128;

/** Bounded values, part by part. */
class Column {
  readonly high = new Float64Array(COLUMN_LENGTH);
  readonly low = new Float64Array(COLUMN_LENGTH);
  readonly errorBound = new Float64Array(COLUMN_LENGTH);
  readonly scale = new Float64Array(COLUMN_LENGTH);

  at(row: number): BoundedValue {
    const value = { high: this.high[row] as number, low: this.low[row] as number };
    return { value, errorBound: this.errorBound[row] as number, scale: this.scale[row] as number };
  }

  set(row: number, { value, errorBound, scale }: BoundedValue): void {
    this.high[row] = value.high;
    this.low[row] = value.low;
    this.errorBound[row] = errorBound;
    this.scale[row] = scale;
  }
}

/** The rows of a part that depends on a symbol with a column; of any other part the first row stands for all. */
interface Part {
  readonly column: Column;
  readonly isFixed: boolean;
}

type Fill = (count: number) => void;

export class FormulaColumns {
  readonly #values: Values;
  readonly #parts = new Map<string, Part>();
  readonly #symbols = new Map<string, Float64Array>();
  readonly #fills: Fill[] = [];
  readonly #isFinite = new Uint8Array(COLUMN_LENGTH);
  #result: Column;
  #hasFixedInfinity = false;

  /**
   * @param values   of the symbols that have the same value in every row
   * @param varying  the other symbols
   */
  constructor({ expression, where }: Formula, values: Values, varying: Iterable<string>) {
    this.#values = values;
    for (const name of varying) {
      const column = new Column();
      this.#symbols.set(name, column.high);
      this.#parts.set(name, { column, isFixed: false });
      this.#fills.push((count) => {
        for (let row = 0; row < count; row++) column.scale[row] = Math.abs(column.high[row] as number);
      });
    }
    for (const { name, expression: one } of where) this.#parts.set(name, this.#partOf(one));
    this.#result = this.#partOf(expression).column;
  }

  /** The column of a varying symbol, to be written before `evaluate`. */
  symbol(name: string): Float64Array {
    const column = this.#symbols.get(name);
    if (column === undefined) throw new Error(`${name} has no column.`);
    return column;
  }

  /** @param count  rows, at most COLUMN_LENGTH */
  evaluate(count: number): void {
    this.#isFinite.fill(this.#hasFixedInfinity ? 0 : 1);
    for (const fill of this.#fills) fill(count);
  }

  reference(row: number): number {
    return this.#result.high[row] as number;
  }

  bound(row: number): number {
    return (this.#result.errorBound[row] as number) * SUM_MARGIN;
  }

  scale(row: number): number {
    return this.#result.scale[row] as number;
  }

  hasFiniteParts(row: number): boolean {
    return this.#isFinite[row] === 1;
  }

  #partOf(node: Expression): Part {
    switch (node.kind) {
      case 'number':
      case 'truth':
      case 'constant':
      case 'text':
        return fixed(valueOfLiteral(node));
      case 'symbol':
        return this.#parts.get(node.name) ?? fixed(exactValue(this.#values.get(node.name) ?? Number.NaN));
      case 'unary':
        return this.#visited(this.#pair(this.#partOf(node.operand), NO_PART, negatedValue));
      case 'binary':
        return this.#visited(this.#binary(node.operator, this.#partOf(node.left), this.#partOf(node.right)));
      case 'call': {
        const { name, operands } = node;
        const parts = operands.map((operand) => this.#partOf(operand));
        const operation = FUNCTION_OPERATIONS.get(name) ?? unknown;
        const apply = (a: Part, b: Part) => this.#pair(a, b, operation);
        return this.#visited(foldedCall(name, parts, { constant: (value) => fixed(exactValue(value)), apply }));
      }
      default:
        throw new Error(`A ${node.kind} has no column.`);
    }
  }

  #binary(operator: BinaryOperator, a: Part, b: Part): Part {
    const [operation, loop] = [BINARY_OPERATIONS.get(operator) ?? unknown, LOOPS.get(operator)];
    return loop === undefined ? this.#pair(a, b, operation) : this.#filled(a, b, operation, loop);
  }

  #pair(a: Part, b: Part, operation: Operation): Part {
    return this.#filled(a, b, operation, (x, y, out, count) => {
      for (let row = 0; row < count; row++) out.set(row, operation(x.at(row), y.at(row)));
    });
  }

  #filled(a: Part, b: Part, operation: Operation, loop: Loop): Part {
    if (a.isFixed && b.isFixed) return fixed(operation(a.column.at(0), b.column.at(0)));
    const column = new Column();
    this.#fills.push((count) => loop(a.column, b.column, column, count));
    return { column, isFixed: false };
  }

  #visited(part: Part): Part {
    const { high } = part.column;
    if (part.isFixed) this.#hasFixedInfinity ||= !Number.isFinite(high[0]);
    else {
      this.#fills.push((count) => {
        for (let row = 0; row < count; row++) if (!Number.isFinite(high[row])) this.#isFinite[row] = 0;
      });
    }
    return part;
  }
}

const NO_PART = fixed(exactValue(0));

/** Whether an expression has columns: it does not branch or sum, and needs no more steps than one evaluation may. */
export function hasColumns({ expression, where }: Formula): boolean {
  const steps = [...where, { expression }].reduce((sum, one) => sum + stepsOf(one.expression), 0);
  return steps <= LIMITS.expression.precise;
}

/** As evaluate.ts counts them; infinite where they depend on the values. */
function stepsOf(node: Expression): number {
  switch (node.kind) {
    case 'unary':
      return node.operator === '-' ? 1 + stepsOf(node.operand) : Number.POSITIVE_INFINITY;
    case 'binary':
      return ARITHMETIC.has(node.operator)
        ? 1 + stepsOfBinary(node.operator) + stepsOf(node.left) + stepsOf(node.right)
        : Number.POSITIVE_INFINITY;
    case 'call': {
      const own = stepsOfFunction(node.name) * Math.max(1, node.operands.length - 1);
      return node.operands.reduce((sum, operand) => sum + stepsOf(operand), 1 + own);
    }
    case 'choice':
    case 'sum':
      return Number.POSITIVE_INFINITY;
    default:
      return 1;
  }
}

const ARITHMETIC: ReadonlySet<BinaryOperator> = new Set(['+', '-', '*', '/', '^']);

function fixed(value: BoundedValue): Part {
  const column = new Column();
  for (let row = 0; row < COLUMN_LENGTH; row++) column.set(row, value);
  return { column, isFixed: true };
}

const unknown = () => UNKNOWN;

type Operation = (a: BoundedValue, b: BoundedValue) => BoundedValue;
type Loop = (a: Column, b: Column, out: Column, count: number) => void;

/** A loop of its own for each operation, into which the engine inlines it: no value becomes an object. */
const LOOPS: ReadonlyMap<BinaryOperator, Loop> = new Map<BinaryOperator, Loop>([
  [
    '+',
    (a, b, out, count) => {
      for (let row = 0; row < count; row++) out.set(row, sumOf(a.at(row), b.at(row)));
    },
  ],
  [
    '-',
    (a, b, out, count) => {
      for (let row = 0; row < count; row++) out.set(row, differenceOf(a.at(row), b.at(row)));
    },
  ],
  [
    '*',
    (a, b, out, count) => {
      for (let row = 0; row < count; row++) out.set(row, productOf(a.at(row), b.at(row)));
    },
  ],
  [
    '/',
    (a, b, out, count) => {
      for (let row = 0; row < count; row++) out.set(row, quotientOf(a.at(row), b.at(row)));
    },
  ],
]);
