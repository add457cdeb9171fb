// Branches: each side of every `condition ? yes : no` is taken by some example.

import { assemble } from '../../expressions/bytecode.ts';
import { printExpression } from '../../expressions/print.ts';
import { type Choice, childrenOf, type Expression } from '../../expressions/tree.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import type { PreparedOperator } from './prepared-operator.ts';

const ONE = number(1);
const ZERO = number(0);

interface Branch {
  readonly choice: Choice;
  readonly side: 'first' | 'second';
  /** Counts how often the side is taken. */
  readonly taken: Expression;
}

export function checkBranches(
  { equation, where, program }: PreparedOperator,
  examples: readonly ExampleRow[],
  evaluator: Evaluator,
): Diagnostic[] {
  const rows = examples.map(({ row }) => row);
  const places = [...where.map(({ expression }) => expression), equation.expression];
  return places.flatMap((place, i) =>
    branchesOf(place, (inside) => inside)
      .filter(({ taken }) => {
        const counter = assemble(taken, program.slots, where.slice(0, i));
        return !evaluator.values(counter, rows).some((count) => count > 0);
      })
      .map(({ choice, side }) => {
        const text = `no example takes the ${side} branch of ${printExpression(choice.condition)} ? ... : ...`;
        return error(text, 'Add an example for it, computed by an independent route.');
      }),
  );
}

/**
 * @param reach  turns a count at this node into a count over the whole expression: 0 where an enclosing choice
 *   takes its other branch, added up where an enclosing sum repeats the node
 */
function branchesOf(node: Expression, reach: (inside: Expression) => Expression): Branch[] {
  if (node.kind === 'choice') {
    const { condition } = node;
    const when = (yes: Expression, no: Expression): Expression => ({ ...node, condition, yes, no });
    return [
      { choice: node, side: 'first', taken: reach(when(ONE, ZERO)) },
      { choice: node, side: 'second', taken: reach(when(ZERO, ONE)) },
      ...branchesOf(condition, reach),
      ...branchesOf(node.yes, (inside) => reach(when(inside, ZERO))),
      ...branchesOf(node.no, (inside) => reach(when(ZERO, inside))),
    ];
  }
  if (node.kind === 'sum') {
    return [
      ...branchesOf(node.from, reach),
      ...branchesOf(node.to, reach),
      ...branchesOf(node.term, (inside) => reach({ ...node, term: inside })),
    ];
  }
  return childrenOf(node).flatMap((child) => branchesOf(child, reach));
}

function number(value: number): Expression {
  return { kind: 'number', value, start: 0, end: 0 };
}
