// One step of the covariance, three ways: Joseph's form, the standard form, and the square root of P by reflections.
//
// Joseph: P = (I − K H) P (I − K H)ᵀ + K R Kᵀ, a sum of squares for any K, so P stays symmetric and positive semi-definite.
// Standard: P = P − K H P, which loses both where R is small; here for comparison. Square root: the triangle of
// [√R, H S; 0, S] holds those of the innovation's covariance and of P. Bucy & Joseph (1968); Anderson & Moore, Optimal
// Filtering (1979).
import { allocateF64 } from '../../kernel';
import {
  congruence,
  multiply,
  multiplyTransposed,
  semidefiniteCholesky,
  solveLower,
  solveLowerTransposed,
  triangularise,
} from '../../numerics/dense';
import { copyValues, get, set } from '../../numerics/vector';
import { MAX_CHANNELS, MAX_STATES, Model, noiseTo, transitionTo } from './model';

export const JOSEPH: i32 = 0;
export const STANDARD: i32 = 1;
export const SQUARE_ROOT: i32 = 2;

/** A pivot below so much of its diagonal element is rounding. */
const SINGULAR: f64 = 1e-14;
const SINGULAR_ROOT: f64 = 1e-7;
/** A variance of an innovation below so much of the largest of the pass is what rounding leaves of 0. */
const VANISHED: f64 = 1e-29;

export class Covariance {
  static form: i32 = JOSEPH;
  /** f64[n n] */
  static P: usize = 0;
  /** f64[n n], of the square root: S Sᵀ = P. */
  static root: usize = 0;
  /** f64[n, measured], of the last row. */
  static K: usize = 0;
  /** f64[measured, n]: rows of H that were measured. */
  static H: usize = 0;
  /** f64[measured, measured]: Cholesky's factor of H P Hᵀ + R. */
  static L: usize = 0;
  /** Channels of the last row, and their number. */
  static measured: i32 = 0;
  static channels: usize = 0;
  /** f64[m]: the largest variance of an innovation so far. */
  static largest: usize = 0;
  static R: usize = 0;
  /** f64[n n]: I − K H. */
  static A: usize = 0;
  static work: usize = 0;
  static more: usize = 0;
  static array: usize = 0;
  /** f64[transitions, n n]: Cholesky's factors of Q. */
  static noiseRoots: usize = 0;
}

export function allocateCovariance(): bool {
  const square = MAX_STATES * MAX_STATES;
  Covariance.P = allocateF64(square);
  Covariance.root = allocateF64(square);
  Covariance.K = allocateF64(MAX_STATES * MAX_CHANNELS);
  Covariance.H = allocateF64(MAX_STATES * MAX_CHANNELS);
  Covariance.L = allocateF64(MAX_CHANNELS * MAX_CHANNELS);
  Covariance.channels = allocateF64(MAX_CHANNELS);
  Covariance.largest = allocateF64(MAX_CHANNELS);
  Covariance.R = allocateF64(MAX_CHANNELS * MAX_CHANNELS);
  Covariance.A = allocateF64(square);
  Covariance.work = allocateF64(2 * square);
  Covariance.more = allocateF64(2 * square);
  Covariance.array = allocateF64(4 * square);
  Covariance.noiseRoots = allocateF64(Model.transitions * Model.n * Model.n);
  return Covariance.noiseRoots !== 0 && Covariance.array !== 0;
}

/** Once the inputs are there. */
export function factorNoise(): void {
  const square = Model.n * Model.n;
  for (let k = 0; k < Model.transitions; k++) {
    const Q = Model.steps + ((<usize>((2 * k + 1) * square)) << 3);
    semidefiniteCholesky(Covariance.noiseRoots + ((<usize>(k * square)) << 3), Q, Model.n, SINGULAR);
  }
}

/** Cholesky's factor of Q of the step to a row, without its factor. */
export function noiseRootTo(row: i32): usize {
  return Covariance.noiseRoots + ((<usize>(<i32>get(Model.stepOf, row) * Model.n * Model.n)) << 3);
}

export function startCovariance(): void {
  const P0 = Model.initial + ((<usize>Model.n) << 3);
  copyValues(Covariance.P, P0, Model.n * Model.n);
  for (let i = 0; i < Model.m; i++) set(Covariance.largest, i, 0);
  if (Covariance.form === SQUARE_ROOT) semidefiniteCholesky(Covariance.root, P0, Model.n, SINGULAR);
}

/** P of the state before the measurements of a row, from that after the row before. */
export function predictCovariance(row: i32): void {
  const n = Model.n;
  const F = transitionTo(row);
  if (Covariance.form === JOSEPH) {
    congruence(Covariance.more, F, Covariance.P, noiseTo(row), Model.qFactor, n, n, Covariance.work);
    copyValues(Covariance.P, Covariance.more, n * n);
  } else if (Covariance.form === STANDARD) {
    multiply(Covariance.work, F, Covariance.P, n, n, n);
    multiplyTransposed(Covariance.P, Covariance.work, F, n, n, n);
    const Q = noiseTo(row);
    for (let i = 0; i < n * n; i++) set(Covariance.P, i, get(Covariance.P, i) + Model.qFactor * get(Q, i));
  } else predictRoot(row, F);
}

function predictRoot(row: i32, F: usize): void {
  const n = Model.n;
  const k = 2 * n;
  multiply(Covariance.work, F, Covariance.root, n, n, n);
  const noise = noiseRootTo(row);
  const factor = Math.sqrt(Model.qFactor);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      set(Covariance.array, i * k + j, get(Covariance.work, i * n + j));
      set(Covariance.array, i * k + n + j, factor * get(noise, i * n + j));
    }
  }
  triangularise(Covariance.array, n, k);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) set(Covariance.root, i * n + j, get(Covariance.array, i * k + j));
  squareRoot();
}

