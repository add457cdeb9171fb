// The steps of a precise evaluation, counted before it runs, in the unit of `LIMITS.expression.precise`.

import { LIMITS } from '../../core/limits.ts';
import { childrenOf, type Expression, type Sum } from '../tree.ts';
import type { Formula } from './evaluate.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE } from './functions.ts';

/** Nanoseconds of a step of a precise evaluation: at most a microsecond. */
export const NS_PER_PRECISE_STEP = 1_000;

/** An upper bound of the steps: both branches of a choice, and every term of a sum, count. */
export function expectedSteps({ expression, where }: Formula): number {
  const trees = [...where.map((one) => one.expression), expression];
  const steps = trees.reduce((total, tree) => total + stepsOf(tree), 0);
  // The evaluation ends with the step that exceeds its budget.
  return Math.min(steps, LIMITS.expression.precise);
}

function stepsOf(node: Expression): number {
  if (node.kind === 'sum') return 1 + stepsOf(node.from) + stepsOf(node.to) + termsOf(node) * stepsOf(node.term);
  const name = node.kind === 'call' ? node.name : node.kind === 'binary' ? node.operator : '';
  const children = childrenOf(node);
  const applied = Math.max(1, children.length - 1);
  const own = 1 + applied * (FUNCTIONS_IN_DOUBLE_DOUBLE.get(name)?.steps ?? 0);
  return children.reduce((total, child) => total + stepsOf(child), own);
}

/** The maximum number where a bound is not a literal. */
function termsOf({ from, to }: Sum): number {
  const { sumTerms } = LIMITS.expression;
  if (from.kind !== 'number' || to.kind !== 'number') return sumTerms;
  return Math.min(sumTerms, Math.max(0, to.value - from.value + 1));
}
