// Equations supplied by the caller: a table of values, or a system of first-order differential equations.
//
// Rows: each row of slots gets its algebraic values, in the order of the programs. Systems: classical Runge–Kutta with
// a fixed step, Dormand–Prince 5(4) or RODAS 4(3) with an adaptive step. The explicit pair detects that a problem is
// stiff, and switches to RODAS if allowed. The equations are checked between the stages too, on a grid of the whole span
// that knows nothing of the steps (unified/guard.ts). Events are located inside every step by a separate step to the
// crossing. An event may stop the run or assign states, after which the integration restarts.
//
// Fails where no step is short enough: at a pole of the solution, or where events accumulate. Hairer, Nørsett & Wanner,
// Solving Ordinary Differential Equations I and II.
//
// Compressed size: at most 32 kB, because the expression machine with its functions is part of it.
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
import { illegal, isFlag, isIntegerBetween, isNonNegative } from '../parameters';
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
import { guardScratch, initGuard, largestDefect, startGuard } from './unified/guard';
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
  INVARIANT_COLUMNS,
  initSystem,
  updateInvariants,
  writeFinal,
  writeValues,
} from './unified/system';

export { link } from '../expression/compiled';
export * from '../expression/elementary';
export { abi, control } from '../kernel';

/**
 * kind 0 rows | 1 system; lengths of the arrays; the number of programs in all and of each kind (unified/layout.ts), at
 * most 64 events; rows of a table or samples of a system; method 0 … 3; maxSteps tries of a step; isAutonomous 0 | 1;
 * checks, the points of the guard's grid, and breaks, its other times; progressTicks, the share of time in `done`; then
 * t0 < tEnd, step (fixed or initial; 0: automatic), rtol, maxStep (0: none). The integers come first.
 */
export enum Parameter {
  kind,
  codeWords,
  poolValues,
  slots,
  programs,
  rows,
  states,
  fixed,
  needed,
  algebraic,
  events,
  assignments,
  invariants,
  method,
  maxSteps,
  isAutonomous,
  eventCapacity,
  checks,
  breaks,
  progressTicks,
  t0,
  tEnd,
  step,
  rtol,
  maxStep,
}

/**
 * In: code i32[codeWords], pool f64[poolValues], table i32[programs, 3], events i32[events, 4], atol f64[states],
 * breaks f64[breaks], sorted.
 * In and out: slots f64[slots], of a table f64[rows, slots]. Out, of a system: samples and recordedEvents, rows as
 * SampleColumn and EventColumn say; end f64[1 + states + algebraic]; invariants f64[invariants, 3]; counts f64[events].
 */
export enum View {
  code,
  pool,
  slots,
  table,
  events,
  atol,
  breaks,
  samples,
  end,
  recordedEvents,
  invariants,
  counts,
}

/**
 * stiffSince is a time; index is that of the state or event that failed; step is the next one; skipped counts the fixed
 * steps that hold a feature which they do not resolve.
 */
export enum Statistic {
  outcome,
  rows,
  accepted,
  rejected,
  evaluations,
  jacobians,
  t,
  restarts,
  isStiff,
  stiffSince,
  programFailure,
  failingProgram,
  index,
  recorded,
  step,
  skipped,
}

/** The states are followed by the algebraic values that vary. */
export enum SampleColumn {
  t,
  step,
  states,
}

export enum EventColumn {
  event,
  t,
  states,
}

export { InvariantColumn } from './unified/system';

const ROWS: i32 = 0;
const SYSTEM: i32 = 1;
/** Dormand–Prince that switches to RODAS. */
const AUTOMATIC: i32 = 3;

// Outcome of the run, a statistic.
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
let breakCount: i32 = 0;
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
let breaks: usize = 0;
let scratch: usize = 0;

let row: i32 = 0;
let tries: f64 = 0;
let accepted: f64 = 0;
let rejected: f64 = 0;
let skipped: f64 = 0;
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

