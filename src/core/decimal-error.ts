// Distance between a double and the decimal number that it was read from.

import { decimalRemainder } from './decimal.ts';

/** Unit roundoff of a double. */
export const ROUNDOFF = 2 ** -53;

const MIN_NORMAL = 2.2250738585072014e-308;

/**
 * Distance between a double and the shortest decimal number that reads as it, which is what people write for it: 0 if the
 * double is that number, as 0.5 and 1e20, but not 0.1 and 1e23.
 */
export function decimalError(value: number): number {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0) return 0;
  // The remainder is rounded itself.
  return size < MIN_NORMAL ? Number.MIN_VALUE : Math.abs(decimalRemainder(String(size), size)) * (1 + 2 ** -50);
}
