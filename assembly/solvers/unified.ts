// Equations supplied by the caller: a table of values, or a system of first-order differential equations.
//
// Rows: each row of slots gets its algebraic values, in the order of the programs. Systems: classical Runge–Kutta with
// a fixed step, Dormand–Prince 5(4) or RODAS 4(3) with an adaptive step. The explicit pair detects that a problem is
// stiff, and switches to RODAS if allowed. With 2 or 4 substeps an accepted step is discarded and repeated in that many
// parts: the caller estimates the error and its order from these subdivided steps. Events are located inside every step
// by a separate step to the crossing. An event may stop the run or assign states, after which the integration restarts.
//
// Fails where no step is short enough: at a pole of the solution, or where events accumulate. Hairer, Nørsett & Wanner,
// Solving Ordinary Differential Equations I and II.
//
// Calls in inner loops: every value is a run of the interpreter, which calls sin, exp and similar functions.
import { compiledRows, unlink } from '../expression/compiled';
import { STACK_VALUES } from '../expression/machine';
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
import { get, set } from '../numerics/vector';
import {
  actionOf,
  assignmentCount,
  COUNT,
  clearCrossing,
  clearCrossings,
  crossingOf,
  eventScratch,
  findCrossings,
  firstAssignment,
  initEvents,
  resetSigns,
  STOP,
} from './unified/events';
import {
  absoluteTolerances,
  acceptState,
  after,
  currentSlopes,
  DORMAND_PRINCE,
  initIntegrator,
  initialStep,
  integratorSize,
  interpolateAt,
  isStiff,
  jacobianCount,
  method,
  prepareInterpolant,
  RODAS,
  RUNGE_KUTTA,
  restartIntegrator,
  slopesAtEnd,
  startIntegrator,
  stepFactor,
  stepTo,
  switchToRodas,
  t,
  tryStep,
  y,
} from './unified/integrator';
import { algebraicEnd, eventCount, invariantCount, invariantEnd, n, setLayout, varyingCount } from './unified/layout';
import {
  assertAssigned,
  assign,
  failingProgram,
  firstNonFinite,
  initPrograms,
  programFailure,
} from './unified/programs';
import {
  assignStates,
  derivatives,
  evaluationCount,
  initSystem,
  updateInvariants,
  writeFinal,
  writeSample,
} from './unified/system';

export { link } from '../expression/compiled';
export * from '../expression/elementary';
export { abi, control } from '../kernel';

const ROWS: i32 = 0;
const SYSTEM: i32 = 1;
/** Dormand–Prince that switches to RODAS. */
const AUTOMATIC: i32 = 3;

// Outcome of the run: statistic 0.
const UNFINISHED: i32 = 0;
const FINISHED: i32 = 1;
const STOPPED: i32 = 2;
const STEP_TOO_SMALL: i32 = 3;
const NONFINITE_SLOPE: i32 = 4;
const NONFINITE_STATE: i32 = 5;
const STIFF: i32 = 6;
const PROGRAM_FAILED: i32 = 7;
const TOO_MANY_EVENTS: i32 = 8;

/** Maximum number of jumps of the states in one run. */
const MAX_RESTARTS: i32 = 10_000;
/** Minimum step relative to the time: a shorter step does not change it. */
const MIN_STEP_RATIO: f64 = 1e-15;
/** Relative to the time: events at most this far apart are simultaneous. */
const SIMULTANEOUS_RATIO: f64 = 7.1e-15;

let kind: i32 = 0;
let requestedMethod: i32 = 0;
let codeWords: i32 = 0;
let poolValues: i32 = 0;
let slotCount: i32 = 0;
let rows: i32 = 0;
let endTime: f64 = 0;
let startTime: f64 = 0;
let givenStep: f64 = 0;
let maxStep: f64 = 0;
let maxTries: f64 = 0;
let substeps: i32 = 1;
let progressTicks: f64 = 0;
let recordCapacity: i32 = 0;

let code: usize = 0;
let pool: usize = 0;
let slots: usize = 0;
let table: usize = 0;
let eventTable: usize = 0;
let stack: usize = 0;
let samples: usize = 0;
let finalSlots: usize = 0;
let records: usize = 0;
let extremes: usize = 0;
let counts: usize = 0;
let endSlopes: usize = 0;
let scratch: usize = 0;

