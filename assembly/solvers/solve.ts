// The master field on a line: a body with weight, springs, damping, drag, a drive and couplings, and its energy.
//
// The motion by Runge and Kutta's method of order 4, its step shortened until it agrees with a reference: a closed form
// where one exists, else DOP853. Turning points, the ground and an escape in finite time by DOP853, and by extrapolation
// from a start half a rounding away for a second opinion (solve/adaptive.ts). Both are far more accurate than the equal
// steps have to be; where they do not agree so far, or the motion escapes, they run again with errors near roundings.
// Stable for h |λ| < 2.785 on the negative real axis. Hairer, Nørsett & Wanner I, §II.1 – II.10.
//
// Compressed size: at most 34 kB, because the expression machine with its functions and the closed forms are part of it.
//
// Calls in inner loops: the machine, for couplings, and functions of the right side.
import { evaluate, STACK_VALUES } from '../expression/machine';
import {
  allocateF64,
  INFO_CAPACITY,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
  statistic,
} from '../kernel';
import { controlledSize, initControlled, limitColumns } from '../numerics/ode/controlled';
import { EXTRAPOLATION_COLUMNS } from '../numerics/ode/extrapolation';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { ORBIT_NUMBERS, Orbit, orbitAt, setOrbit } from './closedform/orbit';
import { allocateCouplings, code, pool, programs, weights } from './multibody/couplings';
import {
  ADAPTIVE_SCRATCH,
  accepted,
  advanceWay,
  ENDED,
  expectEvents,
  farthest,
  fastest,
  GROUND,
  isWayDone,
  lastPhi,
  outcome,
  progress,
  SINGULAR,
  setWay,
  startWay,
  stopSpeed,
  stopTime,
  TURN_COLUMNS,
  turns,
} from './solve/adaptive';
import { Fall, fallAt, setFall } from './solve/fall';
import { STATES, setExtra, setPotential, sizes, splitDerivatives, statesOf } from './solve/field';
import { advanceTuning, error, perSample, startTuning, status, TUNING, tries as tuningTries } from './solve/tuned';

export { abi, control } from '../kernel';

/**
 * samples; steps, tries of adaptive steps and blocks of equal ones; ticks, the part of `done` that progress shares; turns,
 * capacity of a table. closed 0 | 1, linear or Duffing's | 2, quadratic drag: the closed form that is the reference. Then
 * the field, see solve/field.ts: gravity at φ = 0, distance of it from the centre or 0, alpha, beta, kappa and mu, damping,
 * drag, drive, omega and phase; couplings, codeWords and poolValues, lengths of arrays; the start; hasGround 0 | 1 and its
 * place; the time; dt, the longest equal step; tolerance, iterations and maxSteps of the tuning; firstStep and maxStep;
 * judges, the tolerance of the adaptive runs, at least RTOL_FIRST.
 */
export enum Parameter {
  samples,
  steps,
  ticks,
  turns,
  closed,
  gravity,
  radius,
  alpha,
  beta,
  kappa,
  mu,
  damping,
  drag,
  drive,
  omega,
  phase,
  couplings,
  codeWords,
  poolValues,
  phi0,
  dphi0,
  hasGround,
  ground,
  tEnd,
  dt,
  tolerance,
  iterations,
  maxSteps,
  firstStep,
  maxStep,
  judges,
}

/**
 * In: shifted f64[13], gravity … phase, φ₀ and φ₀' of the second opinion; weights f64[couplings], programs i32[couplings, 2], code
 * i32[codeWords], pool f64[poolValues]. Out: history f64[samples, 15]; turnsFirst and turnsSecond f64[turns, 2], times and
 * places of turning points; terms f64[2, couplings], weighted couplings at the end of both adaptive runs.
 */
export enum View {
  shifted,
  weights,
  programs,
  code,
  pool,
  history,
  turnsFirst,
  turnsSecond,
  terms,
}

/**
 * outcome 1 at the end of the time, 2 at the ground, 3 no step is short enough; stopTime, stopSpeed and lastPhi there;
 * turns, which may be more than the table holds; the same of the second opinion. tuning 1 agrees | 2 tries are spent | 3
 * steps are spent | 4 no step is better; tuningTries, tuningError, and steps of the last try from one sample to the next.
 */
