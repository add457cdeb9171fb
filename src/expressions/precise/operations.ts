// Operations of the expression language on bounded values: what a node has, from what its parts have.

import { FUNCTIONS } from '../functions.ts';
import type { BinaryOperator, Constant, NumberLiteral, TextLiteral, TruthLiteral } from '../tree.ts';
import {
  applyFunction,
  applyStep,
  type BoundedValue,
  exactValue,
  extremeOf,
  magnitudeOf,
  negatedValue,
  orderOf,
  productOf,
  quotientOf,
  roundedValue,
  snapped,
  sumOf,
} from './bounded-value.ts';
import { PI } from './constants.ts';
import * as dd from './double-double.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE, type PreciseFunction, STEP_FUNCTIONS } from './functions.ts';

/** Nothing is known of the value. */
export const UNKNOWN: BoundedValue = {
  value: { high: Number.NaN, low: 0 },
  errorBound: Number.POSITIVE_INFINITY,
  scale: Number.NaN,
};

const POWER = FUNCTIONS_IN_DOUBLE_DOUBLE.get('^');

/** A number stands for the decimal that the text states. */
export function valueOfLiteral(node: NumberLiteral | TruthLiteral | Constant | TextLiteral): BoundedValue {
  switch (node.kind) {
    case 'number':
      return node.remainder === undefined
        ? exactValue(node.value)
        : roundedValue({ high: node.value, low: node.remainder });
    case 'truth':
      return exactValue(node.value ? 1 : 0);
    case 'constant':
      return node.name === 'pi' ? roundedValue(PI) : UNKNOWN;
    case 'text':
      return UNKNOWN;
  }
}

/** A condition, and whether the machine may decide it otherwise. */
export interface Truth {
  readonly isTrue: boolean;
  readonly isAmbiguous: boolean;
}

export const truthValue = (isTrue: boolean, isAmbiguous: boolean): BoundedValue => ({
  ...exactValue(isTrue ? 1 : 0),
  errorBound: isAmbiguous ? 1 : 0,
});

const FALSE = exactValue(0);

/** 0 and NaN are false. */
export function truthOf(part: BoundedValue): Truth {
  const { order, isAmbiguous } = orderOf(part, FALSE);
  return { isTrue: order === 1 || order === -1, isAmbiguous };
}

export const COMPARISONS: ReadonlyMap<BinaryOperator, (order: number) => boolean> = new Map([
  ['<', (order: number) => order < 0],
  ['<=', (order: number) => order <= 0],
  ['>', (order: number) => order > 0],
  ['>=', (order: number) => order >= 0],
  ['==', (order: number) => order === 0],
  ['!=', (order: number) => order !== 0],
]);

/** Of the branch that is taken, if the machine may have the value of the other. */
export function ambiguousChoice(taken: BoundedValue, other: BoundedValue): BoundedValue {
  const difference = Math.abs(dd.subtract(taken.value, other.value).high) + other.errorBound;
  return {
    ...taken,
    errorBound: Number.isNaN(difference) ? Number.POSITIVE_INFINITY : Math.max(difference, taken.errorBound),
  };
}

/** Of `and` and `or` whose second operand was evaluated. */
export function logicOf(isAnd: boolean, first: Truth, second: Truth): Truth {
  return {
    isTrue: first.isTrue === isAnd ? second.isTrue : !isAnd,
    isAmbiguous: second.isAmbiguous || (first.isAmbiguous && second.isTrue === isAnd),
  };
}

export const differenceOf = (a: BoundedValue, b: BoundedValue): BoundedValue => sumOf(a, negatedValue(b));

type Operation = (a: BoundedValue, b: BoundedValue) => BoundedValue;

/** Of arithmetic and powers. */
export const BINARY_OPERATIONS: ReadonlyMap<BinaryOperator, Operation> = new Map<BinaryOperator, Operation>([
  ['+', sumOf],
  ['-', differenceOf],
  ['*', productOf],
  ['/', quotientOf],
  // The power of a negative base needs a whole exponent, which may be off by rounding.
  ['^', (a, b) => (POWER === undefined ? UNKNOWN : applyFunction(POWER, a, a.value.high < 0 ? snappedValue(b) : b))],
]);

/** Beside the one of every node. */
export const stepsOfBinary = (operator: BinaryOperator): number => (operator === '^' ? (POWER?.steps ?? 0) : 0);

/** Functions of one or two arguments; where there is no second one it is exactly 0. */
export const FUNCTION_OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...[...FUNCTIONS_IN_DOUBLE_DOUBLE].map(([name, f]) => [name, operationOf(f)] as const),
  ...[...STEP_FUNCTIONS].map(([name, step]) => [name, (a: BoundedValue) => applyStep(step, a).part] as const),
  ['abs', magnitudeOf],
  ['min', (a, b) => extremeOf(a, b, -1)],
  ['max', (a, b) => extremeOf(a, b, 1)],
]);

function operationOf(f: PreciseFunction): Operation {
  const { wholeArguments = 0 } = f;
  if (wholeArguments === 0) return (a, b) => applyFunction(f, a, b);
  return (a, b) => applyFunction(f, snappedValue(a), wholeArguments > 1 ? snappedValue(b) : b);
}

/** Beside the one of every node. */
export const stepsOfFunction = (name: string): number => FUNCTIONS_IN_DOUBLE_DOUBLE.get(name)?.steps ?? 0;

/** Whether the machine may be on another step. */
export function isAmbiguousStep(name: string, a: BoundedValue): boolean {
  const step = STEP_FUNCTIONS.get(name);
  return step !== undefined && applyStep(step, a).isAmbiguous;
}

/** A call of any number of arguments, two at a time; with its default where the first one is left out. */
export function foldedCall<Part>(
  name: string,
  parts: readonly Part[],
  { constant, apply }: { readonly constant: (value: number) => Part; readonly apply: (a: Part, b: Part) => Part },
): Part {
  const defaultFirst = FUNCTIONS.get(name)?.defaultFirst;
  const given = defaultFirst === undefined || parts.length > 1 ? parts : [constant(defaultFirst), ...parts];
  const [first = constant(Number.NaN), ...rest] = given;
  return rest.length === 0 ? apply(first, constant(0)) : rest.reduce(apply, first);
}

function snappedValue(part: BoundedValue): BoundedValue {
  return { ...part, value: snapped(part) };
}
