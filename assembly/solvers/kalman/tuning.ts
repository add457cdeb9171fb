// Maximum likelihood for factors of Q and R: a coarse scan of their logarithms, then Newton's steps with differences.
//
// Each evaluation is one pass of the filter. Slope and curvature are central differences, so their error is of the second
// order in the step. A step that does not raise the likelihood is shortened by Levenberg's damping. Harvey, Forecasting,
// Structural Time Series Models and the Kalman Filter (1989).
import { allocateF64 } from '../../kernel';
import { semidefiniteCholesky, solveLower, solveLowerTransposed } from '../../numerics/dense';
import { get, set } from '../../numerics/vector';
import { Covariance } from './covariance';
import { MAX_CHANNELS, MAX_STATES, Model, scaleR } from './model';

export const MAX_PARAMETERS: i32 = 1 + MAX_CHANNELS;
/** Points of the scan along each direction, about the given Q and R, and their distance. */
const SCANNED: i32 = 13;
const DISTANCE: f64 = 3;
/** Logarithms beyond this are no estimate. */
const BOUND: f64 = 24;
const MAX_STEP: f64 = 2;
const MAX_ITERATIONS: i32 = 60;
/** Predicted gain of the likelihood at which Newton's steps end. */
const GAIN: f64 = 1e-9;
const MAX_DAMPING: f64 = 1e9;

const SCAN: i32 = 0;
const DIFFERENCES: i32 = 1;
const TRIAL: i32 = 2;
const DONE: i32 = 3;

export class Tuning {
  /** Whether Q has a factor; 0: none for R, 1: one, 2: one for each channel. */
  static q: bool = false;
  static r: i32 = 0;
  static parameters: i32 = 0;
  static difference: f64 = 0;
  static stage: i32 = DONE;
  static isConverged: bool = false;
  static iterations: i32 = 0;
  static evaluations: i32 = 0;
  /** f64[parameters] each: the best logarithms, those of the next pass, and those of the scan's best. */
  static theta: usize = 0;
  static next: usize = 0;
  /** Likelihood of theta. */
  static best: f64 = 0;
  /** f64[p p], negative second differences; f64[p]: slopes. */
  static information: usize = 0;
  static slope: usize = 0;
  /** f64[p, MAX_STATES]: slopes of the standard deviations after the last row. */
  static sensitivity: usize = 0;
  /** f64[MAX_CHANNELS]: factors of R. */
  static factors: usize = 0;
  static values: usize = 0;
  static damped: usize = 0;
  static point: i32 = 0;
  static damping: f64 = 0;
}

export function allocateTuning(): bool {
  Tuning.theta = allocateF64(MAX_PARAMETERS);
  Tuning.next = allocateF64(MAX_PARAMETERS);
  Tuning.information = allocateF64(MAX_PARAMETERS * MAX_PARAMETERS);
  Tuning.slope = allocateF64(MAX_PARAMETERS);
  Tuning.sensitivity = allocateF64(MAX_PARAMETERS * MAX_STATES);
  Tuning.factors = allocateF64(MAX_CHANNELS);
  Tuning.values = allocateF64(2 * MAX_PARAMETERS * MAX_PARAMETERS);
  Tuning.damped = allocateF64(MAX_PARAMETERS * MAX_PARAMETERS);
  return Tuning.damped !== 0;
}

/** @returns whether there is anything to tune */
export function beginTuning(): bool {
  Tuning.parameters = (Tuning.q ? 1 : 0) + (Tuning.r === 2 ? Model.m : Tuning.r);
  Tuning.stage = Tuning.parameters > 0 ? SCAN : DONE;
  Tuning.isConverged = Tuning.parameters === 0;
  Tuning.iterations = 0;
  Tuning.evaluations = 0;
  Tuning.best = -Infinity;
  Tuning.point = 0;
  Tuning.damping = 1e-3;
  for (let i = 0; i < Tuning.parameters; i++) set(Tuning.theta, i, 0);
  if (Tuning.stage === SCAN) setScanned();
  applyFactors(Tuning.stage === SCAN ? Tuning.next : Tuning.theta);
  return Tuning.parameters > 0;
}

