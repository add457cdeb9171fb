// Reads covariances: symmetric, positive semi-definite, or a plain list of variances.

import { validationError } from '../parts/errors.ts';
import { cholesky, diagonal, type Matrix, matrixOf } from './matrix.ts';
import { type MatrixGiven, readMatrix, readShaped } from './matrix-text.ts';

/** Relative asymmetry that is rounding of what was typed. */
const ROUNDING = 1e-9;

/**
 * A symmetric positive semi-definite matrix; n numbers in a row are a diagonal, one number is the same for all.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export function readCovariance(field: string, given: NonNullable<MatrixGiven>, n: number, because: string): Matrix {
  const matrix = readMatrix(field, given);
  const values = matrix.flat();
  const isList = matrix.length === 1 || (matrix[0]?.length ?? 0) === 1;
  if (n > 1 && isList && values.length === 1)
    return covariance(field, diagonal(new Array<number>(n).fill(values[0] ?? 0)));
  if (n > 1 && isList && values.length === n) return covariance(field, diagonal(values));
  return covariance(field, readShaped(field, given, { rows: n, columns: n }, because));
}

function covariance(field: string, matrix: Matrix): Matrix {
  const n = matrix.length;
  const at = (i: number, j: number) => matrix[i]?.[j] ?? 0;
  for (let i = 0; i < n; i++) {
    if (at(i, i) < 0)
      throw validationError(
        field,
        `${field} has the variance ${at(i, i)} at row ${i + 1}; expected 0 or more.`,
        'NEGATIVE_VARIANCE',
      );
    for (let j = 0; j < i; j++) {
      const largest = Math.max(Math.abs(at(i, j)), Math.abs(at(j, i)));
      if (Math.abs(at(i, j) - at(j, i)) > ROUNDING * largest) {
        const message = `${field} is not symmetric: row ${i + 1}, column ${j + 1} is ${at(i, j)}, and across it ${at(j, i)}.`;
        throw validationError(field, message, 'NOT_SYMMETRIC');
      }
    }
  }
  const even = matrixOf(n, n, (i, j) => (i <= j ? at(i, j) : at(j, i)));
  if (!cholesky(even).isSemidefinite)
    throw validationError(field, `${field} is not positive semi-definite, so it is no covariance.`, 'NOT_DEFINITE');
  return even;
}
