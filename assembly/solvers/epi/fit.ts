// The fit of a curve to counts: quasi-likelihood of Poisson by Levenberg and Marquardt's method, from the best point of a
// scan.
//
// The parameters are logarithms, so that none becomes negative; slopes by central differences. Wedderburn, Biometrika 61
// (1974) 439, doi:10.1093/biomet/61.3.439; Marquardt, J. SIAM 11 (1963) 431, doi:10.1137/0111030. Finds the minimum that
// the scan leads to; counts that do not tell the parameters apart leave a singular information matrix.
import { factorLu, solveLu } from '../../numerics/ode/lu';
import { copyValues, get, set } from '../../numerics/vector';
import { advanceCurve, isFailed, isFinished, peak, peakTime, SAMPLE_STATES, setTimes, startCurve } from './curve';
import {
  count,
  fillSusceptible,
  groups,
  hasExposed,
  infectionsOffset,
  infectiousOffset,
  mu,
  omega,
  setRates,
  total,
} from './model';

/** Members of a vector of parameters: β, γ, σ, the factor of the infected at the start, and the reported share. */
export const ALL: i32 = 5;
const BETA: i32 = 0;
const GAMMA: i32 = 1;
const SIGMA: i32 = 2;
const START: i32 = 3;
const REPORTING: i32 = 4;

/** Columns of an observation: the edges that it lies between, and the count. */
export const OBSERVATION_COLUMNS: i32 = 3;
/** Columns of a sensitivity before the infectious at the samples: peak, its time, infections at the end. */
export const SENSITIVITY_COLUMNS: i32 = 3;

const SCAN_BETA: i32 = 16;
const SCAN_OTHER: i32 = 5;
const SCAN_TOLERANCE: f64 = 1e-4;
const DIFFERENCE: f64 = 1e-4;
const MAX_ITERATIONS: i32 = 60;
const MAX_TRIES: i32 = 12;
/** Largest change of a logarithm in one iteration, and the one that ends the fit. */
const MAX_CHANGE: f64 = 1;
const SMALL_CHANGE: f64 = 1e-9;
const DRIFT: f64 = 1e-5;

export let isDone = false;
export let isConverged = false;
export let deviance: f64 = 0;
export let pearson: f64 = 0;
export let iterations: i32 = 0;

let fitted: i32 = 0;
let size: i32 = 0;
let isPrevalence = false;
let observations: usize = 0;
let rows: i32 = 0;
let edges: usize = 0;
let edgeCount: i32 = 0;
let edgeSamples: usize = 0;
let times: usize = 0;
let livePath: usize = 0;
let timeCount: i32 = 0;
let samples: usize = 0;
let base: usize = 0;
let start: usize = 0;
let rtol: f64 = 0;
let maxStep: f64 = 0;
let scanLow: f64 = 0;
let scanHigh: f64 = 0;
let scanned: i32 = 0;
let floor: f64 = 0;
let lambda: f64 = 0;

let initialStates: usize = 0;
/** The best point of the scan. */
const best: usize = memory.data(8 * 5, 8);
let theta: usize = 0;
let trial: usize = 0;
let expected: usize = 0;
let nearby: usize = 0;
let slopes: usize = 0;
let matrix: usize = 0;
let pivot: usize = 0;
let change: usize = 0;
export let information: usize = 0;
export let sensitivity: usize = 0;

/** Number of f64 that `initFit` needs. */
export function fitSize(observed: i32, edgesGiven: i32, timesGiven: i32, states: i32): i32 {
  const sensitivities = ALL * (SENSITIVITY_COLUMNS + timesGiven);
  return (
    edgesGiven * (SAMPLE_STATES + states) + (2 + ALL) * observed + 4 * ALL * ALL + 6 * ALL + states + sensitivities
  );
}

