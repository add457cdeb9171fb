// Sums of f64 vectors in a fixed order: compensated for accuracy, pairwise for speed.
//
// Neumaier's sum carries the rounding error of every addition in a second word and has an error of about one
// rounding of the result plus n² eps² of the sum of magnitudes (Neumaier 1974, ZAMM 54, 39–51). Pairwise
// summation has an error of at most log2(n) roundings and costs no more than a plain loop (Higham 1993, SIAM
// J. Sci. Comput. 14, 783–799). Both visit the elements in an order that depends on n alone.
import { get } from './vector';

/** Below this length a pairwise sum is a plain loop; the recursion above it is then free. */
const LEAF: i32 = 64;

/** Σ v_i with the rounding errors added back. Infinities and NaN give NaN. */
export function neumaierSum(v: usize, n: i32): f64 {
  let sum: f64 = 0;
  let compensation: f64 = 0;
  for (let i = 0; i < n; i++) {
    const x = get(v, i);
    const next = sum + x;
    // The smaller addend is the one that lost digits.
    compensation += Math.abs(sum) >= Math.abs(x) ? sum - next + x : x - next + sum;
    sum = next;
  }
  return sum + compensation;
}

/**
 * Neumaier's sums of three vectors side by side: each waits for its own additions, so that three take the time of one.
 *
 * @param v       f64[n], the others `apart` bytes beyond the one before
 * @param result  the sums, `step` bytes apart
 */
export function neumaierSum3(v: usize, n: i32, apart: usize, result: usize, step: usize): void {
  let sumA: f64 = 0;
  let sumB: f64 = 0;
  let sumC: f64 = 0;
  let lostA: f64 = 0;
  let lostB: f64 = 0;
  let lostC: f64 = 0;
  for (let i = 0; i < n; i++) {
    const a = get(v, i);
    const b = get(v + apart, i);
    const c = get(v + 2 * apart, i);
    const nextA = sumA + a;
    const nextB = sumB + b;
    const nextC = sumC + c;
    lostA += Math.abs(sumA) >= Math.abs(a) ? sumA - nextA + a : a - nextA + sumA;
    lostB += Math.abs(sumB) >= Math.abs(b) ? sumB - nextB + b : b - nextB + sumB;
    lostC += Math.abs(sumC) >= Math.abs(c) ? sumC - nextC + c : c - nextC + sumC;
    sumA = nextA;
    sumB = nextB;
    sumC = nextC;
  }
  store<f64>(result, sumA + lostA);
  store<f64>(result + step, sumB + lostB);
  store<f64>(result + 2 * step, sumC + lostC);
}

/** Σ v_i by pairwise summation. */
export function pairwiseSum(v: usize, n: i32): f64 {
  if (n <= LEAF) {
    let sum: f64 = 0;
    for (let i = 0; i < n; i++) sum += get(v, i);
    return sum;
  }
  const half = n >> 1;
  return pairwiseSum(v, half) + pairwiseSum(v + ((<usize>half) << 3), n - half);
}

/**
 * Σ a_i b_i by pairwise summation. Up to four leaves are summed side by side: each waits for its own additions, and their
 * bits are those of one after the other.
 */
export function pairwiseDot(a: usize, b: usize, n: i32): f64 {
  if (n <= LEAF) return leafDot(a, b, 0, n);
  const half = n >> 1;
  if (n > 4 * LEAF) {
    const offset = (<usize>half) << 3;
    return pairwiseDot(a, b, half) + pairwiseDot(a + offset, b + offset, n - half);
  }
  return n <= 2 * LEAF ? twoLeaves(a, b, half, n) : fourLeaves(a, b, half, n);
}

function leafDot(a: usize, b: usize, from: i32, to: i32): f64 {
  let sum: f64 = 0;
  for (let i = from; i < to; i++) sum += get(a, i) * get(b, i);
  return sum;
}

/** The second leaf has as many elements as the first, or one more. */
function twoLeaves(a: usize, b: usize, half: i32, n: i32): f64 {
  const offset = (<usize>half) << 3;
  let low: f64 = 0;
  let high: f64 = 0;
  for (let i = 0; i < half; i++) {
    low += get(a, i) * get(b, i);
    high += get(a + offset, i) * get(b + offset, i);
  }
  if (n > 2 * half) high += get(a, n - 1) * get(b, n - 1);
  return low + high;
}

/** A half of at most a leaf is one, and the other then two. */
function fourLeaves(a: usize, b: usize, half: i32, n: i32): f64 {
  const middle = (<usize>half) << 3;
  if (half <= LEAF) return leafDot(a, b, 0, half) + pairwiseDot(a + middle, b + middle, n - half);
  const low = half >> 1;
  const high = (n - half) >> 1;
  const second = (<usize>low) << 3;
  const fourth = middle + ((<usize>high) << 3);
  let s0: f64 = 0;
  let s1: f64 = 0;
  let s2: f64 = 0;
  let s3: f64 = 0;
  for (let i = 0; i < low; i++) {
    s0 += get(a, i) * get(b, i);
    s1 += get(a + second, i) * get(b + second, i);
    s2 += get(a + middle, i) * get(b + middle, i);
    s3 += get(a + fourth, i) * get(b + fourth, i);
  }
  // Leaves differ by an element at most.
  for (let i = low; i < half - low; i++) s1 += get(a + second, i) * get(b + second, i);
  for (let i = low; i < high; i++) s2 += get(a + middle, i) * get(b + middle, i);
  for (let i = low; i < n - half - high; i++) s3 += get(a + fourth, i) * get(b + fourth, i);
  return s0 + s1 + (s2 + s3);
}
