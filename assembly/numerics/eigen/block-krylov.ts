// The largest positive μ of G x = μ K x, K positive definite and G of any sign, by block Lanczos on K⁻¹ G.
//
// The basis is orthonormal in the inner product of K, each vector twice against all before it, so that no copies of a
// value appear. Blocks find equal eigenvalues up to their size. Rayleigh and Ritz pick vectors; when the basis is full it
// starts again from the best of them and the residuals of those that have not converged, which lie in the next block of
// the Krylov space. For every μ returned there is an eigenvalue within ‖K⁻¹ G x − μ x‖_K; whether one was missed, the
// inertia of K − G/μ tells (numerics/csr/profile-inertia), and `inject` then adds a random block. Parlett, The Symmetric
// Eigenvalue Problem (1998), §13.10 and §15.9; Grimes, Lewis & Simon, SIAM J. Matrix Anal. Appl. 15 (1994) 228.
import { axpy, Operator } from '../krylov/conjugate-gradient';
import { pairwiseDot } from '../sum';
import { get, set } from '../vector';
import { symmetricEigen } from './dense-symmetric';

/** A vector whose square is below this part of what it was before it was made orthogonal is rounding. */
const DEPENDENT: f64 = 1e-24;
/** Below this part K times it has lost half of its digits and is computed anew. */
const CANCELLED: f64 = 1e-8;
/** Values below this part of the largest are none: no positive direction is left. */
const NOTHING: f64 = 1e-11;

export namespace Krylov {
  /** Length of vectors, and the even length of their rows in memory. */
  export let n: i32 = 0;
  export let stride: i32 = 0;
  /** Values that are asked for, vectors of a block, and the largest basis. */
  export let wanted: i32 = 0;
  export let block: i32 = 0;
  export let capacity: i32 = 0;
  /** f64[capacity, stride] each: the basis, K times it, and G times it; after `ritz`, of the Ritz vectors. */
  export let q: usize = 0;
  export let p: usize = 0;
  export let g: usize = 0;
  /** f64[capacity]: μ in descending order, and the bound of its relative error. */
  export let values: usize = 0;
  export let bounds: usize = 0;
  /** Vectors of the basis, and the one whose image comes next. */
  export let size: i32 = 0;
  export let next: i32 = 0;
  /** Positive values among those wanted, after `ritz`. */
  export let found: i32 = 0;
  /** f64[capacity²] each, and f64[capacity, stride] to combine vectors in. */
  export let h: usize = 0;
  export let s: usize = 0;
  export let mixed: usize = 0;
  /** f64[stride] each. */
  export let z: usize = 0;
  export let kz: usize = 0;
  export let state: u32 = 0;
}

/** Vector i of an array of rows. */
export function krylovRow(rows: usize, i: i32): usize {
  return rows + ((<usize>i * <usize>Krylov.stride) << 3);
}

/** Starts with a block of pseudo-random vectors. @param multiplyK  to = K from; @param multiplyG  to = G from */
export function startKrylov(multiplyK: Operator, multiplyG: Operator): void {
  Krylov.size = 0;
  Krylov.next = 0;
  Krylov.found = 0;
  Krylov.state = 12345;
  inject(multiplyK, multiplyG, Krylov.block);
}

/** Adds pseudo-random vectors, whose images come next. */
export function inject(multiplyK: Operator, multiplyG: Operator, count: i32): void {
  Krylov.next = Krylov.size;
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < Krylov.n; i++) {
      Krylov.state = Krylov.state * 1664525 + 1013904223; // Numerical Recipes' quick generator
      set(Krylov.z, i, <f64>(Krylov.state >>> 8) / 8388608 - 1);
    }
    multiplyK(Krylov.z, Krylov.kz);
    append(multiplyK, multiplyG, false);
  }
}

/**
 * Makes z orthogonal to the basis, with K z in kz, and appends it.
 *
 * @param isDifference  whether kz came from a difference that has lost digits; a small rest has lost them, too
 * @returns             false if nothing was left
 */