/** Maximum of a number of steps or ticks. */
const MAX_STEPS: f64 = 1e9;
const MAX_EVENTS: f64 = 64;
/** Maximum length of one array: byte counts fit an i32 by far. */
const MAX_ELEMENTS: f64 = 16_777_216;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  unlink();
  for (let i: i32 = Parameter.kind; i <= Parameter.progressTicks; i++) {
    if (!isIntegerBetween(parameter(i), 0, i < Parameter.maxSteps ? MAX_ELEMENTS : MAX_STEPS)) return illegal(i);
  }
  if (!isFlag(parameter(Parameter.kind))) return illegal(Parameter.kind);
  if (parameter(Parameter.events) > MAX_EVENTS) return illegal(Parameter.events);
  if (parameter(Parameter.method) > AUTOMATIC) return illegal(Parameter.method);
  const rowLength = parameter(Parameter.slots) + 2;
  if (parameter(Parameter.rows) * rowLength > MAX_ELEMENTS) return illegal(Parameter.rows);
  if (parameter(Parameter.eventCapacity) * rowLength > MAX_ELEMENTS) return illegal(Parameter.eventCapacity);
  if (parameter(Parameter.breaks) > MAX_ELEMENTS) return illegal(Parameter.breaks);
  kind = <i32>parameter(Parameter.kind);
  rows = <i32>parameter(Parameter.rows);
  if (rows < (kind === ROWS ? 1 : 2)) return illegal(Parameter.rows);
  if (kind === SYSTEM && parameter(Parameter.states) < 1) return illegal(Parameter.states);
  const fixed = <i32>parameter(Parameter.fixed);
  const needed = <i32>parameter(Parameter.needed);
  const algebraic = <i32>parameter(Parameter.algebraic);
  if (fixed + needed > algebraic) return illegal(Parameter.needed);
  setLayout(
    <i32>parameter(Parameter.states),
    fixed,
    needed,
    algebraic,
    <i32>parameter(Parameter.events),
    <i32>parameter(Parameter.assignments),
    <i32>parameter(Parameter.invariants),
  );
  const programs = <i32>parameter(Parameter.programs);
  if (invariantEnd > programs) return illegal(Parameter.programs);
  codeWords = <i32>parameter(Parameter.codeWords);
  poolValues = <i32>parameter(Parameter.poolValues);
  slotCount = <i32>parameter(Parameter.slots);
  if (1 + n + algebraicEnd > slotCount) return illegal(Parameter.slots);
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
  startTime = parameter(Parameter.t0);
  endTime = parameter(Parameter.tEnd);
  givenStep = parameter(Parameter.step);
  const rtol = parameter(Parameter.rtol);
  const longest = parameter(Parameter.maxStep);
  if (!isFinite(startTime)) return illegal(Parameter.t0);
  if (!(endTime > startTime && isFinite(endTime))) return illegal(Parameter.tEnd);
  if (!isNonNegative(givenStep)) return illegal(Parameter.step);
  if (!(rtol > 0 && rtol < 1)) return illegal(Parameter.rtol);
  if (!(longest >= 0)) return illegal(Parameter.maxStep);
  requestedMethod = <i32>parameter(Parameter.method);
  if (requestedMethod === RUNGE_KUTTA && givenStep === 0) return illegal(Parameter.step);
  maxStep = longest > 0 ? longest : endTime - startTime;
  maxTries = parameter(Parameter.maxSteps);
  breakCount = <i32>parameter(Parameter.breaks);
  progressTicks = parameter(Parameter.progressTicks);
  recordCapacity = <i32>parameter(Parameter.eventCapacity);
  return INFO_OK;
}

function recordWidth(): i32 {
  return EventColumn.states + n;
}

function recordSize(): i32 {
  return eventCount() > 0 ? recordCapacity * recordWidth() : 0;
}

function sampleWidth(): i32 {
  return SampleColumn.states + n + varyingCount();
}

function sampleSize(): i32 {
  return (rows + 1) * sampleWidth();
}

/** Number of f64 that only a system needs. */
function systemSize(): i32 {
  const events = eventCount();
  const small = 1 + n + algebraicEnd + INVARIANT_COLUMNS * invariantCount() + 3 * (events + n);
  const integrator = integratorSize(n, requestedMethod >= RODAS);
  return recordSize() + sampleSize() + small + eventScratch(events, n) + guardScratch(n) + breakCount + integrator;
}

