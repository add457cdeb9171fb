// Epidemics in compartments: SIR and SEIR with groups, demography, waning immunity and windows of intervention; as
// differential equations, as an ensemble of exact stochastic runs, and fitted to a series of cases.
//
// The equations by Dormand–Prince 5(4) with an adaptive step (numerics/ode/adaptive.ts): order 5, every compartment to
// rtol of its own size. Explicit: the step is bounded by 3.3 over the fastest rate, which days times rates of people
// afford. The ensemble by Gillespie's direct method (epi/gillespie.ts); the fit by Levenberg and Marquardt's method
// (epi/fit.ts). Fails where a rate is so fast that no step is short enough. Hairer, Nørsett & Wanner I, §II.4 – II.6.
//
// Compressed size: at most 20 kB, because three methods share the model.
//
// Calls in inner loops: a step calls the right side of the caller, a fit integrates a curve for each slope, and
// logarithms of means and waiting times are function calls.
import {
  allocateF64,
  INFO_CAPACITY,
  INFO_NOT_CONVERGED,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { adaptiveSize, initAdaptive } from '../numerics/ode/adaptive';
import { seedRandom } from '../numerics/random';
import { set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import {
  accepted,
  advanceCurve,
  isFailed,
  isFinished,
  peak,
  peaks,
  peakTime,
  rejected,
  SAMPLE_STATES,
  setCurve,
  startCurve,
  WINDOW_COLUMNS,
} from './epi/curve';
import {
  ALL,
  advanceFit,
  deviance,
  fitSize,
  fittedCounts,
  information,
  initFit,
  isConverged,
  isDone,
  iterations,
  OBSERVATION_COLUMNS,
  pearson,
  SENSITIVITY_COLUMNS,
  sensitivity,
  setObservations,
  startFit,
} from './epi/fit';
import { advanceEnsemble, completed, EVENT_KINDS, events, OUTCOME_COLUMNS, startEnsemble } from './epi/gillespie';
import { count, derivatives, fillSusceptible, setModel, setRates } from './epi/model';

export { abi, control } from '../kernel';

/**
 * kind 0 curve | 1 ensemble | 2 fit; groups 1 … 16; hasExposed 0 | 1; windows and samples, lengths of arrays; runs of the ensemble
 * and its seed; maxSteps, tries of a step or events; ticks, the part of `done` that the completed runs share;
 * of a fit, observations and edges, lengths of arrays, isPrevalence 0 | 1, and fitted, a bit for each parameter. Then
 * rates in 1/day: beta, gamma, sigma, mu, omega; days; rtol and maxStep; the reported share; the range of beta that the
 * fit scans.
 */
export enum Parameter {
  kind,
  groups,
  hasExposed,
  windows,
  samples,
  runs,
  seed,
  maxSteps,
  ticks,
  observations,
  edges,
  isPrevalence,
  fitted,
  beta,
  gamma,
  sigma,
  mu,
  omega,
  days,
  rtol,
  maxStep,
  reporting,
  scanLow,
  scanHigh,
}

/**
 * In: contacts f64[groups, groups], a contact matrix over the sizes of the groups met; population f64[groups]; initial
 * f64[count], S, E if any, I, R, C, each f64[groups], of which S is computed; windows f64[windows, 4]; times f64[samples];
 * edges f64[edges], times that observations f64[observations, 3] lie between: two positions and a count.
 * Out: samples f64[samples, 1 + count], of a curve or a fit; paths f64[runs, samples], the infectious, one run for a curve; outcomes of an
 * ensemble; of a fit estimates f64[5], information f64[fitted²], expected f64[observations], and sensitivity
 * f64[fitted, 3 + samples]: slopes of the peak, its time, the infections at the end and the infectious at the samples.
 */
export enum View {
  contacts,
  population,
  initial,
  windows,
  times,
  samples,
  paths,
  outcomes,
  edges,
  observations,
  estimates,
  information,
  expected,
  sensitivity,
}

export enum Statistic {
  peak,
  peakTime,
  peaks,
  accepted,
  rejected,
  completed,
  events,
  deviance,
  pearson,
  iterations,
  isConverged,
}

export enum OutcomeColumn {
  infections,
  peak,
  peakTime,
  end,
  infected,
}

const ENSEMBLE: f64 = 1;
const FIT: f64 = 2;
const MAX_GROUPS: f64 = 16;
const MAX_WINDOWS: f64 = 64;
const MAX_ELEMENTS: f64 = 16_777_216;
const MAX_STEPS: f64 = 1e10;

let isEnsemble = false;
let isFit = false;
let edgeCount: i32 = 0;
let observationCount: i32 = 0;
let fitCount: i32 = 0;
let edges: usize = 0;
let observations: usize = 0;
let estimates: usize = 0;
let fitWork: usize = 0;
let groups: i32 = 1;
let states: i32 = 4;
let windowCount: i32 = 0;
let sampleCount: i32 = 0;
let runs: i32 = 0;
let tries: f64 = 0;
let contacts: usize = 0;
let population: usize = 0;
let initial: usize = 0;
let windows: usize = 0;
let times: usize = 0;
let samples: usize = 0;
let paths: usize = 0;
let outcomes: usize = 0;
let work: usize = 0;
let integrator: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.kind), 0, FIT)) return illegal(Parameter.kind);
  if (!isIntegerBetween(parameter(Parameter.groups), 1, MAX_GROUPS)) return illegal(Parameter.groups);
  if (!isFlag(parameter(Parameter.hasExposed))) return illegal(Parameter.hasExposed);
  if (!isIntegerBetween(parameter(Parameter.windows), 0, MAX_WINDOWS)) return illegal(Parameter.windows);
  if (!isIntegerBetween(parameter(Parameter.samples), 1, 1e6)) return illegal(Parameter.samples);
  isEnsemble = parameter(Parameter.kind) === ENSEMBLE;
  isFit = parameter(Parameter.kind) === FIT;
  const info = checkNumbers();
  if (info !== INFO_OK) return info;
  groups = <i32>parameter(Parameter.groups);
  const hasExposed = parameter(Parameter.hasExposed) === 1;
  states = (hasExposed ? 5 : 4) * groups;
  windowCount = <i32>parameter(Parameter.windows);
  sampleCount = <i32>parameter(Parameter.samples);
  runs = isEnsemble ? <i32>parameter(Parameter.runs) : 0;
  contacts = allocateF64(groups * groups);
  population = allocateF64(groups);
  initial = allocateF64(states);
  windows = allocateF64(windowCount * WINDOW_COLUMNS + 1);
  times = allocateF64(sampleCount);
  work = allocateF64(2 * states + groups * EVENT_KINDS);
  integrator = allocateF64(adaptiveSize(states));
  samples = isEnsemble ? times : allocateF64(sampleCount * (SAMPLE_STATES + states));
  paths = allocateF64(isEnsemble ? runs * sampleCount : sampleCount);
  outcomes = isEnsemble ? allocateF64(runs * OUTCOME_COLUMNS) : times;
  edgeCount = isFit ? <i32>parameter(Parameter.edges) : 0;
  observationCount = isFit ? <i32>parameter(Parameter.observations) : 0;
  edges = allocateF64(edgeCount + 1);
  observations = allocateF64(observationCount * OBSERVATION_COLUMNS + 1);
  estimates = allocateF64(ALL);
  fitWork = isFit ? allocateF64(fitSize(observationCount, edgeCount, sampleCount, states)) : times;
  if (!edges || !observations || !estimates || !fitWork) return INFO_OUT_OF_MEMORY;
  if (!outcomes || !paths || !samples || !integrator || !work) return INFO_OUT_OF_MEMORY;
  setModel(groups, hasExposed, contacts, population);
  return INFO_OK;
}

