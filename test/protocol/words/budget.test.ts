import { describe, expect, test } from 'vitest';
import { combined } from '../../../src/core/uncertainty.ts';
import { budgetOf, mainSourceOf, sharesOf, shareText } from '../../../src/protocol/words/budget.ts';

const bound = { source: 'rounding', kind: 'bound', value: 1, unit: 'J' } as const;
const inputs = { source: 'inputs', kind: 'standard', value: 3, unit: 'J' } as const;
const constants = { source: 'constants', kind: 'standard', value: 4, unit: 'J' } as const;

describe('the shares of a budget', () => {
  test('add up to 1: bounds by their size, standards by their squares', () => {
    // ± is 1 + 2 · 5
    const shares = sharesOf([bound, inputs, constants]).map(({ share }) => share);
    const expected = [1 / 11, (10 * 9) / 25 / 11, (10 * 16) / 25 / 11];
    for (const [i, share] of shares.entries()) expect(share).toBeCloseTo(expected[i] ?? Number.NaN, 12);
    expect(combined([bound, inputs, constants].map((part) => ({ ...part, basis: '' })))).toBeCloseTo(11, 12);
  });

  test('name a source that makes up most of it, and none otherwise', () => {
    expect(mainSourceOf([bound, inputs, constants])).toBe('constants');
    expect(
      mainSourceOf([
        { ...bound, value: 6 },
        { ...bound, source: 'model', value: 6 },
      ]),
    ).toBeUndefined();
    expect(mainSourceOf([])).toBeUndefined();
    expect(mainSourceOf([{ ...bound, value: 0 }])).toBeUndefined();
  });

  test('are in whole percent', () => {
    expect([0, 0.004, 0.01, 0.555, 1].map(shareText)).toEqual(['< 1 %', '< 1 %', '1 %', '56 %', '100 %']);
  });
});

test('of what a stranger wrote only parts of the form of a budget are read', () => {
  const strange = [
    bound,
    { ...bound, source: 'x' },
    { ...bound, value: -1 },
    { ...bound, kind: 2 },
    null,
    'text',
    { ...inputs, unit: 3 },
  ];
  expect(budgetOf({ uncertainty_budget: strange })).toEqual([bound]);
  for (const none of [undefined, null, 7, {}]) expect(budgetOf({ uncertainty_budget: none })).toEqual([]);
});
