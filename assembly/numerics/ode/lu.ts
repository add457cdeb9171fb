// Dense linear systems by Gaussian elimination with partial pivoting, in place. Golub & Van Loan (4th ed.), §3.4.
import { get, set } from '../vector';

/**
 * Factor P A = L U.
 *
 * @param a      f64[n, n] row by row; overwritten by L below and U on and above the diagonal
 * @param pivot  i32[n], written: the row that was exchanged with row j
 * @returns 0, or j + 1 if column j has no usable pivot
 */
export function factorLu(a: usize, pivot: usize, n: i32): i32 {
  const row = (<usize>n) << 3;
  for (let j = 0; j < n; j++) {
    let best = j;
    let largest: f64 = -1;
    for (let i = j; i < n; i++) {
      const size = Math.abs(get(a, i * n + j));
      if (size > largest) {
        largest = size;
        best = i;
      }
    }
    store<i32>(pivot + ((<usize>j) << 2), best);
    if (!(largest > 0 && isFinite(largest))) return j + 1;
    if (best !== j) {
      for (let c = 0; c < n; c++) {
        const saved = get(a, j * n + c);
        set(a, j * n + c, get(a, best * n + c));
        set(a, best * n + c, saved);
      }
    }
    const reciprocal = 1 / get(a, j * n + j);
    const top = a + <usize>j * row;
    for (let i = j + 1; i < n; i++) {
      const factor = get(a, i * n + j) * reciprocal;
      set(a, i * n + j, factor);
      const target = a + <usize>i * row;
      for (let c = j + 1; c < n; c++) set(target, c, get(target, c) - factor * get(top, c));
    }
  }
  return 0;
}

/** Solve A x = b with the factors of `factorLu`; b becomes x. */
export function solveLu(a: usize, pivot: usize, n: i32, b: usize): void {
  for (let j = 0; j < n; j++) {
    const other = load<i32>(pivot + ((<usize>j) << 2));
    const saved = get(b, j);
    set(b, j, get(b, other));
    set(b, other, saved);
  }
  for (let i = 1; i < n; i++) {
    let sum = get(b, i);
    for (let j = 0; j < i; j++) sum -= get(a, i * n + j) * get(b, j);
    set(b, i, sum);
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = get(b, i);
    for (let j = i + 1; j < n; j++) sum -= get(a, i * n + j) * get(b, j);
    set(b, i, sum / get(a, i * n + i));
  }
}
