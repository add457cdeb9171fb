// Decides the choices of an expression whose conditions follow from what is known to be true or false.

import type { Expression } from '../../expressions/tree.ts';

/** The expression with each known name replaced by its truth, and with each choice that this decides replaced by its part. */
export function decideChoices(node: Expression, truths: ReadonlyMap<string, boolean>): Expression {
  const inner = (child: Expression) => decideChoices(child, truths);
  const truth = (value: boolean): Expression => ({ kind: 'truth', value, start: node.start, end: node.end });
  switch (node.kind) {
    case 'symbol': {
      const known = truths.get(node.name);
      return known === undefined ? node : truth(known);
    }
    case 'unary': {
      const operand = inner(node.operand);
      if (node.operator === 'not' && operand.kind === 'truth') return truth(!operand.value);
      return { ...node, operand };
    }
    case 'binary': {
      const [left, right] = [inner(node.left), inner(node.right)];
      if (node.operator === 'and' || node.operator === 'or') {
        // `and` is decided by a false, `or` by a true; the other truth leaves the other side.
        const decisive = node.operator === 'or';
        if (left.kind === 'truth') return left.value === decisive ? left : right;
        if (right.kind === 'truth') return right.value === decisive ? right : left;
      }
      return { ...node, left, right };
    }
    case 'choice': {
      const condition = inner(node.condition);
      if (condition.kind === 'truth') return inner(condition.value ? node.yes : node.no);
      return { ...node, condition, yes: inner(node.yes), no: inner(node.no) };
    }
    case 'call':
      return { ...node, operands: node.operands.map(inner) };
    default:
      return node;
  }
}
