// Point kinetics of a reactor with six groups of delayed neutrons, a program of reactivity, and feedback by temperature.
//
// Radau IIA with five stages, order 9, L-stable, precursors eliminated (reactor/collocation.ts), steps halved for the
// error; or RODAS of order 4 for a second opinion (numerics/ode/rodas.ts). Steps end where the program bends. Peak and trip
// are located inside their steps. Ends early where the power leaves the range of doubles. Fails where no step is short
// enough. Hairer & Wanner, Solving Ordinary Differential Equations II (2nd ed.), §IV.5 and §IV.7.
//
// Calls in inner loops: a step solves systems of five unknowns by numerics/ode/lu.ts.
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
import { rootInStep } from '../numerics/ode/root-in-step';
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import {
  births,
  decays,
  GROUPS,
  kinetics,
  reactivityAt,
  SEGMENT_COLUMNS,
  STATES,
  setFeedback,
  setKinetics,
  THETA,
  coefficient as temperatureCoefficient,
} from './reactor/model';
import {
  after,
  at,
  earlier,
  initWalk,
  insideWalk,
  startWalk,
  stride,
  tryWalk,
  WALK_ACCEPTED,
  WALK_FAILED,
  walkWork,
} from './reactor/walk';

export { abi, control } from '../kernel';

/**
 * isSecond 0 | 1, the second method; samples; segments of the program; maxSteps, tries; then Λ in s, the power n0 at the start
 * with precursors in equilibrium, source in 1/s, tEnd in s, rtol, firstStep in s; feedback: coefficient in 1/K, heating in K/s
 * per power, cooling in 1/s, and the power that is steady; trip, a power, 0 for none.
 */
export enum Parameter {
  isSecond,
  samples,
  segments,
  maxSteps,
  lifetime,
  n0,
  source,
  tEnd,
  rtol,
  firstStep,
  coefficient,
  heating,
  cooling,
  steady,
  trip,
}

/** In: groups f64[2, 6], β_i and λ_i; program f64[segments, 5]. Out: samples f64[samples, 11], see SampleColumn. */
export enum View {
  groups,
  program,
  samples,
}

/** rows of the samples that are written; reached, the time; the largest power and its time; tripTime, −1 for none. */
export enum Statistic {
  rows,
  reached,
  peak,
  peakTime,
  tripTime,
  accepted,
  rejected,
}

/** t, n, c₁ … c₆, ϑ, ∫n dt, and ρ with feedback. */
export enum SampleColumn {
  t,
  n,
  c1,
  c2,
  c3,
  c4,
  c5,
  c6,
  theta,
  integral,
  rho,
}

const COLUMNS: i32 = SampleColumn.rho + 1;
const MAX_SAMPLES: f64 = 100_000;
const MAX_SEGMENTS: f64 = 100_000;
/** Beyond this the power leaves the range of doubles with one more step. */
const MAX_POWER: f64 = 1e290;

let sampleCount: i32 = 0;
let segmentCount: i32 = 0;
let groups: usize = 0;
let program: usize = 0;
let samples: usize = 0;
let rates: usize = 0;
let work: usize = 0;
let state: usize = 0;
let slopes: usize = 0;
let tries: f64 = 0;
let row: i32 = 0;
let isOver = false;
let isFailed = false;
let peak: f64 = 0;
let peakTime: f64 = 0;
let trip: f64 = 0;
let tripTime: f64 = -1;
let accepted: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isFlag(parameter(Parameter.isSecond))) return illegal(Parameter.isSecond);
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.segments), 1, MAX_SEGMENTS)) return illegal(Parameter.segments);
  if (!isIntegerBetween(parameter(Parameter.maxSteps), 1, 1e9)) return illegal(Parameter.maxSteps);
  if (!isPositive(parameter(Parameter.lifetime))) return illegal(Parameter.lifetime);
  if (!isNonNegative(parameter(Parameter.n0))) return illegal(Parameter.n0);
  if (!isNonNegative(parameter(Parameter.source))) return illegal(Parameter.source);
  for (let i: i32 = Parameter.tEnd; i <= Parameter.firstStep; i++) if (!isPositive(parameter(i))) return illegal(i);
  if (!(parameter(Parameter.rtol) < 1)) return illegal(Parameter.rtol);
  if (!isFinite(parameter(Parameter.coefficient))) return illegal(Parameter.coefficient);
  for (let i: i32 = Parameter.heating; i <= Parameter.trip; i++) if (!isNonNegative(parameter(i))) return illegal(i);
  sampleCount = <i32>parameter(Parameter.samples);
  segmentCount = <i32>parameter(Parameter.segments);
  groups = allocateF64(2 * GROUPS);
  program = allocateF64(segmentCount * SEGMENT_COLUMNS);
  samples = allocateF64(sampleCount * COLUMNS);
  rates = allocateF64(GROUPS);
  work = allocateF64(walkWork());
  state = allocateF64(STATES);
  slopes = allocateF64(STATES);
  return groups && program && samples && rates && work && state && slopes ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  tries = 0;
  row = 0;
  accepted = 0;
  isOver = false;
  isFailed = false;
  tripTime = -1;
  trip = parameter(Parameter.trip);
  setKinetics(groups, parameter(Parameter.lifetime), parameter(Parameter.source), program, segmentCount, rates);
  setFeedback(
    parameter(Parameter.coefficient),
    parameter(Parameter.heating),
    parameter(Parameter.cooling),
    parameter(Parameter.steady),
  );
  const n = parameter(Parameter.n0);
  memory.fill(state, 0, STATES << 3);
  set(state, 0, n);
  for (let i = 0; i < GROUPS; i++) set(state, 1 + i, (get(births, i) * n) / get(decays, i));
  peak = n;
  peakTime = 0;
  initWalk(parameter(Parameter.isSecond) === 1, work);
  startWalk(state, parameter(Parameter.rtol), parameter(Parameter.firstStep));
  record();
  return INFO_OK;
}

