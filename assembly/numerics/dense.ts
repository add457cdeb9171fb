// Small dense matrices, row by row: products, congruences, Cholesky's factor of a semi-definite matrix, reflections.
//
// Golub & Van Loan, Matrix Computations (4th ed.). For matrices of a few rows: no blocking.
import { get, set } from './vector';

/** c = a b, with a [n, k] and b [k, m]; c is neither of them. */
export function multiply(c: usize, a: usize, b: usize, n: i32, k: i32, m: i32): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      let sum: f64 = 0;
      for (let l = 0; l < k; l++) sum += get(a, i * k + l) * get(b, l * m + j);
      set(c, i * m + j, sum);
    }
  }
}

/** c = a bᵀ, with a [n, k] and b [m, k]. */
export function multiplyTransposed(c: usize, a: usize, b: usize, n: i32, k: i32, m: i32): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      let sum: f64 = 0;
      for (let l = 0; l < k; l++) sum += get(a, i * k + l) * get(b, j * k + l);
      set(c, i * m + j, sum);
    }
  }
}

/** y = a x, with a [n, k]. */
export function apply(y: usize, a: usize, x: usize, n: i32, k: i32): void {
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let l = 0; l < k; l++) sum += get(a, i * k + l) * get(x, l);
    set(y, i, sum);
  }
}

/**
 * c = a p aᵀ + factor q, exactly symmetric: the upper triangle is computed and mirrored.
 *
 * @param a     [n, k], p [k, k] symmetric, q [n, n] symmetric, or 0 for none
 * @param work  f64[n, k]
 */
export function congruence(c: usize, a: usize, p: usize, q: usize, factor: f64, n: i32, k: i32, work: usize): void {
  multiply(work, a, p, n, k, k);
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) {
      let sum: f64 = 0;
      for (let l = 0; l < k; l++) sum += get(work, i * k + l) * get(a, j * k + l);
      if (q) sum += factor * get(q, i * n + j);
      set(c, i * n + j, sum);
      set(c, j * n + i, sum);
    }
  }
}

/**
 * Lower triangular l with a = l lᵀ of a positive semi-definite matrix. A pivot that is no more than the rounding of its
 * diagonal element counts as 0, and so does its column. Reads the lower triangle; l may be a.
 *
 * @param tolerance  of a pivot, relative to its diagonal element
 * @returns the number of positive pivots
 */
export function semidefiniteCholesky(l: usize, a: usize, n: i32, tolerance: f64): i32 {
  let rank = 0;
  for (let j = 0; j < n; j++) {
    const diagonal = get(a, j * n + j);
    let pivot = diagonal;
    for (let k = 0; k < j; k++) pivot -= get(l, j * n + k) * get(l, j * n + k);
    const root: f64 = pivot > tolerance * diagonal && pivot > 0 ? Math.sqrt(pivot) : 0;
    if (root > 0) rank++;
    for (let i = j + 1; i < n; i++) {
      let sum = get(a, i * n + j);
      for (let k = 0; k < j; k++) sum -= get(l, i * n + k) * get(l, j * n + k);
      set(l, i * n + j, root > 0 ? sum / root : 0);
    }
    set(l, j * n + j, root);
    for (let i = 0; i < j; i++) set(l, i * n + j, 0);
  }
  return rank;
}

/** x = l⁻¹ x for a lower triangular l; where the diagonal is 0, the element becomes 0. */
export function solveLower(l: usize, x: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    let sum = get(x, i);
    for (let k = 0; k < i; k++) sum -= get(l, i * n + k) * get(x, k);
    const pivot = get(l, i * n + i);
    set(x, i, pivot > 0 ? sum / pivot : 0);
  }
}

/** x = l⁻ᵀ x for a lower triangular l; where the diagonal is 0, the element becomes 0. */
export function solveLowerTransposed(l: usize, x: usize, n: i32): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = get(x, i);
    for (let k = i + 1; k < n; k++) sum -= get(l, k * n + i) * get(x, k);
    const pivot = get(l, i * n + i);
    set(x, i, pivot > 0 ? sum / pivot : 0);
  }
}

/**
 * Lower triangular t with t tᵀ = a aᵀ and a diagonal that is not negative, by Householder's reflections of the rows.
 *
 * @param a  [n, k] with k >= n; overwritten: t stands in its first n columns, zeros behind
 */
export function triangularise(a: usize, n: i32, k: i32): void {
  for (let i = 0; i < n; i++) {
    let scale: f64 = 0;
    for (let c = i; c < k; c++) scale = Math.max(scale, Math.abs(get(a, i * k + c)));
    if (scale === 0) continue;
    // In units of the largest element, so that no square vanishes.
    let square: f64 = 0;
    for (let c = i; c < k; c++) {
      const x = get(a, i * k + c) / scale;
      set(a, i * k + c, x);
      square += x * x;
    }
    const lead = get(a, i * k + i);
    // The reflection sends row i to −sign(lead) norm e; a change of the sign of the column makes the diagonal positive.
    const alpha = lead > 0 ? -Math.sqrt(square) : Math.sqrt(square);
    const first = lead - alpha;
    const half = -alpha * first; // u·u / 2
    set(a, i * k + i, first);
    for (let r = i + 1; r < n; r++) {
      let sum: f64 = 0;
      for (let c = i; c < k; c++) sum += get(a, i * k + c) * get(a, r * k + c);
      const share = sum / half;
      for (let c = i; c < k; c++) set(a, r * k + c, get(a, r * k + c) - share * get(a, i * k + c));
    }
    set(a, i * k + i, alpha * scale);
    for (let c = i + 1; c < k; c++) set(a, i * k + c, 0);
    if (alpha < 0) for (let r = i; r < n; r++) set(a, r * k + i, -get(a, r * k + i));
  }
}
