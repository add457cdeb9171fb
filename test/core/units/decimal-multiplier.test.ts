// Decimals times a ratio: the same bits as fractions of big integers.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBits } from '../../../src/core/bits.ts';
import { decimalMultiplier } from '../../../src/core/units/decimal-multiplier.ts';
import { decimalTimes, fromDouble, rational, toNumber } from '../../../src/core/units/rational.ts';

const RATIOS = [
  rational(5n, 18n),
  rational(1n, 3n),
  rational(1000n),
  rational(1n, 10n ** 24n),
  rational(31_557_600n),
  rational(1_602_176_634n, 10n ** 28n),
  rational(314_159_265_358_979_323_846n, 18n * 10n ** 21n),
  // With these the fractions decide: a factor would leave the range of doubles.
  rational(1n, 10n ** 290n),
  rational(7n ** 380n),
];

const values = fc
  .oneof(
    { weight: 3, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
    { weight: 3, arbitrary: fc.double({ min: -1e4, max: 1e4, noNaN: true }) },
    fc
      .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: -20, max: 20 }))
      .map(([digits, power]) => Number(`${digits}e${power}`)),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 1n, max: 2n ** 52n - 1n }).map(fromBits),
    fc.constantFrom(5e-324, 2 ** -1022, Number.MAX_VALUE, 1e21, 123456789012345680000, 9.999999999999999e22, 1e-7),
  )
  .filter((value) => value !== 0);

test.each(RATIOS)('values times $numerator/$denominator have the bits of fractions', (ratio) => {
  const times = decimalMultiplier(ratio);
  fc.assert(
    fc.property(values, (value) => {
      expect(times(value)).toBe(decimalTimes(String(value), ratio));
    }),
    { numRuns: 3_000, seed: 3 },
  );
});

test('where the exact product is halfway between two doubles, or nearly, the even one is taken', () => {
  const half = decimalMultiplier(rational(1n, 2n ** 53n));
  expect(half(2 ** 53 + 2)).toBe(1 + 2 ** -52);
  // 1 + 2^-53 and its neighbours beyond 2^-68 of it.
  const tie = rational(2n ** 53n + 1n, 2n ** 53n);
  for (const numerator of [tie.numerator * 2n ** 30n - 1n, tie.numerator * 2n ** 30n, tie.numerator * 2n ** 30n + 1n]) {
    const ratio = rational(numerator, 2n ** 83n);
    expect(decimalMultiplier(ratio)(1)).toBe(toNumber(ratio));
  }
  expect(decimalMultiplier(rational(2n ** 83n + 2n ** 30n + 1n, 2n ** 83n))(1)).toBe(1 + 2 ** -52);
  expect(decimalMultiplier(tie)(1)).toBe(1);
});

test('a double is a fraction with the same value', () => {
  for (const value of [1, 0.1, 2 ** -1022, Number.MAX_VALUE, 3, 2 ** 52 + 1]) {
    const { numerator, denominator } = fromDouble(value);
    expect(toNumber({ numerator, denominator })).toBe(value);
    expect((denominator & (denominator - 1n)) === 0n).toBe(true);
  }
});
