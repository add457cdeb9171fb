// How far a value that the machine computed lies from its second witness.

import { ulpDistance } from '../../core/bits.ts';
import { exactly, subtract } from './double-double.ts';
import type { PreciseValue } from './evaluate.ts';

export interface Deviation {
  /** |value - reference| over the larger of |reference| and its scale. */
  readonly relative: number;
  /** Doubles between the value and the rounded reference. */
  readonly ulp: number;
  /** The value lies no further off than roundings can bring it. */
  readonly isWithinBound: boolean;
}

/** Two infinities of one sign, and two NaN, do not differ. */
export function deviationFrom({ value, low, bound, scale }: PreciseValue, other: number): Deviation {
  const isSame = other === value || (Number.isNaN(other) && Number.isNaN(value));
  const ulp = isSame ? 0 : ulpDistance(other, value);
  if (!Number.isFinite(other) || !Number.isFinite(value)) {
    return { relative: isSame ? 0 : Number.POSITIVE_INFINITY, ulp, isWithinBound: isSame };
  }
  const distance = Math.abs(subtract(exactly(other), { high: value, low }).high);
  const relative = distance === 0 ? 0 : distance / Math.max(Math.abs(value), scale);
  return { relative, ulp, isWithinBound: distance <= bound };
}
