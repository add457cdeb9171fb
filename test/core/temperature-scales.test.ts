// Readings in degrees Celsius and Fahrenheit: each conversion has one rounding.

import { expect, test } from 'vitest';
import { convertReading, parseReadingUnit } from '../../src/core/temperature-scales.ts';

test.each([
  [20, 'degC', 'K', 293.15],
  [0, 'K', 'degC', -273.15],
  [8.1, 'degC', 'degF', 46.58],
  [-40, 'degF', 'degC', -40],
  [212, 'degF', 'K', 373.15],
  [300_000, 'mK', 'degC', 26.85],
  [21.3, 'degC', 'degC', 21.3],
  [4.35, 'm', 'cm', 435],
])('%s %s is %s in %s', (value, from, to, expected) => {
  expect(convertReading(value, from, to)).toBe(expected);
});

test('a temperature is no length, and a scale is no part of a product', () => {
  expect(() => convertReading(1, 'degC', 'm')).toThrow('the dimensions differ');
  expect(() => parseReadingUnit('W/degC')).toThrow('degC');
  expect(() => parseReadingUnit('degX')).toThrow('degX');
});
