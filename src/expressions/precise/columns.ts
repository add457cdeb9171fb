// The second evaluation of an expression for many values of its symbols: node by node, with a column for each part instead
// of objects for each value. The numbers are those of evaluate.ts, bit for bit, which stays the reference.
//
// The parts of a branch are evaluated where a row takes it, or may take it by rounding; where none does, not at all. An
// expression that sums has no columns: how often its nodes are evaluated depends on the values.

import { LIMITS } from '../../core/limits.ts';
import type { Binary, BinaryOperator, Choice, Expression } from '../tree.ts';
import {
  applyFunction,
  type BoundedValue,
  exactValue,
  negatedValue,
  orderOf,
  productOf,
  quotientOf,
  SUM_MARGIN,
  sumOf,
} from './bounded-value.ts';
import type { Formula, Values } from './evaluate.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE } from './functions.ts';
import * as many from './many.ts';
import {
  ambiguousChoice,
  BINARY_OPERATIONS,
  COMPARISONS,
  differenceOf,
  FUNCTION_OPERATIONS,
  foldedCall,
  logicOf,
  stepsOfBinary,
  stepsOfFunction,
  truthOf,
  truthValue,
  UNKNOWN,
  valueOfLiteral,
} from './operations.ts';

/** Values that are evaluated at once: few enough that the columns of a law stay near the processor. */
export const COLUMN_LENGTH = many.MANY;

/** Bounded values, part by part. */
class Column implements many.DoubleDoubles {
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

/** The rows in which a part is evaluated. */
class Branch {
  readonly #isActive = new Uint8Array(COLUMN_LENGTH);
  readonly #isTaken = new Uint8Array(COLUMN_LENGTH);
  isEmpty = true;
  /** Whether all rows are in it. */
  isFull = false;

  isActive(row: number): boolean {
    return this.#isActive[row] === 1;
  }

  /** Whether a value that is not finite counts there: not in a row that takes the branch at most by rounding. */
  isTaken(row: number): boolean {
    return this.#isTaken[row] === 1;
  }

  set(row: number, isActive: boolean, isTaken: boolean): void {
    this.#isActive[row] = isActive ? 1 : 0;
    this.#isTaken[row] = isTaken ? 1 : 0;
    if (isActive) this.isEmpty = false;
    else this.isFull = false;
  }
}

type Fill = (count: number) => void;

export class FormulaColumns {
  readonly #values: Values;
  readonly #parts = new Map<string, Part>();
  readonly #symbols = new Map<string, Float64Array>();
  readonly #fills: Fill[] = [];
  readonly #isFinite = new Uint8Array(COLUMN_LENGTH);
  readonly #result: Column;
  /** In which the parts are that are made now. */
  #branch: Branch | undefined;
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
      case 'unary': {
        const operand = this.#partOf(node.operand);
        return this.#visited(this.#pair(operand, NO_PART, node.operator === '-' ? negatedValue : notOf));
      }
      case 'binary':
        if (node.operator === 'and' || node.operator === 'or') return this.#logic(node);
        return this.#visited(COMPARISONS.has(node.operator) ? this.#comparison(node) : this.#arithmetic(node));
      case 'choice':
        return this.#choice(node);
      case 'call': {
        const { name, operands } = node;
        const parts = operands.map((operand) => this.#partOf(operand));
        const operation = FUNCTION_OPERATIONS.get(name) ?? unknown;
        const ofMany = operands.length === 1 ? MANY_OPERATIONS.get(name) : undefined;
        const apply = (a: Part, b: Part) =>
          ofMany === undefined ? this.#pair(a, b, operation) : this.#pairs(a, b, operation, ofMany);
        return this.#visited(foldedCall(name, parts, { constant: (value) => fixed(exactValue(value)), apply }));
      }
      default:
        throw new Error(`A ${node.kind} has no column.`);
    }
  }

  #arithmetic({ operator, left, right }: Binary): Part {
    const [a, b] = [this.#partOf(left), this.#partOf(right)];
    const operation = BINARY_OPERATIONS.get(operator) ?? unknown;
    if (operator === '^') return this.#pairs(a, b, operation, loopOfPowers(operation));
    const loop = LOOPS.get(operator);
    return loop === undefined ? this.#pair(a, b, operation) : this.#filled(a, b, operation, loop);
  }