function timeOf(i: i32): f64 {
  const end = parameter(Parameter.tEnd);
  return i === sampleCount - 1 ? end : (end * <f64>i) / <f64>(sampleCount - 1);
}

function record(): void {
  while (row < sampleCount && timeOf(row) <= at) {
    const t = timeOf(row);
    const out = samples + ((<usize>(row * COLUMNS)) << 3);
    set(out, 0, t);
    if (t === at) copyValues(out + 8, after, STATES);
    else insideWalk((t - (at - stride)) / stride, out + 8);
    set(out, SampleColumn.rho, reactivityAt(t) + temperatureCoefficient * get(out, 1 + THETA));
    row++;
  }
}

function slopeInside(theta: f64): f64 {
  insideWalk(theta, state);
  kinetics(at - stride + theta * stride, state, slopes);
  return get(slopes, 0);
}

function excessInside(theta: f64): f64 {
  insideWalk(theta, state);
  return trip - get(state, 0);
}

function findPeak(): void {
  kinetics(at - stride, earlier, slopes);
  const left = get(slopes, 0);
  kinetics(at, after, slopes);
  const right = get(slopes, 0);
  if (left > 0 && right < 0) {
    const theta = rootInStep(slopeInside, left, right);
    insideWalk(theta, state);
    offerPeak(get(state, 0), at - stride + theta * stride);
  }
  // Where the program bends, or at the end, the largest power may be between two steps.
  offerPeak(get(after, 0), at);
}

function offerPeak(n: f64, t: f64): void {
  if (!(n > peak)) return;
  peak = n;
  peakTime = t;
}

function findTrip(): void {
  const left = trip - get(earlier, 0);
  const right = trip - get(after, 0);
  if (!(trip > 0 && tripTime < 0 && left > 0 && right <= 0)) return;
  tripTime = at - stride + rootInStep(excessInside, left, right) * stride;
}

/**
 * Tries at most `steps` steps.
 *
 * @returns info: 0; 1 no step is short enough; 4 `maxSteps` is spent
 */
export function advance(steps: i32): i32 {
  const max = parameter(Parameter.maxSteps);
  for (let i = 0; i < steps && !isOver && !isFailed && tries < max; i++) {
    tries += 1;
    const outcome = tryWalk(parameter(Parameter.tEnd));
    isFailed = outcome === WALK_FAILED;
    if (outcome !== WALK_ACCEPTED) continue;
    accepted += 1;
    findPeak();
    findTrip();
    record();
    isOver = at >= parameter(Parameter.tEnd) || get(after, 0) > MAX_POWER;
  }
  setDone(isOver ? max : tries);
  setStatistic(Statistic.rows, <f64>row);
  setStatistic(Statistic.reached, at);
  setStatistic(Statistic.peak, peak);
  setStatistic(Statistic.peakTime, peakTime);
  setStatistic(Statistic.tripTime, tripTime);
  setStatistic(Statistic.accepted, accepted);
  setStatistic(Statistic.rejected, tries - accepted);
  if (isFailed) return INFO_NOT_CONVERGED;
  return isOver || tries < max ? INFO_OK : INFO_CAPACITY;
}

export function view(i: i32): usize {
  if (i === View.groups) return groups;
  if (i === View.program) return program;
  return i === View.samples ? samples : 0;
}

export function extent(i: i32): i32 {
  if (i === View.groups) return 2 * GROUPS;
  if (i === View.program) return segmentCount * SEGMENT_COLUMNS;
  return i === View.samples ? sampleCount * COLUMNS : 0;
}
