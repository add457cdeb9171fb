// Eigenvalues of a symmetric tridiagonal pencil K − x M by Sturm counts and sectioning.
//
// The matrix is stored as a chain of springs and masses,
//
//   K_ii = a_i + a_{i+1} + v_i m_i,   K_{i,i+1} = −a_{i+1},   M_ii = m_i,   0 <= i < n,
//
// with n + 1 bonds a >= 0 (a_0 and a_n connect the ends to walls; 0 leaves them free), potentials v and masses
// m > 0. With t_0 = a_0 the pivots of Gauss elimination are
//
//   q_i = a_{i+1} + s_i,   s_i = (v_i − x) m_i + t_i,   t_{i+1} = a_{i+1} s_i / q_i,
//
// and by Sylvester's law of inertia as many of them are negative as there are eigenvalues below x. No step
// cancels large equal numbers: the count is exact for a chain whose a, m and v − x differ by a few
// roundings each. So the low eigenvalues of a fine grid are accurate to a few ulp of max |v − x|. The usual
// recurrence d_i − x − e_i²/q_{i−1} is accurate only to eps max |K|, which grows with the square of the grid.
//
// Sectioning after Barth, Martin & Wilkinson, Numerische Mathematik 9 (1967) 386; zero pivots are not tested but
// detected afterwards by their NaN, after Demmel & Li, IEEE Trans. Computers 43 (1994) 983. The recurrence
// is bound by the latency of its division, so eight shifts run in parallel.
import { get, set } from '../vector';

/** Number of shifts per sweep. */
export const SHIFTS: i32 = 8;

/** Bytes of scratch for `narrow`: f64 shifts[8], i32 counts[8], i32 sections[8]. */
export const NARROW_SCRATCH: usize = 128;

/** The first sweep over a wide interval puts its shifts at 2^−5, 2^−10, … of it. */
const GEOMETRIC_RATIO: f64 = 0.03125;
const WIDE_RATIO: f64 = 1024;
const HUGE: f64 = 1e150;

/**
 * Writes the matrix with diagonal `d` and off-diagonal `e` as a chain. The signs of e do not affect the
 * eigenvalues; a vector of the chain becomes one of the matrix by a change of sign at every positive e.
 *
 * @param d  f64[n]
 * @param e  f64[n − 1]
 * @param a  f64[n + 1], out; v and m: f64[n], out
 */
export function chainFromMatrix(d: usize, e: usize, n: i32, a: usize, v: usize, m: usize): void {
  set(a, 0, 0);
  for (let i = 1; i < n; i++) set(a, i, Math.abs(get(e, i - 1)));
  set(a, n, 0);
  for (let i = 0; i < n; i++) {
    set(v, i, get(d, i) - get(a, i) - get(a, i + 1));
    set(m, i, 1);
  }
}

/** Lower bound of the eigenvalues: the minimum of v, because springs only add energy. */
export function lowerBound(v: usize, n: i32): f64 {
  let minimum = get(v, 0);
  for (let i = 1; i < n; i++) minimum = Math.min(minimum, get(v, i));
  return minimum;
}

/** Upper bound of the eigenvalues (Gershgorin). */
export function upperBound(a: usize, v: usize, m: usize, n: i32): f64 {
  let maximum = -Infinity;
  for (let i = 0; i < n; i++) {
    maximum = Math.max(maximum, get(v, i) + (2 * (get(a, i) + get(a, i + 1))) / get(m, i));
  }
  return maximum;
}

/**
 * The number of eigenvalues below x, for one shift; handles every special case.
 *
 * A pivot of exactly zero counts as positive and makes the next one −∞.
 */
export function countBelow(a: usize, v: usize, m: usize, n: i32, x: f64): i32 {
  let count = 0;
  let t = get(a, 0);
  for (let i = 0; i < n; i++) {
    const s = (get(v, i) - x) * get(m, i) + t;
    const bond = get(a, i + 1);
    const q = bond + s;
    if (q < 0) count++;
    if (bond === 0) t = 0;
    else if (q === 0) t = -Infinity;
    else t = Math.abs(s) > HUGE ? bond : (bond * s) / q;
  }
  return count;
}

/**
 * The number of eigenvalues below each of eight shifts.
 *
 * @param shifts  f64[8]
 * @param counts  i32[8], out
 */
export function countBelow8(a: usize, v: usize, m: usize, n: i32, shifts: usize, counts: usize): void {
  const x0 = v128.load(shifts);
  const x1 = v128.load(shifts, 16);
  const x2 = v128.load(shifts, 32);
  const x3 = v128.load(shifts, 48);
  const zero = f64x2.splat(0);
  let bond = v128.load64_splat(a);
  let t0 = bond;
  let t1 = bond;
  let t2 = bond;
  let t3 = bond;
  let c0 = i64x2.splat(0);
  let c1 = c0;
  let c2 = c0;
  let c3 = c0;
  const end = (<usize>n) << 3;
  for (let i: usize = 0; i < end; i += 8) {
    const potential = v128.load64_splat(v + i);
    const mass = v128.load64_splat(m + i);
    bond = v128.load64_splat(a + i, 8);
    const s0 = f64x2.add(f64x2.mul(f64x2.sub(potential, x0), mass), t0);
    const s1 = f64x2.add(f64x2.mul(f64x2.sub(potential, x1), mass), t1);
    const s2 = f64x2.add(f64x2.mul(f64x2.sub(potential, x2), mass), t2);
    const s3 = f64x2.add(f64x2.mul(f64x2.sub(potential, x3), mass), t3);
    const q0 = f64x2.add(bond, s0);
    const q1 = f64x2.add(bond, s1);
    const q2 = f64x2.add(bond, s2);
    const q3 = f64x2.add(bond, s3);
    t0 = f64x2.div(f64x2.mul(bond, s0), q0);
    t1 = f64x2.div(f64x2.mul(bond, s1), q1);
    t2 = f64x2.div(f64x2.mul(bond, s2), q2);
    t3 = f64x2.div(f64x2.mul(bond, s3), q3);
    // A lane of all ones is −1.
    c0 = i64x2.sub(c0, f64x2.lt(q0, zero));
    c1 = i64x2.sub(c1, f64x2.lt(q1, zero));
    c2 = i64x2.sub(c2, f64x2.lt(q2, zero));
    c3 = i64x2.sub(c3, f64x2.lt(q3, zero));
  }
  storeCounts(counts, c0, t0);
  storeCounts(counts + 8, c1, t1);
  storeCounts(counts + 16, c2, t2);
  storeCounts(counts + 24, c3, t3);
  // A zero pivot gives an infinity, then NaN to the end. A zero bond at the end, which a caller may choose, gives
  // 0 · s / 0 = NaN too. The scalar count handles both cases.
  for (let lane = 0; lane < SHIFTS; lane++) {
    if (load<i32>(counts + ((<usize>lane) << 2)) < 0) {
      store<i32>(counts + ((<usize>lane) << 2), countBelow(a, v, m, n, get(shifts, lane)));
    }
  }
}

