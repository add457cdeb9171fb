// Kalman's filter for x_k = F x_{k−1} + B u + w, z_k = H x_k + v with white noise of covariances Q and R: covariances in
// Joseph's form, smoothing by Rauch, Tung & Striebel, likelihood, maximum likelihood for factors of Q and R.
//
// The same run in the square root of P with another smoother is its witness; the standard form is there to compare.
// Converges linearly to the steady state with the factor ρ(F − K H F)² where the model is detectable; P grows without
// bound where it is not. Fails, by name, where the covariance of an innovation is singular. Kalman, J. Basic Eng. 82 (1960)
// 35; Anderson & Moore, Optimal Filtering (1979).
//
// Compressed size: at most 18 kB, because the witness in square roots and the likelihood are parts of it.
//
// Calls in inner loops: a row of the filter calls products of small matrices, which are loops themselves.
import {
  INFO_NON_FINITE,
  INFO_NOT_CONVERGED,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { seedRandom } from '../numerics/random';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { allocateCovariance, Covariance, factorNoise, SQUARE_ROOT } from './kalman/covariance';
import { allocateEnsemble, Ensemble, simulate } from './kalman/ensemble';
import { allocateModel, MAX_CHANNELS, MAX_STATES, Model } from './kalman/model';
import { allocatePass, beginPass, Pass, passRow } from './kalman/pass';
import { allocateQuality, Quality } from './kalman/quality';
import { allocateRecord, Record, SCORES } from './kalman/record';
import { allocateSmoother, smoothRow } from './kalman/smoother';
import { allocateTuning, beginTuning, MAX_PARAMETERS, nextPass, Tuning } from './kalman/tuning';

export { abi, control } from '../kernel';

/**
 * form: 0 Joseph, 1 standard, 2 square root; states 1..8; channels 1..4; rows; transitions: different steps; hasInputs
 * 0 | 1; runs: simulated ones, 0 if the measurements are given; seed; trueQ, trueR > 0: factors of Q and R in the
 * simulated world; tuneQ 0 | 1; tuneR: 0 not, 1 one factor, 2 one for each channel; difference > 0 of logarithms.
 */
export enum Parameter {
  form,
  states,
  channels,
  rows,
  transitions,
  hasInputs,
  runs,
  seed,
  trueQ,
  trueR,
  tuneQ,
  tuneR,
  difference,
}

/**
 * Inputs: transitions f64[transitions, 2, n, n]: F and Q; stepOf f64[rows]; observation f64[m n + m m]: H and R; initial
 * f64[n + n n]: x and P before the first row; present f64[rows]: bits of the measured channels; measured f64[rows, m],
 * written by a simulation; inputs f64[rows, n]. Of each row: predicted, filtered, smoothed f64[n] and their variances;
 * gains f64[n, m]; innovations, innovationVariance, whitened f64[m]; scores f64[5], see ScoreColumn; truth, errors,
 * expectedErrors f64[n] of a simulation. covariance f64[2, n, n]: of the last row before and after. estimates f64[5]:
 * logarithms of the factors; information f64[p, p]; sensitivity f64[5, 8]: of standard deviations at the end.
 */
export enum View {
  transitions,
  stepOf,
  observation,
  initial,
  present,
  measured,
  inputs,
  predicted,
  filtered,
  smoothed,
  predictedVariance,
  filteredVariance,
  smoothedVariance,
  gains,
  innovations,
  innovationVariance,
  whitened,
  scores,
  truth,
  errors,
  expectedErrors,
  lastPredicted,
  lastFiltered,
  estimates,
  information,
  sensitivity,
}

/**
 * The row with a singular innovation, or 0; asymmetry and the smallest eigenvalue of the covariances over their scale;
 * what tuning did.
 */
export enum Statistic {
  logLikelihood,
  singularRow,
  asymmetry,
  smallestEigenvalue,
  isTuned,
  iterations,
  evaluations,
}

/** NIS and its degrees of freedom, log-likelihood of the row, NEES as mean of the simulated runs and its degrees. */
export enum ScoreColumn {
  nis,
  nisFreedom,
  logLikelihood,
  nees,
  neesFreedom,
}

const MAX_ROWS: f64 = 1_000_000;
const MAX_RUNS: f64 = 10_000;

const TUNE: i32 = 0;
const FILTER: i32 = 1;
const SMOOTH: i32 = 2;
const END: i32 = 3;

let phase: i32 = END;
let smoothed: i32 = 0;
let done: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.form), 0, 2)) return illegal(Parameter.form);
  if (!isIntegerBetween(parameter(Parameter.states), 1, MAX_STATES)) return illegal(Parameter.states);
  if (!isIntegerBetween(parameter(Parameter.channels), 1, MAX_CHANNELS)) return illegal(Parameter.channels);
  if (!isIntegerBetween(parameter(Parameter.rows), 1, MAX_ROWS)) return illegal(Parameter.rows);
  if (!isIntegerBetween(parameter(Parameter.transitions), 1, MAX_ROWS)) return illegal(Parameter.transitions);
  if (!isFlag(parameter(Parameter.hasInputs))) return illegal(Parameter.hasInputs);
  if (!isIntegerBetween(parameter(Parameter.runs), 0, MAX_RUNS)) return illegal(Parameter.runs);
  if (!isIntegerBetween(parameter(Parameter.seed), 0, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.seed);
  if (!isNonNegative(parameter(Parameter.trueQ))) return illegal(Parameter.trueQ);
  if (!isNonNegative(parameter(Parameter.trueR))) return illegal(Parameter.trueR);
  if (!isFlag(parameter(Parameter.tuneQ))) return illegal(Parameter.tuneQ);
  if (!isIntegerBetween(parameter(Parameter.tuneR), 0, 2)) return illegal(Parameter.tuneR);
  if (!isPositive(parameter(Parameter.difference))) return illegal(Parameter.difference);
  Covariance.form = <i32>parameter(Parameter.form);
  Model.n = <i32>parameter(Parameter.states);
  Model.m = <i32>parameter(Parameter.channels);
  Model.rows = <i32>parameter(Parameter.rows);
  Model.transitions = <i32>parameter(Parameter.transitions);
  Model.hasInputs = parameter(Parameter.hasInputs) === 1;
  Ensemble.runs = <i32>parameter(Parameter.runs);
  Ensemble.q = parameter(Parameter.trueQ);
  Ensemble.r = parameter(Parameter.trueR);
  Tuning.q = parameter(Parameter.tuneQ) === 1;
  Tuning.r = <i32>parameter(Parameter.tuneR);
  Tuning.difference = parameter(Parameter.difference);
  seedRandom(parameter(Parameter.seed));
  const isReserved =
    allocateModel() &&
    allocateCovariance() &&
    allocatePass() &&
    allocateRecord() &&
    allocateEnsemble() &&
    allocateQuality() &&
    allocateSmoother() &&
    allocateTuning();
  return isReserved ? INFO_OK : INFO_OUT_OF_MEMORY;
}