/** P = S Sᵀ. */
function squareRoot(): void {
  multiplyTransposed(Covariance.P, Covariance.root, Covariance.root, Model.n, Model.n, Model.n);
}

/** The rows of H and the part of R that were measured. */
function select(present: i32): void {
  const n = Model.n;
  let count = 0;
  for (let i = 0; i < Model.m; i++) if ((present >> i) & 1) set(Covariance.channels, count++, <f64>i);
  Covariance.measured = count;
  for (let a = 0; a < count; a++) {
    const i = <i32>get(Covariance.channels, a);
    for (let j = 0; j < n; j++) set(Covariance.H, a * n + j, get(Model.observation, i * n + j));
    for (let b = 0; b < count; b++) {
      const j = <i32>get(Covariance.channels, b);
      set(Covariance.R, a * count + b, get(Model.R, i * Model.m + j));
    }
  }
}

/**
 * Gain and P after the measurements of a row.
 *
 * @param present  bits of the channels that were measured
 * @returns false if the covariance of the innovation is singular
 */
export function updateCovariance(present: i32): bool {
  select(present);
  if (Covariance.measured === 0) return true;
  return Covariance.form === SQUARE_ROOT ? updateRoot() : updateFull();
}

/** Whether the conditional variances of the innovations, the squares of L's diagonal, are more than rounding. */
function isRegular(): bool {
  for (let a = 0; a < Covariance.measured; a++) {
    const i = <i32>get(Covariance.channels, a);
    const pivot = get(Covariance.L, a * Covariance.measured + a);
    const largest = Math.max(get(Covariance.largest, i), pivot * pivot);
    set(Covariance.largest, i, largest);
    if (!(pivot * pivot > VANISHED * largest)) return false;
  }
  return true;
}

function updateFull(): bool {
  const n = Model.n;
  const m = Covariance.measured;
  const P = Covariance.P;
  // Rows of P Hᵀ are the right-hand sides of those of K.
  multiplyTransposed(Covariance.K, P, Covariance.H, n, n, m);
  multiply(Covariance.work, Covariance.H, Covariance.K, m, n, m);
  for (let a = 0; a < m; a++)
    for (let b = 0; b <= a; b++)
      set(Covariance.work, a * m + b, get(Covariance.work, a * m + b) + get(Covariance.R, a * m + b));
  if (semidefiniteCholesky(Covariance.L, Covariance.work, m, SINGULAR) < m || !isRegular()) return false;
  for (let i = 0; i < n; i++) {
    const row = Covariance.K + ((<usize>(i * m)) << 3);
    solveLower(Covariance.L, row, m);
    solveLowerTransposed(Covariance.L, row, m);
  }
  setA();
  if (Covariance.form === STANDARD) {
    multiply(Covariance.work, Covariance.A, P, n, n, n);
    copyValues(P, Covariance.work, n * n);
    return true;
  }
  congruence(Covariance.more, Covariance.K, Covariance.R, 0, 0, n, m, Covariance.work);
  const joseph = Covariance.more + ((<usize>(n * n)) << 3);
  congruence(joseph, Covariance.A, P, Covariance.more, 1, n, n, Covariance.work);
  copyValues(P, joseph, n * n);
  return true;
}

/** A = I − K H. */
export function setA(): void {
  const n = Model.n;
  multiply(Covariance.A, Covariance.K, Covariance.H, n, Covariance.measured, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) set(Covariance.A, i * n + j, (i === j ? 1 : 0) - get(Covariance.A, i * n + j));
}

function updateRoot(): bool {
  const n = Model.n;
  const m = Covariance.measured;
  const k = m + n;
  const array = Covariance.array;
  semidefiniteCholesky(Covariance.more, Covariance.R, m, SINGULAR);
  multiply(Covariance.work, Covariance.H, Covariance.root, m, n, n);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < k; j++) {
      const isTop = i < m;
      let value: f64 = 0;
      if (isTop) value = j < m ? get(Covariance.more, i * m + j) : get(Covariance.work, i * n + j - m);
      else if (j >= m) value = get(Covariance.root, (i - m) * n + j - m);
      set(array, i * k + j, value);
    }
  }
  // What the diagonal of the innovation's root would be without cancellation.
  for (let a = 0; a < m; a++) {
    let square: f64 = 0;
    for (let j = 0; j < k; j++) square += get(array, a * k + j) * get(array, a * k + j);
    set(Covariance.work, a, Math.sqrt(square));
  }
  triangularise(array, k, k);
  for (let a = 0; a < m; a++) {
    if (!(get(array, a * k + a) > SINGULAR_ROOT * get(Covariance.work, a))) return false;
    for (let b = 0; b < m; b++) set(Covariance.L, a * m + b, get(array, a * k + b));
  }
  if (!isRegular()) return false;
  // K = K̄ L⁻¹, row by row: L y = x of the transpose.
  for (let i = 0; i < n; i++) {
    const row = Covariance.K + ((<usize>(i * m)) << 3);
    for (let b = 0; b < m; b++) set(row, b, get(array, (m + i) * k + b));
    solveLowerTransposed(Covariance.L, row, m);
    for (let j = 0; j < n; j++) set(Covariance.root, i * n + j, get(array, (m + i) * k + m + j));
  }
  setA();
  squareRoot();
  return true;
}
