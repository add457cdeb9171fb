// Damped second-order steps: Newton's with the exact second slopes, and Levenberg and Marquardt's with those of squares.
//
// Both solve (A + λ D²) p = −g/… with λ that a good prediction lowers and a bad one raises; quadratic convergence for
// Newton, for squares if they vanish. A is never formed for squares: the slopes of the rows are rotated into a triangle, as
// the square of a condition would lose half of the digits. Moré, The Levenberg–Marquardt algorithm, Lecture Notes in
// Mathematics 630 (1978); Nielsen's rule for λ; Golub & Van Loan, Matrix Computations (4th ed.), on rotations.

import { copyValues, get, set } from '../../numerics/vector';
import { hasMemory, takeF64, takeI32 } from './memory';
import { eachRow, gradient, hessian } from './objective';
import {
  accept,
  beginState,
  clip,
  countIteration,
  f,
  g,
  isBelowAll,
  isHeld,
  isNegligible,
  NO_START,
  n,
  p,
  ROUNDING,
  STATIONARY,
  setStatus,
  slopeNorm,
  tolG,
  trialG,
  trialX,
  UNBOUNDED,
  x,
} from './state';

const FIRST_LAMBDA: f64 = 1e-3;
const MAX_LAMBDA: f64 = 1e60;
/** Below it, the damping is left out. */
const MIN_LAMBDA: f64 = 1e-14;
const MAX_TRIES: i32 = 80;
const NOISE: f64 = 4 * 2.220446049250313e-16;
const MAX_STILL: i32 = 8;

/** f64[n, n]: the second slopes, of newton. */
export let curvature: usize = 0;
/** f64[n, n] and f64[n]: the triangle of the slopes of the rows, and their rotated values. */
export let triangle: usize = 0;
export let rotated: usize = 0;

let isSquares = false;
let scale: usize = 0;
let factor: usize = 0;
let right: usize = 0;
let extra: usize = 0;
let lambda: f64 = 0;
let raise: f64 = 2;
let still: i32 = 0;
let isPrepared = false;
let profile: usize = 0;

export function reserveDamped(hasCurvature: bool, hasTriangle: bool): bool {
  curvature = takeF64(hasCurvature ? n * n : 1);
  triangle = takeF64(hasTriangle ? n * n : 1);
  factor = takeF64(hasCurvature || hasTriangle ? n * n : 1);
  rotated = takeF64(n);
  scale = takeF64(n);
  right = takeF64(n);
  extra = takeF64(n);
  profile = takeI32(n);
  return hasMemory();
}

export function beginDamped(ofSquares: bool): void {
  isSquares = ofSquares;
  beginState(gradient(x, g));
  lambda = FIRST_LAMBDA;
  raise = 2;
  still = 0;
  isPrepared = false;
  for (let j = 0; j < n; j++) set(scale, j, 0);
  if (!(f < Infinity) || !isFinite(slopeNorm())) setStatus(NO_START);
}

/** Rotates a row into the triangle; what is left of its value is the residual of the linear model. */
export function rotateRow(row: usize, r: f64): void {
  let rest = r;
  for (let j = 0; j < n; j++) {
    const b = get(row, j);
    if (b === 0) continue;
    const a = get(triangle, j * n + j);
    const size = Math.sqrt(a * a + b * b);
    if (size === 0) continue; // below the square root of the smallest number
    const c = a / size;
    const s = b / size;
    set(triangle, j * n + j, size);
    for (let k = j + 1; k < n; k++) {
      const above = get(triangle, j * n + k);
      const below = get(row, k);
      set(triangle, j * n + k, c * above + s * below);
      set(row, k, c * below - s * above);
    }
    const above = get(rotated, j);
    set(rotated, j, c * above + s * rest);
    rest = c * rest - s * above;
  }
}

function rotateFree(row: usize, r: f64): void {
  for (let j = 0; j < n; j++) if (isHeld(j)) set(row, j, 0);
  rotateRow(row, r);
}

/** The triangle at x, of all variables or of those that may move; f at x must have been computed last. */
export function triangulate(ofFree: bool): void {
  memory.fill(triangle, 0, (<usize>(n * n)) << 3);
  memory.fill(rotated, 0, (<usize>n) << 3);
  eachRow(x, ofFree ? rotateFree : rotateRow);
}

function prepare(): void {
  if (isSquares) {
    triangulate(true);
    for (let j = 0; j < n; j++) {
      let square: f64 = 0;
      for (let i = 0; i <= j; i++) square += get(triangle, i * n + j) * get(triangle, i * n + j);
      set(scale, j, Math.max(get(scale, j), Math.sqrt(square)));
    }
  } else {
    hessian(x, curvature);
    for (let j = 0; j < n; j++) {
      set(scale, j, Math.max(get(scale, j), Math.sqrt(Math.abs(get(curvature, j * n + j)))));
      let first = 0;
      while (first < j && get(curvature, j * n + first) === 0) first++;
      store<i32>(profile + ((<usize>j) << 2), first);
    }
  }
  isPrepared = true;
}

/** Sets p for λ. @returns the decrease that the model predicts; negative if the matrix is not positive definite */
function solve(): f64 {
  return isSquares ? solveSquares() : solveNewton();
}

