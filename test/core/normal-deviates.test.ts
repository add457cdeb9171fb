import { expect, test } from 'vitest';
import { normalDeviate, philox } from '../../src/core/normal-deviates.ts';

test('Philox gives the published words', () => {
  // kat_vectors of Random123 1.14: philox4x32 with 10 rounds.
  expect(philox([0, 0, 0, 0], [0, 0])).toEqual([0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  const ones = 0xffffffff;
  expect(philox([ones, ones, ones, ones], [ones, ones])).toEqual([0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
});

test('deviates have the moments of a normal distribution, and streams are independent', () => {
  const count = 4_000;
  const [first, second] = [0, 1].map((stream) => Array.from({ length: count }, (_, i) => normalDeviate(7, stream, i)));
  const mean = (values: readonly number[] = []) => values.reduce((sum, value) => sum + value, 0) / count;
  expect(Math.abs(mean(first))).toBeLessThan(4 / Math.sqrt(count));
  expect(Math.abs(mean(first?.map((value) => value * value)) - 1)).toBeLessThan(4 * Math.sqrt(2 / count));
  expect(Math.abs(mean(first?.map((value, i) => value * (second?.[i] ?? 0))))).toBeLessThan(4 / Math.sqrt(count));
  expect(normalDeviate(7, 0, 5)).toBe(first?.[5]);
  expect(normalDeviate(8, 0, 5)).not.toBe(first?.[5]);
  expect(normalDeviate(7 + 2 ** 32, 0, 5)).not.toBe(first?.[5]);
});
