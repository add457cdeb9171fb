// Smoothed states and covariances, backwards from the last row, in two ways.
//
// Rauch, Tung & Striebel, AIAA Journal 3 (1965) 1445: from the state after each row and the smoothed one of the next, with
// the gain C = P Fᵀ P₊⁻¹ and a sum of squares for the covariance. De Jong, Journal of the American Statistical Association
// 84 (1989) 1085: adjoint sums of the innovations, which need no inverse of P.
import { allocateF64 } from '../../kernel';
import {
  apply,
  congruence,
  multiply,
  multiplyTransposed,
  semidefiniteCholesky,
  solveLower,
  solveLowerTransposed,
} from '../../numerics/dense';
import { copyValues, get, set } from '../../numerics/vector';
import { MAX_CHANNELS, MAX_STATES, Model, noiseTo, transitionTo } from './model';
import { Record, rowOf } from './record';

/** A pivot below so much of its diagonal element is rounding. */
const SINGULAR: f64 = 1e-13;

class Smoother {
  /** f64[n n]: smoothed covariance of the row after; N of the adjoint way. */
  static P: usize = 0;
  /** f64[n]: r of the adjoint way. */
  static r: usize = 0;
  static gain: usize = 0;
  static work: usize = 0;
  static more: usize = 0;
  static vector: usize = 0;
}

export function allocateSmoother(): bool {
  const square = MAX_STATES * MAX_STATES;
  Smoother.P = allocateF64(square);
  Smoother.r = allocateF64(MAX_STATES);
  Smoother.gain = allocateF64(2 * square);
  Smoother.work = allocateF64(2 * square);
  Smoother.more = allocateF64(2 * square);
  Smoother.vector = allocateF64(2 * MAX_STATES + MAX_CHANNELS);
  return Smoother.vector !== 0;
}

/** Row `row` from the one after; rows are done from the last to the first. */
export function smoothRow(row: i32, isAdjoint: bool): void {
  if (isAdjoint) smoothByAdjoint(row);
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
  const after = rowOf(Record.smoothed, row + 1, n);
  const before = rowOf(Record.predicted, row + 1, n);
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let k = 0; k < n; k++) sum += get(C, i * n + k) * (get(after, k) - get(before, k));
    set(Record.smoothed, row * n + i, get(Record.filtered, row * n + i) + sum);
  }
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

function smoothByAdjoint(row: i32): void {
  const n = Model.n;
  const m = Model.m;
  const r = Smoother.r;
  const N = Smoother.P;
  if (row === Model.rows - 1) for (let i = 0; i < n * n; i++) set(N, i, 0);
  if (row === Model.rows - 1) for (let i = 0; i < n; i++) set(r, i, 0);
  else {
    // r = Fᵀ r and N = Fᵀ N F of the step to the row after.
    const transposed = Smoother.gain;
    transpose(transposed, transitionTo(row + 1), n);
    apply(Smoother.vector, transposed, r, n, n);
    copyValues(r, Smoother.vector, n);
    congruence(Smoother.more, transposed, N, 0, 0, n, n, Smoother.work);
    copyValues(N, Smoother.more, n * n);
  }
  // A = I − K H
  const K = rowOf(Record.gains, row, n * m);
  const A = Smoother.work;
  multiply(A, K, Model.observation, n, m, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) set(A, i * n + j, (i === j ? 1 : 0) - get(A, i * n + j));
  const transposedA = Smoother.gain;
  transpose(transposedA, A, n);
  apply(Smoother.vector, transposedA, r, n, n);
  copyValues(r, Smoother.vector, n);
  congruence(Smoother.more, transposedA, N, 0, 0, n, n, Smoother.work);
  copyValues(N, Smoother.more, n * n);
  addMeasured(row);
  const P = rowOf(Record.predictedP, row, n * n);
  apply(Smoother.vector, P, r, n, n);
  for (let i = 0; i < n; i++)
    set(Record.smoothed, row * n + i, get(Record.predicted, row * n + i) + get(Smoother.vector, i));
  congruence(Smoother.more, P, N, 0, 0, n, n, Smoother.work);
  for (let i = 0; i < n; i++)
    set(Record.smoothedVariance, row * n + i, get(P, i * n + i) - get(Smoother.more, i * n + i));
}

/** r += Hᵀ S⁻¹ ν and N += Hᵀ S⁻¹ H of what the row measured: the columns of L⁻¹ H, and L⁻¹ ν. */
function addMeasured(row: i32): void {
  const n = Model.n;
  const m = Model.m;
  const present = <i32>get(Model.present, row);
  const L = rowOf(Record.factors, row, m * m);
  let count = 0;
  const rows = Smoother.more;
  for (let i = 0; i < m; i++) {
    if (!((present >> i) & 1)) continue;
    for (let j = 0; j < n; j++) set(rows, j * MAX_CHANNELS + count, get(Model.observation, i * n + j));
    set(Smoother.vector, count, get(Record.whitened, row * m + i));
    count++;
  }
  for (let j = 0; j < n; j++) solveLower(L, rows + ((<usize>(j * MAX_CHANNELS)) << 3), count);
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let a = 0; a < count; a++) sum += get(rows, i * MAX_CHANNELS + a) * get(Smoother.vector, a);
    set(Smoother.r, i, get(Smoother.r, i) + sum);
    for (let j = 0; j < n; j++) {
      let product: f64 = 0;
      for (let a = 0; a < count; a++) product += get(rows, i * MAX_CHANNELS + a) * get(rows, j * MAX_CHANNELS + a);
      set(Smoother.P, i * n + j, get(Smoother.P, i * n + j) + product);
    }
  }
}

function transpose(to: usize, from: usize, n: i32): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) set(to, j * n + i, get(from, i * n + j));
}