function append(multiplyK: Operator, multiplyG: Operator, isDifference: bool): bool {
  const n = Krylov.stride;
  if (Krylov.size >= Krylov.capacity || Krylov.size >= Krylov.n) return false;
  const before = pairwiseDot(Krylov.z, Krylov.kz, n);
  if (!(before > 0)) return false;
  orthogonalise();
  let square = pairwiseDot(Krylov.z, Krylov.kz, n);
  if (!(square > DEPENDENT * before && square > 0)) return false;
  if (isDifference || square < CANCELLED * before) multiplyK(Krylov.z, Krylov.kz);
  orthogonalise();
  square = pairwiseDot(Krylov.z, Krylov.kz, n);
  if (!(square > DEPENDENT * before && square > 0)) return false;
  const scale = 1 / Math.sqrt(square);
  const row = krylovRow(Krylov.q, Krylov.size);
  const image = krylovRow(Krylov.p, Krylov.size);
  for (let i = 0; i < n; i++) {
    set(row, i, scale * get(Krylov.z, i));
    set(image, i, scale * get(Krylov.kz, i));
  }
  multiplyG(row, krylovRow(Krylov.g, Krylov.size));
  Krylov.size++;
  return true;
}

/** Takes the components along the basis out of z and kz. */
function orthogonalise(): void {
  const n = Krylov.stride;
  for (let i = 0; i < Krylov.size; i++) {
    const c = -pairwiseDot(krylovRow(Krylov.p, i), Krylov.z, n);
    addBoth(c, krylovRow(Krylov.q, i), krylovRow(Krylov.p, i), n);
  }
}

/** z += c q and kz += c p. */
function addBoth(c: f64, q: usize, p: usize, n: i32): void {
  const factor = f64x2.splat(c);
  const bytes = (<usize>n) << 3;
  let z = Krylov.z;
  let kz = Krylov.kz;
  for (const end = q + bytes; q < end; q += 16, p += 16, z += 16, kz += 16) {
    v128.store(z, f64x2.add(v128.load(z), f64x2.mul(factor, v128.load(q))));
    v128.store(kz, f64x2.add(v128.load(kz), f64x2.mul(factor, v128.load(p))));
  }
}

/** Takes the image of the next vector into the basis. @returns false if the basis is full or no vector is left */
export function expand(solveK: Operator, multiplyK: Operator, multiplyG: Operator): bool {
  if (Krylov.size >= Krylov.capacity || Krylov.size >= Krylov.n || Krylov.next >= Krylov.size) return false;
  const source = krylovRow(Krylov.g, Krylov.next++);
  memory.copy(Krylov.kz, source, (<usize>Krylov.stride) << 3);
  solveK(source, Krylov.z);
  append(multiplyK, multiplyG, false);
  return true;
}

/** Rayleigh and Ritz: the basis becomes the best Ritz vectors. @returns whether all values wanted are right to `tol` */
export function ritz(solveK: Operator, multiplyK: Operator, multiplyG: Operator, tol: f64): bool {
  projectKrylov();
  for (let part = 0; part < RITZ_PARTS; part++) combinePart(part);
  return closeRitz(solveK, multiplyK, multiplyG, tol);
}

/** Calls of `combinePart` between `projectKrylov` and `closeRitz`, which `ritz` makes at once: a long basis takes a while. */
export const RITZ_PARTS: i32 = 3;

/** The Ritz values, and the vectors in terms of the basis. */
export function projectKrylov(): void {
  const m = Krylov.size;
  const isWhole = m >= Krylov.n;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j <= i; j++) {
      const entry = pairwiseDot(krylovRow(Krylov.q, i), krylovRow(Krylov.g, j), Krylov.stride);
      set(Krylov.h, i * m + j, entry);
      set(Krylov.h, j * m + i, entry);
    }
  }
  symmetricEigen(Krylov.h, Krylov.s, m);
  let largest: f64 = 0;
  for (let j = 0; j < m; j++) largest = Math.max(largest, Math.abs(get(Krylov.h, j * m + j)));
  const keep = min(m, isWhole ? m : Krylov.wanted + Krylov.block);
  Krylov.found = 0;
  for (let j = 0; j < keep; j++) {
    set(Krylov.values, j, get(Krylov.h, j * m + j));
    if (j < Krylov.wanted && get(Krylov.values, j) > NOTHING * largest) Krylov.found++;
  }
  kept = keep;
  scale = largest;
}