function damping(j: i32): f64 {
  const d = get(scale, j);
  return d > 0 ? d : 1;
}

function solveSquares(): f64 {
  copyValues(factor, triangle, n * n);
  copyValues(right, rotated, n);
  const root = lambda < MIN_LAMBDA ? 0 : Math.sqrt(lambda);
  if (root > 0) {
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) set(extra, k, 0);
      set(extra, i, root * damping(i));
      let rest: f64 = 0;
      for (let j = i; j < n; j++) {
        const b = get(extra, j);
        if (b === 0) continue;
        const a = get(factor, j * n + j);
        const size = Math.sqrt(a * a + b * b);
        const c = a / size;
        const s = b / size;
        set(factor, j * n + j, size);
        for (let k = j + 1; k < n; k++) {
          const above = get(factor, j * n + k);
          const below = get(extra, k);
          set(factor, j * n + k, c * above + s * below);
          set(extra, k, c * below - s * above);
        }
        const above = get(right, j);
        set(right, j, c * above + s * rest);
        rest = c * rest - s * above;
      }
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = -get(right, i);
    for (let k = i + 1; k < n; k++) sum -= get(factor, i * n + k) * get(p, k);
    const pivot = get(factor, i * n + i);
    set(p, i, pivot === 0 || isHeld(i) ? 0 : sum / pivot);
  }
  // |r|² − |r + J p|² = |z|² − |z + R p|², by the sum of both.
  let decrease: f64 = 0;
  for (let i = 0; i < n; i++) {
    let moved: f64 = 0;
    for (let k = i; k < n; k++) moved += get(triangle, i * n + k) * get(p, k);
    decrease -= moved * (2 * get(rotated, i) + moved);
  }
  return isNaN(decrease) ? -1 : decrease;
}

/** Where the first entry of row i of the second slopes is: left of it, nothing is computed. */
function firstOf(i: i32): i32 {
  return load<i32>(profile + ((<usize>i) << 2));
}

function solveNewton(): f64 {
  for (let i = 0; i < n; i++) {
    for (let j = firstOf(i); j <= i; j++) {
      let sum = get(curvature, i * n + j);
      if (i === j) sum += lambda < MIN_LAMBDA ? 0 : lambda * damping(i) * damping(i);
      if (isHeld(i) || isHeld(j)) sum = i === j ? 1 : 0;
      const diagonal = sum;
      for (let k = max(firstOf(i), firstOf(j)); k < j; k++) sum -= get(factor, i * n + k) * get(factor, j * n + k);
      if (i !== j) set(factor, i * n + j, sum / get(factor, j * n + j));
      else if (sum > 1e-15 * Math.abs(diagonal)) set(factor, i * n + i, Math.sqrt(sum));
      else return -1;
    }
  }
  for (let i = 0; i < n; i++) {
    let sum = isHeld(i) ? 0 : -get(g, i);
    for (let k = firstOf(i); k < i; k++) sum -= get(factor, i * n + k) * get(right, k);
    set(right, i, sum / get(factor, i * n + i));
  }
  for (let i = n - 1; i >= 0; i--) {
    const found = get(right, i) / get(factor, i * n + i);
    set(p, i, found);
    for (let k = firstOf(i); k < i; k++) set(right, k, get(right, k) - get(factor, i * n + k) * found);
  }
  let decrease: f64 = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0.5 * get(curvature, i * n + i) * get(p, i);
    for (let j = firstOf(i); j < i; j++) sum += get(curvature, i * n + j) * get(p, j);
    decrease -= get(p, i) * (get(g, i) + sum);
  }
  return isNaN(decrease) ? -1 : decrease;
}

/** One iteration: steps are tried until one is accepted. */
export function iterateDamped(): void {
  if (slopeNorm() === 0) {
    setStatus(STATIONARY);
    return;
  }
  if (!isPrepared) prepare();
  for (let i = 0; i < MAX_TRIES; i++) {
    const predicted = solve();
    if (predicted > 0) {
      if (isNegligible(predicted) && lambda <= 1 && slopeNorm() <= tolG) {
        setStatus(STATIONARY);
        return;
      }
      for (let j = 0; j < n; j++) set(trialX, j, clip(j, get(x, j) + get(p, j)));
      const value = gradient(trialX, trialG);
      if (isBelowAll(value)) {
        accept(value);
        setStatus(UNBOUNDED);
        return;
      }
      const ratio = (f - value) / predicted;
      const isNoise = predicted <= NOISE * Math.abs(f) && value <= f + NOISE * Math.abs(f);
      if (value < Infinity && (ratio > 1e-4 || isNoise)) {
        still = value < f - 1e-15 * Math.abs(f) ? 0 : still + 1;
        const side = 2 * ratio - 1;
        lambda = Math.max(1e-300, lambda * (ratio > 0.75 ? 0.1 : Math.max(1 / 3.0, 1 - side * side * side)));
        raise = 2;
        accept(value);
        countIteration();
        isPrepared = false;
        if (still >= MAX_STILL) setStatus(slopeNorm() <= tolG ? STATIONARY : ROUNDING);
        return;
      }
    }
    lambda = Math.max(lambda, 1e-12) * raise;
    raise *= 2;
    if (lambda > MAX_LAMBDA) break;
  }
  setStatus(ROUNDING);
}
