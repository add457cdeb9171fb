// Simulated runs: the truth and the measurements of each, their errors on the way of the filter, and what the errors
// should be. All runs have the gains of the one that is shown, which depend on the model alone.
import { allocateF64 } from '../../kernel';
import { apply, congruence, semidefiniteCholesky, solveLower } from '../../numerics/dense';
import { normalPair } from '../../numerics/random';
import { copyValues, get, set } from '../../numerics/vector';
import { Covariance, noiseRootTo } from './covariance';
import { MAX_CHANNELS, MAX_STATES, Model, noiseTo, transitionTo } from './model';
import { correctState, predictState } from './pass';
import { Record, SCORES } from './record';

/** A pivot below so much of its diagonal element is rounding. */
const SINGULAR: f64 = 1e-13;
/** Deviates of a row: of the state, and of the measurements behind. */
const ROW: u64 = 8;

export class Ensemble {
  /** Number of simulated runs; 0 if the measurements are given. */
  static runs: i32 = 0;
  /** Factors of Q and R in the simulated world. */
  static q: f64 = 1;
  static r: f64 = 1;
  /** f64[rows, n]: the truth of the first run. */
  static truth: usize = 0;
  /** f64[runs, n] each: truth and estimate. */
  static states: usize = 0;
  static estimates: usize = 0;
  /** f64[rows, n] each: mean square errors of all runs, and what they should be. */
  static errors: usize = 0;
  static expected: usize = 0;
  /** f64[n n]: covariance of the errors in the simulated world. */
  static M: usize = 0;
  /** Factors of P0, Q of each step, and R. */
  static initialRoot: usize = 0;
  static measurementRoot: usize = 0;
  static noise: usize = 0;
  static z: usize = 0;
  static work: usize = 0;
  static more: usize = 0;
}

export function allocateEnsemble(): bool {
  const rows = Ensemble.runs > 0 ? Model.rows : 0;
  const square = MAX_STATES * MAX_STATES;
  Ensemble.truth = allocateF64(max(1, rows * Model.n));
  Ensemble.errors = allocateF64(max(1, rows * Model.n));
  Ensemble.expected = allocateF64(max(1, rows * Model.n));
  Ensemble.states = allocateF64(max(1, Ensemble.runs * Model.n));
  Ensemble.estimates = allocateF64(max(1, Ensemble.runs * Model.n));
  Ensemble.M = allocateF64(square);
  Ensemble.initialRoot = allocateF64(square);
  Ensemble.measurementRoot = allocateF64(MAX_CHANNELS * MAX_CHANNELS);
  Ensemble.noise = allocateF64(MAX_CHANNELS * MAX_CHANNELS);
  Ensemble.z = allocateF64(MAX_CHANNELS);
  Ensemble.work = allocateF64(2 * square);
  Ensemble.more = allocateF64(2 * square);
  return Ensemble.more !== 0 && Ensemble.truth !== 0 && Ensemble.estimates !== 0;
}

/** Eight normal deviates: number `part` of a row of a run. */
function draw(run: i32, row: i32, part: u64): void {
  const first = (<u64>row * 2 + part) * ROW;
  for (let i: u64 = 0; i < 4; i++) normalPair(Ensemble.noise + ((<usize>i) << 4), <u32>run, first + i);
}

/** x += √factor L e, with a lower triangular L [size, size] and the deviates e. */
function disturb(x: usize, L: usize, factor: f64, size: i32): void {
  const root = Math.sqrt(factor);
  for (let i = 0; i < size; i++) {
    let sum: f64 = 0;
    for (let k = 0; k <= i; k++) sum += get(L, i * size + k) * get(Ensemble.noise, k);
    set(x, i, get(x, i) + root * sum);
  }
}

/** The truth of a run at a row, from that at the row before. */
function moveTruth(x: usize, run: i32, row: i32): void {
  draw(run, row, 0);
  if (row === 0) {
    copyValues(x, Model.initial, Model.n);
    disturb(x, Ensemble.initialRoot, 1, Model.n);
    return;
  }
  predictState(x, row);
  disturb(x, noiseRootTo(row), Ensemble.q, Model.n);
}