let row: i32 = 0;
let tries: f64 = 0;
let accepted: f64 = 0;
let rejected: f64 = 0;
let h: f64 = 0;
let outcome: i32 = UNFINISHED;
let recorded: i32 = 0;
let restarts: i32 = 0;
let lastRestart: f64 = 0;
/** Time between the last two restarts at different times, and the number of restarts since then at the same time. */
let lastInterval: f64 = Infinity;
let simultaneousRestarts: i32 = 0;
// Fixed steps are counted from this time, so that their times do not accumulate roundings.
let fixedOrigin: f64 = 0;
let fixedSteps: f64 = 0;

/** The first parameters are integers. */
const INTEGER_PARAMETERS: i32 = 19;
/** Maximum length of one array: byte counts fit an i32 by far. */
const MAX_ELEMENTS: f64 = 16_777_216;

/**
 * Parameters, counted from 1: kind 0 | 1, code_words, pool_values, slots, programs, rows or samples, states, fixed,
 * needed, algebraic, events (<= 64), assignments, invariants, method 0 … 3, max_steps, substeps 1 | 2 | 4,
 * is_autonomous, capacity of the record of events, ticks of progress; then t0 < t_end, step (fixed or initial; 0:
 * automatic), rtol, max_step (0: none).
 *
 * @returns −i if parameter i is illegal, INFO_OUT_OF_MEMORY, or 0
 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  unlink();
  for (let i = 1; i <= INTEGER_PARAMETERS; i++) {
    const x = parameter(i);
    if (!(x >= 0 && x <= (i < 15 ? MAX_ELEMENTS : 1e9) && Math.floor(x) === x)) return -i;
  }
  if (parameter(1) > 1) return -1;
  if (parameter(11) > 64) return -11;
  if (parameter(14) > 3) return -14;
  if (parameter(6) * (parameter(4) + 2) > MAX_ELEMENTS) return -6;
  if (parameter(18) * (parameter(4) + 2) > MAX_ELEMENTS) return -18;
  kind = <i32>parameter(1);
  if (parameter(6) < (kind === ROWS ? 1 : 2)) return -6;
  if (kind === SYSTEM && parameter(7) < 1) return -7;
  if (parameter(8) + parameter(9) > parameter(10)) return -9;
  setLayout(
    <i32>parameter(7),
    <i32>parameter(8),
    <i32>parameter(9),
    <i32>parameter(10),
    <i32>parameter(11),
    <i32>parameter(12),
    <i32>parameter(13),
  );
  if (invariantEnd > <i32>parameter(5)) return -5;
  codeWords = <i32>parameter(2);
  poolValues = <i32>parameter(3);
  slotCount = <i32>parameter(4);
  rows = <i32>parameter(6);
  if (1 + n + algebraicEnd > slotCount) return -4;
  const programs = <i32>parameter(5);
  const slotValues = slotCount * (kind === ROWS ? rows : 1);
  if (kind === SYSTEM) {
    const info = readSystem();
    if (info !== INFO_OK) return info;
  }
  // One allocation, divided below. An i32 counts as half a value.
  const codeSize = (codeWords + 1) >> 1;
  const tableSize = (3 * programs + 1) >> 1;
  freeMemory = allocateF64(
    STACK_VALUES + codeSize + tableSize + poolValues + slotValues + (kind === SYSTEM ? systemSize() : 0),
  );
  if (!freeMemory) return INFO_OUT_OF_MEMORY;
  stack = take(STACK_VALUES);
  code = take(codeSize);
  table = take(tableSize);
  pool = take(poolValues);
  slots = take(slotValues);
  if (kind === SYSTEM) takeSystemArrays();
  return INFO_OK;
}

let freeMemory: usize = 0;

/** Takes the next `count` f64 of the allocated memory. */
function take(count: i32): usize {
  const address = freeMemory;
  freeMemory += (<usize>count) << 3;
  return address;
}

function readSystem(): i32 {
  if (!isFinite(parameter(20))) return -20;
  if (!(parameter(21) > parameter(20) && isFinite(parameter(21)))) return -21;
  if (!(parameter(22) >= 0 && isFinite(parameter(22)))) return -22;
  if (!(parameter(23) > 0 && parameter(23) < 1)) return -23;
  if (!(parameter(24) >= 0)) return -24;
  requestedMethod = <i32>parameter(14);
  if (requestedMethod === RUNGE_KUTTA && parameter(22) === 0) return -22;
  startTime = parameter(20);
  endTime = parameter(21);
  givenStep = parameter(22);
  maxStep = parameter(24) > 0 ? parameter(24) : endTime - startTime;
  maxTries = parameter(15);
  substeps = <i32>parameter(16);
  progressTicks = parameter(19);
  recordCapacity = <i32>parameter(18);

  return INFO_OK;
}

