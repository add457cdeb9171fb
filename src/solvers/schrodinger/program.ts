// Compiles a custom potential, an expression in x, for the expression machine of the kernel.

import { LIMITS } from '../../core/limits.ts';
import { assemble } from '../../expressions/bytecode.ts';
import { operationCount } from '../../expressions/operation-count.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { symbolsOf } from '../../expressions/tree.ts';

export interface Program {
  readonly code: Int32Array;
  readonly pool: Float64Array;
  /** Slot 0 is x; the others are constants. */
  readonly slots: Float64Array;
  /** Approximate number of operations per value. */
  readonly operations: number;
  /** Whether the particle's mass is part of the expression. */
  readonly usesMass: boolean;
}

/**
 * @param constants  symbols allowed in the expression besides x
 * @throws DomainError EXPRESSION_INVALID
 */
export function programOf(text: string, constants: Readonly<Record<string, number>>): Program {
  const tree = parseExpression(text);
  const values = new Map([['x', 0], ...Object.entries(constants)]);
  const { code, pool, slots } = assemble(tree, [...values.keys()]);
  return {
    code,
    pool,
    slots: Float64Array.from(slots, (name) => values.get(name) ?? Number.NaN),
    operations: Math.min(LIMITS.expression.steps, operationCount(tree)),
    usesMass: symbolsOf(tree).has('mass'),
  };
}
