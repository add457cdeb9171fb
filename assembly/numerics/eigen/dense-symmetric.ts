// All eigenvalues and eigenvectors of a small dense symmetric matrix: Householder's reduction to a tridiagonal matrix, then
// implicit QL steps with Wilkinson's shift.
//
// About 7 m³ operations with the vectors. Every eigenvalue is right to rounding of the norm; the vectors are products of
// reflections and rotations, so they are orthogonal to rounding even in clusters. Golub & Van Loan, Matrix Computations
// (4th ed.), §8.3; Parlett, The Symmetric Eigenvalue Problem (1998), §8.
import { get, set } from '../vector';

/** Steps that one eigenvalue of a matrix of finite numbers does not need. */
const MAX_STEPS: i32 = 60;

/**
 * @param a  f64[m, m], symmetric; out: its diagonal holds the eigenvalues, in descending order
 * @param v  f64[m, m], out: row j is the vector of eigenvalue j
 * @returns  the number of QL steps, or −1 if they did not suffice
 */
export function symmetricEigen(a: usize, v: usize, m: i32): i32 {
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) set(v, i * m + j, i === j ? 1 : 0);
  for (let k = 0; k < m - 2; k++) reflect(a, v, m, k);
  const steps = iterate(a, v, m);
  sortDescending(a, v, m);
  return steps;
}

/** Row k of the lower triangle, which no later step needs, keeps the vector of the reflection. */
function reflect(a: usize, v: usize, m: i32, k: i32): void {
  const first = k + 1;
  let scale: f64 = 0;
  for (let i = first + 1; i < m; i++) scale = Math.max(scale, Math.abs(get(a, i * m + k)));
  if (scale === 0) return;
  scale = Math.max(scale, Math.abs(get(a, first * m + k)));
  // u = x ± |x| e in column k below the diagonal, scaled.
  let square: f64 = 0;
  for (let i = first; i < m; i++) {
    const x = get(a, i * m + k) / scale;
    set(a, i * m + k, x);
    square += x * x;
  }
  const lead = get(a, first * m + k);
  const alpha = lead > 0 ? -Math.sqrt(square) : Math.sqrt(square);
  set(a, first * m + k, lead - alpha);
  const half = alpha * (alpha - lead); // u·u / 2
  // w = A u / h, in row k right of the diagonal, which mirrors the column.
  let product: f64 = 0;
  for (let i = first; i < m; i++) {
    let sum: f64 = 0;
    for (let j = first; j < m; j++) sum += get(a, i * m + j) * get(a, j * m + k);
    set(a, k * m + i, sum / half);
    product += (get(a, i * m + k) * sum) / half;
  }
  const share = product / (2 * half);
  for (let i = first; i < m; i++) set(a, k * m + i, get(a, k * m + i) - share * get(a, i * m + k));
  for (let i = first; i < m; i++) {
    const u = get(a, i * m + k);
    const w = get(a, k * m + i);
    for (let j = first; j < m; j++) {
      set(a, i * m + j, get(a, i * m + j) - u * get(a, k * m + j) - w * get(a, j * m + k));
    }
  }
  // Row j of v becomes that of the product of the reflections.
  for (let i = 0; i < m; i++) {
    let sum: f64 = 0;
    for (let j = first; j < m; j++) sum += get(v, j * m + i) * get(a, j * m + k);
    sum /= half;
    for (let j = first; j < m; j++) set(v, j * m + i, get(v, j * m + i) - sum * get(a, j * m + k));
  }
  set(a, first * m + k, alpha * scale);
  set(a, k * m + first, alpha * scale);
}

/** Entry below the diagonal, in row i + 1. */
function below(a: usize, m: i32, i: i32): f64 {
  return get(a, (i + 1) * m + i);
}

/** QL steps from the top until all entries beside the diagonal are negligible. */
function iterate(a: usize, v: usize, m: i32): i32 {
  let total = 0;
  for (let l = 0; l < m; l++) {
    for (let step = 0; ; step++) {
      let end = l;
      while (end < m - 1) {
        const size = Math.abs(get(a, end * m + end)) + Math.abs(get(a, (end + 1) * m + end + 1));
        if (Math.abs(below(a, m, end)) <= f64.EPSILON * 0.5 * size) break;
        end++;
      }
      if (end === l) break;
      if (step >= MAX_STEPS) return -1;
      total++;
      sweep(a, v, m, l, end);
    }
  }
  return total;
}

/** One implicit QL step of rows l … end. */
function sweep(a: usize, v: usize, m: i32, l: i32, end: i32): void {
  const top = get(a, l * m + l);
  const beside = below(a, m, l);
  const delta = (get(a, (l + 1) * m + l + 1) - top) / (2 * beside);
  const root = Math.sqrt(delta * delta + 1);
  let g = get(a, end * m + end) - top + beside / (delta + (delta >= 0 ? root : -root));
  let s: f64 = 1;
  let c: f64 = 1;
  let p: f64 = 0;
  for (let i = end - 1; i >= l; i--) {
    const f = s * below(a, m, i);
    const b = c * below(a, m, i);
    const r = Math.sqrt(f * f + g * g);
    if (i + 1 < end) set(a, (i + 2) * m + i + 1, r);
    if (r === 0) {
      set(a, (i + 1) * m + i + 1, get(a, (i + 1) * m + i + 1) - p);
      return;
    }
    s = f / r;
    c = g / r;
    const d = get(a, (i + 1) * m + i + 1) - p;
    const t = (get(a, i * m + i) - d) * s + 2 * c * b;
    p = s * t;
    set(a, (i + 1) * m + i + 1, d + p);
    g = c * t - b;
    rotateRows(v, m, i, c, s);
  }
  set(a, l * m + l, get(a, l * m + l) - p);
  set(a, (l + 1) * m + l, g);
}

/** Rotates rows i and i + 1. */
function rotateRows(v: usize, m: i32, i: i32, c: f64, s: f64): void {
  const row = v + ((<usize>(i * m)) << 3);
  const next = v + ((<usize>((i + 1) * m)) << 3);
  for (let k = 0; k < m; k++) {
    const x = get(row, k);
    const y = get(next, k);
    set(row, k, c * x - s * y);
    set(next, k, s * x + c * y);
  }
}

/** Selection sort of the diagonal with the rows of v. */
function sortDescending(a: usize, v: usize, m: i32): void {
  for (let i = 0; i < m; i++) {
    let top = i;
    for (let j = i + 1; j < m; j++) if (get(a, j * m + j) > get(a, top * m + top)) top = j;
    if (top === i) continue;
    const value = get(a, i * m + i);
    set(a, i * m + i, get(a, top * m + top));
    set(a, top * m + top, value);
    for (let k = 0; k < m; k++) {
      const x = get(v, i * m + k);
      set(v, i * m + k, get(v, top * m + k));
      set(v, top * m + k, x);
    }
  }
}