function checkNumbers(): i32 {
  for (let i: i32 = Parameter.beta; i <= Parameter.omega; i++) if (!isNonNegative(parameter(i))) return illegal(i);
  if (!isPositive(parameter(Parameter.days))) return illegal(Parameter.days);
  if (!isIntegerBetween(parameter(Parameter.maxSteps), 1, MAX_STEPS)) return illegal(Parameter.maxSteps);
  if (!isEnsemble) {
    const rtol = parameter(Parameter.rtol);
    if (!(rtol > 0 && rtol < 1)) return illegal(Parameter.rtol);
    if (!isPositive(parameter(Parameter.maxStep))) return illegal(Parameter.maxStep);
    return isFit ? checkFit() : INFO_OK;
  }
  if (!isIntegerBetween(parameter(Parameter.runs), 1, 1e6)) return illegal(Parameter.runs);
  if (parameter(Parameter.runs) * parameter(Parameter.samples) > MAX_ELEMENTS) return illegal(Parameter.runs);
  if (!isIntegerBetween(parameter(Parameter.seed), 0, 9007199254740991)) return illegal(Parameter.seed);
  return isIntegerBetween(parameter(Parameter.ticks), 0, MAX_STEPS) ? INFO_OK : illegal(Parameter.ticks);
}

function checkFit(): i32 {
  if (!isIntegerBetween(parameter(Parameter.observations), 1, 1e6)) return illegal(Parameter.observations);
  if (!isIntegerBetween(parameter(Parameter.edges), 1, 2e6)) return illegal(Parameter.edges);
  if (!isFlag(parameter(Parameter.isPrevalence))) return illegal(Parameter.isPrevalence);
  if (!isIntegerBetween(parameter(Parameter.fitted), 1, 31)) return illegal(Parameter.fitted);
  for (let i: i32 = Parameter.reporting; i <= Parameter.scanHigh; i++) if (!isPositive(parameter(i))) return illegal(i);
  return INFO_OK;
}

export function start(): i32 {
  tries = 0;
  setRates(
    parameter(Parameter.beta),
    parameter(Parameter.gamma),
    parameter(Parameter.sigma),
    parameter(Parameter.mu),
    parameter(Parameter.omega),
  );
  fillSusceptible(initial);
  setCurve(windows, windowCount, times, sampleCount, parameter(Parameter.days), work, paths);
  if (isEnsemble) {
    seedRandom(parameter(Parameter.seed));
    startEnsemble(runs, initial, times, sampleCount, parameter(Parameter.days), work, paths, outcomes);
    return INFO_OK;
  }
  initAdaptive(derivatives, count, integrator);
  if (isFit) {
    beginFit();
    return INFO_OK;
  }
  startCurve(initial, parameter(Parameter.rtol), parameter(Parameter.maxStep), samples);
  return INFO_OK;
}

