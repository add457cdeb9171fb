// The spectral radius of a matrix without negative numbers, which makes R0 of the contacts of groups, two ways.

import { exp, log } from '../../core/elementary.ts';

/** Rows of a square matrix. */
export type Matrix = readonly (readonly number[])[];

const MAX_ITERATIONS = 20_000;
const ROUNDINGS = 4 * Number.EPSILON;

/** A number and half the width of an interval that holds the true one. */
export interface Enclosed {
  readonly value: number;
  readonly error: number;
}

/**
 * By power iteration: the least and the largest ratio (A x)_i / x_i enclose the spectral radius of an irreducible
 * matrix; that of any is the largest of its irreducible parts. Collatz 1942; Varga, Matrix Iterative Analysis, §2.1.
 */
export function spectralRadius(matrix: Matrix): Enclosed {
  const parts = irreducibleParts(matrix).map((indices) => partRadius(matrix, indices));
  const value = parts.reduce((largest, part) => Math.max(largest, part.value), 0);
  return { value, error: parts.reduce((largest, part) => Math.max(largest, part.error), 0) };
}

function partRadius(matrix: Matrix, indices: readonly number[]): Enclosed {
  const part = indices.map((i) => indices.map((j) => matrix[i]?.[j] ?? 0));
  if (part.length === 1) return { value: part[0]?.[0] ?? 0, error: 0 };
  // A shift makes the iteration converge for a matrix that only exchanges its parts.
  const shift =
    0.5 *
    part.reduce(
      (largest, row) =>
        Math.max(
          largest,
          row.reduce((sum, one) => sum + one, 0),
        ),
      0,
    );
  let x = part.map(() => 1);
  let [low, high] = [0, Number.MAX_VALUE];
  for (let k = 0; k < MAX_ITERATIONS && high - low > ROUNDINGS * high; k++) {
    const product = part.map((row, i) => row.reduce((sum, one, j) => sum + one * (x[j] ?? 0), shift * (x[i] ?? 0)));
    const ratios = product.map((one, i) => one / (x[i] ?? 1));
    low = Math.max(low, Math.min(...ratios));
    high = Math.min(high, Math.max(...ratios));
    const largest = Math.max(...product);
    x = product.map((one) => one / largest);
  }
  const rounding = part.length * ROUNDINGS * high;
  return { value: 0.5 * (low + high) - shift, error: 0.5 * Math.abs(high - low) + rounding };
}

/** Groups that reach each other, in both directions. */
function irreducibleParts(matrix: Matrix): readonly (readonly number[])[] {
  const n = matrix.length;
  const reaches = matrix.map((row, i) => row.map((one, j) => one > 0 || i === j));
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const row = reaches[i];
        if (row?.[k] && reaches[k]?.[j]) row[j] = true;
      }
  const indices = matrix.map((_, i) => i);
  return indices
    .filter((i) => !indices.some((j) => j < i && reaches[i]?.[j] && reaches[j]?.[i]))
    .map((i) => indices.filter((j) => reaches[i]?.[j] && reaches[j]?.[i]));
}

const SQUARINGS = 60;

/** The same by Gelfand's formula: the norm of A to the power 2^60, by squaring, to the power 2^−60. */
export function radiusBySquaring(matrix: Matrix): number {
  let power = matrix;
  let logarithm = 0;
  let weight = 1;
  for (let k = 0; k <= SQUARINGS; k++) {
    const norm = power.reduce(
      (largest, row) =>
        Math.max(
          largest,
          row.reduce((sum, one) => sum + one, 0),
        ),
      0,
    );
    if (norm === 0) return 0;
    logarithm += weight * log(norm);
    const scaled = power.map((row) => row.map((one) => one / norm));
    power = scaled.map((row) => row.map((_, j) => row.reduce((sum, one, h) => sum + one * (scaled[h]?.[j] ?? 0), 0)));
    weight *= 0.5;
  }
  return exp(logarithm);
}