/** @param estimates  f64[ALL]: the parameters given, overwritten; @param mask  bit i: parameter i is fitted */
export function initFit(estimates: usize, mask: i32, states: i32, memoryAddress: usize): void {
  base = estimates;
  fitted = mask;
  size = 0;
  for (let i = 0; i < ALL; i++) size += (mask >> i) & 1;
  let at = memoryAddress;
  edgeSamples = at;
  at += (<usize>(edgeCount * (SAMPLE_STATES + states))) << 3;
  expected = at;
  nearby = at + ((<usize>rows) << 3);
  slopes = nearby + ((<usize>rows) << 3);
  at = slopes + ((<usize>(ALL * rows)) << 3);
  matrix = at;
  information = at + ((<usize>(ALL * ALL)) << 3);
  pivot = information + ((<usize>(ALL * ALL)) << 3);
  theta = pivot + ((<usize>(2 * ALL * ALL)) << 3);
  trial = theta + ((<usize>ALL) << 3);
  change = trial + ((<usize>ALL) << 3);
  start = change + ((<usize>(2 * ALL)) << 3);
  sensitivity = start + ((<usize>states) << 3);
}

export function setObservations(
  table: usize,
  observed: i32,
  edgeTimes: usize,
  edgesGiven: i32,
  prevalence: bool,
): void {
  observations = table;
  rows = observed;
  edges = edgeTimes;
  edgeCount = edgesGiven;
  isPrevalence = prevalence;
}

/** @param initial  f64[count], of which E and I are scaled */
export function startFit(
  initial: usize,
  sampleTimes: usize,
  timesGiven: i32,
  out: usize,
  tolerance: f64,
  longest: f64,
  lowest: f64,
  highest: f64,
  path: usize,
): void {
  livePath = path;
  times = sampleTimes;
  timeCount = timesGiven;
  samples = out;
  rtol = tolerance;
  maxStep = longest;
  scanLow = lowest;
  scanHigh = highest;
  scanned = 0;
  isDone = false;
  isConverged = false;
  iterations = 0;
  deviance = Infinity;
  lambda = 1e-3;
  initialStates = initial;
  let sum: f64 = 0;
  for (let k = 0; k < rows; k++) sum += get(observations, k * OBSERVATION_COLUMNS + 2);
  floor = 1e-9 * sum;
  for (let i = 0; i < ALL; i++) set(theta, i, Math.log(get(base, i)));
}

function isFitted(i: i32): bool {
  return ((fitted >> i) & 1) === 1;
}

/** Runs the curve of a vector of logarithms. @returns whether it exists */
function runCurve(logs: usize, at: usize, atCount: i32, out: usize): bool {
  const sigma = hasExposed ? Math.exp(get(logs, SIGMA)) : 0;
  setRates(Math.exp(get(logs, BETA)), Math.exp(get(logs, GAMMA)), sigma, mu, omega);
  const scale = Math.exp(get(logs, START));
  copyValues(start, initialStates, count);
  const infected = hasExposed ? 2 * groups : groups;
  for (let i = 0; i < infected; i++) set(start, groups + i, scale * get(initialStates, groups + i));
  fillSusceptible(start);
  for (let g = 0; g < groups; g++) if (!(get(start, g) >= 0)) return false;
  setTimes(at, atCount, at === times ? livePath : 0);
  startCurve(start, rtol, maxStep, out);
  let tries = 0;
  while (!isFinished && !isFailed && tries < 1_000_000) {
    advanceCurve();
    tries++;
  }
  return isFinished;
}

/** What the curve of these logarithms lets expect. @param out  f64[rows] */
function expect(logs: usize, out: usize): bool {
  if (!runCurve(logs, edges, edgeCount, edgeSamples)) return false;
  const reported = Math.exp(get(logs, REPORTING));
  for (let k = 0; k < rows; k++) {
    const row = observations + ((<usize>(k * OBSERVATION_COLUMNS)) << 3);
    const to = totalAt(<i32>get(row, 1));
    set(out, k, reported * (isPrevalence ? to : to - totalAt(<i32>get(row, 0))));
  }
  return true;
}

function totalAt(edge: i32): f64 {
  const states = edgeSamples + ((<usize>(edge * (SAMPLE_STATES + count) + SAMPLE_STATES)) << 3);
  return total(states + (isPrevalence ? infectiousOffset : infectionsOffset));
}

