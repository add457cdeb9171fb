// The objective as rows: sums of elements, each an expression of few variables and constants.

import { parseExpression } from '../../expressions/parse.ts';
import type { Expression } from '../../expressions/tree.ts';

/** An expression with the names of its local variables and constants; shared by many elements. */
export interface Shape {
  readonly expression: Expression;
  readonly locals: readonly string[];
  readonly constants: readonly string[];
}

export interface Element {
  readonly shape: Shape;
  /** Index of the variable that each local one is. */
  readonly variables: readonly number[];
  readonly constants: readonly number[];
}

/** How a row enters the sum: as it is, as its square, or as the square of its positive part. */
export const KINDS = { plain: 0, squared: 1, positive: 2 } as const;

export interface Row {
  readonly kind: keyof typeof KINDS;
  readonly elements: readonly Element[];
}

export interface Model {
  /** Of the variables. */
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

/** The names of locals and constants are separated by spaces. */
export function shapeOf(text: string, locals: string, constants = ''): Shape {
  const words = (one: string) => one.split(' ').filter((word) => word !== '');
  return { expression: parseExpression(text), locals: words(locals), constants: words(constants) };
}

export const elementOf = (shape: Shape, variables: readonly number[], constants: readonly number[] = []): Element => ({
  shape,
  variables,
  constants,
});

export const squared = (...elements: readonly Element[]): Row => ({ kind: 'squared', elements });

export const isSumOfSquares = ({ rows }: Model): boolean => rows.every(({ kind }) => kind !== 'plain');

/** x1, x2, … */
export const namesOf = (n: number): readonly string[] => Array.from({ length: n }, (_, j) => `x${j + 1}`);
