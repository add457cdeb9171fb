// Branches: each side of every `condition ? yes : no` is taken by some example.

import { assemble } from '../../expressions/bytecode.ts';
import { printExpression } from '../../expressions/print.ts';
import { type Choice, childrenOf, type Expression } from '../../expressions/tree.ts';
import type { Evaluator } from './evaluator.ts';
import type { ExampleRow } from './examples.ts';
import { type Complaint, error } from './finding.ts';
import type { Trial } from './trial.ts';

const ONE = number(1);
const NONE = number(0);

interface Branch {
  readonly choice: Choice;
  readonly side: 'first' | 'second';
  /** How often the side is taken: more than 0 when it is. */
  readonly taken: Expression;
}

export function checkBranches(
  { equation, where, program }: Trial,
  examples: readonly ExampleRow[],
  evaluator: Evaluator,
): Complaint[] {
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
 * @param reach  makes of "how often here" the number of times in the whole expression: 0 where another branch
 *   is taken further out, a sum where a sum stands further out
 */
function branchesOf(node: Expression, reach: (inside: Expression) => Expression): Branch[] {
  if (node.kind === 'choice') {
    const { condition } = node;
    const when = (yes: Expression, no: Expression): Expression => ({ ...node, condition, yes, no });
    return [
      { choice: node, side: 'first', taken: reach(when(ONE, NONE)) },
      { choice: node, side: 'second', taken: reach(when(NONE, ONE)) },
      ...branchesOf(condition, reach),
      ...branchesOf(node.yes, (inside) => reach(when(inside, NONE))),
      ...branchesOf(node.no, (inside) => reach(when(NONE, inside))),
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
