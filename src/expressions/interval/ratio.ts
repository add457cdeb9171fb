// Quotients whose divisor is the argument of the dividend.

import { printExpression } from '../print.ts';
import type { Binary } from '../tree.ts';

/** Of `expm1(x)/x`, 1, and of `-expm1(-x)/x`, −1; undefined for another quotient. */
export function signOfExpm1Ratio({ left, right }: Binary): 1 | -1 | undefined {
  const [call, sign] =
    left.kind === 'unary' && left.operator === '-' ? ([left.operand, -1] as const) : ([left, 1] as const);
  if (call.kind !== 'call' || call.name !== 'expm1') return undefined;
  const [operand] = call.operands;
  if (operand === undefined) return undefined;
  const isNegated = sign < 0 && operand.kind === 'unary' && operand.operator === '-';
  const argument = isNegated ? operand.operand : operand;
  return sign < 0 === isNegated && printExpression(argument) === printExpression(right) ? sign : undefined;
}
