import { describe, expect, test } from 'vitest';
import { bound, combined, standard, uncertain } from '../../src/core/uncertainty.ts';

describe('combined', () => {
  test('adds bounds, and twice the root of the sum of squares', () => {
    const budget = [
      bound('rounding', 1, ''),
      bound('model', 2, ''),
      standard('inputs', 3, ''),
      standard('constants', 4, ''),
    ];
    expect(combined(budget)).toBeCloseTo(3 + 2 * 5, 12);
    expect(combined(budget)).toBeGreaterThan(13);
  });

  test('is 0 without contributions, and leaves a single bound as it is', () => {
    expect(combined([])).toBe(0);
    expect(combined([bound('rounding', 0.1, ''), standard('inputs', 0, '')])).toBe(0.1);
  });

  test.each([1e-320, 1e-200, 1e200])('neither overflows nor vanishes at %g', (size) => {
    const both = combined([standard('inputs', 3 * size, ''), standard('constants', 4 * size, '')]);
    expect(both / size / 10).toBeCloseTo(1, size < 1e-300 ? 2 : 12);
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('is NaN for a contribution of %s', (value) => {
    expect(combined([bound('rounding', 1, ''), standard('inputs', value, '')])).toBeNaN();
  });
});

test('a budget leaves out what is 0, and keeps what is no number', () => {
  const kinds = [bound('rounding', 0, ''), bound('model', 1, ''), standard('inputs', Number.NaN, '')];
  expect(uncertain(kinds)).toEqual({ uncertainty: Number.NaN, budget: kinds.slice(1) });
});
