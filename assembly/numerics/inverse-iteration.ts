// Eigenvectors of the chain K − x M of numerics/symmetric-tridiagonal by inverse iteration.
//
// K − x M is eliminated from both ends at once and the two halves meet at a row k, where one number γ_k is
// left over (a twisted factorisation; Parlett & Dhillon, Linear Algebra Appl. 267 (1997) 247). Choosing the
// least |γ_k| puts the meeting point where the vector is large. The tails are then products of quotients
// without cancellation, so even tiny components and their signs are right, and so is the number of nodes.
//
// Vectors of a cluster are kept apart by Gram–Schmidt; where the chain is its own mirror image, projecting
// on the parity of the state does the same exactly, however close a pair lies.
import { pairwiseDot } from './sum';
import { get, set } from './vector';

/** Components below this are set to zero: denormal numbers would be slow and mean nothing. */
const NOTHING: f64 = 1e-250;

/** Two eigenvalues closer than this part of their strain energy are a cluster. */
export const CLUSTER: f64 = 1e-5;
/** Passes that one vector takes at most. */
export const MAX_PASSES: i32 = 4;

/** A pivot that is not zero. */
function pivot(bond: f64, s: f64): f64 {
  const q = bond + s;
  return q !== 0 ? q : f64.EPSILON * Math.max(bond, f64.EPSILON);
}

/**
 * Eliminate from both ends.
 *
 * @param left   f64[n], out: t_i of the elimination from the left
 * @param right  f64[n], out: the same from the right
 * @returns      the meeting row k
 */