function recordSize(): i32 {
  return eventCount() > 0 ? recordCapacity * (2 + n) : 0;
}

function sampleSize(): i32 {
  return (rows + 1) * (2 + n + varyingCount());
}

/** Number of f64 that only a system needs. */
function systemSize(): i32 {
  const events = eventCount();
  const small = 1 + n + algebraicEnd + 3 * (invariantCount() + events + n);
  return recordSize() + sampleSize() + small + eventScratch(events, n) + integratorSize(n, requestedMethod >= RODAS);
}

function takeSystemArrays(): void {
  const events = eventCount();
  samples = take(sampleSize());
  finalSlots = take(1 + n + algebraicEnd);
  records = take(recordSize());
  extremes = take(3 * invariantCount());
  counts = take(events);
  eventTable = take(2 * events);
  endSlopes = take(n);
  scratch = take(2 * n);
  initEvents(eventTable, take(eventScratch(events, n)));
  initIntegrator(n, requestedMethod >= RODAS, freeMemory);
}

export function start(): i32 {
  row = 0;
  tries = 0;
  outcome = UNFINISHED;
  initPrograms(code, pool, table, stack);
  if (kind === ROWS) return INFO_OK;
  accepted = 0;
  rejected = 0;
  recorded = 0;
  restarts = 0;
  lastInterval = Infinity;
  simultaneousRestarts = 0;
  fixedOrigin = startTime;
  fixedSteps = 0;
  lastRestart = startTime;
  initSystem(slots, pool, extremes, <i32>parameter(5));
  startIntegrator(
    startTime,
    slots + 8,
    requestedMethod === AUTOMATIC ? DORMAND_PRINCE : requestedMethod,
    parameter(23),
    parameter(17) === 1,
  );
  if (eventCount() > 0) {
    clearCrossings();
    resetSigns(1);
  }
  updateInvariants(t, y, true);
  h = givenStep > 0 ? givenStep : Math.min(initialStep(endTime - startTime), maxStep);
  recordSample(startTime, y);
  return INFO_OK;
}

/**
 * Runs at most `steps` rows, or tries of a step.
 *
 * `done` of a system is the number of tries plus the elapsed time in ticks: it grows with every call and with t.
 *
 * @returns info: 0; 1 no step is short enough, or the problem is stiff; 2 a value is not finite; 4 the machine failed,
 *   or events accumulate. Statistic 0 is the outcome.
 */
export function advance(steps: i32): i32 {
  if (kind === ROWS) return advanceRows(steps);
  for (let i = 0; i < steps && outcome === UNFINISHED && tries < maxTries; i++) {
    tries += 1;
    attemptStep();
    if (programFailure() !== 0) outcome = PROGRAM_FAILED;
  }
  if (outcome === UNFINISHED ? tries >= maxTries : outcome <= STOPPED) finish();
  report();
  if (outcome === STEP_TOO_SMALL || outcome === STIFF) return INFO_NOT_CONVERGED;
  if (outcome === NONFINITE_SLOPE || outcome === NONFINITE_STATE) return INFO_NON_FINITE;
  return outcome === PROGRAM_FAILED || outcome === TOO_MANY_EVENTS ? INFO_CAPACITY : INFO_OK;
}

function advanceRows(steps: i32): i32 {
  const stride = (<usize>slotCount) << 3;
  const stop = row + min(steps, rows - row);
  while (row < stop) {
    const first = slots + <usize>row * stride;
    const done = compiledRows(pool, first, 0, stop - row);
    if (done > 0) {
      assertAssigned(0, algebraicEnd, first);
      row += done;
      continue;
    }
    assign(0, algebraicEnd, first);
    if (programFailure() !== 0) {
      outcome = PROGRAM_FAILED;
      break;
    }
    row++;
  }
  if (row === rows) outcome = FINISHED;
  setDone(<f64>row);
  setStatistic(0, <f64>outcome);
  setStatistic(1, <f64>row);
  setStatistic(10, <f64>programFailure());
  setStatistic(11, <f64>failingProgram());
  return outcome === PROGRAM_FAILED ? INFO_CAPACITY : INFO_OK;
}