  #comparison({ operator, left, right }: Binary): Part {
    const holds = COMPARISONS.get(operator);
    return this.#pair(this.#compared(left), this.#compared(right), (a, b) => {
      const { order, isAmbiguous } = orderOf(a, b);
      return truthValue(holds?.(order) === true, isAmbiguous);
    });
  }

  /** A number that is compared is the double, as in evaluate.ts. */
  #compared(node: Expression): Part {
    if (node.kind === 'number') return fixed(exactValue(node.value));
    const isNegated = node.kind === 'unary' && node.operator === '-' && node.operand.kind === 'number';
    return isNegated
      ? this.#visited(this.#pair(this.#compared(node.operand), NO_PART, negatedValue))
      : this.#partOf(node);
  }

  #logic({ operator, left, right }: Binary): Part {
    const isAnd = operator === 'and';
    const first = this.#partOf(left);
    const second = this.#branched(right, (row) => {
      const { isTrue, isAmbiguous } = truthOf(first.column.at(row));
      return { isActive: isTrue === isAnd || isAmbiguous, isTaken: isTrue === isAnd };
    });
    return this.#chosen((row) => {
      const one = truthOf(first.column.at(row));
      if (one.isTrue !== isAnd && !one.isAmbiguous) return truthValue(!isAnd, false);
      const { isTrue, isAmbiguous } = logicOf(isAnd, one, truthOf(second.column.at(row)));
      return truthValue(isTrue, isAmbiguous);
    });
  }

  #choice({ condition, yes, no }: Choice): Part {
    const asked = this.#partOf(condition);
    if (asked.isFixed) {
      const { isTrue, isAmbiguous } = truthOf(asked.column.at(0));
      if (!isAmbiguous) return this.#partOf(isTrue ? yes : no);
    }
    const [one, other] = [true, false].map((side) =>
      this.#branched(side ? yes : no, (row) => {
        const { isTrue, isAmbiguous } = truthOf(asked.column.at(row));
        return { isActive: isTrue === side || isAmbiguous, isTaken: isTrue === side };
      }),
    ) as [Part, Part];
    return this.#chosen((row) => {
      const { isTrue, isAmbiguous } = truthOf(asked.column.at(row));
      const part = (isTrue ? one : other).column.at(row);
      return isAmbiguous ? ambiguousChoice(part, (isTrue ? other : one).column.at(row)) : part;
    });
  }

  /** A part of some of the rows in which the current branch is. */
  #branched(node: Expression, inRow: (row: number) => { readonly isActive: boolean; readonly isTaken: boolean }): Part {
    const [outer, inner] = [this.#branch, new Branch()];
    this.#fills.push((count) => {
      inner.isEmpty = true;
      inner.isFull = outer?.isEmpty !== true;
      if (outer?.isEmpty === true) return;
      for (let row = 0; row < count; row++) {
        const { isActive, isTaken } = outer?.isActive(row) === false ? NOWHERE : inRow(row);
        inner.set(row, isActive, isTaken && outer?.isTaken(row) !== false);
      }
    });
    this.#branch = inner;
    const part = this.#partOf(node);
    this.#branch = outer;
    return part;
  }

  #chosen(valueIn: (row: number) => BoundedValue): Part {
    const [column, branch] = [new Column(), this.#branch];
    this.#push((count) => {
      for (let row = 0; row < count; row++) if (branch?.isActive(row) !== false) column.set(row, valueIn(row));
    });
    return { column, isFixed: false };
  }

  #pair(a: Part, b: Part, operation: Operation): Part {
    const branch = this.#branch;
    return this.#filled(a, b, operation, (x, y, out, count) => {
      for (let row = 0; row < count; row++)
        if (branch?.isActive(row) !== false) out.set(row, operation(x.at(row), y.at(row)));
    });
  }

  /** As `#pair`, all at once where every row is in the current branch. */
  #pairs(a: Part, b: Part, operation: Operation, loop: Loop): Part {
    const branch = this.#branch;
    return this.#filled(a, b, operation, (x, y, out, count) => {
      if (branch === undefined || branch.isFull) loop(x, y, out, count);
      else
        for (let row = 0; row < count; row++) if (branch.isActive(row)) out.set(row, operation(x.at(row), y.at(row)));
    });
  }

  #filled(a: Part, b: Part, operation: Operation, loop: Loop): Part {
    if (a.isFixed && b.isFixed) return fixed(operation(a.column.at(0), b.column.at(0)));
    const column = new Column();
    this.#push((count) => loop(a.column, b.column, column, count));
    return { column, isFixed: false };
  }

  #visited(part: Part): Part {
    const [{ high }, branch] = [part.column, this.#branch];
    if (part.isFixed && Number.isFinite(high[0])) return part;
    if (part.isFixed && branch === undefined) this.#hasFixedInfinity = true;
    else {
      this.#push((count) => {
        for (let row = 0; row < count; row++)
          if (!Number.isFinite(high[row]) && branch?.isTaken(row) !== false) this.#isFinite[row] = 0;
      });
    }
    return part;
  }

  /** Where no row takes the current branch, nothing is evaluated. */
  #push(fill: Fill): void {
    const branch = this.#branch;
    this.#fills.push(
      branch === undefined
        ? fill
        : (count) => {
            if (!branch.isEmpty) fill(count);
          },
    );
  }
}

