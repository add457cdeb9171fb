// Smoothed states and covariances, backwards from the last row: Rauch, Tung & Striebel, AIAA Journal 3 (1965) 1445.
//
// From the state after each row and the smoothed one of the next, with the gain C = P Fᵀ P₊⁻¹ and a sum of squares for the
// covariance; or with square roots of all covariances, by reflections, without products that lose half of the digits.
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
import { noiseRootTo } from './covariance';
import { MAX_STATES, Model, noiseTo, transitionTo } from './model';
import { Record, rowOf } from './record';

/** A pivot below so much of its diagonal element is rounding. */
const SINGULAR: f64 = 1e-13;

class Smoother {
  /** f64[n n]: smoothed covariance of the row after, or its square root. */
  static P: usize = 0;
  static gain: usize = 0;
  static work: usize = 0;
  static more: usize = 0;
  static array: usize = 0;
}

export function allocateSmoother(): bool {
  const square = MAX_STATES * MAX_STATES;
  Smoother.P = allocateF64(square);
  Smoother.gain = allocateF64(2 * square);
  Smoother.work = allocateF64(2 * square);
  Smoother.more = allocateF64(2 * square);
  Smoother.array = allocateF64(4 * square);
  return Smoother.array !== 0;
}

/** Row `row` from the one after; rows are done from the last to the first. */
export function smoothRow(row: i32, byRoots: bool): void {
  if (byRoots) smoothByRoots(row);
  else smoothByGain(row);
}

function keep(row: i32): void {
  for (let i = 0; i < Model.n; i++) set(Record.smoothedVariance, row * Model.n + i, get(Smoother.P, i * Model.n + i));
}

function smoothByGain(row: i32): void {
  const n = Model.n;
  const P = rowOf(Record.filteredP, row, n * n);
  if (row === Model.rows - 1) {
    copyValues(rowOf(Record.smoothed, row, n), rowOf(Record.filtered, row, n), n);
    copyValues(Smoother.P, P, n * n);
    keep(row);
    return;
  }
  const F = transitionTo(row + 1);
  // Row i of C solves P₊ cᵀ = F (row i of P)ᵀ.
  const C = Smoother.gain;
  multiplyTransposed(C, P, F, n, n, n);
  semidefiniteCholesky(Smoother.work, rowOf(Record.predictedP, row + 1, n * n), n, SINGULAR);
  for (let i = 0; i < n; i++) {
    const c = C + ((<usize>(i * n)) << 3);
    solveLower(Smoother.work, c, n);
    solveLowerTransposed(Smoother.work, c, n);
  }
  smoothState(row, C);
  // (I − C F) P (I − C F)ᵀ + C (P_s + Q) Cᵀ
  const Q = noiseTo(row + 1);
  for (let i = 0; i < n * n; i++) set(Smoother.P, i, get(Smoother.P, i) + Model.qFactor * get(Q, i));
  congruence(Smoother.more, C, Smoother.P, 0, 0, n, n, Smoother.work);
  const A = Smoother.gain + ((<usize>(n * n)) << 3);
  multiply(A, C, F, n, n, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) set(A, i * n + j, (i === j ? 1 : 0) - get(A, i * n + j));
  congruence(Smoother.P, A, P, Smoother.more, 1, n, n, Smoother.work);
  keep(row);
}

/**
 * The triangle of [F S, √Q; S, 0] holds the root of P₊, C with it, and the root of what x is uncertain by if the next state
 * is known; with C times the root of the next smoothed covariance it makes the root of this one.
 */
function smoothByRoots(row: i32): void {
  const n = Model.n;
  const S = rowOf(Record.filteredP, row, n * n);
  const root = Smoother.P;
  if (row === Model.rows - 1) {
    copyValues(rowOf(Record.smoothed, row, n), rowOf(Record.filtered, row, n), n);
    copyValues(root, S, n * n);
    keepRoot(row);
    return;
  }
  const k = 2 * n;
  const array = Smoother.array;
  const F = transitionTo(row + 1);
  const noise = noiseRootTo(row + 1);
  const factor = Math.sqrt(Model.qFactor);
  multiply(Smoother.work, F, S, n, n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      set(array, i * k + j, get(Smoother.work, i * n + j));
      set(array, i * k + n + j, factor * get(noise, i * n + j));
      set(array, (n + i) * k + j, get(S, i * n + j));
      set(array, (n + i) * k + n + j, 0);
    }
  }
  triangularise(array, k, k);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) set(Smoother.more, i * n + j, get(array, i * k + j));
  const C = Smoother.gain;
  for (let i = 0; i < n; i++) {
    const c = C + ((<usize>(i * n)) << 3);
    for (let j = 0; j < n; j++) set(c, j, get(array, (n + i) * k + j));
    solveLowerTransposed(Smoother.more, c, n);
  }
  smoothState(row, C);
  multiply(Smoother.work, C, root, n, n, n);
  // [T, C S] beside each other, n rows of 2 n.
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const known = get(array, (n + i) * k + n + j);
      set(array, i * k + j, known);
      set(array, i * k + n + j, get(Smoother.work, i * n + j));
    }
  }
  triangularise(array, n, k);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) set(root, i * n + j, get(array, i * k + j));
  keepRoot(row);
}

function keepRoot(row: i32): void {
  const n = Model.n;
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let j = 0; j <= i; j++) sum += get(Smoother.P, i * n + j) * get(Smoother.P, i * n + j);
    set(Record.smoothedVariance, row * n + i, sum);
  }
}

/** x = x + C (x_s − x₊) */
function smoothState(row: i32, C: usize): void {
  const n = Model.n;
  const after = rowOf(Record.smoothed, row + 1, n);
  const before = rowOf(Record.predicted, row + 1, n);
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let k = 0; k < n; k++) sum += get(C, i * n + k) * (get(after, k) - get(before, k));
    set(Record.smoothed, row * n + i, get(Record.filtered, row * n + i) + sum);
  }
}