export enum Statistic {
  outcome,
  stopTime,
  stopSpeed,
  lastPhi,
  turns,
  otherOutcome,
  otherTime,
  otherSpeed,
  otherTurns,
  tuning,
  tuningTries,
  tuningError,
  stepsPerSample,
  accepted,
}

/** By equal steps, by DOP853, by extrapolation, and in closed form. */
export enum HistoryColumn {
  t,
  phi,
  dphi,
  work,
  dissipated,
  phiFirst,
  dphiFirst,
  workFirst,
  dissipatedFirst,
  phiSecond,
  dphiSecond,
  workSecond,
  dissipatedSecond,
  phiClosed,
  dphiClosed,
}

const COLUMNS: i32 = HistoryColumn.dphiClosed + 1;
const MAX_SAMPLES: f64 = 100_000;
const MAX_STEPS: f64 = 1e10;
const MAX_COUPLINGS: f64 = 64;
const MAX_WORDS: f64 = 1_000_000;
const BLOCK: i32 = 256;
/** Numbers of the field, gravity … phase, and those that rounding changes: these and the start. */
const FIELD_NUMBERS: i32 = Parameter.phase - Parameter.gravity + 1;
const SHIFTED: i32 = FIELD_NUMBERS + 2;
/** Least tolerance of the first adaptive method, and that of the second over it. */
const RTOL_FIRST: f64 = 5e-16;
const SECOND_PART: f64 = 0.6;
/** Columns of extrapolation above the least tolerance. */
const LOOSE_COLUMNS: i32 = 6;
/** Of the tolerance of the equal steps: runs that differ by more are run again with the least tolerance. */
const AGREEMENT: f64 = 0.1;
/** Part of the time to an escape that is shown. */
const SHOWN: f64 = 0.95;

const SCOUT: i32 = 0;
const FIRST: i32 = 1;
const SECOND: i32 = 2;
const TUNE: i32 = 3;
const DONE: i32 = 4;