const NOWHERE = { isActive: false, isTaken: false };

function notOf(part: BoundedValue): BoundedValue {
  const { isTrue, isAmbiguous } = truthOf(part);
  return truthValue(!isTrue, isAmbiguous);
}

const NO_PART = fixed(exactValue(0));

/** Whether an expression has columns: it does not sum, and needs no more steps than one evaluation may. */
export function hasColumns({ expression, where }: Formula): boolean {
  const steps = [...where, { expression }].reduce((sum, one) => sum + stepsOf(one.expression), 0);
  return steps <= LIMITS.expression.precise;
}

/** As evaluate.ts counts them, if all branches are evaluated; infinite where they depend on the values. */
function stepsOf(node: Expression): number {
  switch (node.kind) {
    case 'unary':
      return 1 + stepsOf(node.operand);
    case 'binary':
      return 1 + stepsOfBinary(node.operator) + stepsOf(node.left) + stepsOf(node.right);
    case 'choice':
      return 1 + stepsOf(node.condition) + stepsOf(node.yes) + stepsOf(node.no);
    case 'call': {
      const own = stepsOfFunction(node.name) * Math.max(1, node.operands.length - 1);
      return node.operands.reduce((sum, operand) => sum + stepsOf(operand), 1 + own);
    }
    case 'sum':
      return Number.POSITIVE_INFINITY;
    default:
      return 1;
  }
}

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

/** Functions of one argument whose values are computed for a column at once. */
const MANY_OPERATIONS: ReadonlyMap<string, Loop> = new Map(
  [...FUNCTIONS_IN_DOUBLE_DOUBLE].flatMap(([name, f]): [string, Loop][] => {
    const { applyToMany } = f;
    if (applyToMany === undefined) return [];
    const loop: Loop = (a, b, out, count) => {
      applyToMany(a, values, count);
      for (let row = 0; row < count; row++) out.set(row, applyFunction(f, a.at(row), b.at(row), many.at(values, row)));
    };
    return [[name, loop]];
  }),
);

const POWER = FUNCTIONS_IN_DOUBLE_DOUBLE.get('^');

/** Of bases that are not negative; others need a whole exponent, for which `operation` looks. */
function loopOfPowers(operation: Operation): Loop {
  const applyToPairs = POWER?.applyToPairs;
  if (POWER === undefined || applyToPairs === undefined) throw new Error('Powers have a loop.');
  return (a, b, out, count) => {
    applyToPairs(a, b, values, count);
    for (let row = 0; row < count; row++) {
      const base = a.at(row);
      const exponent = b.at(row);
      const isNegative = base.value.high < 0;
      out.set(row, isNegative ? operation(base, exponent) : applyFunction(POWER, base, exponent, many.at(values, row)));
    }
  };
}

const values = many.many();
