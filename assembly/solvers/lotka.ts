// Predators and prey after Lotka and Volterra, with harvest, a carrying capacity and saturating predators: the way from a
// start, and its period or that of the limit cycle.
//
// In logarithms (lotka/model.ts) by DOP853 with controlled steps, order 8, or by Dormand and Prince's pair 5(4) for a
// second opinion (lotka/walk.ts); the period by laps from section to section (lotka/cycle.ts). Also by
// Runge and Kutta's method of order 4 with equal steps. Explicit: where prey rest at their capacity for long, the step
// is bounded by 5/α. Fails where no step is short enough, or a population leaves the range of doubles. Hairer, Nørsett &
// Wanner I, §II.4 – II.10; Waldvogel, SIAM J. Numer. Anal. 20 (1983) 1264.
//
// Calls in inner loops: a step calls the right side of the caller, and the right side exp or expm1.
import {
  allocateF64,
  INFO_CAPACITY,
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
import { adaptiveSize } from '../numerics/ode/adaptive';
import { controlledSize } from '../numerics/ode/controlled';
import { set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';
import * as cycle from './lotka/cycle';
import * as equal from './lotka/equal-steps';
import { COEFFICIENTS, setModel } from './lotka/model';
import * as path from './lotka/path';
import { initWalk } from './lotka/walk';

export { abi, control } from '../kernel';

/**
 * kind 0 path | 1 cycle | 2 equal steps; isDeviation 0 | 1, about an equilibrium; isClosed 0 | 1, an orbit through the
 * start or a limit cycle; isSecond 0 | 1, the second method; hasPrey and hasPredators 0 | 1; samples of the path; maxSteps, tries;
 * then the coefficients of lotka/model.ts; p0 and q0, logarithms of the start; tEnd of the path; rtol and firstStep;
 * step, of equal ones.
 */
export enum Parameter {
  kind,
  isDeviation,
  isClosed,
  isSecond,
  hasPrey,
  hasPredators,
  samples,
  maxSteps,
  saturation,
  growth,
  crowding,
  attack,
  loss,
  gain,
  p0,
  q0,
  tEnd,
  rtol,
  firstStep,
  step,
}

/** samples f64[samples, 3]: t, p, q. */
export enum View {
  samples,
}

/**
 * Of a cycle: its period, logarithms of the extremes and their times after the predators' maximum, means of P and Q, the
 * gap, the slope of the return map and of the period by q. Of equal steps: period, gap and q of the section. Of all:
 * accepted and rejected tries.
 */
export enum Statistic {
  period,
  preyMax,
  preyMin,
  predatorMax,
  predatorMin,
  preyMaxTime,
  preyMinTime,
  predatorMinTime,
  meanPrey,
  meanPredators,
  gap,
  multiplier,
  periodSlope,
  laps,
  accepted,
  rejected,
}

export enum SampleColumn {
  t,
  p,
  q,
}

const PATH: f64 = 0;
const CYCLE: f64 = 1;
const EQUAL_STEPS: f64 = 2;
const MAX_SAMPLES: f64 = 100_000;
const MAX_STEPS: f64 = 1e9;

let kind: f64 = 0;
let sampleCount: i32 = 0;
let samples: usize = 0;
let coefficients: usize = 0;
let origin: usize = 0;
let integrator: usize = 0;
let work: usize = 0;
let tries: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.kind), PATH, EQUAL_STEPS)) return illegal(Parameter.kind);
  for (let i: i32 = Parameter.isDeviation; i <= Parameter.hasPredators; i++)
    if (!isFlag(parameter(i))) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.maxSteps), 1, MAX_STEPS)) return illegal(Parameter.maxSteps);
  for (let i: i32 = Parameter.saturation; i <= Parameter.q0; i++) if (!isFinite(parameter(i))) return illegal(i);
  for (let i: i32 = Parameter.tEnd; i <= Parameter.step; i++) if (!isPositive(parameter(i))) return illegal(i);
  if (!(parameter(Parameter.rtol) < 1)) return illegal(Parameter.rtol);
  kind = parameter(Parameter.kind);
  sampleCount = kind === PATH ? <i32>parameter(Parameter.samples) : 0;
  samples = allocateF64(sampleCount * path.SAMPLE_COLUMNS + 1);
  coefficients = allocateF64(COEFFICIENTS);
  origin = allocateF64(4);
  integrator = allocateF64(controlledSize(4) + adaptiveSize(4));
  work = allocateF64(cycle.CYCLE_WORK);
  return samples && coefficients && origin && integrator && work ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  tries = 0;
  for (let i = 0; i < COEFFICIENTS; i++) set(coefficients, i, parameter(Parameter.saturation + i));
  setModel(
    coefficients,
    parameter(Parameter.isDeviation) === 1,
    parameter(Parameter.hasPrey) === 1,
    parameter(Parameter.hasPredators) === 1,
  );
  set(origin, 0, parameter(Parameter.p0));
  set(origin, 1, parameter(Parameter.q0));
  const rtol = parameter(Parameter.rtol);
  const first = parameter(Parameter.firstStep);
  const isSecond = parameter(Parameter.isSecond) === 1;
  if (kind === PATH) {
    initWalk(isSecond, false, integrator);
    path.startPath(origin, parameter(Parameter.tEnd), rtol, first, samples, sampleCount);
  } else if (kind === CYCLE) {
    initWalk(isSecond, true, integrator);
    cycle.startCycle(origin, parameter(Parameter.isClosed) === 1, rtol, first, work);
  } else {
    equal.startEqualSteps(origin, parameter(Parameter.step));
  }
  return INFO_OK;
}