/** Tries one step and accepts it if its error is small enough. */
function attemptStep(): void {
  const isFixed = method === RUNGE_KUTTA;
  fixedSteps += 1;
  let to = isFixed ? fixedOrigin + fixedSteps * h : t + h;
  // The last step may be slightly longer, which avoids a tiny step at the end.
  if (to + (isFixed ? 1e-9 : 0.01) * h >= endTime) to = endTime;
  const from = t;
  const step = to - from;
  let next = h;
  if (!isFixed) {
    const size = tryStep(step);
    next = step * stepFactor(size);
    if (!(size <= 1)) {
      rejected += 1;
      h = next;
      if (h <= MIN_STEP_RATIO * Math.abs(t) || h < 1e-30 * (endTime - startTime)) failWithoutStep();
      return;
    }
    if (isStiff(step)) {
      setStatistic(8, 1);
      setStatistic(9, t);
      if (requestedMethod === AUTOMATIC) switchToRodas();
      else fail(STIFF, 0);
      return;
    }
  }
  const before = restarts;
  for (let p = 1; p <= substeps && outcome === UNFINISHED && restarts === before; p++) {
    const until = p < substeps ? from + (step * <f64>p) / <f64>substeps : to;
    if (isFixed || substeps > 1) tryStep(until - t);
    handleAcceptedStep(until - t, until);
  }
  if (restarts === before) h = Math.min(next, maxStep);
}

/** Accepts the step that was tried, up to the first event that ends it. */
function handleAcceptedStep(step: f64, to: f64): void {
  const state = firstNonFinite(after, n);
  if (state >= 0) {
    fail(NONFINITE_STATE, state);
    return;
  }
  accepted += 1;
  slopesAtEnd(step, endSlopes);
  const from = t;
  let theta: f64 = 2;
  if (eventCount() > 0) {
    prepareInterpolant(step, endSlopes);
    findCrossings(step);
    theta = firstEndingCrossing(step);
    countEvents(step, Math.min(1, theta));
  }
  const isEnded = theta <= 1;
  const until = theta < 1 ? from + theta * step : to;
  recordSamples(from, step, until, !isEnded && to === endTime);
  if (!isEnded) {
    acceptState(to, after, endSlopes);
    updateInvariants(t, y, false);
    if (to >= endTime) outcome = FINISHED;
    return;
  }
  statesAt(theta, step, scratch);
  acceptState(until, scratch, endSlopes);
  updateInvariants(t, y, false);
  fireEvents(theta);
}

/** Position of the first events that stop or assign; events within a few roundings count as one. 2 for none. */
function firstEndingCrossing(step: f64): f64 {
  let first: f64 = 2;
  for (let i = 0; i < eventCount(); i++) if (actionOf(i) !== COUNT) first = Math.min(first, crossingOf(i));
  const simultaneous = Math.min(1, first + (SIMULTANEOUS_RATIO * Math.abs(t + step)) / step);
  let theta = first;
  for (let i = 0; i < eventCount(); i++) if (crossingOf(i) <= simultaneous) theta = Math.max(theta, crossingOf(i));
  return theta;
}

/** Records events that are only counted, up to the end of the step, in the order of time. */
function countEvents(step: f64, theta: f64): void {
  const address = scratch + ((<usize>n) << 3);
  while (true) {
    let next = -1;
    for (let i = 0; i < eventCount(); i++) {
      if (actionOf(i) !== COUNT || crossingOf(i) > theta) continue;
      if (next < 0 || crossingOf(i) < crossingOf(next)) next = i;
    }
    if (next < 0) return;
    const crossing = crossingOf(next);
    statesAt(crossing, step, address);
    recordEvent(next, t + crossing * step, address);
    clearCrossing(next);
  }
}

function statesAt(theta: f64, step: f64, out: usize): void {
  if (theta === 1) memory.copy(out, after, (<usize>n) << 3);
  else stepTo(theta * step, out);
}

function recordEvent(event: i32, time: f64, states: usize): void {
  set(counts, event, get(counts, event) + 1);
  if (recorded === recordCapacity) return;
  const to = records + ((<usize>(recorded * (2 + n))) << 3);
  set(to, 0, <f64>event);
  set(to, 1, time);
  memory.copy(to + 16, states, (<usize>n) << 3);
  recorded++;
}

/**
 * Applies all simultaneous events in the order of definition. A stop ends the run; otherwise the integration restarts.
 */
