import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eigenvalues } from '../../src/solvers/parts/eigenvalues.ts';

const rowsOf = (n: number, of: (i: number, j: number) => number) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => of(i, j)));

const squares = fc.integer({ min: 1, max: 6 }).chain((n) =>
  fc.array(fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: n, maxLength: n }), {
    minLength: n,
    maxLength: n,
  }),
);

test('their sum is the trace, and that of their squares the trace of the square', () => {
  fc.assert(
    fc.property(squares, (matrix) => {
      const { values } = eigenvalues(matrix);
      const n = matrix.length;
      const trace = matrix.reduce((sum, row, i) => sum + (row[i] ?? 0), 0);
      const square = matrix.reduce(
        (sum, row, i) => sum + row.reduce((part, one, j) => part + one * (matrix[j]?.[i] ?? 0), 0),
        0,
      );
      const size = 1 + matrix.flat().reduce((sum, one) => sum + one * one, 0);
      expect(values).toHaveLength(n);
      expect(Math.abs(values.reduce((sum, { re }) => sum + re, 0) - trace)).toBeLessThan(1e-12 * size);
      expect(Math.abs(values.reduce((sum, { re, im }) => sum + re * re - im * im, 0) - square)).toBeLessThan(
        1e-5 * size,
      );
    }),
  );
});

test('of a companion matrix they are the roots of the polynomial, within the error that is stated', () => {
  const roots = [4, 3, 2, 1];
  const matrix = rowsOf(4, (i, j) => (i === 3 ? ([-24, 50, -35, 10][j] ?? 0) : Number(j === i + 1)));
  const { values, error } = eigenvalues(matrix);
  expect(error).toBeLessThan(1e-9);
  for (const [k, { re, im }] of values.entries()) {
    expect(im).toBe(0);
    expect(Math.abs(re - (roots[k] ?? 0))).toBeLessThanOrEqual(error);
  }
});

test('values that share one vector have an error as large as their scatter', () => {
  const jordan = rowsOf(3, (i, j) => (i === j ? -1 : Number(j === i + 1)));
  const { values, error } = eigenvalues(jordan);
  expect(error).toBeGreaterThan(1e-6);
  for (const { re } of values) expect(Math.abs(re + 1)).toBeLessThanOrEqual(error);
});

test('pairs, badly scaled matrices and zeros', () => {
  const pair = eigenvalues([
    [0, 1],
    [-4, 0],
  ]);
  expect(pair.values.map(({ im }) => Math.round(1e9 * im) / 1e9)).toEqual([2, -2]);
  const scaled = eigenvalues([
    [1, 1e8],
    [1e-8, 1],
  ]);
  expect(Math.abs((scaled.values[0]?.re ?? 0) - 2)).toBeLessThan(1e-9);
  expect(
    eigenvalues([
      [0, 0],
      [0, 0],
    ]).values,
  ).toEqual([
    { re: 0, im: 0 },
    { re: 0, im: 0 },
  ]);
  expect(
    eigenvalues([
      [Number.NaN, 0],
      [0, 1],
    ]).error,
  ).toBe(Number.POSITIVE_INFINITY);
});
