// Equations of the caller's: a table of values, or a system of first-order differential equations.
//
// Rows: each row of slots gets its algebraic values, in the order of the programs. Systems: classical Runge–Kutta with a
// fixed step, Dormand–Prince 5(4) or RODAS 4(3) with a controlled one; the explicit pair notices that a problem is stiff,
// and goes over to RODAS if it may. With parts = 2 or 4 a step that was accepted is thrown away and done again in so many
// parts: the same steps, halved, from which the caller sees the error and its order. Events are found inside every step
// and end on a real step; what happens there may stop the run or assign states, and then the integration begins anew.
//
// Fails where no step is short enough: at a pole of the solution, or where events pile up. Hairer, Nørsett & Wanner,
// Solving Ordinary Differential Equations I and II.
//
// Calls in inner loops: every value is a run of the interpreter, which calls sin, exp and their kin.
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
  crossingOf,
  dismiss,
  dismissAll,
  eventScratch,
  findCrossings,
  firstAssignment,
  resetSigns,
  STOP,
  useEvents,
} from './unified/events';
import { algebraicEnd, eventCount, invariantCount, invariantEnd, movingCount, n, setLayout } from './unified/layout';
import {
  absoluteTolerances,
  after,
  begin,
  DORMAND_PRINCE,
  factorAfter,
  guessStep,
  inside,
  jacobianCount,
  looksStiff,
  marchSize,
  measure,
  method,
  move,
  RODAS,
  RUNGE_KUTTA,
  reach,
  restart,
  slopesHere,
  t,
  tryStep,
  useMarch,
  useRodas,
  y,
} from './unified/march';
import { assign, faultyProgram, firstNonFinite, programFault, usePrograms } from './unified/programs';
import { assignStates, derivatives, evaluationCount, final, sample, useSystem, watch } from './unified/system';

export { abi, control } from '../kernel';

const ROWS: i32 = 0;
const SYSTEM: i32 = 1;
/** Dormand–Prince that goes over to RODAS. */
const AUTOMATIC: i32 = 3;

// What became of the run: statistic 0.
const UNFINISHED: i32 = 0;
const FINISHED: i32 = 1;
const STOPPED: i32 = 2;
const NO_STEP: i32 = 3;
const NO_SLOPE: i32 = 4;
const NO_STATE: i32 = 5;
const STIFF: i32 = 6;
const MACHINE: i32 = 7;
const CROWDED: i32 = 8;

/** Jumps of the states in one run. */
const MAX_RESTARTS: i32 = 10_000;
/** Of the time itself: a shorter step does not move it. */
const SHORTEST: f64 = 1e-15;
/** Of the time itself: events that are no farther apart happen together. */
const TOGETHER: f64 = 7.1e-15;

let kind: i32 = 0;
let asked: i32 = 0;
let codeWords: i32 = 0;
let poolValues: i32 = 0;
let slotCount: i32 = 0;
let rows: i32 = 0;
let end: f64 = 0;
let start0: f64 = 0;
let givenStep: f64 = 0;
let longest: f64 = 0;
let budget: f64 = 0;
let parts: i32 = 1;
let ticks: f64 = 0;
let capacity: i32 = 0;

let code: usize = 0;
let pool: usize = 0;
let slots: usize = 0;
let table: usize = 0;
let eventTable: usize = 0;
let stack: usize = 0;
let samples: usize = 0;
let last: usize = 0;
let records: usize = 0;
let extremes: usize = 0;
let counts: usize = 0;
let ahead: usize = 0;
let spare: usize = 0;

let row: i32 = 0;
let tries: f64 = 0;
let accepted: f64 = 0;
let refused: f64 = 0;
let h: f64 = 0;
let outcome: i32 = UNFINISHED;
let recorded: i32 = 0;
let restarts: i32 = 0;
let lastRestart: f64 = 0;
/** Time between the last two restarts that were apart, and how many have come since at one place. */
let flight: f64 = Infinity;
let crowd: i32 = 0;
// A fixed step counts from here, so that its times do not gather roundings.
let origin: f64 = 0;
let strides: f64 = 0;

/** Whole parameters come first. */
const WHOLE: i32 = 19;
/** Most elements of one array: byte counts stay far inside an i32. */
const MOST: f64 = 16_777_216;