function fireEvents(theta: f64): void {
  let event = 0;
  for (let i = 0; i < eventCount(); i++) {
    if (crossingOf(i) > theta) continue;
    event = i;
    recordEvent(i, t, y);
    if (actionOf(i) === STOP) {
      outcome = STOPPED;
      return;
    }
    assignStates(t, y, firstAssignment(i), assignmentCount(i), scratch);
  }
  restarts++;
  restartIntegrator();
  resetSigns(theta);
  const gap = t - lastRestart;
  if (gap > 4 * MIN_STEP_RATIO * Math.abs(t)) {
    lastInterval = gap;
    lastRestart = t;
    simultaneousRestarts = 0;
  } else simultaneousRestarts++;
  if (restarts > MAX_RESTARTS || simultaneousRestarts > eventCount()) {
    fail(TOO_MANY_EVENTS, event);
    return;
  }
  if (t >= endTime) {
    outcome = FINISHED;
    return;
  }
  if (method === RUNGE_KUTTA) {
    fixedOrigin = t;
    fixedSteps = 0;
    return;
  }
  // Limit the step, so that ever shorter flights are not skipped.
  h = Math.min(initialStep(endTime - t), Math.min(maxStep, 0.25 * lastInterval));
}

function sampleTime(i: i32): f64 {
  return i === rows - 1 ? endTime : startTime + ((endTime - startTime) * <f64>i) / <f64>(rows - 1);
}

function recordSample(time: f64, states: usize): void {
  writeSample(time, h, states, samples + ((<usize>(row * (2 + n + varyingCount()))) << 3));
  row++;
}

/** Records the samples in (from, until]. */
function recordSamples(from: f64, step: f64, until: f64, isEnd: bool): void {
  while (row < rows) {
    const time = sampleTime(row);
    if (time > until && !isEnd) return;
    const theta = (time - from) / step;
    if (isEnd && row === rows - 1) recordSample(endTime, after);
    else {
      prepareInterpolant(step, endSlopes);
      interpolateAt(Math.min(1, theta), scratch);
      recordSample(time, scratch);
    }
  }
}

function finish(): void {
  if (outcome !== FINISHED && get(samples, (row - 1) * (2 + n + varyingCount())) < t) recordSample(t, y);
  writeFinal(t, y, finalSlots);
}

function fail(failure: i32, index: i32): void {
  outcome = failure;
  setStatistic(12, <f64>index);
}

/** Fails because no step is short enough: a slope is not finite, at either end of the step, or another reason. */
function failWithoutStep(): void {
  const here = firstNonFinite(currentSlopes(), n);
  if (here < 0) derivatives(t + h, after, scratch);
  fail(here < 0 ? STEP_TOO_SMALL : NONFINITE_SLOPE, here < 0 ? firstNonFinite(scratch, n) : here);
}

function report(): void {
  setDone(tries + Math.floor((progressTicks * (t - startTime)) / (endTime - startTime)));
  setStatistic(0, <f64>outcome);
  setStatistic(1, <f64>row);
  setStatistic(2, accepted);
  setStatistic(3, rejected);
  setStatistic(4, evaluationCount());
  setStatistic(5, jacobianCount());
  setStatistic(6, t);
  setStatistic(7, <f64>restarts);
  setStatistic(10, <f64>programFailure());
  setStatistic(11, <f64>failingProgram());
  setStatistic(13, <f64>recorded);
  setStatistic(14, h);
}

/**
 * Written by the host: 0 code, 1 pool, 2 slots, 3 table, 4 events, 5 absolute tolerances.
 * Read by the host: 2 slots, 6 samples, 7 final slots, 8 events, 9 invariants, 10 counts.
 */
export function view(i: i32): usize {
  if (i === 0) return code;
  if (i === 1) return pool;
  if (i === 2) return slots;
  if (i === 3) return table;
  if (i === 4) return eventTable;
  if (i === 5) return absoluteTolerances();
  if (i === 6) return samples;
  if (i === 7) return finalSlots;
  if (i === 8) return records;
  return i === 9 ? extremes : counts;
}

export function extent(i: i32): i32 {
  if (i === 0) return codeWords;
  if (i === 1) return poolValues;
  if (i === 2) return slotCount * (kind === ROWS ? rows : 1);
  if (i === 3) return 3 * <i32>parameter(5);
  if (kind === ROWS) return 0;
  if (i === 4) return 4 * eventCount();
  if (i === 5) return n;
  if (i === 6) return sampleSize();
  if (i === 7) return 1 + n + algebraicEnd;
  if (i === 8) return recordSize();
  return i === 9 ? 3 * invariantCount() : eventCount();
}
