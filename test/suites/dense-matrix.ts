// Dense matrices by rows, in the plainest form: what banded and sparse solvers are compared with.

export type Matrix = readonly (readonly number[])[];

export const identityPlus = (matrix: Matrix, factor: number): number[][] =>
  matrix.map((row, i) => row.map((entry, j) => factor * entry + Number(i === j)));

export const multiply = (matrix: Matrix, vector: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, entry, j) => sum + entry * (vector[j] ?? 0), 0));

/** Gauss–Jordan elimination without pivoting, for diagonally dominant matrices. */
export function solveDense(matrix: Matrix, b: readonly number[]): number[] {
  const work = matrix.map((row, i) => [...row, b[i] ?? 0]);
  for (const [i, row] of work.entries()) {
    const pivot = row[i] ?? 0;
    for (const [k, entry] of row.entries()) row[k] = entry / pivot;
    for (const [j, other] of work.entries()) {
      const factor = j === i ? 0 : (other[i] ?? 0);
      for (const [k, entry] of other.entries()) other[k] = entry - factor * (row[k] ?? 0);
    }
  }
  return work.map((row) => row[matrix.length] ?? 0);
}
