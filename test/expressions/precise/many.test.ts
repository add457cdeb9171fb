// Double-double arithmetic on many numbers: the bits of one number after another.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DoubleDouble } from '../../../src/expressions/precise/double-double.ts';
import * as dd from '../../../src/expressions/precise/double-double.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE } from '../../../src/expressions/precise/functions.ts';
import * as many from '../../../src/expressions/precise/many.ts';
import { power, powers } from '../../../src/expressions/precise/power.ts';

const EDGES = [0, -0, 1, -1, Number.NaN, Infinity, -Infinity, 5e-324, -1e-310, 2 ** -899, 2 ** -901, 1e300, -1e308];

const highs = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -30, max: 30, noNaN: true }) },
  { weight: 2, arbitrary: fc.double() },
  fc.constantFrom(...EDGES),
);
/** A normalised pair: its low part is less than half a unit in the last place of the high one. */
const pairs = fc.tuple(highs, fc.double({ min: -1, max: 1, noNaN: true })).map(([high, share]): DoubleDouble => {
  const low = share * high * 2 ** -54;
  return Number.isFinite(high) && high + low === high ? { high, low } : dd.exactly(high);
});
const rows = fc.array(fc.tuple(pairs, pairs), { minLength: 1, maxLength: 9 });

const columnOf = (values: readonly DoubleDouble[]) => {
  const column = many.many();
  for (const [row, value] of values.entries()) many.put(column, row, value);
  return column;
};
const valuesOf = (column: many.DoubleDoubles, count: number) =>
  Array.from({ length: count }, (_, row) => many.at(column, row));

/** Zeros of the low part have a sign of no meaning. */
const plain = ({ high, low }: DoubleDouble) => ({ high, low: low + 0 });

function expectSame(column: many.DoubleDoubles, expected: readonly DoubleDouble[]) {
  expect(valuesOf(column, expected.length).map(plain)).toEqual(expected.map(plain));
}

const RUNS = { numRuns: 4_000, seed: 5 };

describe('of many numbers', () => {
  test('sums and products have the bits of single ones, also in place', () => {
    fc.assert(
      fc.property(rows, (own) => {
        const [a, b] = [own.map(([one]) => one), own.map(([, other]) => other)];
        const at = (row: number) => b[row] as DoubleDouble;
        for (const [all, single] of [
          [many.multiply, dd.multiply],
          [many.add, dd.add],
        ] as const) {
          const expected = a.map((one, row) => single(one, at(row)));
          const [x, y, out] = [columnOf(a), columnOf(b), many.many()];
          all(x, y, out, own.length);
          expectSame(out, expected);
          all(x, y, y, own.length);
          expectSame(y, expected);
        }
        const opposite = a.map((one, row) => (row % 2 === 0 ? dd.negative(one) : dd.negative({ ...one, low: 0 })));
        const sums = many.many();
        many.add(columnOf(a), columnOf(opposite), sums, own.length);
        expectSame(
          sums,
          a.map((one, row) => dd.add(one, opposite[row] as DoubleDouble)),
        );
      }),
      RUNS,
    );
  });

  test('quotients by a number and polynomials have the bits of single ones', () => {
    const coefficients = [1, 0.3, -0.7, 1e-9].map((high) => ({ high, low: high * 2 ** -55 }));
    fc.assert(
      fc.property(
        rows,
        fc.oneof(fc.integer({ min: 1, max: 99 }), fc.double({ min: 1e-300, noNaN: true })),
        (own, b) => {
          const a = own.map(([one]) => one);
          const x = columnOf(a);
          const out = many.many();
          many.polynomial(coefficients, x, out, a.length);
          expectSame(
            out,
            a.map((one) => dd.polynomial(coefficients, one)),
          );
          if (!Number.isFinite(b)) return;
          many.divideByNumber(x, b, x, a.length);
          expectSame(
            x,
            a.map((one) => dd.divideByNumber(one, b)),
          );
        },
      ),
      RUNS,
    );
  });

  const functions = [...FUNCTIONS_IN_DOUBLE_DOUBLE].flatMap(([name, { apply, applyToMany }]) =>
    applyToMany === undefined ? [] : [{ name, apply, applyToMany }],
  );

  test.each(functions)('values of $name have the bits of single ones', ({ apply, applyToMany }) => {
    fc.assert(
      fc.property(rows, (own) => {
        const a = own.flat();
        const out = many.many();
        applyToMany(columnOf(a), out, a.length);
        expectSame(
          out,
          a.map((one) => apply(one, dd.ZERO)),
        );
      }),
      { numRuns: 1_500, seed: 5 },
    );
  });

  const whole = fc.integer({ min: -1100, max: 1100 }).map((doubled) => dd.exactly(doubled / 2));
  const exponents = fc.oneof(pairs, whole, fc.constantFrom(...[2, -1, 0.5, -300].map(dd.exactly)));

  test('powers have the bits of single ones', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(pairs, exponents), { minLength: 1, maxLength: 9 }), (own) => {
        const out = many.many();
        powers(columnOf(own.map(([x]) => x)), columnOf(own.map(([, y]) => y)), out, own.length);
        expectSame(
          out,
          own.map(([x, y]) => power(x, y)),
        );
      }),
      RUNS,
    );
  });

  test('there are functions of many numbers', () => expect(functions.length).toBeGreaterThan(3));
});
