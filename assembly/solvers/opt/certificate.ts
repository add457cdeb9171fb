// The certificate at the end of a search: whether the second slopes are positive definite, and the decrease that is left.
//
// In variables scaled by the diagonal, so that units do not matter. Newton's decrement ½ gᵀ H⁻¹ g is the decrease that the
// second-order model still sees; directions without curvature are counted, and their slopes are added. Boyd &
// Vandenberghe, Convex Optimization (2004), on the decrement.

import { symmetricEigen } from '../../numerics/eigen/dense-symmetric';
import { get, set } from '../../numerics/vector';
import { curvature } from './damped';
import { hasMemory, takeF64, takeI32 } from './memory';
import { g, isHeld, n, x } from './state';

/** Largest number of variables whose eigenvalues are computed. */
export const MAX_EIGEN: i32 = 64;
/** Relative to the largest eigenvalue: below it a curvature is 0 by rounding; below its negative it is none. */
const FLAT: f64 = 1e-13;
const NEGATIVE: f64 = -1e-7;
/** Of the scaled matrix: below it a pivot is rounding. */
const TINY_PIVOT: f64 = 4e-16;

export let decrement: f64 = 0;
/** 1: positive definite; 0: with flat directions; −1: falls along a direction. */
export let definite: i32 = 0;
export let smallest: f64 = 0;
export let largest: f64 = 0;
export let freeCount: i32 = 0;

/** f64[n]: the diagonal of the inverse of the second slopes; 0 for held variables, ∞ where a direction is flat. */
export let inverseDiagonal: usize = 0;

let matrix: usize = 0;
let vectors: usize = 0;
let scaledG: usize = 0;
let scales: usize = 0;
let profile: usize = 0;

export function reserveCertificate(isDense: bool): bool {
  matrix = takeF64(isDense ? n * n : 1);
  vectors = takeF64(min(n, MAX_EIGEN) * min(n, MAX_EIGEN));
  scaledG = takeF64(n);
  scales = takeF64(n);
  inverseDiagonal = takeF64(n);
  profile = takeI32(n);
  return hasMemory();
}

/** Of the point x with slopes g and `curvature`, all exact. */
export function certify(): void {
  let top: f64 = 0;
  for (let j = 0; j < n; j++) top = Math.max(top, Math.abs(get(curvature, j * n + j)));
  freeCount = 0;
  for (let j = 0; j < n; j++) {
    if (isHeld(j)) continue;
    const d = Math.abs(get(curvature, j * n + j));
    set(scales, freeCount, d > 0 ? 1 / Math.sqrt(d) : 1);
    set(scaledG, freeCount, get(g, j) * get(scales, freeCount));
    freeCount++;
  }
  decrement = 0;
  smallest = 1;
  largest = 1;
  definite = 1;
  for (let j = 0; j < n; j++) set(inverseDiagonal, j, 0);
  if (freeCount === 0) return;
  fill();
  if (freeCount <= MAX_EIGEN) byEigenvalues();
  else byFactor();
  if (isNaN(decrement)) decrement = Infinity;
  spreadDiagonal();
}

/** From the free variables, where it was collected in their order, to all, in the units of each. */
function spreadDiagonal(): void {
  let k = freeCount;
  for (let j = n - 1; j >= 0; j--) {
    if (isHeld(j)) {
      set(inverseDiagonal, j, 0);
      continue;
    }
    k--;
    set(inverseDiagonal, j, get(inverseDiagonal, k) * get(scales, k) * get(scales, k));
  }
}

/** The scaled matrix of the free variables, f64[free, free]. */
function fill(): void {
  let a = 0;
  for (let i = 0; i < n; i++) {
    if (isHeld(i)) continue;
    let b = 0;
    for (let j = 0; j < n; j++) {
      if (isHeld(j)) continue;
      set(matrix, a * freeCount + b, get(curvature, i * n + j) * get(scales, a) * get(scales, b));
      b++;
    }
    a++;
  }
}

function byEigenvalues(): void {
  const m = freeCount;
  for (let i = 0; i < m * m; i++) {
    if (isFinite(get(matrix, i))) continue;
    decrement = Infinity;
    definite = 0;
    for (let j = 0; j < m; j++) set(inverseDiagonal, j, Infinity);
    return;
  }
  symmetricEigen(matrix, vectors, m);
  largest = Math.max(Math.abs(get(matrix, 0)), Math.abs(get(matrix, m * m - 1)));
  smallest = get(matrix, m * m - 1);
  const floor = FLAT * <f64>m * largest;
  definite = smallest > floor ? 1 : smallest < NEGATIVE * largest ? -1 : 0;
  let size: f64 = 1;
  let k = 0;
  for (let j = 0; j < n; j++) {
    if (isHeld(j)) continue;
    size = Math.max(size, Math.abs(get(x, j)) / get(scales, k));
    k++;
  }
  for (let i = 0; i < m; i++) {
    const eigenvalue = get(matrix, i * m + i);
    let along: f64 = 0;
    for (let j = 0; j < m; j++) along += get(vectors, i * m + j) * get(scaledG, j);
    decrement += eigenvalue > floor ? (0.5 * along * along) / eigenvalue : Math.abs(along) * size;
    for (let j = 0; j < m; j++) {
      const part = get(vectors, i * m + j);
      const added = eigenvalue > floor ? (part * part) / eigenvalue : Math.abs(part) > 1e-8 ? Infinity : 0;
      set(inverseDiagonal, j, get(inverseDiagonal, j) + added);
    }
  }
}

