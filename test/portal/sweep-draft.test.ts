import { expect, test } from 'vitest';
import { isGeometric } from '../../src/portal/pictures/curve-options.ts';
import { axisDraft } from '../../src/portal/solve/sweep-draft.ts';

const around = (value: number | undefined, more = {}) => {
  const { from, to, count } = axisDraft({ name: 'v', unit: 'm/s', isWhole: false, value, ...more });
  return [from, to, count];
};

test('an axis begins around the number of the form, within what is allowed', () => {
  expect(around(25)).toEqual(['12.5', '50', '25']);
  expect(around(25, { min: 20, max: 30 })).toEqual(['20', '30', '25']);
  expect(around(-4)).toEqual(['-8', '-2', '25']);
  expect(around(0, { max: 0.5 })).toEqual(['0', '0.5', '25']);
  expect(around(undefined)).toEqual(['0.5', '2', '25']);
});

test('points of a logarithmic sweep have an axis in decades', () => {
  const sweep = (at: (i: number) => number) => Float64Array.from({ length: 25 }, (_, i) => at(i));
  expect(isGeometric(sweep((i) => 10 ** (i / 4)))).toBe(true);
  expect(isGeometric(sweep((i) => 1 + i))).toBe(false);
  expect(isGeometric(sweep((i) => 2 ** (i / 24)))).toBe(false);
  expect(isGeometric([0, 1, 2])).toBe(false);
});
