// Deviation of the kernel's value from the reference value, which is evaluated in double-double arithmetic.

import { ulpDistance } from '../../core/bits.ts';
import * as dd from './double-double.ts';
import type { PreciseValue } from './evaluate.ts';

export interface Deviation {
  /** |value - reference| / max(|reference|, scale). */
  readonly relative: number;
  /** Distance from the rounded reference to the value, in units in the last place. */
  readonly ulp: number;
  /** |value - reference| is at most the bound of rounding errors. */
  readonly isWithinBound: boolean;
}

/** The deviation is zero for equal infinities and for two NaN. */
export function deviationFrom({ value: reference, low, bound, scale }: PreciseValue, value: number): Deviation {
  const isSame = value === reference || (Number.isNaN(value) && Number.isNaN(reference));
  const ulp = isSame ? 0 : ulpDistance(value, reference);
  if (!Number.isFinite(value) || !Number.isFinite(reference)) {
    return { relative: isSame ? 0 : Number.POSITIVE_INFINITY, ulp, isWithinBound: isSame };
  }
  const distance = Math.abs(dd.subtract(dd.exactly(value), { high: reference, low }).high);
  const relative = distance === 0 ? 0 : distance / Math.max(Math.abs(reference), scale);
  return { relative, ulp, isWithinBound: distance <= bound };
}