/** Factors of the model from their logarithms. */
export function applyFactors(theta: usize): void {
  Model.qFactor = Tuning.q ? Math.exp(get(theta, 0)) : 1;
  const first = Tuning.q ? 1 : 0;
  for (let i = 0; i < Model.m; i++) {
    let factor: f64 = 1;
    if (Tuning.r === 1) factor = Math.exp(get(theta, first));
    else if (Tuning.r === 2) factor = Math.exp(get(theta, first + i));
    set(Tuning.factors, i, factor);
  }
  scaleR(Tuning.factors);
}

function copyTheta(): void {
  for (let i = 0; i < Tuning.parameters; i++) set(Tuning.next, i, get(Tuning.theta, i));
}

/** One direction for Q, and one for R. */
function scanDirections(): i32 {
  return (Tuning.q ? 1 : 0) + (Tuning.r > 0 ? 1 : 0);
}

function scanPoints(): i32 {
  return scanDirections() === 2 ? SCANNED * SCANNED : SCANNED;
}

function setScanned(): void {
  const offset = <f64>(SCANNED >> 1);
  const first = DISTANCE * (<f64>(Tuning.point % SCANNED) - offset);
  const second = DISTANCE * (<f64>(Tuning.point / SCANNED) - offset);
  for (let i = 0; i < Tuning.parameters; i++)
    set(Tuning.next, i, i === 0 ? first : scanDirections() === 2 ? second : first);
}

/** Points of the differences: ± along each parameter, then ± along each pair. */
function differencePoints(): i32 {
  const p = Tuning.parameters;
  return p * (p + 1);
}

function setDifference(): void {
  copyTheta();
  const p = Tuning.parameters;
  const sign: f64 = (Tuning.point & 1) === 0 ? 1 : -1;
  let k = Tuning.point >> 1;
  let i = k;
  let j = k;
  if (k >= p) {
    k -= p;
    i = 0;
    while (k >= p - 1 - i) {
      k -= p - 1 - i;
      i++;
    }
    j = i + 1 + k;
    set(Tuning.next, j, get(Tuning.next, j) + sign * Tuning.difference);
  }
  set(Tuning.next, i, get(Tuning.next, i) + sign * Tuning.difference);
}

/**
 * Takes the likelihood of the pass that ended, −∞ if it failed, and sets the factors of the next one.
 *
 * @returns false if there is none: the factors are then those of the estimate
 */
export function nextPass(likelihood: f64): bool {
  Tuning.evaluations++;
  const value = isFinite(likelihood) ? likelihood : -Infinity;
  if (Tuning.stage === SCAN) afterScanned(value);
  else if (Tuning.stage === DIFFERENCES) afterDifference(value);
  else if (Tuning.stage === TRIAL) afterTrial(value);
  applyFactors(Tuning.stage === DONE ? Tuning.theta : Tuning.next);
  return Tuning.stage !== DONE;
}

function afterScanned(value: f64): void {
  if (value > Tuning.best) {
    Tuning.best = value;
    for (let i = 0; i < Tuning.parameters; i++) set(Tuning.theta, i, get(Tuning.next, i));
  }
  if (++Tuning.point < scanPoints()) setScanned();
  else if (Tuning.best > -Infinity) startDifferences();
  else Tuning.stage = DONE;
}

function startDifferences(): void {
  Tuning.stage = DIFFERENCES;
  Tuning.point = 0;
  setDifference();
}