function takeSystemArrays(): void {
  const events = eventCount();
  samples = take(sampleSize());
  finalSlots = take(1 + n + algebraicEnd);
  records = take(recordSize());
  extremes = take(INVARIANT_COLUMNS * invariantCount());
  counts = take(events);
  eventTable = take(2 * events);
  endSlopes = take(n);
  scratch = take(2 * n);
  breaks = take(breakCount);
  initEvents(eventTable, take(eventScratch(events, n)));
  initGuard(take(guardScratch(n)), breaks, breakCount, <i32>parameter(Parameter.checks));
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
  skipped = 0;
  recorded = 0;
  restarts = 0;
  lastInterval = Infinity;
  simultaneousRestarts = 0;
  fixedOrigin = startTime;
  fixedSteps = 0;
  lastRestart = startTime;
  initSystem(slots, pool, extremes, <i32>parameter(Parameter.programs));
  startIntegrator(
    startTime,
    slots + 8,
    requestedMethod === AUTOMATIC ? DORMAND_PRINCE : requestedMethod,
    parameter(Parameter.rtol),
    parameter(Parameter.isAutonomous) === 1,
    endTime - startTime,
  );
  startGuard(startTime, endTime);
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
 *   or events accumulate. The statistic `outcome` says why.
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
  setStatistic(Statistic.outcome, <f64>outcome);
  setStatistic(Statistic.rows, <f64>row);
  setStatistic(Statistic.programFailure, <f64>programFailure());
  setStatistic(Statistic.failingProgram, <f64>failingProgram());
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
    let size = tryStep(step);
    if (size <= 1) size = Math.max(size, largestDefect(step));
    next = step * stepFactor(size);
    if (!(size <= 1)) {
      rejected += 1;
      h = next;
      if (h <= MIN_STEP_RATIO * Math.abs(t) || h < 1e-30 * (endTime - startTime)) failWithoutStep();
      return;
    }
    if (isStiff(step)) {
      setStatistic(Statistic.isStiff, 1);
      setStatistic(Statistic.stiffSince, t);
      if (requestedMethod === AUTOMATIC) switchToRodas();
      else fail(STIFF, 0);
      return;
    }
  }
  if (isFixed) tryStep(step);
  const before = restarts;
  handleAcceptedStep(step, to);
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
  if (method === RUNGE_KUTTA) {
    prepareInterpolant(step, endSlopes);
    if (largestDefect(step) > 1) skipped += 1;
  }
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
  const to = records + ((<usize>(recorded * recordWidth())) << 3);
  set(to, EventColumn.event, <f64>event);
  set(to, EventColumn.t, time);
  memory.copy(to + ((<usize>EventColumn.states) << 3), states, (<usize>n) << 3);
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
  const sample = samples + ((<usize>(row * sampleWidth())) << 3);
  set(sample, SampleColumn.t, time);
  set(sample, SampleColumn.step, h);
  writeValues(time, states, sample + ((<usize>SampleColumn.states) << 3));
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
  if (outcome !== FINISHED && get(samples, (row - 1) * sampleWidth() + SampleColumn.t) < t) recordSample(t, y);
  writeFinal(t, y, finalSlots);
}

function fail(failure: i32, index: i32): void {
  outcome = failure;
  setStatistic(Statistic.index, <f64>index);
}

/** Fails because no step is short enough: a slope is not finite, at either end of the step, or another reason. */
function failWithoutStep(): void {
  const here = firstNonFinite(currentSlopes(), n);
  if (here < 0) derivatives(t + h, after, scratch);
  fail(here < 0 ? STEP_TOO_SMALL : NONFINITE_SLOPE, here < 0 ? firstNonFinite(scratch, n) : here);
}

function report(): void {
  setDone(tries + Math.floor((progressTicks * (t - startTime)) / (endTime - startTime)));
  setStatistic(Statistic.outcome, <f64>outcome);
  setStatistic(Statistic.rows, <f64>row);
  setStatistic(Statistic.accepted, accepted);
  setStatistic(Statistic.rejected, rejected);
  setStatistic(Statistic.evaluations, evaluationCount());
  setStatistic(Statistic.jacobians, jacobianCount());
  setStatistic(Statistic.t, t);
  setStatistic(Statistic.restarts, <f64>restarts);
  setStatistic(Statistic.programFailure, <f64>programFailure());
  setStatistic(Statistic.failingProgram, <f64>failingProgram());
  setStatistic(Statistic.recorded, <f64>recorded);
  setStatistic(Statistic.step, h);
  setStatistic(Statistic.skipped, skipped);
}

export function view(i: i32): usize {
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.slots) return slots;
  if (i === View.table) return table;
  if (i === View.events) return eventTable;
  if (i === View.atol) return absoluteTolerances();
  if (i === View.breaks) return breaks;
  if (i === View.samples) return samples;
  if (i === View.end) return finalSlots;
  if (i === View.recordedEvents) return records;
  if (i === View.invariants) return extremes;
  return i === View.counts ? counts : 0;
}

export function extent(i: i32): i32 {
  if (i === View.code) return codeWords;
  if (i === View.pool) return poolValues;
  if (i === View.slots) return slotCount * (kind === ROWS ? rows : 1);
  if (i === View.table) return 3 * <i32>parameter(Parameter.programs);
  if (kind === ROWS) return 0;
  if (i === View.events) return 4 * eventCount();
  if (i === View.atol) return n;
  if (i === View.breaks) return breakCount;
  if (i === View.samples) return sampleSize();
  if (i === View.end) return 1 + n + algebraicEnd;
  if (i === View.recordedEvents) return recordSize();
  if (i === View.invariants) return INVARIANT_COLUMNS * invariantCount();
  return i === View.counts ? eventCount() : 0;
}
