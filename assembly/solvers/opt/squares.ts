// Levenberg and Marquardt's method in a trust region: of a sum of squares |r|², each step minimises |r + J p| with |D p| <= Δ.
//
// p solves (JᵀJ + λ D²) p = −Jᵀ r. Where the step without λ is longer than Δ, λ comes from |D p(λ)| = Δ to a tenth, by
// Newton's iteration on 1/|D p(λ)|, between bounds; Δ follows the ratio of the decrease of f to that of the model. Where
// residuals stay large, steps shrink only slowly to 0 and Δ would swing about them: there λ is handed on instead. D holds the
// largest norms of the columns of J so far, so that the steps are those of variables in any units. JᵀJ is never
// formed: the slopes of the rows are rotated into a triangle, and √λ D into a copy of it, as the square of a condition
// would lose half of the digits. Where a diagonal element of the triangle is 0 or rounding, the variable stays.
// Moré, The Levenberg–Marquardt algorithm: implementation and theory, Lecture Notes in Mathematics 630 (1978) 105;
// Golub & Van Loan, Matrix Computations (4th ed.), on rotations.

import { copyValues, get, set } from '../../numerics/vector';
import { hasMemory, takeF64 } from './memory';
import { eachRow, gradient } from './objective';
import {
  accept,
  beginState,
  clip,
  countIteration,
  f,
  g,
  isBelowAll,
  isBounded,
  isHeld,
  isNegligible,
  MAX_STILL,
  NO_START,
  NOISE,
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

/** Δ at the start over |D x|, or itself where x is 0. */
const FIRST_RADIUS: f64 = 100;
/** Of Δ, what the length of a step may differ by. */
const SLACK: f64 = 0.1;
const MAX_NEWTON: i32 = 10;
const MAX_TRIES: i32 = 80;
/** Of the norm of a column of n, a diagonal element that is rounding. */
const DEPENDENT: f64 = 8 * f64.EPSILON;
/** Least ratio of decreases of a step that is taken. */
const MIN_RATIO: f64 = 1e-4;
/** A step that lowers f by less than this part of it hands λ on, by these factors for a good and a poor one. */
const STEADY: f64 = 0.01;
const FALL: f64 = 0.3;
const RISE: f64 = 3;

/** f64[n, n] and f64[n]: the triangle of the slopes of the rows, and their rotated values. */
export let triangle: usize = 0;
let rotated: usize = 0;
/** D, and the triangle and values into which √λ D is rotated. */
let scale: usize = 0;
let factor: usize = 0;
let right: usize = 0;
let extra: usize = 0;

let radius: f64 = 0;
let lambda: f64 = 0;
let still: i32 = 0;
let isSteady = false;
let isFirst = true;
let isPrepared = false;

export function reserveSquares(hasTriangle: bool): bool {
  triangle = takeF64(hasTriangle ? n * n : 1);
  factor = takeF64(hasTriangle ? n * n : 1);
  rotated = takeF64(n);
  scale = takeF64(n);
  right = takeF64(n);
  extra = takeF64(n);
  return hasMemory();
}

export function beginSquares(): void {
  beginState(gradient(x, g));
  lambda = 0;
  still = 0;
  isFirst = true;
  isSteady = false;
  isPrepared = false;
  for (let j = 0; j < n; j++) set(scale, j, 0);
  if (!(f < Infinity) || !isFinite(slopeNorm())) setStatus(NO_START);
}

/** Rotates a row and its value into the triangle `to` and its values, from column `first` on. */
function rotateInto(to: usize, values: usize, row: usize, r: f64, first: i32): void {
  let rest = r;
  for (let j = first; j < n; j++) {
    const b = get(row, j);
    if (b === 0) continue;
    const line = to + ((<usize>(j * n)) << 3);
    const a = get(line, j);
    const size = Math.sqrt(a * a + b * b);
    if (size === 0) continue; // below the square root of the smallest number
    const c = a / size;
    const s = b / size;
    set(line, j, size);
    for (let k = j + 1; k < n; k++) {
      const above = get(line, k);
      const below = get(row, k);
      set(line, k, c * above + s * below);
      set(row, k, c * below - s * above);
    }
    const above = get(values, j);
    set(values, j, c * above + s * rest);
    rest = c * rest - s * above;
  }
}

function rotateRow(row: usize, r: f64): void {
  rotateInto(triangle, rotated, row, r, 0);
}

function rotateFree(row: usize, r: f64): void {
  if (isBounded) for (let j = 0; j < n; j++) if (isHeld(j)) set(row, j, 0);
  rotateRow(row, r);
}

/** The triangle at x, of all variables or of those that may move; f at x must have been computed last. */
export function triangulate(ofFree: bool): void {
  memory.fill(triangle, 0, (<usize>(n * n)) << 3);
  memory.fill(rotated, 0, (<usize>n) << 3);
  eachRow(x, ofFree ? rotateFree : rotateRow);
}

function prepare(): void {
  triangulate(true);
  for (let j = 0; j < n; j++) {
    let square: f64 = 0;
    for (let i = 0; i <= j; i++) square += get(triangle, i * n + j) * get(triangle, i * n + j);
    const norm = Math.sqrt(square);
    set(scale, j, Math.max(get(scale, j), norm));
    // What is left of a column beside those before it is rounding, and steps along it would be as long as Δ allows.
    if (Math.abs(get(triangle, j * n + j)) <= DEPENDENT * <f64>n * norm) set(triangle, j * n + j, 0);
  }
  if (isFirst) {
    let square: f64 = 0;
    for (let j = 0; j < n; j++) square += damping(j) * get(x, j) * (damping(j) * get(x, j));
    radius = square > 0 ? FIRST_RADIUS * Math.sqrt(square) : FIRST_RADIUS;
  }
  isPrepared = true;
}

function damping(j: i32): f64 {
  const d = get(scale, j);
  return d > 0 ? d : 1;
}

/** |D p|. */
function lengthOfStep(): f64 {
  let square: f64 = 0;
  for (let j = 0; j < n; j++) {
    const way = damping(j) * get(p, j);
    square += way * way;
  }
  return Math.sqrt(square);
}

/** p = −t⁻¹ z; 0 where the diagonal is. @returns whether no diagonal element is 0 */
function solveUpper(t: usize, z: usize): bool {
  let isRegular = true;
  for (let i = n - 1; i >= 0; i--) {
    const line = t + ((<usize>(i * n)) << 3);
    let sum = -get(z, i);
    for (let k = i + 1; k < n; k++) sum -= get(line, k) * get(p, k);
    const pivot = get(line, i);
    if (pivot === 0) isRegular = false;
    set(p, i, pivot === 0 ? 0 : sum / pivot);
  }
  return isRegular;
}

/** −d/dλ of ½ |D p|² over |D p|², for p of the triangle t: |t⁻ᵀ D² p|² / |D p|². */
function decayOf(t: usize, length: f64): f64 {
  for (let j = 0; j < n; j++) set(extra, j, damping(j) * ((damping(j) * get(p, j)) / length));
  let square: f64 = 0;
  for (let i = 0; i < n; i++) {
    const line = t + ((<usize>(i * n)) << 3);
    const pivot = get(line, i);
    const w = pivot === 0 ? 0 : get(extra, i) / pivot;
    square += w * w;
    for (let k = i + 1; k < n; k++) set(extra, k, get(extra, k) - w * get(line, k));
  }
  return square;
}

/** p of λ, by the rotation of √λ D into a copy of the triangle. */
function solveDamped(): void {
  copyValues(factor, triangle, n * n);
  copyValues(right, rotated, n);
  const root = Math.sqrt(lambda);
  for (let i = 0; i < n; i++) {
    for (let k = i; k < n; k++) set(extra, k, 0);
    set(extra, i, root * damping(i));
    rotateInto(factor, right, extra, 0, i);
  }
  solveUpper(factor, right);
}

/** Sets p and λ for Δ. @returns |D p| */
function solveInRegion(): f64 {
  const isRegular = solveUpper(triangle, rotated);
  let length = lengthOfStep();
  let over = length - radius;
  const isFinal = over <= SLACK * radius;
  if (isFinal) {
    lambda = 0;
    return length;
  }
  let low: f64 = isRegular && isFinite(length) ? over / radius / decayOf(triangle, length) : 0;
  if (!isFinite(low)) low = 0;
  let steep: f64 = 0;
  for (let j = 0; j < n; j++) {
    let slope: f64 = 0;
    for (let i = 0; i <= j; i++) slope += get(triangle, i * n + j) * get(rotated, i);
    slope /= damping(j);
    steep += slope * slope;
  }
  steep = Math.sqrt(steep);
  let high = steep / radius;
  if (high === 0) high = f64.MIN_NORMAL_VALUE / Math.min(radius, SLACK);
  lambda = Math.min(Math.max(lambda, low), high);
  if (lambda === 0) lambda = steep / length;
  for (let k = 1; ; k++) {
    if (lambda === 0) lambda = Math.max(f64.MIN_NORMAL_VALUE, 1e-3 * high);
    solveDamped();
    length = lengthOfStep();
    const before = over;
    over = length - radius;
    if (Math.abs(over) <= SLACK * radius || (low === 0 && over <= before && before < 0) || k === MAX_NEWTON) break;
    const correction = over / radius / decayOf(factor, length);
    if (over > 0) low = Math.max(low, lambda);
    else high = Math.min(high, lambda);
    const next = Math.max(low, lambda + correction);
    if (!isFinite(next)) break;
    lambda = next;
  }
  return length;
}

/** Sets p for λ as it is, and Δ. @returns |D p| */
function solveSteady(): f64 {
  solveDamped();
  radius = lengthOfStep();
  return radius;
}

/** What the model says that f falls by: |z|² − |z + R p|², by the sum of both. */
function predictedDecrease(): f64 {
  let decrease: f64 = 0;
  for (let i = 0; i < n; i++) {
    let moved: f64 = 0;
    for (let k = i; k < n; k++) moved += get(triangle, i * n + k) * get(p, k);
    decrease -= moved * (2 * get(rotated, i) + moved);
  }
  return isNaN(decrease) ? -1 : decrease;
}

/** The trial point, and p as what bounds leave of it. */
function placeTrial(): void {
  for (let j = 0; j < n; j++) {
    const at = get(x, j);
    const to = clip(j, at + get(p, j));
    set(trialX, j, to);
    if (isBounded) set(p, j, to - at);
  }
}

/** The part of Δ that stays after a step that disappoints: where the parabola along it through both values is lowest. */
function shrinkBy(value: f64, predicted: f64): f64 {
  if (value <= f) return 0.5;
  let slope: f64 = 0;
  for (let j = 0; j < n; j++) slope += get(g, j) * get(p, j);
  const part = (0.5 * slope) / (slope - (value - f));
  return value < 100 * f && part >= 0.1 && predicted > 0 ? Math.min(part, 0.5) : 0.1;
}

/** One iteration: steps are tried until one is accepted. */
export function iterateSquares(): void {
  if (slopeNorm() === 0) {
    setStatus(STATIONARY);
    return;
  }
  if (!isPrepared) prepare();
  for (let i = 0; i < MAX_TRIES; i++) {
    const length = i === 0 && isSteady ? solveSteady() : solveInRegion();
    placeTrial();
    const predicted = predictedDecrease();
    if (predicted > 0 && isNegligible(predicted) && lambda <= 1 && slopeNorm() <= tolG) {
      setStatus(STATIONARY);
      return;
    }
    if (isFirst) radius = Math.min(radius, length);
    isFirst = false;
    const value = gradient(trialX, trialG);
    if (isBelowAll(value)) {
      accept(value);
      setStatus(UNBOUNDED);
      return;
    }
    const used = lambda;
    const ratio = predicted > 0 ? (f - value) / predicted : -1;
    if (!(ratio > 0.25)) {
      const part = shrinkBy(value, predicted);
      radius = part * Math.min(radius, 10 * length);
      lambda /= part;
    } else if (lambda === 0 || ratio >= 0.75) {
      radius = 2 * length;
      lambda *= 0.5;
    }
    const isNoise = predicted <= NOISE * Math.abs(f) && value <= f + NOISE * Math.abs(f);
    if (value < Infinity && predicted > 0 && (ratio > MIN_RATIO || isNoise)) {
      isSteady = used > 0 && f - value < STEADY * f;
      if (isSteady) lambda = used * (ratio >= 0.75 ? FALL : ratio > 0.25 ? 1 : RISE);
      still = value < f - 1e-15 * Math.abs(f) ? 0 : still + 1;
      accept(value);
      countIteration();
      isPrepared = false;
      if (still >= MAX_STILL) setStatus(slopeNorm() <= tolG ? STATIONARY : ROUNDING);
      return;
    }
    if (!(radius > f64.MIN_NORMAL_VALUE)) break;
  }
  setStatus(ROUNDING);
}