/** Twice the logarithm of the likelihood ratio to the counts themselves. */
function devianceOf(means: usize): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < rows; k++) {
    const y = get(observations, k * OBSERVATION_COLUMNS + 2);
    const m = Math.max(floor, get(means, k));
    sum += y > 0 ? y * Math.log(y / m) - (y - m) : m;
  }
  return 2 * sum;
}

/** One point of the scan, one iteration, or the end. */
export function advanceFit(): void {
  if (isDone) return;
  const others = (isFitted(START) ? SCAN_OTHER : 1) * (isFitted(GAMMA) ? SCAN_OTHER : 1);
  const points = (isFitted(BETA) ? SCAN_BETA : 1) * others;
  if (scanned < points) {
    scan(scanned);
    scanned++;
    if (scanned === points) beginIterations();
    return;
  }
  if (!isConverged && iterations < MAX_ITERATIONS && deviance < Infinity) {
    iterations++;
    iterate();
    return;
  }
  conclude();
  isDone = true;
}

function beginIterations(): void {
  copyValues(theta, best, ALL);
  if (deviance < Infinity) deviance = expect(theta, nearby) ? devianceOf(nearby) : Infinity;
}

function scan(point: i32): void {
  let left = point;
  for (let i = 0; i < ALL; i++) set(trial, i, Math.log(get(base, i)));
  if (isFitted(BETA)) {
    const part = <f64>(left % SCAN_BETA) / <f64>(SCAN_BETA - 1);
    left = left / SCAN_BETA;
    set(trial, BETA, Math.log(scanLow) + part * Math.log(scanHigh / scanLow));
  }
  if (isFitted(START)) {
    set(trial, START, Math.LN10 * <f64>((left % SCAN_OTHER) - SCAN_OTHER / 2));
    left = left / SCAN_OTHER;
  }
  if (isFitted(GAMMA)) set(trial, GAMMA, get(trial, GAMMA) + Math.LN2 * <f64>((left % SCAN_OTHER) - 2));
  // Rough steps find the valley as well.
  const tolerance = rtol;
  const longest = maxStep;
  rtol = Math.max(rtol, SCAN_TOLERANCE);
  maxStep = Infinity;
  const exists = expect(trial, nearby);
  rtol = tolerance;
  maxStep = longest;
  if (!exists) return;
  if (isFitted(REPORTING)) fitReporting();
  const found = devianceOf(nearby);
  if (!(found < deviance)) return;
  deviance = found;
  copyValues(best, trial, ALL);
}

/** The best share for the means at hand, which are proportional to it. */
function fitReporting(): void {
  let counted: f64 = 0;
  let sum: f64 = 0;
  for (let k = 0; k < rows; k++) {
    counted += get(observations, k * OBSERVATION_COLUMNS + 2);
    sum += get(nearby, k);
  }
  if (!(sum > 0)) return;
  const factor = counted / sum;
  set(trial, REPORTING, get(trial, REPORTING) + Math.log(factor));
  for (let k = 0; k < rows; k++) set(nearby, k, get(nearby, k) * factor);
}

/** Means, slopes, gradient and information at θ. @returns whether the curves exist */
function linearise(): bool {
  if (!expect(theta, expected)) return false;
  let p = 0;
  for (let i = 0; i < ALL; i++) {
    if (!isFitted(i)) continue;
    const column = slopes + ((<usize>(p * rows)) << 3);
    copyValues(trial, theta, ALL);
    set(trial, i, get(theta, i) + DIFFERENCE);
    if (!expect(trial, column)) return false;
    set(trial, i, get(theta, i) - DIFFERENCE);
    if (!expect(trial, nearby)) return false;
    for (let k = 0; k < rows; k++) set(column, k, (get(column, k) - get(nearby, k)) / (2 * DIFFERENCE));
    p++;
  }
  for (let a = 0; a < size; a++) {
    const left = slopes + ((<usize>(a * rows)) << 3);
    let gradient: f64 = 0;
    for (let k = 0; k < rows; k++) {
      const m = Math.max(floor, get(expected, k));
      gradient += (get(left, k) * (get(observations, k * OBSERVATION_COLUMNS + 2) - m)) / m;
    }
    set(change, ALL + a, gradient);
    for (let b = 0; b < size; b++) {
      const right = slopes + ((<usize>(b * rows)) << 3);
      let sum: f64 = 0;
      for (let k = 0; k < rows; k++) sum += (get(left, k) * get(right, k)) / Math.max(floor, get(expected, k));
      set(information, a * size + b, sum);
    }
  }
  return true;
}

