// Eigenvectors of the symmetric tridiagonal pencil K − x M of numerics/eigen/symmetric-tridiagonal by inverse iteration.
//
// K − x M is eliminated from both ends at once; the two halves meet at a row k, with one remaining pivot γ_k
// (a twisted factorisation; Parlett & Dhillon, Linear Algebra Appl. 267 (1997) 247). Choosing the
// smallest |γ_k| puts the twist where the vector is large. The tails are then products of quotients
// without cancellation, so even tiny components and their signs are right, and so is the number of nodes.
//
// Gram–Schmidt orthogonalises the vectors of a cluster. If the matrix is symmetric under reflection, projection on the
// parity of the state separates a pair exactly, however close its eigenvalues are.
import { pairwiseDot } from '../sum';
import { get, set } from '../vector';

/** Components below this are set to zero: denormal numbers would be slow and carry no information. */
const NEGLIGIBLE: f64 = 1e-250;

/** Two eigenvalues closer than this fraction of their strain energy form a cluster. */
export const CLUSTER: f64 = 1e-5;
/** Maximum number of passes per vector. */
export const MAX_PASSES: i32 = 4;

/** The pivot, replaced by a tiny value if it is zero. */
function pivot(bond: f64, s: f64): f64 {
  const q = bond + s;
  return q !== 0 ? q : f64.EPSILON * Math.max(bond, f64.EPSILON);
}

/**
 * Eliminates from both ends.
 *
 * @param left   f64[n], out: t_i of the elimination from the left
 * @param right  f64[n], out: the same from the right
 * @returns      the row k of the twist
 */
export function factorTwisted(a: usize, v: usize, m: usize, n: i32, x: f64, left: usize, right: usize): i32 {
  let t = get(a, 0);
  let u = get(a, n);
  for (let i = 0; i < n; i++) {
    // Two independent recurrences in one loop, so that one proceeds while the other waits for its division.
    const r = n - 1 - i;
    set(left, i, t);
    set(right, r, u);
    const fromLeft = (get(v, i) - x) * get(m, i) + t;
    const fromRight = (get(v, r) - x) * get(m, r) + u;
    const bond = get(a, i + 1);
    const back = get(a, r);
    t = (bond * fromLeft) / pivot(bond, fromLeft);
    u = (back * fromRight) / pivot(back, fromRight);
  }
  let k = 0;
  let smallest: f64 = Infinity;
  for (let i = 0; i < n; i++) {
    const gamma = Math.abs((get(v, i) - x) * get(m, i) + get(left, i) + get(right, i));
    if (gamma < smallest) {
      smallest = gamma;
      k = i;
    }
  }
  return k;
}

/**
 * Solves (K − x M) z = b with the factors of `factorTwisted`.
 *
 * @param b  f64[n], the right-hand side
 * @param z  f64[n], out; may not be b
 */
export function solveTwisted(
  a: usize,
  v: usize,
  m: usize,
  n: i32,
  x: f64,
  left: usize,
  right: usize,
  k: i32,
  b: usize,
  z: usize,
): void {
  // Inwards to the twist, accumulating the right-hand sides of the outer rows.
  let fromLeft: f64 = 0;
  for (let i = 0; i < k; i++) {
    const y = get(b, i) + fromLeft;
    const bond = get(a, i + 1);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(left, i));
    set(z, i, y / q);
    fromLeft = (bond * y) / q;
  }
  let fromRight: f64 = 0;
  for (let i = n - 1; i > k; i--) {
    const y = get(b, i) + fromRight;
    const bond = get(a, i);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(right, i));
    set(z, i, y / q);
    fromRight = (bond * y) / q;
  }
  let gamma = (get(v, k) - x) * get(m, k) + get(left, k) + get(right, k);
  if (gamma === 0) gamma = f64.EPSILON * f64.EPSILON * Math.max(get(a, k) + get(a, k + 1), f64.EPSILON);
  let next = (get(b, k) + fromLeft + fromRight) / gamma;
  const peak = next;
  set(z, k, next);
  // Back substitution outwards.
  for (let i = k - 1; i >= 0; i--) {
    const bond = get(a, i + 1);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(left, i));
    next = get(z, i) + (bond * next) / q;
    if (Math.abs(next) < NEGLIGIBLE) next = 0;
    set(z, i, next);
  }
  next = peak;
  for (let i = k + 1; i < n; i++) {
    const bond = get(a, i);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(right, i));
    next = get(z, i) + (bond * next) / q;
    if (Math.abs(next) < NEGLIGIBLE) next = 0;
    set(z, i, next);
  }
}

