// Comparisons of two intervals: decided where they hold for all of their numbers, or for none.

import type { BinaryOperator } from '../tree.ts';
import { type Interval, isPoint } from './interval.ts';

/** `true` and `false` where an interval decides; undefined where it does not. */
export type Truth = boolean | undefined;

export const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['<', '<=', '>', '>=', '==', '!=']);

export function compare(operator: BinaryOperator, a: Interval, b: Interval): Truth {
  const isLess = a.hi < b.lo;
  const isGreater = a.lo > b.hi;
  switch (operator) {
    case '<':
      return isLess ? true : a.lo >= b.hi ? false : undefined;
    case '<=':
      return a.hi <= b.lo ? true : isGreater ? false : undefined;
    case '>':
      return isGreater ? true : a.hi <= b.lo ? false : undefined;
    case '>=':
      return a.lo >= b.hi ? true : isLess ? false : undefined;
    default: {
      const isEqual = isPoint(a) && isPoint(b) && a.lo === b.lo;
      if (!isEqual && !isLess && !isGreater) return undefined;
      return isEqual === (operator === '==');
    }
  }
}
