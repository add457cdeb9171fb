import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalError } from '../../src/core/decimal-error.ts';

test.each([0, 1, -3, 0.5, 0.375, 1e20, 2 ** -15, 123456.75, 9007199254740992])('%d is its decimal number', (value) => {
  expect(decimalError(value)).toBe(0);
});

test.each([0.1, -0.3, 1e23, 1.7e-305, 6.62607015e-34, 0.999999999999, 5e-324])('%d is not', (value) => {
  expect(decimalError(value)).toBeGreaterThan(0);
  expect(decimalError(value)).toBeLessThanOrEqual(Math.max(2 ** -53 * Math.abs(value), Number.MIN_VALUE));
});

test('of any decimal number, the double is at most this far away', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 1, max: 20 }), (digits, places) => {
      const value = Number(`${digits}e-${places}`);
      // Exact distance times 10^places 2^k, with k binary places enough for every double of this size.
      const shift = 1100n;
      const exact = digits << shift;
      const [significand, exponent] = exactParts(value);
      const held = (significand * 10n ** BigInt(places)) << (shift + BigInt(exponent));
      const distance = held > exact ? held - exact : exact - held;
      const error = decimalError(value);
      if (error === 0) expect(distance).toBe(0n);
      const [errorDigits, errorExponent] = exactParts(error);
      expect(distance <= (errorDigits * 10n ** BigInt(places)) << (shift + BigInt(errorExponent))).toBe(true);
    }),
  );
});

/** A double as an integer times a power of two. */
function exactParts(value: number): readonly [bigint, number] {
  let [significand, exponent] = [value, 0];
  while (!Number.isInteger(significand)) {
    significand *= 2;
    exponent--;
  }
  return [BigInt(significand), exponent];
}
