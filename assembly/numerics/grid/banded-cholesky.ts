// Symmetric positive definite banded systems by Cholesky's method, a row at a time: A = L Lᵀ.
//
// Row k holds A_{k, k−b} … A_{k, k} in b + 1 places, those left of the matrix as zeros, and L in their place afterwards.
// Golub & Van Loan, Matrix Computations (4th ed.), §4.3.5. n b² / 2 multiplications in all, so a row is a unit of work.
import { get, set } from '../vector';

/** The address of entry (k, m) of the band, k − b <= m <= k. */
export function entry(band: usize, b: i32, k: i32, m: i32): usize {
  return band + ((<usize>(k * (b + 1) + m - k + b)) << 3);
}

/** Replaces row k by that of L; rows before k are complete. @returns whether its pivot is positive and finite */
export function factorRow(band: usize, b: i32, k: i32): bool {
  const first = k > b ? k - b : 0;
  const row = entry(band, b, k, first);
  for (let m = first; m < k; m++) {
    const from = m > b ? max(first, m - b) : first;
    const other = entry(band, b, m, from);
    const own = row + ((<usize>(from - first)) << 3);
    let sum = get(row, m - first);
    for (let p = 0; p < m - from; p++) sum -= get(own, p) * get(other, p);
    set(row, m - first, sum / load<f64>(entry(band, b, m, m)));
  }
  let pivot = get(row, k - first);
  for (let p = 0; p < k - first; p++) pivot -= get(row, p) * get(row, p);
  set(row, k - first, Math.sqrt(pivot));
  return pivot > 0 && isFinite(pivot);
}

/** x with A x = x, in place. @param x  f64[n] */
export function solveBand(band: usize, b: i32, n: i32, x: usize): void {
  for (let k = 0; k < n; k++) {
    const first = k > b ? k - b : 0;
    const row = entry(band, b, k, first);
    let sum = get(x, k);
    for (let m = first; m < k; m++) sum -= get(row, m - first) * get(x, m);
    set(x, k, sum / get(row, k - first));
  }
  for (let k = n - 1; k >= 0; k--) {
    const first = k > b ? k - b : 0;
    const row = entry(band, b, k, first);
    const value = get(x, k) / get(row, k - first);
    set(x, k, value);
    for (let m = first; m < k; m++) set(x, m, get(x, m) - get(row, m - first) * value);
  }
}