/**
 * Parameters, counted from 1: kind 0 | 1, code_words, pool_values, slots, programs, rows or samples, states, fixed,
 * needed, algebraic, events (<= 64), assignments, invariants, method 0 … 3, max_steps, parts 1 | 2 | 4, is_autonomous,
 * capacity of the record of events, ticks of progress; then t0 < t_end, step (fixed, or the first one; 0 chooses), rtol,
 * max_step (0: none).
 *
 * @returns −i if parameter i is illegal, INFO_OUT_OF_MEMORY, or 0
 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  for (let i = 1; i <= WHOLE; i++) {
    const x = parameter(i);
    if (!(x >= 0 && x <= (i < 15 ? MOST : 1e9) && Math.floor(x) === x)) return -i;
  }
  if (parameter(1) > 1) return -1;
  if (parameter(11) > 64) return -11;
  if (parameter(14) > 3) return -14;
  if (parameter(6) * (parameter(4) + 2) > MOST) return -6;
  if (parameter(18) * (parameter(4) + 2) > MOST) return -18;
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
  // One piece of memory, cut below: words of 32 bits are counted in halves.
  const codeSize = (codeWords + 1) >> 1;
  const tableSize = (3 * programs + 1) >> 1;
  room = allocateF64(
    STACK_VALUES + codeSize + tableSize + poolValues + slotValues + (kind === SYSTEM ? systemSize() : 0),
  );
  if (!room) return INFO_OUT_OF_MEMORY;
  stack = take(STACK_VALUES);
  code = take(codeSize);
  table = take(tableSize);
  pool = take(poolValues);
  slots = take(slotValues);
  if (kind === SYSTEM) useSystemRoom();
  return INFO_OK;
}

let room: usize = 0;

/** The next `count` f64 of the room. */
function take(count: i32): usize {
  const at = room;
  room += (<usize>count) << 3;
  return at;
}

function readSystem(): i32 {
  if (!isFinite(parameter(20))) return -20;
  if (!(parameter(21) > parameter(20) && isFinite(parameter(21)))) return -21;
  if (!(parameter(22) >= 0 && isFinite(parameter(22)))) return -22;
  if (!(parameter(23) > 0 && parameter(23) < 1)) return -23;
  if (!(parameter(24) >= 0)) return -24;
  asked = <i32>parameter(14);
  if (asked === RUNGE_KUTTA && parameter(22) === 0) return -22;
  start0 = parameter(20);
  end = parameter(21);
  givenStep = parameter(22);
  longest = parameter(24) > 0 ? parameter(24) : end - start0;
  budget = parameter(15);
  parts = <i32>parameter(16);
  ticks = parameter(19);
  capacity = <i32>parameter(18);

  return INFO_OK;
}

function recordSize(): i32 {
  return eventCount() > 0 ? capacity * (2 + n) : 0;
}

function sampleSize(): i32 {
  return (rows + 1) * (2 + n + movingCount());
}

/** f64 of everything that only a system needs. */
function systemSize(): i32 {
  const events = eventCount();
  const small = 1 + n + algebraicEnd + 3 * (invariantCount() + events + n);
  return recordSize() + sampleSize() + small + eventScratch(events, n) + marchSize(n, asked >= RODAS);
}

function useSystemRoom(): void {
  const events = eventCount();
  samples = take(sampleSize());
  last = take(1 + n + algebraicEnd);
  records = take(recordSize());
  extremes = take(3 * invariantCount());
  counts = take(events);
  eventTable = take(2 * events);
  ahead = take(n);
  spare = take(2 * n);
  useEvents(eventTable, take(eventScratch(events, n)));
  useMarch(n, asked >= RODAS, room);
}

export function start(): i32 {
  row = 0;
  tries = 0;
  outcome = UNFINISHED;
  usePrograms(code, pool, table, stack);
  if (kind === ROWS) return INFO_OK;
  accepted = 0;
  refused = 0;
  recorded = 0;
  restarts = 0;
  flight = Infinity;
  crowd = 0;
  origin = start0;
  strides = 0;
  lastRestart = start0;
  useSystem(slots, extremes, <i32>parameter(5));
  begin(start0, slots + 8, asked === AUTOMATIC ? DORMAND_PRINCE : asked, parameter(23), parameter(17) === 1);
  if (eventCount() > 0) {
    dismissAll();
    resetSigns(1);
  }
  watch(t, y, true);
  h = givenStep > 0 ? givenStep : Math.min(guessStep(end - start0), longest);
  record(start0, y);
  return INFO_OK;
}

/**
 * At most `steps` rows, or tries of a step.
 *
 * `done` of a system counts tries and the part of the way, in ticks, so that it grows with every call and with t.
 *
 * @returns info: 0; 1 no step is short enough, or the problem is stiff; 2 a value is not finite; 4 the machine gave up, or
 *   events pile up. Statistic 0 says which.
 */
