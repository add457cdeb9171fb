// The inertia of a symmetric matrix in profile storage (profile-cholesky.ts), by A = L D Lᵀ without exchanges of rows.
//
// D has as many negative entries as A has negative eigenvalues (Sylvester). Of A = K − σ G with K positive definite that is
// the number of eigenvalues of K x = λ G x between 0 and σ, whatever the sign of G, so that a solver of such a pencil can
// prove that it has missed none. Parlett, The Symmetric Eigenvalue Problem (1998), §3.3 and §15.
import { get, set } from '../vector';
import { firstColumn, profileEntry } from './profile-cholesky';

/**
 * Replaces row k by that of L D, its diagonal by that of D; rows before k are complete.
 *
 * @returns the pivot over the diagonal it began with: small where σ is close to an eigenvalue of the leading rows
 */
export function factorInertiaRow(values: usize, starts: usize, k: i32): f64 {
  const first = firstColumn(starts, k);
  const row = profileEntry(values, starts, k, first);
  // g_m = l_m d_m of the rows before, without the division.
  for (let m = first; m < k; m++) {
    const from = max(first, firstColumn(starts, m));
    const other = profileEntry(values, starts, m, from);
    let sum = get(row, m - first);
    for (let p = 0; p < m - from; p++) sum -= get(row, from - first + p) * get(other, p);
    set(row, m - first, sum);
  }
  const diagonal = get(row, k - first);
  let pivot = diagonal;
  for (let m = first; m < k; m++) {
    const g = get(row, m - first);
    const l = g / load<f64>(profileEntry(values, starts, m, m));
    pivot -= g * l;
    set(row, m - first, l);
  }
  set(row, k - first, pivot);
  return diagonal !== 0 ? pivot / diagonal : pivot;
}
