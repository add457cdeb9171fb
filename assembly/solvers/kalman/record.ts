// Record of a run, row by row: the predicted and the updated state with their covariances, gain, innovation and scores.
import { allocateF64 } from '../../kernel';
import { copyValues, get, set } from '../../numerics/vector';
import { Covariance, SQUARE_ROOT } from './covariance';
import { Model } from './model';

/** Columns of the scores of a row: NIS and its degrees of freedom, log-likelihood, mean NEES and its degrees of freedom. */
export const SCORES: i32 = 5;

export class Record {
  /** f64[rows, n] each: state before and after the measurements, and with all measurements. */
  static predicted: usize = 0;
  static filtered: usize = 0;
  static smoothed: usize = 0;
  /** f64[rows, n n] each; that after the measurements as its square root if the run is by square roots. */
  static predictedP: usize = 0;
  static filteredP: usize = 0;
  /** f64[rows, n] each: their diagonals, and that of the smoothed covariance. */
  static predictedVariance: usize = 0;
  static filteredVariance: usize = 0;
  static smoothedVariance: usize = 0;
  /** f64[rows, n, m]: gains; 0 for a channel that was not measured. */
  static gains: usize = 0;
  /** f64[rows, m] each: innovations, their variances, and L⁻¹ of them; 0 where not measured. */
  static innovations: usize = 0;
  static innovationVariance: usize = 0;
  static whitened: usize = 0;
  /** f64[rows, SCORES] */
  static scores: usize = 0;
}

export function allocateRecord(): bool {
  const rows = Model.rows;
  const n = Model.n;
  const m = Model.m;
  Record.predicted = allocateF64(rows * n);
  Record.filtered = allocateF64(rows * n);
  Record.smoothed = allocateF64(rows * n);
  Record.predictedP = allocateF64(rows * n * n);
  Record.filteredP = allocateF64(rows * n * n);
  Record.predictedVariance = allocateF64(rows * n);
  Record.filteredVariance = allocateF64(rows * n);
  Record.smoothedVariance = allocateF64(rows * n);
  Record.gains = allocateF64(rows * n * m);
  Record.innovations = allocateF64(rows * m);
  Record.innovationVariance = allocateF64(rows * m);
  Record.whitened = allocateF64(rows * m);
  Record.scores = allocateF64(rows * SCORES);
  return (
    Record.predicted !== 0 &&
    Record.predictedP !== 0 &&
    Record.filteredP !== 0 &&
    Record.gains !== 0 &&
    Record.scores !== 0
  );
}

/** The address of a row of a record. */
export function rowOf(record: usize, row: i32, width: i32): usize {
  return record + ((<usize>row * <usize>width) << 3);
}

export function recordPrediction(row: i32, x: usize): void {
  const n = Model.n;
  copyValues(rowOf(Record.predicted, row, n), x, n);
  copyValues(rowOf(Record.predictedP, row, n * n), Covariance.P, n * n);
  for (let i = 0; i < n; i++) set(Record.predictedVariance, row * n + i, get(Covariance.P, i * n + i));
}

/** @param white  f64[measured]: L⁻¹ of the innovation. @param innovation  f64[measured] */
export function recordUpdate(row: i32, x: usize, innovation: usize, white: usize): void {
  const n = Model.n;
  const m = Model.m;
  copyValues(rowOf(Record.filtered, row, n), x, n);
  const updated = Covariance.form === SQUARE_ROOT ? Covariance.root : Covariance.P;
  copyValues(rowOf(Record.filteredP, row, n * n), updated, n * n);
  for (let i = 0; i < n; i++) set(Record.filteredVariance, row * n + i, get(Covariance.P, i * n + i));
  const count = Covariance.measured;
  const gain = rowOf(Record.gains, row, n * m);
  for (let i = 0; i < n * m; i++) set(gain, i, 0);
  for (let i = 0; i < m; i++) {
    set(Record.innovations, row * m + i, 0);
    set(Record.innovationVariance, row * m + i, 0);
    set(Record.whitened, row * m + i, 0);
  }
  for (let a = 0; a < count; a++) {
    const channel = <i32>get(Covariance.channels, a);
    for (let i = 0; i < n; i++) set(gain, i * m + channel, get(Covariance.K, i * count + a));
    let variance: f64 = 0;
    for (let k = 0; k <= a; k++) variance += get(Covariance.L, a * count + k) * get(Covariance.L, a * count + k);
    set(Record.innovations, row * m + channel, get(innovation, a));
    set(Record.innovationVariance, row * m + channel, variance);
    set(Record.whitened, row * m + channel, get(white, a));
  }
}