export function advance(steps: i32): i32 {
  if (kind === ROWS) return advanceRows(steps);
  for (let i = 0; i < steps && outcome === UNFINISHED && tries < budget; i++) {
    tries += 1;
    attempt();
    if (programFault() !== 0) outcome = MACHINE;
  }
  if (outcome === UNFINISHED ? tries >= budget : outcome <= STOPPED) finish();
  report();
  if (outcome === NO_STEP || outcome === STIFF) return INFO_NOT_CONVERGED;
  if (outcome === NO_SLOPE || outcome === NO_STATE) return INFO_NON_FINITE;
  return outcome === MACHINE || outcome === CROWDED ? INFO_CAPACITY : INFO_OK;
}

function advanceRows(steps: i32): i32 {
  const stride = (<usize>slotCount) << 3;
  const stop = row + min(steps, rows - row);
  for (; row < stop; row++) {
    assign(0, algebraicEnd, slots + <usize>row * stride);
    if (programFault() !== 0) {
      outcome = MACHINE;
      break;
    }
  }
  if (row === rows) outcome = FINISHED;
  setDone(<f64>row);
  setStatistic(0, <f64>outcome);
  setStatistic(1, <f64>row);
  setStatistic(10, <f64>programFault());
  setStatistic(11, <f64>faultyProgram());
  return outcome === MACHINE ? INFO_CAPACITY : INFO_OK;
}

/** One try, and if it is good all that follows from it. */
function attempt(): void {
  const isFixed = method === RUNGE_KUTTA;
  strides += 1;
  let to = isFixed ? origin + strides * h : t + h;
  // The last step may be a little longer, never a sliver.
  if (to + (isFixed ? 1e-9 : 0.01) * h >= end) to = end;
  const from = t;
  const step = to - from;
  let next = h;
  if (!isFixed) {
    const size = tryStep(step);
    next = step * factorAfter(size);
    if (!(size <= 1)) {
      refused += 1;
      h = next;
      if (h <= SHORTEST * Math.abs(t) || h < 1e-30 * (end - start0)) failWithoutStep();
      return;
    }
    if (looksStiff(step)) {
      setStatistic(8, 1);
      setStatistic(9, t);
      if (asked === AUTOMATIC) useRodas();
      else fail(STIFF, 0);
      return;
    }
  }
  const before = restarts;
  for (let p = 1; p <= parts && outcome === UNFINISHED && restarts === before; p++) {
    const until = p < parts ? from + (step * <f64>p) / <f64>parts : to;
    if (isFixed || parts > 1) tryStep(until - t);
    keep(until - t, until);
  }
  if (restarts === before) h = Math.min(next, longest);
}

/** A step that was tried becomes part of the solution, up to the first event that ends it. */
function keep(step: f64, to: f64): void {
  const state = firstNonFinite(after, n);
  if (state >= 0) {
    fail(NO_STATE, state);
    return;
  }
  accepted += 1;
  measure(step, ahead);
  const from = t;
  let part: f64 = 2;
  if (eventCount() > 0) {
    findCrossings(step);
    part = endingPlace(step);
    countEvents(step, Math.min(1, part));
  }
  const isEnded = part <= 1;
  const until = part < 1 ? from + part * step : to;
  recordUntil(from, step, until, !isEnded && to === end);
  if (!isEnded) {
    move(to, after, ahead);
    watch(t, y, false);
    if (to >= end) outcome = FINISHED;
    return;
  }
  statesAt(part, step, spare);
  move(until, spare, ahead);
  watch(t, y, false);
  happen(part);
}

/** Where in the step the first events stop or assign, those that are a few roundings apart together; 2 if nowhere. */
function endingPlace(step: f64): f64 {
  let first: f64 = 2;
  for (let i = 0; i < eventCount(); i++) if (actionOf(i) !== COUNT) first = Math.min(first, crossingOf(i));
  const together = Math.min(1, first + (TOGETHER * Math.abs(t + step)) / step);
  let place = first;
  for (let i = 0; i < eventCount(); i++) if (crossingOf(i) <= together) place = Math.max(place, crossingOf(i));
  return place;
}