/** Two counts; −1 where the recurrence ended in NaN. */
function storeCounts(counts: usize, c: v128, t: v128): void {
  const first = f64x2.extract_lane(t, 0);
  const second = f64x2.extract_lane(t, 1);
  store<i32>(counts, isNaN(first) ? -1 : <i32>i64x2.extract_lane(c, 0));
  store<i32>(counts, isNaN(second) ? -1 : <i32>i64x2.extract_lane(c, 1), 4);
}

/**
 * Sets the interval of each of the k lowest eigenvalues to the outer bounds.
 *
 * @returns  the width at which an interval always counts as narrow, eps² of the whole: for an eigenvalue at
 *           the lower bound itself, as the zero of a chain with free ends
 */
export function initialIntervals(a: usize, v: usize, m: usize, n: i32, lo: usize, hi: usize, k: i32): f64 {
  const minimum = lowerBound(v, n);
  const maximum = upperBound(a, v, m, n);
  for (let j = 0; j < k; j++) {
    set(lo, j, minimum);
    set(hi, j, maximum);
  }
  return f64.EPSILON * f64.EPSILON * (maximum - minimum);
}

/** Whether an interval is short relative to its height above `base`, or its ends are neighbouring floats. */
function isDone(lo: f64, hi: f64, base: f64, tol: f64, floor: f64): bool {
  const width = hi - lo;
  const rounding = 2 * f64.EPSILON * Math.max(Math.abs(lo), Math.abs(hi));
  return width <= tol * (hi - base) || width <= rounding || width <= floor;
}

/** Whether eigenvalue j shares the interval of eigenvalue j − 1. Intervals are equal or do not overlap. */
function isShared(lo: usize, hi: usize, j: i32): bool {
  return j > 0 && get(lo, j) === get(lo, j - 1) && get(hi, j) === get(hi, j - 1);
}

/**
 * One sweep: eight shifts, distributed over the lowest unfinished intervals, which their counts then narrow.
 *
 * The interval of eigenvalue j always satisfies count(lo) <= j < count(hi).
 *
 * @param lo    f64[k] and hi: f64[k], from `initialIntervals`, then narrowed in place
 * @param base  lower bound of the eigenvalues, from which heights are measured (`lowerBound`)
 * @param tol   relative width at which an interval is done; floor: absolute, from `initialIntervals`
 * @returns     number of unfinished eigenvalues among the k; 0: all done, no sweep made
 */
export function narrow(
  a: usize,
  v: usize,
  m: usize,
  n: i32,
  lo: usize,
  hi: usize,
  k: i32,
  base: f64,
  tol: f64,
  floor: f64,
  scratch: usize,
): i32 {
  const shifts = scratch;
  const counts = scratch + 64;
  const sections = scratch + 96;
  let pending = 0;
  let found = 0;
  for (let j = 0; j < k; j++) {
    if (isDone(get(lo, j), get(hi, j), base, tol, floor)) continue;
    pending++;
    if (found === SHIFTS || isShared(lo, hi, j)) continue;
    store<i32>(sections + ((<usize>found) << 2), j);
    found++;
  }
  if (pending === 0) return 0;

  // Each section gets 8 / found shifts; the first sections share the remainder.
  let lane = 0;
  for (let i = 0; i < found; i++) {
    const j = load<i32>(sections + ((<usize>i) << 2));
    const inside = SHIFTS / found + (i < SHIFTS % found ? 1 : 0);
    const from = get(lo, j);
    const width = get(hi, j) - from;
    const isGeometric = inside === SHIFTS && get(hi, j) - base > WIDE_RATIO * (from - base);
    let height = get(hi, j) - base;
    for (let p = 1; p <= inside; p++) {
      height *= GEOMETRIC_RATIO;
      set(shifts, lane++, isGeometric ? base + height : from + (width * <f64>p) / <f64>(inside + 1));
    }
  }
  countBelow8(a, v, m, n, shifts, counts);
  for (lane = 0; lane < SHIFTS; lane++) {
    const x = get(shifts, lane);
    const count = load<i32>(counts + ((<usize>lane) << 2));
    for (let j = 0; j < k; j++) {
      if (!(get(lo, j) < x && x < get(hi, j))) continue;
      if (count > j) set(hi, j, x);
      else set(lo, j, x);
    }
  }
  return pending;
}
