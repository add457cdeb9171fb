// Numbers with units for readers.

import { expect, test } from 'vitest';
import { coherentText, exactText, roundedText } from '../../../src/protocol/words/numbers.ts';

test.each([
  [625, 13.888888888889255, '≈ 625 ± 14 J'],
  [8.675521047412691e-20, 3.4702e-21, '≈ 8.68e-20 ± 0.35e-20 J'],
  [0.05259055742391945, 1.2842841948940142e-6, '≈ 0.0525906 ± 0.0000013 J'],
  [123_456.789, 1_234, '≈ 123500 ± 1200 J'],
  [9.996, 0.0996, '≈ 10.00 ± 0.10 J'],
  [-273.15, 0.5, '≈ -273.15 ± 0.50 J'],
  [0.001, 5, undefined],
  [1e300, 2e298, '≈ 1.000e300 ± 0.020e300 J'],
  [5e-324, 5e-324, '≈ 5.0e-324 ± 5.0e-324 J'],
  [625, 1.4210854715202004e-13, '≈ 625 ± 1.4e-13 J'],
  [0, 0.25, '≈ 0.00 ± 0.25 J'],
  [7, 0, undefined],
  [Number.NaN, 1, undefined],
  [1, Number.POSITIVE_INFINITY, undefined],
  [1, -1, undefined],
  [1, 1.75e308, undefined],
  [1.7e308, 1.2e308, '≈ 1.7e308 ± 1.2e308 J'],
  [1.79e308, 1.2e308, undefined],
])('%d ± %d is rounded to two digits of its uncertainty', (value, uncertainty, text) => {
  expect(roundedText(value, uncertainty, 'J')).toBe(text);
});

test('the exact text gives the same bits', () => {
  const value = 0.1 + 0.2;
  expect(Number.parseFloat(exactText(value, undefined, 'm'))).toBe(value);
  expect(exactText(-0, undefined, '1')).toBe('0');
});

test.each([
  [90, 'km/h', '= 25 m/s'],
  [4.35, 'cm', '= 0.0435 m'],
  [180, 'deg', '= 3.141592653589793 rad'],
  [2, 'kg', undefined],
  [2, 'parsnip', undefined],
])('%d %s beside SI', (value, unit, text) => {
  expect(coherentText(value, undefined, unit)).toBe(text);
});

test('a unit of any length has no value in SI unless it is a unit', () => {
  expect(coherentText(2, undefined, 'm'.repeat(5_000))).toBeUndefined();
});