/**
 * Tries at most `steps` steps.
 *
 * @returns info: 0; 1 no step is short enough, or no cycle was found; 2 a number left the doubles; 4 `maxSteps` is spent
 */
export function advance(steps: i32): i32 {
  const max = parameter(Parameter.maxSteps);
  if (kind === PATH) return advancePath(steps, max);
  return kind === CYCLE ? advanceCycle(steps, max) : advanceEqual(steps, max);
}

function advancePath(steps: i32, max: f64): i32 {
  for (let i = 0; i < steps && !path.isFinished && !path.isFailed && !path.isOverflowing && tries < max; i++) {
    tries += 1;
    path.advancePath();
  }
  setStatistic(Statistic.accepted, path.accepted);
  setStatistic(Statistic.rejected, path.rejected);
  if (path.isFailed) return INFO_NOT_CONVERGED;
  return path.isOverflowing ? INFO_NON_FINITE : report(path.isFinished, max);
}

function advanceCycle(steps: i32, max: f64): i32 {
  for (let i = 0; i < steps && !cycle.isFinished && !cycle.isFailed && tries < max; i++) {
    tries += 1;
    cycle.advanceCycle();
  }
  setStatistic(Statistic.period, cycle.period);
  setStatistic(Statistic.preyMax, cycle.preyMax);
  setStatistic(Statistic.preyMin, cycle.preyMin);
  setStatistic(Statistic.predatorMax, cycle.predatorMax);
  setStatistic(Statistic.predatorMin, cycle.predatorMin);
  setStatistic(Statistic.preyMaxTime, cycle.preyMaxTime);
  setStatistic(Statistic.preyMinTime, cycle.preyMinTime);
  setStatistic(Statistic.predatorMinTime, cycle.predatorMinTime);
  setStatistic(Statistic.meanPrey, cycle.meanPrey);
  setStatistic(Statistic.meanPredators, cycle.meanPredators);
  setStatistic(Statistic.gap, cycle.gap);
  setStatistic(Statistic.multiplier, cycle.multiplier);
  setStatistic(Statistic.periodSlope, cycle.periodSlope);
  setStatistic(Statistic.laps, <f64>cycle.laps);
  setStatistic(Statistic.accepted, cycle.accepted);
  setStatistic(Statistic.rejected, cycle.rejected);
  return cycle.isFailed ? INFO_NOT_CONVERGED : report(cycle.isFinished, max);
}

function advanceEqual(steps: i32, max: f64): i32 {
  for (let i = 0; i < steps && !equal.isRoundFinished && !equal.isRoundFailed && tries < max; i++) {
    tries += 1;
    equal.advanceEqualSteps();
  }
  setStatistic(Statistic.period, equal.isRoundFinished ? equal.equalPeriod : 0);
  setStatistic(Statistic.predatorMax, equal.firstArrival);
  setStatistic(Statistic.gap, equal.secondArrival - equal.firstArrival);
  setStatistic(Statistic.accepted, tries);
  return equal.isRoundFailed ? INFO_NON_FINITE : report(equal.isRoundFinished, max);
}

function report(isOver: bool, max: f64): i32 {
  setDone(isOver ? max : tries);
  return isOver || tries < max ? INFO_OK : INFO_CAPACITY;
}

export function view(i: i32): usize {
  return i === View.samples ? samples : 0;
}

export function extent(i: i32): i32 {
  return i === View.samples ? sampleCount * path.SAMPLE_COLUMNS : 0;
}
