// Symmetric positive definite matrices whose rows reach back to different columns, by Cholesky's method: A = L Lᵀ.
//
// Row k holds its entries from its first column to the diagonal, one after the other; L has the same profile, so nothing
// fills in outside. A row is a unit of work. Good for orderings with a narrow profile (Cuthill & McKee 1969). George & Liu,
// Computer Solution of Large Sparse Positive Definite Systems (1981), chapter 4.
import { get, set } from '../vector';

/** First column of row k. @param starts  i32[n + 1]: where each row starts, and the number of entries */
export function firstColumn(starts: usize, k: i32): i32 {
  return k + 1 - (startOf(starts, k + 1) - startOf(starts, k));
}

function startOf(starts: usize, k: i32): i32 {
  return load<i32>(starts + ((<usize>k) << 2));
}

/** The address of entry (k, m), which is inside the profile. */
export function profileEntry(values: usize, starts: usize, k: i32, m: i32): usize {
  return values + ((<usize>(startOf(starts, k + 1) - 1 - k + m)) << 3);
}

/** Σ a_i b_i with four running sums, added in a fixed order. */
function dot(a: usize, b: usize, n: i32): f64 {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  const end = a + ((<usize>(n & ~3)) << 3);
  while (a < end) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(a), v128.load(b)));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    a += 32;
    b += 32;
  }
  s0 = f64x2.add(s0, s1);
  let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  for (let i = 0; i < (n & 3); i++) sum += get(a, i) * get(b, i);
  return sum;
}

/**
 * Replaces row k by that of L; rows before k are complete.
 *
 * @returns the pivot before its root, over the diagonal: not above rounding if the matrix is singular
 */
export function factorProfileRow(values: usize, starts: usize, k: i32): f64 {
  const first = firstColumn(starts, k);
  const row = profileEntry(values, starts, k, first);
  for (let m = first; m < k; m++) {
    const otherFirst = firstColumn(starts, m);
    const from = max(first, otherFirst);
    const other = profileEntry(values, starts, m, from);
    const sum = get(row, m - first) - dot(row + ((<usize>(from - first)) << 3), other, m - from);
    set(row, m - first, sum / get(other, m - from));
  }
  const diagonal = get(row, k - first);
  const pivot = diagonal - dot(row, row, k - first);
  set(row, k - first, Math.sqrt(Math.max(pivot, 0)));
  return pivot / diagonal;
}

/** x with A x = x, in place. @param x  f64[n] */
export function solveProfile(values: usize, starts: usize, n: i32, x: usize): void {
  for (let k = 0; k < n; k++) {
    const first = firstColumn(starts, k);
    const row = profileEntry(values, starts, k, first);
    const sum = get(x, k) - dot(row, x + ((<usize>first) << 3), k - first);
    set(x, k, sum / get(row, k - first));
  }
  for (let k = n - 1; k >= 0; k--) {
    const first = firstColumn(starts, k);
    const row = profileEntry(values, starts, k, first);
    const value = get(x, k) / get(row, k - first);
    set(x, k, value);
    const target = x + ((<usize>first) << 3);
    for (let m = 0; m < k - first; m++) set(target, m, get(target, m) - get(row, m) * value);
  }
}
