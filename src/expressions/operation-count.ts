// The cost of an expression before it is compiled.

import { LIMITS } from '../core/limits.ts';
import { childrenOf, type Expression } from './tree.ts';

/** Nodes visited by one evaluation: a sum counts its terms, the maximum number if its bounds are not literals. */
export function operationCount(node: Expression): number {
  if (node.kind !== 'sum') return childrenOf(node).reduce((total, child) => total + operationCount(child), 1);
  const { from, to, term } = node;
  const hasLiteralBounds = from.kind === 'number' && to.kind === 'number';
  const terms = hasLiteralBounds ? Math.max(0, to.value - from.value + 1) : LIMITS.expression.sumTerms;
  // The term is counted once: counted again for itself, sums in sums would double the time at every level.
  return 1 + operationCount(from) + operationCount(to) + terms * operationCount(term);
}