function iterate(): void {
  if (!linearise()) {
    iterations = MAX_ITERATIONS;
    return;
  }
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    copyValues(matrix, information, size * size);
    for (let a = 0; a < size; a++) set(matrix, a * size + a, get(matrix, a * size + a) * (1 + lambda));
    copyValues(change, change + ((<usize>ALL) << 3), size);
    if (factorLu(matrix, pivot, size) !== 0) {
      iterations = MAX_ITERATIONS;
      return;
    }
    solveLu(matrix, pivot, size, change);
    let largest: f64 = 0;
    for (let a = 0; a < size; a++) largest = Math.max(largest, Math.abs(get(change, a)));
    const factor = largest > MAX_CHANGE ? MAX_CHANGE / largest : 1;
    copyValues(trial, theta, ALL);
    let p = 0;
    for (let i = 0; i < ALL; i++) {
      if (!isFitted(i)) continue;
      set(trial, i, get(theta, i) + factor * get(change, p));
      p++;
    }
    const found = expect(trial, nearby) ? devianceOf(nearby) : Infinity;
    if (found <= deviance) {
      const isFlat = largest < DRIFT && deviance - found <= 1e-12 * deviance;
      deviance = found;
      copyValues(theta, trial, ALL);
      lambda = Math.max(1e-12, lambda * 0.1);
      isConverged = largest < SMALL_CHANGE || isFlat;
      return;
    }
    // At the minimum the roundings of the runs hide what is left.
    if (largest < DRIFT) {
      isConverged = true;
      return;
    }
    lambda *= 10;
  }
  iterations = MAX_ITERATIONS;
}

/** The information, Pearson's statistic, the sensitivities, and the curve of the estimates. */
function conclude(): void {
  if (!(deviance < Infinity && linearise())) isConverged = false;
  pearson = 0;
  for (let k = 0; k < rows; k++) {
    const m = Math.max(floor, get(expected, k));
    const rest = get(observations, k * OBSERVATION_COLUMNS + 2) - m;
    pearson += (rest * rest) / m;
  }
  let p = 0;
  for (let i = 0; i < ALL; i++) {
    if (!isFitted(i)) continue;
    const out = sensitivity + ((<usize>(p * (SENSITIVITY_COLUMNS + timeCount))) << 3);
    for (let side = 0; side < 2; side++) {
      const sign: f64 = side === 0 ? 1 : -1;
      copyValues(trial, theta, ALL);
      set(trial, i, get(theta, i) + sign * DIFFERENCE);
      if (!runCurve(trial, times, timeCount, samples)) isConverged = false;
      addSlope(out, sign / (2 * DIFFERENCE));
    }
    p++;
  }
  if (!runCurve(theta, times, timeCount, samples)) isConverged = false;
  for (let i = 0; i < ALL; i++) set(base, i, Math.exp(get(theta, i)));
}

function addSlope(out: usize, weight: f64): void {
  set(out, 0, get(out, 0) + weight * peak);
  set(out, 1, get(out, 1) + weight * peakTime);
  const width = SAMPLE_STATES + count;
  for (let row = 0; row < timeCount; row++) {
    const states = samples + ((<usize>(row * width + SAMPLE_STATES)) << 3);
    const to = SENSITIVITY_COLUMNS + row;
    set(out, to, get(out, to) + weight * total(states + infectiousOffset));
    if (row === timeCount - 1) set(out, 2, get(out, 2) + weight * total(states + infectionsOffset));
  }
}

/** The means of the counts at the estimates: f64[rows]. */
export function fittedCounts(): usize {
  return expected;
}