function afterDifference(value: f64): void {
  const p = Tuning.parameters;
  set(Tuning.values, Tuning.point, value);
  if (Tuning.point < 2 * p) {
    const k = Tuning.point >> 1;
    for (let i = 0; i < Model.n; i++) {
      const deviation = Math.sqrt(Math.max(0, get(Covariance.P, i * Model.n + i))) / (2 * Tuning.difference);
      const before = (Tuning.point & 1) === 0 ? 0 : get(Tuning.sensitivity, k * MAX_STATES + i);
      set(Tuning.sensitivity, k * MAX_STATES + i, (Tuning.point & 1) === 0 ? deviation : before - deviation);
    }
  }
  if (++Tuning.point < differencePoints()) {
    setDifference();
    return;
  }
  setInformation();
  Tuning.iterations++;
  propose();
}

function setInformation(): void {
  const p = Tuning.parameters;
  const h = Tuning.difference;
  for (let i = 0; i < p; i++) {
    const above = get(Tuning.values, 2 * i);
    const below = get(Tuning.values, 2 * i + 1);
    set(Tuning.slope, i, (above - below) / (2 * h));
    set(Tuning.information, i * p + i, (2 * Tuning.best - above - below) / (h * h));
  }
  let pair = p;
  for (let i = 0; i < p; i++) {
    for (let j = i + 1; j < p; j++) {
      const both = get(Tuning.values, 2 * pair) + get(Tuning.values, 2 * pair + 1) - 2 * Tuning.best;
      const own = get(Tuning.information, i * p + i) + get(Tuning.information, j * p + j);
      const mixed = -0.5 * (both / (h * h) + own);
      set(Tuning.information, i * p + j, mixed);
      set(Tuning.information, j * p + i, mixed);
      pair++;
    }
  }
}

/** The next trial, with more damping until the damped curvature is positive; the end if its gain is negligible. */
function propose(): void {
  const p = Tuning.parameters;
  if (Tuning.iterations > MAX_ITERATIONS) {
    Tuning.stage = DONE;
    return;
  }
  for (;;) {
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) set(Tuning.damped, i * p + j, get(Tuning.information, i * p + j));
      const curvature = Math.max(Math.abs(get(Tuning.information, i * p + i)), 1e-3);
      set(Tuning.damped, i * p + i, get(Tuning.information, i * p + i) + Tuning.damping * curvature);
    }
    if (semidefiniteCholesky(Tuning.damped, Tuning.damped, p, 1e-10) === p) break;
    Tuning.damping *= 10;
    if (Tuning.damping > MAX_DAMPING) {
      Tuning.stage = DONE;
      return;
    }
  }
  for (let i = 0; i < p; i++) set(Tuning.next, i, get(Tuning.slope, i));
  solveLower(Tuning.damped, Tuning.next, p);
  solveLowerTransposed(Tuning.damped, Tuning.next, p);
  let gain: f64 = 0;
  let isInside = true;
  for (let i = 0; i < p; i++) {
    const step = Math.max(-MAX_STEP, Math.min(MAX_STEP, get(Tuning.next, i)));
    gain += step * get(Tuning.slope, i);
    const moved = get(Tuning.theta, i) + step;
    if (Math.abs(moved) > BOUND) isInside = false;
    set(Tuning.next, i, Math.max(-BOUND, Math.min(BOUND, moved)));
  }
  Tuning.stage = TRIAL;
  if (!isInside && gain < 1e-3) Tuning.stage = DONE;
  else if (gain < GAIN && Tuning.damping < 1) {
    Tuning.isConverged = true;
    Tuning.stage = DONE;
  } else if (Tuning.damping > MAX_DAMPING) Tuning.stage = DONE;
}

function afterTrial(value: f64): void {
  if (value > Tuning.best) {
    Tuning.best = value;
    for (let i = 0; i < Tuning.parameters; i++) set(Tuning.theta, i, get(Tuning.next, i));
    Tuning.damping = Math.max(1e-9, 0.1 * Tuning.damping);
    startDifferences();
    return;
  }
  Tuning.damping = Math.max(1e-3, 10 * Tuning.damping);
  propose();
}
