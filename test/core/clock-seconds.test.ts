import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nsFromSeconds, roundingOfSeconds, secondsFromNs } from '../../src/core/clock.ts';

test('seconds are read as the decimal number that is written for them', () => {
  expect(nsFromSeconds(1_790_000_000.123)).toBe(1_790_000_000_123_000_000n);
  expect(nsFromSeconds(0)).toBe(0n);
  expect(nsFromSeconds(0.777000777)).toBe(777_000_777n);
  expect(nsFromSeconds(1e-9)).toBe(1n);
  expect(nsFromSeconds(4e-10)).toBe(0n);
  expect(nsFromSeconds(1.5e-9)).toBe(2n);
  expect(nsFromSeconds(253_402_300_799)).toBe(253_402_300_799_000_000_000n);
  expect(nsFromSeconds(0.9999999999)).toBe(1_000_000_000n);
});

test('more than nine decimals are rounded', () => {
  expect([1, 0.123456789, 1_790_000_000.123456].map(roundingOfSeconds)).toEqual([0, 0, 0]);
  expect([1 / 3, 1e-10].map(roundingOfSeconds)).toEqual([5e-10, 5e-10]);
});

test('nanoseconds come back within the spacing of doubles', () => {
  const ns = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n });
  fc.assert(
    fc.property(ns, (one) => {
      const difference = nsFromSeconds(secondsFromNs(one)) - one;
      expect(difference < 480n && difference > -480n).toBe(true);
    }),
  );
});