/** Whether the matrix is connected and symmetric under reflection, bit by bit. Then vector j has the parity of j. */
export function isMirrored(a: usize, v: usize, m: usize, n: i32): bool {
  for (let i = 0; i < n; i++) {
    const r = n - 1 - i;
    if (i > 0 && !(get(a, i) > 0)) return false;
    if (get(v, i) !== get(v, r) || get(m, i) !== get(m, r) || get(a, i) !== get(a, r + 1)) return false;
  }
  return true;
}

/** Projects z on its even (sign 1) or odd (sign −1) part under reflection. */
export function projectParity(z: usize, n: i32, sign: f64): void {
  for (let i = 0; i + i < n; i++) {
    const r = n - 1 - i;
    const part = 0.5 * (get(z, i) + sign * get(z, r));
    set(z, i, part);
    set(z, r, sign * part);
  }
}

/** w = M z; then pairwiseDot(y, w, n) is the inner product of y and z. */
export function multiplyMass(m: usize, z: usize, n: i32, w: usize): void {
  for (let i = 0; i < n; i++) set(w, i, get(m, i) * get(z, i));
}

/** Vector j of f64[k, n]. */
export function vectorAt(z: usize, n: i32, j: i32): usize {
  return z + ((<usize>j * <usize>n) << 3);
}

/**
 * Whether vector j must be orthogonalised against vector i < j. With parity, only against vectors of the same parity.
 *
 * @param width  of the interval of eigenvalue j: eigenvalues closer than this may be equal
 */
function isClustered(lambda: usize, strain: usize, j: i32, i: i32, width: f64, byParity: bool): bool {
  if (byParity && ((j - i) & 1) !== 0) return false;
  return get(lambda, j) - get(lambda, i) <= CLUSTER * get(strain, i) + width;
}

/**
 * Pass number `pass` (from 0) of vector j; the previous vectors are complete. An isolated vector takes two passes,
 * a vector of a cluster MAX_PASSES.
 *
 * @param byParity  the matrix `isMirrored`: vector j has the parity of j
 * @param z         f64[k, n], M-orthonormal vectors
 * @param lambda    f64[k], eigenvalues to about 1e-10; value j is improved by its Rayleigh quotient if that
 *                  lies in the open interval (lo, hi)
 * @param strain    f64[k], out: z·K z without the potential, the scale for distances of eigenvalues
 * @param residual  f64[k], out: an eigenvalue is within this distance of value j
 * @param scratch   f64[3 n]
 * @returns         true if vector j is complete
 */
