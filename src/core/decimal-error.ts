// Distance between a double and the decimal number that it was read from.

/** Unit roundoff of a double. */
export const ROUNDOFF = 2 ** -53;

/**
 * Bound of the distance between a double and the decimal number that people write for it: 0 if the double is that
 * number, as 0.5 and 1e20, but not 0.1 and 1e23.
 */
export function decimalError(value: number): number {
  if (!Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return 0;
  return isDecimal(value) ? 0 : Math.max(ROUNDOFF * Math.abs(value), Number.MIN_VALUE);
}

/** Whether the shortest decimal number that reads as this double is the double exactly. */
function isDecimal(value: number): boolean {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const power = Number(exponent) - fraction.length;
  const significand = BigInt(whole + fraction);
  if (power >= 0) return BigInt(Math.abs(value)) === significand * 10n ** BigInt(power);
  // significand / 10^k is a binary fraction only if 5^k divides the significand, which has at most 17 digits.
  return -power < 25 && significand % 5n ** BigInt(-power) === 0n;
}