/** @returns −i of `transitions` if a row names a step that is not there */
export function start(): i32 {
  for (let row = 0; row < Model.rows; row++) {
    const step = load<f64>(Model.stepOf + ((<usize>row) << 3));
    if (!isIntegerBetween(step, 0, <f64>(Model.transitions - 1))) return illegal(Parameter.transitions);
  }
  factorNoise();
  if (Ensemble.runs > 0) simulate();
  done = 0;
  smoothed = 0;
  phase = beginTuning() ? TUNE : FILTER;
  beginPass(phase === FILTER);
  return INFO_OK;
}

/** At most `count` rows of passes. @returns info: 0; 1 a singular innovation, see singularRow; 2 not finite */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && phase !== END; k++) {
    done++;
    if (phase === TUNE) {
      const isGood = passRow();
      if (isGood && Pass.row < Model.rows) continue;
      if (!nextPass(isGood ? Pass.logLikelihood : -Infinity)) phase = FILTER;
      beginPass(phase === FILTER);
    } else if (phase === FILTER) {
      if (!passRow()) {
        setDone(done);
        finish();
        return Pass.singular > 0 ? INFO_NOT_CONVERGED : INFO_NON_FINITE;
      }
      if (Pass.row === Model.rows) phase = SMOOTH;
    } else {
      smoothed++;
      smoothRow(Model.rows - smoothed, Covariance.form === SQUARE_ROOT);
      if (smoothed === Model.rows) {
        phase = END;
        finish();
      }
    }
  }
  setDone(done);
  return INFO_OK;
}