export function inversePass(
  a: usize,
  v: usize,
  m: usize,
  n: i32,
  byParity: bool,
  z: usize,
  lambda: usize,
  strain: usize,
  residual: usize,
  scratch: usize,
  j: i32,
  pass: i32,
  lo: f64,
  hi: f64,
): bool {
  const bytes = (<usize>n) << 3;
  const left = scratch;
  const right = scratch + bytes;
  const b = right + bytes;
  const vector = vectorAt(z, n, j);
  const x = get(lambda, j);
  const sign: f64 = (j & 1) === 0 ? 1 : -1;
  let hasCluster = false;
  for (let i = 0; i < j; i++) hasCluster = hasCluster || isClustered(lambda, strain, j, i, hi - lo, byParity);

  const k = factorTwisted(a, v, m, n, x, left, right);
  if (pass > 0) multiplyMass(m, vector, n, b);
  else if (hasCluster) fillRandom(b, n, j);
  else {
    memory.fill(b, 0, bytes);
    set(b, k, 1);
  }
  if (byParity) projectParity(b, n, sign);
  solveTwisted(a, v, m, n, x, left, right, k, b, vector);
  if (byParity) projectParity(vector, n, sign);
  const product = pairwiseDot(vector, b, n);

  // The factors are no longer needed: reuse `left` for M z.
  if (hasCluster) {
    scale(1 / largest(vector, n), vector, n);
    for (let i = 0; i < j; i++) {
      if (!isClustered(lambda, strain, j, i, hi - lo, byParity)) continue;
      multiplyMass(m, vector, n, left);
      axpy(-pairwiseDot(vectorAt(z, n, i), left, n), vectorAt(z, n, i), vector, n);
    }
  }
  multiplyMass(m, vector, n, left);
  const square = pairwiseDot(vector, left, n);
  set(residual, j, hi - lo);
  if (!hasCluster) {
    // z·b / z·Mz is the distance from x to the Rayleigh quotient of z, without cancellation.
    const step = product / square;
    const improved = x + step;
    if (improved > lo && improved < hi) {
      set(lambda, j, improved);
      // From the second pass on b is M z of a unit vector, so that |K z − x M z| / |z| is 1/√(z·Mz) (in the norm of M⁻¹).
      if (pass > 0) set(residual, j, Math.min(hi - lo, Math.sqrt(Math.max(0, 1 / square - step * step))));
    }
  }
  scale(1 / Math.sqrt(square), vector, n);
  set(strain, j, strainEnergy(a, vector, n));
  return pass >= (hasCluster ? MAX_PASSES : 2) - 1;
}

/** Σ a_i (z_i − z_{i−1})², the walls at zero. */
function strainEnergy(a: usize, z: usize, n: i32): f64 {
  let sum: f64 = 0;
  let previous: f64 = 0;
  for (let i = 0; i < n; i++) {
    const stretch = get(z, i) - previous;
    sum += get(a, i) * stretch * stretch;
    previous = get(z, i);
  }
  return sum + get(a, n) * previous * previous;
}

/** The largest component by magnitude. */
export function largest(z: usize, n: i32): f64 {
  let maximum: f64 = 0;
  for (let i = 0; i < n; i++) maximum = Math.max(maximum, Math.abs(get(z, i)));
  return maximum;
}

/** Fills b with pseudo-random values that depend on j: vectors of a cluster must start in different directions. */
function fillRandom(b: usize, n: i32, j: i32): void {
  let state: u32 = <u32>j * 0x9e3779b9;
  for (let i = 0; i < n; i++) {
    state = state * 1664525 + 1013904223; // Numerical Recipes' quick generator; quality is irrelevant here
    set(b, i, <f64>(state >>> 8) / 8388608 - 1);
  }
}

function axpy(alpha: f64, x: usize, y: usize, n: i32): void {
  for (let i = 0; i < n; i++) set(y, i, get(y, i) + alpha * get(x, i));
}

export function scale(alpha: f64, x: usize, n: i32): void {
  for (let i = 0; i < n; i++) set(x, i, alpha * get(x, i));
}

/**
 * Number of sign changes of z. Components up to `floor` are skipped: 0 for an isolated vector, whose tails have
 * correct signs; the noise level for a vector of a cluster.
 */
export function countNodes(z: usize, n: i32, floor: f64): i32 {
  let nodes = 0;
  let last: f64 = 0;
  for (let i = 0; i < n; i++) {
    const value = get(z, i);
    if (Math.abs(value) <= floor) continue;
    if (value * last < 0) nodes++;
    last = value > 0 ? 1 : -1;
  }
  return nodes;
}