let samples: i32 = 0;
let turnCapacity: i32 = 0;
/** Rows of the tables that the host reads: all, and after the run those that are written. */
let turnRows: i32 = 0;
let shifted: usize = 0;
let history: usize = 0;
let turnsFirst: usize = 0;
let turnsSecond: usize = 0;
let terms: usize = 0;
let stack: usize = 0;
let slots: usize = 0;
let integrator: usize = 0;
let initial: usize = 0;
let other: usize = 0;
let scratch: usize = 0;
let numbers: usize = 0;
let given: usize = 0;
let couplingCount: i32 = 0;
let stage: i32 = SCOUT;
let tries: f64 = 0;
let shownEnd: f64 = 0;
let judges: f64 = 0;
let share: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const info = checkParameters();
  if (info !== INFO_OK) return info;
  samples = <i32>parameter(Parameter.samples);
  turnCapacity = <i32>parameter(Parameter.turns);
  turnRows = turnCapacity;
  couplingCount = <i32>parameter(Parameter.couplings);
  shifted = allocateF64(SHIFTED);
  history = allocateF64(samples * COLUMNS);
  turnsFirst = allocateF64(TURN_COLUMNS * turnCapacity);
  turnsSecond = allocateF64(TURN_COLUMNS * turnCapacity);
  terms = allocateF64(2 * couplingCount + 1);
  stack = allocateF64(STACK_VALUES);
  slots = allocateF64(3);
  integrator = allocateF64(controlledSize(STATES));
  initial = allocateF64(STATES);
  other = allocateF64(STATES);
  scratch = allocateF64(ADAPTIVE_SCRATCH);
  numbers = allocateF64(ORBIT_NUMBERS);
  given = allocateF64(FIELD_NUMBERS);
  if (!shifted || !history || !turnsFirst || !turnsSecond || !integrator) return INFO_OUT_OF_MEMORY;
  if (!initial || !other || !scratch || !numbers || !given || !terms || !stack || !slots) return INFO_OUT_OF_MEMORY;
  const words = <i32>parameter(Parameter.codeWords);
  return allocateCouplings(couplingCount, words, <i32>parameter(Parameter.poolValues)) ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function checkParameters(): i32 {
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_STEPS)) return illegal(Parameter.steps);
  if (!isIntegerBetween(parameter(Parameter.ticks), 0, MAX_STEPS)) return illegal(Parameter.ticks);
  if (!isIntegerBetween(parameter(Parameter.turns), 1, MAX_SAMPLES)) return illegal(Parameter.turns);
  if (!isIntegerBetween(parameter(Parameter.closed), 0, 2)) return illegal(Parameter.closed);
  for (let i: i32 = Parameter.gravity; i <= Parameter.phase; i++) if (!isFinite(parameter(i))) return illegal(i);
  if (!isNonNegative(parameter(Parameter.radius))) return illegal(Parameter.radius);
  if (!isIntegerBetween(parameter(Parameter.couplings), 0, MAX_COUPLINGS)) return illegal(Parameter.couplings);
  if (!isIntegerBetween(parameter(Parameter.codeWords), 0, MAX_WORDS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_WORDS)) return illegal(Parameter.poolValues);
  if (!isFinite(parameter(Parameter.phi0))) return illegal(Parameter.phi0);
  if (!isFinite(parameter(Parameter.dphi0))) return illegal(Parameter.dphi0);
  if (!isFlag(parameter(Parameter.hasGround))) return illegal(Parameter.hasGround);
  if (!isFinite(parameter(Parameter.ground))) return illegal(Parameter.ground);
  if (!isPositive(parameter(Parameter.tEnd))) return illegal(Parameter.tEnd);
  if (!isPositive(parameter(Parameter.dt))) return illegal(Parameter.dt);
  if (!isPositive(parameter(Parameter.tolerance))) return illegal(Parameter.tolerance);
  if (!isIntegerBetween(parameter(Parameter.iterations), 1, 1000)) return illegal(Parameter.iterations);
  if (!isIntegerBetween(parameter(Parameter.maxSteps), 1, MAX_STEPS)) return illegal(Parameter.maxSteps);
  if (parameter(Parameter.maxSteps) < parameter(Parameter.samples)) return illegal(Parameter.maxSteps);
  if (!isPositive(parameter(Parameter.firstStep))) return illegal(Parameter.firstStep);
  if (!isPositive(parameter(Parameter.maxStep))) return illegal(Parameter.maxStep);
  return parameter(Parameter.judges) >= RTOL_FIRST ? INFO_OK : illegal(Parameter.judges);
}

export function start(): i32 {
  tries = 0;
  share = 0;
  for (let i = 0; i < FIELD_NUMBERS; i++) set(given, i, parameter(Parameter.gravity + i));
  setField(given);
  initControlled(splitDerivatives, sizes, statesOf(), integrator);
  set(initial, 0, parameter(Parameter.phi0));
  set(initial, 1, parameter(Parameter.dphi0));
  set(other, 0, get(shifted, FIELD_NUMBERS));
  set(other, 1, get(shifted, FIELD_NUMBERS + 1));
  setWay(
    parameter(Parameter.tEnd),
    parameter(Parameter.hasGround) === 1,
    parameter(Parameter.ground),
    parameter(Parameter.drag) !== 0,
    parameter(Parameter.maxStep),
    scratch,
  );
  scout(parameter(Parameter.judges));
  return INFO_OK;
}

function scout(rtol: f64): void {
  judges = rtol;
  limitColumns(rtol > RTOL_FIRST ? LOOSE_COLUMNS : EXTRAPOLATION_COLUMNS);
  stage = SCOUT;
  setField(given);
  // If nothing ends it before, this way is the one that is shown.
  shownEnd = parameter(Parameter.tEnd);
  expectEvents(0, 0, NaN);
  begin(initial, judges, false, turnsFirst, column(HistoryColumn.phiFirst), samples);
}

/** @param field  f64[11], gravity … phase */
function setField(field: usize): void {
  setPotential(get(field, 0), get(field, 1), get(field, 2), get(field, 3), get(field, 4), get(field, 5));
  setExtra(get(field, 6), get(field, 7), get(field, 8), get(field, 9), get(field, 10));
}

