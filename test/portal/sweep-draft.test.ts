import { expect, test } from 'vitest';
import { isGeometric } from '../../src/portal/pictures/curve-options.ts';
import { ownSymbols, withoutSwept } from '../../src/portal/solve/own-symbols.ts';
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

test('numbers of own symbols are swept: they leave the request, and the others stay', () => {
  const input = { equations: "x' = -k*x + c", vars: 'k = 0.5; c = 2e-1\nd = 1 kg', t_end: 3 };
  expect(ownSymbols(input)).toEqual([
    ['k', 0.5],
    ['c', 0.2],
  ]);
  expect(withoutSwept(input, ['k'])).toEqual({ equations: "x' = -k*x + c", vars: { c: 0.2 }, t_end: 3 });
  expect(withoutSwept({ vars: { k: 1 }, t_end: 3 }, ['t_end'])).toEqual({ vars: { k: 1 } });
  expect(ownSymbols({ t_end: 3 })).toEqual([]);
});
