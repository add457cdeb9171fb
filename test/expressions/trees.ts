// Random syntax trees, and a walk over them in plain TypeScript to compare the machine with.

import fc from 'fast-check';
import type { BinaryOperator, Expression } from '../../src/expressions/tree.ts';

/** The symbols that random trees use. */
export const SYMBOLS = ['x', 'y', 'constructor', '__proto__'];

const nowhere = { start: 0, end: 0 };
const OPERATORS: BinaryOperator[] = ['+', '-', '*', '/', '<', '<=', '>', '>=', '==', '!=', 'and', 'or'];

/**
 * Trees without text and truth literals. Only operations whose result IEEE 754 fixes to the last bit occur, so that the
 * walk below must agree with the machine exactly.
 */
export const trees: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      fc.double({ min: 0, max: 1e9, noNaN: true }).map((value): Expression => ({ kind: 'number', value, ...nowhere })),
      fc.constantFrom(...SYMBOLS).map((name): Expression => ({ kind: 'symbol', name, ...nowhere })),
      fc.constant<Expression>({ kind: 'constant', name: 'pi', ...nowhere }),
    ),
    fc
      .tuple(fc.constantFrom('-' as const, 'not' as const), tie('tree'))
      .map(([operator, operand]): Expression => ({ kind: 'unary', operator, operand, ...nowhere })),
    fc
      .tuple(fc.constantFrom(...OPERATORS), tie('tree'), tie('tree'))
      .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right, ...nowhere })),
    fc
      .tuple(tie('tree'), tie('tree'), tie('tree'))
      .map(([condition, yes, no]): Expression => ({ kind: 'choice', condition, yes, no, ...nowhere })),
    fc
      .tuple(fc.constantFrom('sqrt', 'abs', 'floor', 'ceil'), tie('tree'))
      .map(([name, operand]): Expression => ({ kind: 'call', name, operands: [operand], ...nowhere })),
    fc
      .tuple(fc.constantFrom('min', 'max'), fc.array(tie('tree'), { minLength: 2, maxLength: 3 }))
      .map(([name, operands]): Expression => ({ kind: 'call', name, operands, ...nowhere })),
    fc
      .tuple(fc.constantFrom('x', 'k'), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5 }), tie('tree'))
      .map(([index, from, to, term]): Expression => {
        const bound = (value: number): Expression => ({ kind: 'number', value, ...nowhere });
        const indexed: Expression = { kind: 'symbol', name: index, ...nowhere };
        const body: Expression = { kind: 'binary', operator: '+', left: indexed, right: term, ...nowhere };
        return { kind: 'sum', index, from: bound(from), to: bound(to), term: body, ...nowhere };
      }),
  ),
})).tree;

/** What the tree means, in the plainest way. */
export function walk(node: Expression, values: ReadonlyMap<string, number>): number {
  const at = (child: Expression) => walk(child, values);
  const isTrue = (child: Expression) => Math.abs(at(child)) > 0;
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'constant':
      return Math.PI;
    case 'truth':
      return Number(node.value);
    case 'symbol':
      return values.get(node.name) ?? Number.NaN;
    case 'text':
      throw new Error('a text literal has no number');
    case 'unary':
      return node.operator === '-' ? -at(node.operand) : Number(!isTrue(node.operand));
    case 'choice':
      return isTrue(node.condition) ? at(node.yes) : at(node.no);
    case 'call': {
      const [first = Number.NaN, ...rest] = node.operands.map(at);
      if (node.name === 'min') return rest.reduce((least, value) => Math.min(least, value), first);
      if (node.name === 'max') return rest.reduce((most, value) => Math.max(most, value), first);
      if (node.name === 'sqrt') return Math.sqrt(first);
      if (node.name === 'abs') return Math.abs(first);
      return node.name === 'floor' ? Math.floor(first) : Math.ceil(first);
    }
    case 'sum': {
      let total = 0;
      for (let k = at(node.from); k <= at(node.to); k++) total += walk(node.term, new Map(values).set(node.index, k));
      return total;
    }
    case 'binary':
      if (node.operator === 'and') return Number(isTrue(node.left) && isTrue(node.right));
      if (node.operator === 'or') return Number(isTrue(node.left) || isTrue(node.right));
      return combine(node.operator, at(node.left), at(node.right));
  }
}

function combine(operator: BinaryOperator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '<':
      return Number(left < right);
    case '<=':
      return Number(left <= right);
    case '>':
      return Number(left > right);
    case '>=':
      return Number(left >= right);
    case '==':
      return Number(left === right);
    case '!=':
      return Number(left !== right);
    default:
      throw new Error(`${operator} is not compared here`);
  }
}