/** Each coupling at the end of both adaptive runs. */
function fillTerms(): void {
  const row = history + ((<usize>((samples - 1) * COLUMNS)) << 3);
  for (let run = 0; run < 2; run++) {
    const at = run === 0 ? HistoryColumn.phiFirst : HistoryColumn.phiSecond;
    set(slots, 0, get(row, at));
    set(slots, 1, get(row, at + 1));
    set(slots, 2, shownEnd);
    for (let k = 0; k < couplingCount; k++) {
      const program = programs + ((<usize>k) << 3);
      const codeAt = code + ((<usize>load<i32>(program)) << 2);
      const poolAt = pool + ((<usize>load<i32>(program, 4)) << 3);
      set(terms, run * couplingCount + k, get(weights, k) * evaluate(codeAt, poolAt, slots, stack));
    }
  }
}

function begin(from: usize, rtol: f64, extrapolates: bool, table: usize, to: usize, count: i32): void {
  startWay(from, rtol, parameter(Parameter.firstStep), extrapolates, table, turnCapacity, to, COLUMNS, count, shownEnd);
}

function column(i: i32): usize {
  return history + ((<usize>i) << 3);
}

/**
 * At most `count` tries of a step, or blocks of equal steps.
 *
 * @returns info: 0, or 4 if `steps` is spent before the end
 */
export function advance(count: i32): i32 {
  const max = parameter(Parameter.steps);
  for (let i = 0; i < count && stage !== DONE && tries < max; i++) {
    tries += 1;
    if (stage === TUNE) {
      advanceTuning(BLOCK);
      if (status !== TUNING) finish();
    } else {
      advanceWay();
      if (isWayDone()) nextStage();
    }
  }
  const ticks = parameter(Parameter.ticks);
  // Runs that are run again show no progress until they are as far as before.
  share = Math.max(share, stage < TUNE ? 0.2 * (<f64>stage + progress()) : 0.6);
  setDone(stage === DONE ? max + ticks : tries + Math.floor(ticks * share));
  return stage === DONE || tries < max ? INFO_OK : INFO_CAPACITY;
}

function nextStage(): void {
  if (stage === SCOUT) {
    if (outcome === SINGULAR && judges > RTOL_FIRST) {
      scout(RTOL_FIRST);
      return;
    }
    shownEnd = outcome === SINGULAR ? SHOWN * stopTime : stopTime;
    setStatistic(Statistic.outcome, <f64>outcome);
    setStatistic(Statistic.stopTime, stopTime);
    setStatistic(Statistic.stopSpeed, outcome === GROUND ? stopSpeed : 0);
    setStatistic(Statistic.lastPhi, lastPhi);
    setStatistic(Statistic.turns, <f64>turns);
    setStatistic(Statistic.accepted, accepted);
    stage = FIRST;
    // The runs that follow have the same events, or nearly so.
    expectEvents(turnsFirst, min(turns, turnCapacity), outcome === GROUND ? stopTime : NaN);
    // A start that no step leaves has no way to show.
    if (!(shownEnd > 0)) stage = DONE;
    else if (outcome === ENDED) nextStage();
    else begin(initial, judges, false, turnsFirst, column(HistoryColumn.phiFirst), samples);
  } else if (stage === FIRST) {
    stage = SECOND;
    setField(shifted);
    begin(other, SECOND_PART * judges, true, turnsSecond, column(HistoryColumn.phiSecond), samples);
  } else {
    fillKnown();
    if (judges > RTOL_FIRST && !isAgreed()) {
      scout(RTOL_FIRST);
      return;
    }
    setStatistic(Statistic.otherOutcome, <f64>outcome);
    setStatistic(Statistic.otherTime, stopTime);
    setStatistic(Statistic.otherSpeed, outcome === GROUND ? stopSpeed : 0);
    setStatistic(Statistic.otherTurns, <f64>turns);
    turnRows = min(turnCapacity, max(turns, <i32>statistic(Statistic.turns)));
    stage = TUNE;
    setField(given);
    fillTerms();
    startTuning(
      column(HistoryColumn.phi),
      column(parameter(Parameter.closed) > 0 ? HistoryColumn.phiClosed : HistoryColumn.phiFirst),
      COLUMNS,
      samples,
      shownEnd,
      parameter(Parameter.dt),
      parameter(Parameter.tolerance),
      <i32>parameter(Parameter.iterations),
      parameter(Parameter.maxSteps),
    );
  }
}