/** The direction of least curvature in the last certificate, by its largest part. @returns 0 if there is none */
export function leastDirection(out: usize): i32 {
  if (freeCount > MAX_EIGEN || freeCount === 0) return 0;
  let size: f64 = 0;
  for (let j = 0; j < freeCount; j++) {
    const part = get(vectors, (freeCount - 1) * freeCount + j) * get(scales, j);
    set(out, j, part);
    size = Math.max(size, Math.abs(part));
  }
  if (!(size > 0)) return 0;
  for (let j = 0; j < freeCount; j++) set(out, j, get(out, j) / size);
  return 1;
}

/** Cholesky's factor inside the profile: nothing is computed left of the first entry of a row. */
function byFactor(): void {
  const m = freeCount;
  const floor = FLAT * <f64>m;
  smallest = Infinity;
  for (let i = 0; i < m; i++) {
    let first = 0;
    while (first < i && get(matrix, i * m + first) === 0) first++;
    store<i32>(profile + ((<usize>i) << 2), first);
    for (let j = first; j <= i; j++) {
      let sum = get(matrix, i * m + j);
      for (let k = max(first, firstOf(j)); k < j; k++) sum -= get(matrix, i * m + k) * get(matrix, j * m + k);
      if (i !== j) set(matrix, i * m + j, sum / get(matrix, j * m + j));
      else if (sum > floor) {
        set(matrix, i * m + i, Math.sqrt(sum));
        smallest = Math.min(smallest, sum);
      } else {
        smallest = sum;
        definite = sum < NEGATIVE ? -1 : 0;
        decrement = Infinity;
        for (let k = 0; k < m; k++) set(inverseDiagonal, k, Infinity);
        return;
      }
    }
  }
  for (let i = 0; i < m; i++) {
    let sum = get(scaledG, i);
    for (let k = firstOf(i); k < i; k++) sum -= get(matrix, i * m + k) * get(scaledG, k);
    const y = sum / get(matrix, i * m + i);
    set(scaledG, i, y);
    decrement += 0.5 * y * y;
  }
  // The squares of a column of the inverse of the factor add up to its diagonal.
  for (let j = 0; j < m; j++) {
    let square: f64 = 0;
    for (let i = j; i < m; i++) {
      let sum: f64 = i === j ? 1 : 0;
      for (let k = max(j, firstOf(i)); k < i; k++) sum -= get(matrix, i * m + k) * get(scaledG, k);
      const y = sum / get(matrix, i * m + i);
      set(scaledG, i, y);
      square += y * y;
    }
    set(inverseDiagonal, j, square);
  }
}

function firstOf(i: i32): i32 {
  return load<i32>(profile + ((<usize>i) << 2));
}

/**
 * The inverse of `curvature`, f64[n, n]; without bounds.
 *
 * @returns false if it is not positive definite
 */
export function invertCurvature(out: usize): bool {
  for (let j = 0; j < n; j++) {
    const d = get(curvature, j * n + j);
    if (!(d > 0)) return false;
    set(scales, j, 1 / Math.sqrt(d));
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = get(curvature, i * n + j) * get(scales, i) * get(scales, j);
      for (let k = 0; k < j; k++) sum -= get(matrix, i * n + k) * get(matrix, j * n + k);
      if (i !== j) set(matrix, i * n + j, sum / get(matrix, j * n + j));
      else if (sum > TINY_PIVOT) set(matrix, i * n + i, Math.sqrt(sum));
      else return false;
    }
  }
  for (let c = 0; c < n; c++) {
    for (let i = 0; i < n; i++) {
      let sum: f64 = i === c ? 1 : 0;
      for (let k = c; k < i; k++) sum -= get(matrix, i * n + k) * get(scaledG, k);
      set(scaledG, i, i < c ? 0 : sum / get(matrix, i * n + i));
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = get(scaledG, i);
      for (let k = i + 1; k < n; k++) sum -= get(matrix, k * n + i) * get(scaledG, k);
      set(scaledG, i, sum / get(matrix, i * n + i));
    }
    for (let i = 0; i < n; i++) set(out, i * n + c, get(scaledG, i) * get(scales, i) * get(scales, c));
  }
  return true;
}