function finish(): void {
  setStatistic(Statistic.logLikelihood, Pass.logLikelihood);
  setStatistic(Statistic.singularRow, <f64>Pass.singular);
  setStatistic(Statistic.asymmetry, Quality.asymmetry);
  setStatistic(Statistic.smallestEigenvalue, Quality.smallest);
  setStatistic(Statistic.isTuned, Tuning.isConverged ? 1 : 0);
  setStatistic(Statistic.iterations, <f64>Tuning.iterations);
  setStatistic(Statistic.evaluations, <f64>Tuning.evaluations);
  phase = END;
}

function lastRow(record: usize): usize {
  return record + ((<usize>(Model.rows - 1) * <usize>(Model.n * Model.n)) << 3);
}

export function view(i: i32): usize {
  switch (i) {
    case View.transitions:
      return Model.steps;
    case View.stepOf:
      return Model.stepOf;
    case View.observation:
      return Model.observation;
    case View.initial:
      return Model.initial;
    case View.present:
      return Model.present;
    case View.measured:
      return Model.measured;
    case View.inputs:
      return Model.inputs;
    case View.predicted:
      return Record.predicted;
    case View.filtered:
      return Record.filtered;
    case View.smoothed:
      return Record.smoothed;
    case View.predictedVariance:
      return Record.predictedVariance;
    case View.filteredVariance:
      return Record.filteredVariance;
    case View.smoothedVariance:
      return Record.smoothedVariance;
    case View.gains:
      return Record.gains;
    case View.innovations:
      return Record.innovations;
    case View.innovationVariance:
      return Record.innovationVariance;
    case View.whitened:
      return Record.whitened;
    case View.scores:
      return Record.scores;
    case View.truth:
      return Ensemble.truth;
    case View.errors:
      return Ensemble.errors;
    case View.expectedErrors:
      return Ensemble.expected;
    case View.lastPredicted:
      return lastRow(Record.predictedP);
    case View.lastFiltered:
      return lastRow(Record.filteredP);
    case View.estimates:
      return Tuning.theta;
    case View.information:
      return Tuning.information;
    case View.sensitivity:
      return Tuning.sensitivity;
    default:
      return 0;
  }
}

export function extent(i: i32): i32 {
  const n = Model.n;
  const m = Model.m;
  const rows = Model.rows;
  switch (i) {
    case View.transitions:
      return Model.transitions * 2 * n * n;
    case View.stepOf:
    case View.present:
      return rows;
    case View.observation:
      return m * n + m * m;
    case View.initial:
      return n + n * n;
    case View.inputs:
      return Model.hasInputs ? rows * n : 0;
    case View.measured:
    case View.innovations:
    case View.innovationVariance:
    case View.whitened:
      return rows * m;
    case View.gains:
      return rows * n * m;
    case View.scores:
      return rows * SCORES;
    case View.truth:
    case View.errors:
    case View.expectedErrors:
      return Ensemble.runs > 0 ? rows * n : 0;
    case View.lastPredicted:
    case View.lastFiltered:
      return n * n;
    case View.estimates:
      return MAX_PARAMETERS;
    case View.information:
      return Tuning.parameters * Tuning.parameters;
    case View.sensitivity:
      return MAX_PARAMETERS * MAX_STATES;
    default:
      return rows * n;
  }
}