/** Whether both adaptive runs end alike, and they and the closed form differ by little against the tolerance. */
function isAgreed(): bool {
  if (<f64>outcome !== statistic(Statistic.outcome) || <f64>turns !== statistic(Statistic.turns)) return false;
  const hasClosed = parameter(Parameter.closed) > 0;
  const part = AGREEMENT * parameter(Parameter.tolerance);
  let largest: f64 = 0;
  let closedOff: f64 = 0;
  for (let i = 0; i < samples; i++) {
    const row = history + ((<usize>(i * COLUMNS)) << 3);
    const phi = get(row, HistoryColumn.phiFirst);
    const off = Math.abs(phi - get(row, HistoryColumn.phiSecond));
    const slopeOff = Math.abs(get(row, HistoryColumn.dphiFirst) - get(row, HistoryColumn.dphiSecond));
    // Not the reverse: a NaN is no agreement.
    if (!(off <= part * farthest && slopeOff <= part * fastest)) return false;
    largest = Math.max(largest, Math.abs(phi));
    if (hasClosed) closedOff = Math.max(closedOff, Math.abs(phi - get(row, HistoryColumn.phiClosed)));
  }
  return closedOff <= part * largest;
}

/** Times, the start of the equal steps, and the closed form. */
function fillKnown(): void {
  const form = <i32>parameter(Parameter.closed);
  const gravity = parameter(Parameter.gravity);
  if (form === 1) {
    const drive = parameter(Parameter.drive);
    const phase = parameter(Parameter.phase);
    set(numbers, 0, parameter(Parameter.alpha));
    set(numbers, 1, parameter(Parameter.beta));
    set(numbers, 2, parameter(Parameter.damping));
    set(numbers, 3, -gravity);
    set(numbers, 4, drive * Math.cos(phase));
    set(numbers, 5, drive * Math.sin(phase));
    set(numbers, 6, parameter(Parameter.omega));
    set(numbers, 7, parameter(Parameter.phi0));
    set(numbers, 8, parameter(Parameter.dphi0));
    setOrbit(numbers);
  } else if (form === 2) {
    setFall(gravity, parameter(Parameter.drag), parameter(Parameter.phi0), parameter(Parameter.dphi0));
  }
  for (let i = 0; i < samples; i++) {
    const row = history + ((<usize>(i * COLUMNS)) << 3);
    const t = i === samples - 1 ? shownEnd : (shownEnd * <f64>i) / <f64>(samples - 1);
    set(row, HistoryColumn.t, t);
    if (form === 1) {
      orbitAt(t);
      set(row, HistoryColumn.phiClosed, Orbit.phi);
      set(row, HistoryColumn.dphiClosed, Orbit.dphi);
    } else if (form === 2) {
      fallAt(t);
      set(row, HistoryColumn.phiClosed, Fall.phi);
      set(row, HistoryColumn.dphiClosed, Fall.dphi);
    }
  }
  set(history, HistoryColumn.phi, parameter(Parameter.phi0));
  set(history, HistoryColumn.dphi, parameter(Parameter.dphi0));
}

function finish(): void {
  stage = DONE;
  setStatistic(Statistic.tuning, <f64>status);
  setStatistic(Statistic.tuningTries, <f64>tuningTries);
  setStatistic(Statistic.tuningError, error);
  setStatistic(Statistic.stepsPerSample, perSample);
}

export function view(i: i32): usize {
  if (i === View.shifted) return shifted;
  if (i === View.weights) return weights;
  if (i === View.programs) return programs;
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.history) return history;
  if (i === View.turnsFirst) return turnsFirst;
  if (i === View.turnsSecond) return turnsSecond;
  return i === View.terms ? terms : 0;
}

export function extent(i: i32): i32 {
  if (i === View.shifted) return SHIFTED;
  if (i === View.weights) return couplingCount;
  if (i === View.programs) return 2 * couplingCount;
  if (i === View.code) return <i32>parameter(Parameter.codeWords);
  if (i === View.pool) return <i32>parameter(Parameter.poolValues);
  if (i === View.history) return samples * COLUMNS;
  if (i === View.turnsFirst || i === View.turnsSecond) return TURN_COLUMNS * turnRows;
  return i === View.terms ? 2 * couplingCount : 0;
}