/** Of the vectors that are kept, and the largest Ritz value. */
let kept: i32 = 0;
let scale: f64 = 0;

/** Part 0, 1, 2: the vectors, K times them, and G times them. */
export function combinePart(part: i32): void {
  combine(part === 0 ? Krylov.q : part === 1 ? Krylov.p : Krylov.g, Krylov.size, kept);
}

/** The residuals, of which some enter the basis. @returns as `ritz` */
export function closeRitz(solveK: Operator, multiplyK: Operator, multiplyG: Operator, tol: f64): bool {
  startClosing();
  while (!hasClosed()) closePart(solveK, multiplyK, multiplyG, tol);
  return isConverged;
}

/** Of the vector whose residual comes next, and the residuals that entered the basis. */
let closing: i32 = 0;
let added: i32 = 0;
let isConverged: bool = true;
/** Vectors of one call of `closePart`. */
const CLOSING: i32 = 4;

/** Begins what `closeRitz` does at once: `closePart` until `hasClosed`. */
export function startClosing(): void {
  const isWhole = Krylov.size >= Krylov.n;
  Krylov.size = kept;
  Krylov.next = kept;
  closing = isWhole ? kept : 0;
  added = 0;
  isConverged = true;
  if (isWhole) for (let j = 0; j < kept; j++) set(Krylov.bounds, j, 0);
}

export function hasClosed(): bool {
  return closing === kept;
}

/** After `hasClosed`: as `ritz`. */
export function hasConverged(): bool {
  return isConverged;
}

/** The residuals of those that have not converged are the next block. */
export function closePart(solveK: Operator, multiplyK: Operator, multiplyG: Operator, tol: f64): void {
  const largest = scale;
  const checked = max(1, Krylov.found);
  const end = min(closing + CLOSING, kept);
  for (let j = closing; j < end; j++) {
    const mu = get(Krylov.values, j);
    solveK(krylovRow(Krylov.g, j), Krylov.z);
    axpy(-mu, krylovRow(Krylov.q, j), Krylov.z, Krylov.stride);
    memory.copy(Krylov.kz, krylovRow(Krylov.g, j), (<usize>Krylov.stride) << 3);
    axpy(-mu, krylovRow(Krylov.p, j), Krylov.kz, Krylov.stride);
    const square = Math.max(0, pairwiseDot(Krylov.z, Krylov.kz, Krylov.stride));
    const relative = Math.sqrt(square) / Math.max(Math.abs(mu), NOTHING * largest);
    set(Krylov.bounds, j, relative);
    if (j >= checked || relative <= tol) continue;
    isConverged = false;
    if (added < Krylov.block && append(multiplyK, multiplyG, true)) added++;
  }
  closing = end;
}

/** rows[j] = Σ_i s[j, i] rows[i], j < keep. Four elements stay in registers over all i. */
function combine(rows: usize, m: i32, keep: i32): void {
  const bytes = (<usize>Krylov.stride) << 3;
  for (let j = 0; j < keep; j++) {
    const target = krylovRow(Krylov.mixed, j);
    const weights = Krylov.s + ((<usize>(j * m)) << 3);
    let at: usize = 0;
    for (; at + 32 <= bytes; at += 32) {
      let low = f64x2.splat(0);
      let high = low;
      let row = rows + at;
      for (let i = 0; i < m; i++, row += bytes) {
        const weight = v128.load64_splat(weights + ((<usize>i) << 3));
        low = f64x2.add(low, f64x2.mul(weight, v128.load(row)));
        high = f64x2.add(high, f64x2.mul(weight, v128.load(row, 16)));
      }
      v128.store(target + at, low);
      v128.store(target + at, high, 16);
    }
    for (; at < bytes; at += 16) {
      let sum = f64x2.splat(0);
      let row = rows + at;
      for (let i = 0; i < m; i++, row += bytes)
        sum = f64x2.add(sum, f64x2.mul(v128.load64_splat(weights + ((<usize>i) << 3)), v128.load(row)));
      v128.store(target + at, sum);
    }
  }
  memory.copy(rows, Krylov.mixed, (<usize>keep * <usize>Krylov.stride) << 3);
}
