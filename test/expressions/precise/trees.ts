// Random expressions of everything that the language has, with numbers of everyday size.

import fc from 'fast-check';
import { FUNCTIONS } from '../../../src/expressions/functions.ts';
import type { BinaryOperator, Expression } from '../../../src/expressions/tree.ts';

export const SYMBOLS = ['x', 'y', 'n'] as const;

const nowhere = { start: 0, end: 0 };
const number = (value: number): Expression => ({ kind: 'number', value, ...nowhere });
const symbol = (name: string): Expression => ({ kind: 'symbol', name, ...nowhere });
const call = (name: string, ...operands: Expression[]): Expression => ({ kind: 'call', name, operands, ...nowhere });

const OPERATORS: readonly BinaryOperator[] = ['+', '-', '*', '/', '^'];
const CONDITIONS: readonly BinaryOperator[] = ['<', '<=', '>', '>=', '==', '!=', 'and', 'or'];
const names = [...FUNCTIONS].filter(([, { arity }]) => arity === 1).map(([name]) => name);
/** Their first argument is a whole number, or a branch. */
const ORDERED = ['besselj', 'besseli', 'besselk', 'choose'];

/** The expression whose numbers are doubles themselves, not what was rounded to them. */
export const ofDoubles = (tree: Expression): Expression =>
  JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'remainder' ? undefined : value)));

/** Values of x, y and n: two numbers and a small whole one. */
export const symbolValues = fc
  .tuple(
    fc.double({ min: 0.01, max: 20, noNaN: true }),
    fc.double({ min: -5, max: 5, noNaN: true }).filter((y) => Math.abs(y) > 1e-290),
    fc.integer({ min: 0, max: 12 }),
  )
  .map(([x, y, n]) => ({ x, y, n }));

export const expressions: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(0, 0.5, 1, 2, 3, 10, 1e-3, 0.1, 273.15).map(number),
      fc.constantFrom(...SYMBOLS).map(symbol),
      fc.constant<Expression>({ kind: 'constant', name: 'pi', ...nowhere }),
    ),
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...OPERATORS), tie('tree'), tie('tree'))
        .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right, ...nowhere })),
      weight: 4,
    },
    { arbitrary: fc.tuple(fc.constantFrom(...names), tie('tree')).map(([name, x]) => call(name, x)), weight: 3 },
    fc
      .tuple(fc.constantFrom('min', 'max', 'hypot', 'atan2'), tie('tree'), tie('tree'))
      .map(([name, x, y]) => call(name, x, y)),
    fc.tuple(fc.constantFrom(...ORDERED), tie('tree')).map(([name, x]) => call(name, symbol('n'), x)),
    fc.tuple(fc.constantFrom(0, -1), tie('tree')).map(([branch, x]) => call('lambertw', number(branch), x)),
    fc
      .tuple(fc.constantFrom('-' as const, 'not' as const), tie('tree'))
      .map(([operator, operand]): Expression => ({ kind: 'unary', operator, operand, ...nowhere })),
    fc
      .tuple(fc.constantFrom(...CONDITIONS), tie('tree'), tie('tree'), tie('tree'), tie('tree'))
      .map(([operator, left, right, yes, no]): Expression => {
        const condition: Expression = { kind: 'binary', operator, left, right, ...nowhere };
        return { kind: 'choice', condition, yes, no, ...nowhere };
      }),
    fc.tuple(fc.integer({ min: 0, max: 4 }), tie('tree')).map(([to, term]): Expression => {
      const body: Expression = { kind: 'binary', operator: '*', left: symbol('k'), right: term, ...nowhere };
      return { kind: 'sum', index: 'k', from: number(0), to: number(to), term: body, ...nowhere };
    }),
  ),
})).tree;
