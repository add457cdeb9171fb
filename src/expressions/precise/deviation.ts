// The deviation of the machine's value from the second evaluation.

import { ulpDistance } from '../../core/bits.ts';
import * as dd from './double-double.ts';
import type { PreciseValue } from './evaluate.ts';

export interface Deviation {
  /** |value - reference| over the larger of |reference| and its scale. */
  readonly relative: number;
  /** Number of doubles from the rounded reference to the value. */
  readonly ulp: number;
  /** The deviation is at most the bound of rounding errors. */
  readonly isWithinBound: boolean;
}

/** Equal infinities, and two NaN, have no deviation. */
export function deviationFrom({ value, low, bound, scale }: PreciseValue, other: number): Deviation {
  const isSame = other === value || (Number.isNaN(other) && Number.isNaN(value));
  const ulp = isSame ? 0 : ulpDistance(other, value);
  if (!Number.isFinite(other) || !Number.isFinite(value)) {
    return { relative: isSame ? 0 : Number.POSITIVE_INFINITY, ulp, isWithinBound: isSame };
  }
  const distance = Math.abs(dd.subtract(dd.exactly(other), { high: value, low }).high);
  const relative = distance === 0 ? 0 : distance / Math.max(Math.abs(value), scale);
  return { relative, ulp, isWithinBound: distance <= bound };
}
