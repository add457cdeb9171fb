// One pass of the filter over all rows: states, likelihood, and what else is recorded on the last pass.
import { allocateF64 } from '../../kernel';
import { apply, solveLower } from '../../numerics/dense';
import { copyValues, get, set } from '../../numerics/vector';
import { Covariance, predictCovariance, startCovariance, updateCovariance } from './covariance';
import { followTruth } from './ensemble';
import { MAX_CHANNELS, MAX_STATES, Model, transitionTo } from './model';
import { checkCovariance } from './quality';
import { Record, recordPrediction, recordUpdate, SCORES } from './record';

/** ln 2π */
const LOG_2_PI: f64 = 1.8378770664093453;

export class Pass {
  static row: i32 = 0;
  static isRecorded: bool = false;
  static logLikelihood: f64 = 0;
  /** What the sum of the logarithms has lost to rounding (Kahan). */
  static lost: f64 = 0;
  /** The row, from 1, at which the covariance of the innovation is singular; 0 for none. */
  static singular: i32 = 0;
  /** f64[n]: the state. */
  static x: usize = 0;
  static work: usize = 0;
  static innovation: usize = 0;
  static white: usize = 0;
}

export function allocatePass(): bool {
  Pass.x = allocateF64(MAX_STATES);
  Pass.work = allocateF64(MAX_STATES);
  Pass.innovation = allocateF64(MAX_CHANNELS);
  Pass.white = allocateF64(MAX_CHANNELS);
  return Pass.white !== 0;
}

export function beginPass(isRecorded: bool): void {
  Pass.row = 0;
  Pass.isRecorded = isRecorded;
  Pass.logLikelihood = 0;
  Pass.lost = 0;
  Pass.singular = 0;
  copyValues(Pass.x, Model.initial, Model.n);
  startCovariance();
}

/** x = F x + B u of the step to a row. */
export function predictState(x: usize, row: i32): void {
  const n = Model.n;
  apply(Pass.work, transitionTo(row), x, n, n);
  for (let i = 0; i < n; i++)
    set(x, i, Model.hasInputs ? get(Pass.work, i) + get(Model.inputs, row * n + i) : get(Pass.work, i));
}

/** The innovation of what a row measured, and x with it. @param z  f64[m], all channels */
export function correctState(x: usize, z: usize): void {
  const n = Model.n;
  const count = Covariance.measured;
  apply(Pass.innovation, Covariance.H, x, count, n);
  for (let a = 0; a < count; a++)
    set(Pass.innovation, a, get(z, <i32>get(Covariance.channels, a)) - get(Pass.innovation, a));
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let a = 0; a < count; a++) sum += get(Covariance.K, i * count + a) * get(Pass.innovation, a);
    set(x, i, get(x, i) + sum);
  }
}

/** @returns false if the pass cannot go on: singular, or a number that is not finite */
export function passRow(): bool {
  const row = Pass.row;
  if (row > 0) {
    predictState(Pass.x, row);
    predictCovariance(row);
  }
  if (Pass.isRecorded) recordPrediction(row, Pass.x);
  const present = <i32>get(Model.present, row);
  if (!updateCovariance(present)) {
    Pass.singular = isFinite(sizeOf()) ? row + 1 : 0;
    return false;
  }
  const count = Covariance.measured;
  correctState(Pass.x, Model.measured + ((<usize>row * <usize>Model.m) << 3));
  copyValues(Pass.white, Pass.innovation, count);
  solveLower(Covariance.L, Pass.white, count);
  let nis: f64 = 0;
  let determinant: f64 = 1;
  for (let a = 0; a < count; a++) {
    nis += get(Pass.white, a) * get(Pass.white, a);
    determinant *= get(Covariance.L, a * count + a);
  }
  let ofRow: f64 = 0;
  if (count > 0) ofRow = -0.5 * (<f64>count * LOG_2_PI + nis) - logOf(determinant, count);
  addToLikelihood(ofRow);
  if (Pass.isRecorded) {
    recordUpdate(row, Pass.x, Pass.innovation, Pass.white);
    set(Record.scores, row * SCORES, nis);
    set(Record.scores, row * SCORES + 1, <f64>count);
    set(Record.scores, row * SCORES + 2, ofRow);
    checkCovariance(row);
    followTruth(row);
  }
  Pass.row++;
  return isFinite(nis + sizeOf());
}

/** Not finite if a variance or a state is not. */
function sizeOf(): f64 {
  let size: f64 = 0;
  for (let i = 0; i < Model.n; i++) size += Math.abs(get(Covariance.P, i * Model.n + i)) + Math.abs(get(Pass.x, i));
  return size;
}

/** ln of the product of the diagonal of L, also where the product leaves the range of doubles. */
function logOf(product: f64, count: i32): f64 {
  if (product > 1e-280 && product < 1e280) return Math.log(product);
  let sum: f64 = 0;
  for (let a = 0; a < count; a++) sum += Math.log(get(Covariance.L, a * count + a));
  return sum;
}

function addToLikelihood(term: f64): void {
  const corrected = term - Pass.lost;
  const sum = Pass.logLikelihood + corrected;
  Pass.lost = sum - Pass.logLikelihood - corrected;
  Pass.logLikelihood = sum;
}