export function twist(a: usize, v: usize, m: usize, n: i32, x: f64, left: usize, right: usize): i32 {
  let t = get(a, 0);
  let u = get(a, n);
  for (let i = 0; i < n; i++) {
    // Two independent recurrences in one loop, so that one works while the other waits for its division.
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
  let least: f64 = Infinity;
  for (let i = 0; i < n; i++) {
    const gamma = Math.abs((get(v, i) - x) * get(m, i) + get(left, i) + get(right, i));
    if (gamma < least) {
      least = gamma;
      k = i;
    }
  }
  return k;
}

/**
 * Solve (K − x M) z = b with the factors of `twist`.
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
  // Towards the meeting row: what the rows outside pass on of their right-hand sides.
  let carried: f64 = 0;
  for (let i = 0; i < k; i++) {
    const y = get(b, i) + carried;
    const bond = get(a, i + 1);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(left, i));
    set(z, i, y / q);
    carried = (bond * y) / q;
  }
  let carriedBack: f64 = 0;
  for (let i = n - 1; i > k; i--) {
    const y = get(b, i) + carriedBack;
    const bond = get(a, i);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(right, i));
    set(z, i, y / q);
    carriedBack = (bond * y) / q;
  }
  let gamma = (get(v, k) - x) * get(m, k) + get(left, k) + get(right, k);
  if (gamma === 0) gamma = f64.EPSILON * f64.EPSILON * Math.max(get(a, k) + get(a, k + 1), f64.EPSILON);
  let next = (get(b, k) + carried + carriedBack) / gamma;
  const peak = next;
  set(z, k, next);
  // And outwards again.
  for (let i = k - 1; i >= 0; i--) {
    const bond = get(a, i + 1);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(left, i));
    next = get(z, i) + (bond * next) / q;
    if (Math.abs(next) < NOTHING) next = 0;
    set(z, i, next);
  }
  next = peak;
  for (let i = k + 1; i < n; i++) {
    const bond = get(a, i);
    const q = pivot(bond, (get(v, i) - x) * get(m, i) + get(right, i));
    next = get(z, i) + (bond * next) / q;
    if (Math.abs(next) < NOTHING) next = 0;
    set(z, i, next);
  }
}

/** Is the chain in one piece and its own mirror image, bit by bit? Then vector j is even or odd as j is. */
export function isMirrored(a: usize, v: usize, m: usize, n: i32): bool {
  for (let i = 0; i < n; i++) {
    const r = n - 1 - i;
    if (i > 0 && !(get(a, i) > 0)) return false;
    if (get(v, i) !== get(v, r) || get(m, i) !== get(m, r) || get(a, i) !== get(a, r + 1)) return false;
  }
  return true;
}

/** Keep the part of z that is even (sign 1) or odd (sign −1) under reflection. */
export function projectParity(z: usize, n: i32, sign: f64): void {
  for (let i = 0; i + i < n; i++) {
    const r = n - 1 - i;
    const part = 0.5 * (get(z, i) + sign * get(z, r));
    set(z, i, part);
    set(z, r, sign * part);
  }
}

/** w = M z; then pairwiseDot(y, w, n) is the inner product of y and z. */
export function weigh(m: usize, z: usize, n: i32, w: usize): void {
  for (let i = 0; i < n; i++) set(w, i, get(m, i) * get(z, i));
}

/** Vector j of f64[k, n]. */
export function vectorAt(z: usize, n: i32, j: i32): usize {
  return z + ((<usize>j * <usize>n) << 3);
}

/**
 * Has vector j to be kept away from vector i < j? Where parity does it, only from those of its own parity.
 *
 * @param width  of the interval of eigenvalue j: what is closer than that is not known to be apart
 */
function isMate(lambda: usize, strain: usize, j: i32, i: i32, width: f64, byParity: bool): bool {
  if (byParity && ((j - i) & 1) !== 0) return false;
  return get(lambda, j) - get(lambda, i) <= CLUSTER * get(strain, i) + width;
}

/**
 * Pass number `pass` (from 0) of vector j; the vectors before it are ready. Two passes suffice for a vector
 * that stands alone, MAX_PASSES are made of one in a cluster.
 *
 * @param byParity  the chain `isMirrored`: vector j is even or odd as j is
 * @param z         f64[k, n], M-orthonormal vectors
 * @param lambda    f64[k], eigenvalues to about 1e-10; number j is improved by its Rayleigh quotient, which
 *                  stays in the open interval (lo, hi)
 * @param strain    f64[k], out: z·K z without the potential, against which distances are judged
 * @param scratch   f64[3 n]
 * @returns         true if vector j is ready
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
  const own = vectorAt(z, n, j);
  const x = get(lambda, j);
  const sign: f64 = (j & 1) === 0 ? 1 : -1;
  let hasMates = false;
  for (let i = 0; i < j; i++) hasMates = hasMates || isMate(lambda, strain, j, i, hi - lo, byParity);

  const k = twist(a, v, m, n, x, left, right);
  if (pass > 0) weigh(m, own, n, b);
  else if (hasMates) scatter(b, n, j);
  else {
    memory.fill(b, 0, bytes);
    set(b, k, 1);
  }
  if (byParity) projectParity(b, n, sign);
  solveTwisted(a, v, m, n, x, left, right, k, b, own);
  if (byParity) projectParity(own, n, sign);
  const work = pairwiseDot(own, b, n);

  // The factors are used up: `left` takes M z.
  if (hasMates) {
    scale(1 / largest(own, n), own, n);
    for (let i = 0; i < j; i++) {
      if (!isMate(lambda, strain, j, i, hi - lo, byParity)) continue;
      weigh(m, own, n, left);
      axpy(-pairwiseDot(vectorAt(z, n, i), left, n), vectorAt(z, n, i), own, n);
    }
  }
  weigh(m, own, n, left);
  const square = pairwiseDot(own, left, n);
  if (!hasMates) {
    // z·b / z·Mz is the distance from x to the Rayleigh quotient of z, without cancellation.
    const better = x + work / square;
    if (better > lo && better < hi) set(lambda, j, better);
  }
  scale(1 / Math.sqrt(square), own, n);
  set(strain, j, strainEnergy(a, own, n));
  return pass >= (hasMates ? MAX_PASSES : 2) - 1;
}

/** Σ a_i (z_i − z_{i−1})², the walls at zero. */
function strainEnergy(a: usize, z: usize, n: i32): f64 {
  let sum: f64 = 0;
  let before: f64 = 0;
  for (let i = 0; i < n; i++) {
    const stretch = get(z, i) - before;
    sum += get(a, i) * stretch * stretch;
    before = get(z, i);
  }
  return sum + get(a, n) * before * before;
}

/** The largest component by magnitude. */
export function largest(z: usize, n: i32): f64 {
  let most: f64 = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, Math.abs(get(z, i)));
  return most;
}

/** A fixed vector without structure, another one for every j: mates must not all start in one direction. */
function scatter(b: usize, n: i32, j: i32): void {
  let state: u32 = <u32>j * 0x9e3779b9;
  for (let i = 0; i < n; i++) {
    state = state * 1664525 + 1013904223; // Numerical Recipes' quick generator; its quality does not matter
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
 * Sign changes of z. Components up to `floor` are skipped: 0 for a vector that stands alone, whose tails are
 * right to the sign; the noise of a cluster for one that had to be kept apart from others.
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