/** Events that are only counted, up to the place where the step ends, in the order of time. */
function countEvents(step: f64, part: f64): void {
  const at = spare + ((<usize>n) << 3);
  while (true) {
    let next = -1;
    for (let i = 0; i < eventCount(); i++) {
      if (actionOf(i) !== COUNT || crossingOf(i) > part) continue;
      if (next < 0 || crossingOf(i) < crossingOf(next)) next = i;
    }
    if (next < 0) return;
    const place = crossingOf(next);
    statesAt(place, step, at);
    noteAt(next, t + place * step, at);
    dismiss(next);
  }
}

function statesAt(place: f64, step: f64, out: usize): void {
  if (place === 1) memory.copy(out, after, (<usize>n) << 3);
  else reach(place * step, out);
}

function noteAt(event: i32, time: f64, states: usize): void {
  set(counts, event, get(counts, event) + 1);
  if (recorded === capacity) return;
  const to = records + ((<usize>(recorded * (2 + n))) << 3);
  set(to, 0, <f64>event);
  set(to, 1, time);
  memory.copy(to + 16, states, (<usize>n) << 3);
  recorded++;
}

/** Everything that happens here, in the order in which it was written; a stop is the last, else all begins anew. */
function happen(part: f64): void {
  let event = 0;
  for (let i = 0; i < eventCount(); i++) {
    if (crossingOf(i) > part) continue;
    event = i;
    noteAt(i, t, y);
    if (actionOf(i) === STOP) {
      outcome = STOPPED;
      return;
    }
    assignStates(t, y, firstAssignment(i), assignmentCount(i), spare);
  }
  restarts++;
  restart();
  resetSigns(part);
  const gap = t - lastRestart;
  if (gap > 4 * SHORTEST * Math.abs(t)) {
    flight = gap;
    lastRestart = t;
    crowd = 0;
  } else crowd++;
  if (restarts > MAX_RESTARTS || crowd > eventCount()) {
    fail(CROWDED, event);
    return;
  }
  if (t >= end) {
    outcome = FINISHED;
    return;
  }
  if (method === RUNGE_KUTTA) {
    origin = t;
    strides = 0;
    return;
  }
  // Flights that become ever shorter must not be stepped over.
  h = Math.min(guessStep(end - t), Math.min(longest, 0.25 * flight));
}

function sampleTime(i: i32): f64 {
  return i === rows - 1 ? end : start0 + ((end - start0) * <f64>i) / <f64>(rows - 1);
}

function record(time: f64, states: usize): void {
  sample(time, h, states, samples + ((<usize>(row * (2 + n + movingCount()))) << 3));
  row++;
}

/** Samples in (from, until]. */
function recordUntil(from: f64, step: f64, until: f64, isEnd: bool): void {
  while (row < rows) {
    const time = sampleTime(row);
    if (time > until && !isEnd) return;
    const theta = (time - from) / step;
    if (isEnd && row === rows - 1) record(end, after);
    else {
      inside(Math.min(1, theta), spare);
      record(time, spare);
    }
  }
}

function finish(): void {
  if (outcome !== FINISHED && get(samples, (row - 1) * (2 + n + movingCount())) < t) record(t, y);
  final(t, y, last);
}

function fail(how: i32, where: i32): void {
  outcome = how;
  setStatistic(12, <f64>where);
}

/** No step is short enough: because a slope is not finite, here or at the end of the step, or for another reason. */
function failWithoutStep(): void {
  const here = firstNonFinite(slopesHere(), n);
  if (here < 0) derivatives(t + h, after, spare);
  fail(here < 0 ? NO_STEP : NO_SLOPE, here < 0 ? firstNonFinite(spare, n) : here);
}

function report(): void {
  setDone(tries + Math.floor((ticks * (t - start0)) / (end - start0)));
  setStatistic(0, <f64>outcome);
  setStatistic(1, <f64>row);
  setStatistic(2, accepted);
  setStatistic(3, refused);
  setStatistic(4, evaluationCount());
  setStatistic(5, jacobianCount());
  setStatistic(6, t);
  setStatistic(7, <f64>restarts);
  setStatistic(10, <f64>programFault());
  setStatistic(11, <f64>faultyProgram());
  setStatistic(13, <f64>recorded);
  setStatistic(14, h);
}

/** Written by the host: 0 code, 1 pool, 2 slots, 3 table, 4 events, 5 absolute tolerances. Read: 2, 6 samples, 7 the end, 8 events, 9 invariants, 10 counts. */
export function view(i: i32): usize {
  if (i === 0) return code;
  if (i === 1) return pool;
  if (i === 2) return slots;
  if (i === 3) return table;
  if (i === 4) return eventTable;
  if (i === 5) return absoluteTolerances();
  if (i === 6) return samples;
  if (i === 7) return last;
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