function measure(z: usize, x: usize, run: i32, row: i32): void {
  draw(run, row, 1);
  apply(z, Model.observation, x, Model.m, Model.n);
  disturb(z, Ensemble.measurementRoot, Ensemble.r, Model.m);
}

/** The first run, whose measurements the filter gets. */
export function simulate(): void {
  const n = Model.n;
  const m = Model.m;
  semidefiniteCholesky(Ensemble.initialRoot, Model.initial + ((<usize>n) << 3), n, SINGULAR);
  semidefiniteCholesky(Ensemble.measurementRoot, Model.observation + ((<usize>(m * n)) << 3), m, SINGULAR);
  for (let row = 0; row < Model.rows; row++) {
    const x = Ensemble.truth + ((<usize>row * <usize>n) << 3);
    if (row > 0) copyValues(x, x - ((<usize>n) << 3), n);
    moveTruth(x, 0, row);
    measure(Model.measured + ((<usize>row * <usize>m) << 3), x, 0, row);
  }
}

/** Every run at a row, with the gain of the filter; mean square errors, and the mean NEES. */
export function followTruth(row: i32): void {
  if (Ensemble.runs === 0) return;
  const n = Model.n;
  followCovariance(row);
  const root = Ensemble.work;
  const freedom = semidefiniteCholesky(root, Covariance.P, n, SINGULAR);
  const errors = Ensemble.errors + ((<usize>row * <usize>n) << 3);
  const error = Ensemble.more;
  let nees: f64 = 0;
  for (let run = 0; run < Ensemble.runs; run++) {
    const truth = Ensemble.states + ((<usize>(run * n)) << 3);
    const estimate = Ensemble.estimates + ((<usize>(run * n)) << 3);
    moveTruth(truth, run, row);
    measure(Ensemble.z, truth, run, row);
    if (row === 0) copyValues(estimate, Model.initial, n);
    else predictState(estimate, row);
    if (Covariance.measured > 0) correctState(estimate, Ensemble.z);
    for (let i = 0; i < n; i++) {
      const off = get(truth, i) - get(estimate, i);
      set(error, i, off);
      set(errors, i, get(errors, i) + off * off);
    }
    solveLower(root, error, n);
    for (let i = 0; i < n; i++) nees += get(error, i) * get(error, i);
  }
  for (let i = 0; i < n; i++) set(errors, i, get(errors, i) / <f64>Ensemble.runs);
  set(Record.scores, row * SCORES + 3, nees / <f64>Ensemble.runs);
  set(Record.scores, row * SCORES + 4, <f64>freedom);
}

/** Joseph's form holds for any gain: with the noise of the simulated world it is the covariance of the errors there. */
function followCovariance(row: i32): void {
  const n = Model.n;
  const count = Covariance.measured;
  if (row === 0) copyValues(Ensemble.M, Model.initial + ((<usize>n) << 3), n * n);
  else {
    congruence(Ensemble.more, transitionTo(row), Ensemble.M, noiseTo(row), Ensemble.q, n, n, Ensemble.work);
    copyValues(Ensemble.M, Ensemble.more, n * n);
  }
  if (count > 0) {
    for (let a = 0; a < count; a++)
      for (let b = 0; b < count; b++) {
        const i = <i32>get(Covariance.channels, a);
        const j = <i32>get(Covariance.channels, b);
        const given = get(Model.observation, Model.m * n + i * Model.m + j);
        set(Ensemble.noise, a * count + b, Ensemble.r * given);
      }
    const joseph = Ensemble.more + ((<usize>(n * n)) << 3);
    congruence(Ensemble.more, Covariance.K, Ensemble.noise, 0, 0, n, count, Ensemble.work);
    congruence(joseph, Covariance.A, Ensemble.M, Ensemble.more, 1, n, n, Ensemble.work);
    copyValues(Ensemble.M, joseph, n * n);
  }
  for (let i = 0; i < n; i++) set(Ensemble.expected, row * n + i, get(Ensemble.M, i * n + i));
}