function beginFit(): void {
  set(estimates, 0, parameter(Parameter.beta));
  set(estimates, 1, parameter(Parameter.gamma));
  set(estimates, 2, parameter(Parameter.hasExposed) === 1 ? parameter(Parameter.sigma) : 1);
  set(estimates, 3, 1);
  set(estimates, 4, parameter(Parameter.reporting));
  const isPrevalence = parameter(Parameter.isPrevalence) === 1;
  setObservations(observations, observationCount, edges, edgeCount, isPrevalence);
  const mask = <i32>parameter(Parameter.fitted);
  fitCount = popcnt(mask);
  initFit(estimates, mask, states, fitWork);
  startFit(
    initial,
    times,
    sampleCount,
    samples,
    parameter(Parameter.rtol),
    parameter(Parameter.maxStep),
    parameter(Parameter.scanLow),
    parameter(Parameter.scanHigh),
    paths,
  );
}

/**
 * Tries at most `steps` steps, iterates so many times, or makes as many events.
 *
 * @returns info: 0; 1 no step is short enough; 4 `maxSteps` is spent
 */
export function advance(steps: i32): i32 {
  const max = parameter(Parameter.maxSteps);
  if (isEnsemble) {
    for (let i = 0; i < steps && completed < runs && events < max; i++) advanceEnsemble();
  } else if (isFit) {
    for (let i = 0; i < steps && !isDone; i++) {
      tries += 1;
      advanceFit();
    }
  } else {
    for (let i = 0; i < steps && !isFinished && !isFailed && tries < max; i++) {
      tries += 1;
      advanceCurve();
    }
  }
  return report(max);
}

function report(max: f64): i32 {
  const isOver = isEnsemble ? completed === runs : isFit ? isDone : isFinished;
  const ticks = isEnsemble ? parameter(Parameter.ticks) : 0;
  const spent = isEnsemble ? events : tries;
  setDone(isOver ? max + ticks : spent + (isEnsemble ? Math.floor((ticks * <f64>completed) / <f64>runs) : 0));
  setStatistic(Statistic.peak, isEnsemble ? 0 : peak);
  setStatistic(Statistic.peakTime, isEnsemble ? 0 : peakTime);
  setStatistic(Statistic.peaks, isEnsemble ? 0 : <f64>peaks);
  setStatistic(Statistic.accepted, isEnsemble ? 0 : accepted);
  setStatistic(Statistic.rejected, isEnsemble ? 0 : rejected);
  setStatistic(Statistic.completed, isEnsemble ? <f64>completed : 0);
  setStatistic(Statistic.events, isEnsemble ? events : 0);
  setStatistic(Statistic.deviance, isFit ? deviance : 0);
  setStatistic(Statistic.pearson, isFit ? pearson : 0);
  setStatistic(Statistic.iterations, isFit ? <f64>iterations : 0);
  setStatistic(Statistic.isConverged, isFit && isConverged ? 1 : 0);
  if (!isEnsemble && !isFit && isFailed) return INFO_NOT_CONVERGED;
  return isOver || spent < max ? INFO_OK : INFO_CAPACITY;
}

export function view(i: i32): usize {
  if (i === View.contacts) return contacts;
  if (i === View.population) return population;
  if (i === View.initial) return initial;
  if (i === View.windows) return windows;
  if (i === View.times) return times;
  if (i === View.samples) return samples;
  if (i === View.paths) return paths;
  if (i === View.outcomes) return outcomes;
  if (i === View.edges) return edges;
  if (i === View.observations) return observations;
  if (i === View.estimates) return estimates;
  if (i === View.information) return isFit ? information : 0;
  if (i === View.expected) return isFit ? fittedCounts() : 0;
  return i === View.sensitivity && isFit ? sensitivity : 0;
}

export function extent(i: i32): i32 {
  if (i === View.contacts) return groups * groups;
  if (i === View.population) return groups;
  if (i === View.initial) return states;
  if (i === View.windows) return windowCount * WINDOW_COLUMNS;
  if (i === View.times) return sampleCount;
  if (i === View.samples) return isEnsemble ? 0 : sampleCount * (SAMPLE_STATES + states);
  if (i === View.paths) return isEnsemble ? runs * sampleCount : sampleCount;
  if (i === View.outcomes) return isEnsemble ? runs * OUTCOME_COLUMNS : 0;
  if (i === View.edges) return edgeCount;
  if (i === View.observations) return observationCount * OBSERVATION_COLUMNS;
  if (!isFit) return 0;
  if (i === View.estimates) return ALL;
  if (i === View.information) return fitCount * fitCount;
  if (i === View.expected) return observationCount;
  return i === View.sensitivity ? fitCount * (SENSITIVITY_COLUMNS + sampleCount) : 0;
}
