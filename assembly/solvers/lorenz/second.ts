// Second opinions with steps that follow a tolerance: the variational system again, and two solutions that start close.
//
// DOP853 or extrapolation (numerics/ode/controlled.ts). The error of a state is a part of the largest state, that of a
// vector a part of its largest element.
import {
  controlledSize,
  here,
  initControlled,
  now,
  startControlled,
  TRY_ACCEPTED,
  TRY_FAILED,
  tryControlledStep,
  width,
} from '../../numerics/ode/controlled';
import { copyValues, get, set } from '../../numerics/vector';
import { blockWidth, noteSpeedAt, renewFrame, resetGrowth, startFrame, writeBlock } from './frame';
import { n, twoSlopes, variational, variationalCount } from './system';

export const PAIR_COLUMNS: i32 = 3;
/** Steps of the variational system from one frame to the next. */
const FRAME_STEPS: i32 = 4;

export let rowsDone: i32 = 0;
export let isFailed: bool = false;

let y: usize = 0;
let joined: usize = 0;
let control: usize = 0;
let rows: usize = 0;
let rowCount: i32 = 0;
let transient: f64 = 0;
let duration: f64 = 0;
let tolerance: f64 = 0;
let longest: f64 = 0;
let section: i32 = 0;
let sinceFrame: i32 = 0;
let isCounting: bool = false;

/** Number of f64 that `initSecond` requires. */
export function secondSize(states: i32): i32 {
  const count = states + states * states + 1;
  const most = max(count, 2 * states);
  return count + most + controlledSize(most);
}

export function initSecond(memoryAddress: usize, rowsAddress: usize, isPair: bool): void {
  y = memoryAddress;
  joined = y + ((<usize>variationalCount()) << 3);
  control = joined + ((<usize>max(variationalCount(), 2 * n)) << 3);
  rows = rowsAddress;
  if (isPair) initControlled(slopesOfPair, sizesOfStates, 2 * n, control);
  else initControlled(slopesOfVectors, sizesOfVectors, variationalCount(), control);
}

/** origin + change, as the equations take it. */
function join(origin: usize, change: usize, count: i32): void {
  for (let i = 0; i < count; i++) set(joined, i, get(origin, i) + get(change, i));
}

function slopesOfPair(t: f64, origin: usize, change: usize, slopes: usize): void {
  join(origin, change, 2 * n);
  twoSlopes(t, joined, slopes);
}

function slopesOfVectors(t: f64, origin: usize, change: usize, slopes: usize): void {
  join(origin, change, variationalCount());
  variational(t, joined, slopes);
}

function largest(x: usize, from: i32): f64 {
  let size: f64 = 0;
  for (let i = from; i < from + n; i++) size = Math.max(size, Math.abs(get(x, i)));
  return size;
}

function fill(out: usize, from: i32, size: f64): void {
  for (let i = from; i < from + n; i++) set(out, i, size);
}

function sizesOfStates(at: usize, _slopes: usize, out: usize): void {
  const size = Math.max(largest(at, 0), largest(at, n));
  fill(out, 0, size);
  fill(out, n, size);
}

/** The integral of the trace follows from the states: its error is not asked for. */
function sizesOfVectors(at: usize, _slopes: usize, out: usize): void {
  for (let k = 0; k <= n; k++) fill(out, k * n, largest(at, k * n));
  set(out, n + n * n, 0);
}

/** @param maxStep  and first step */
export function startVectors(states: usize, transientTime: f64, time: f64, blocks: i32, rtol: f64, maxStep: f64): void {
  transient = transientTime;
  duration = time;
  rowCount = blocks;
  tolerance = rtol;
  longest = maxStep;
  rowsDone = 0;
  sinceFrame = 0;
  isFailed = false;
  isCounting = !(transient > 0);
  copyValues(y, states, n);
  startFrame(y, true);
  startControlled(0, y, tolerance, 0.01 * longest, longest, false);
}

/** One try of a step. */
export function advanceVectors(): void {
  const end = isCounting ? transient + (duration * <f64>(rowsDone + 1)) / <f64>rowCount : transient;
  const result = tryControlledStep(end);
  isFailed = result === TRY_FAILED;
  if (result !== TRY_ACCEPTED) return;
  const isEnd = now >= end;
  if (isCounting) noteSpeedAt(here);
  if (++sinceFrame < FRAME_STEPS && !isEnd) return;
  sinceFrame = 0;
  copyValues(y, here, variationalCount());
  if (!renewFrame(y)) {
    isFailed = true;
    return;
  }
  if (isEnd && !isCounting) {
    isCounting = true;
    resetGrowth(y);
  } else if (isEnd) {
    writeBlock(now - transient, y, rows + ((<usize>(rowsDone * blockWidth(n))) << 3));
    rowsDone++;
  }
  startControlled(now, y, tolerance, Math.max(width, 0.01 * longest), longest, false);
}

/** Rows: the distance of the two, and the watched state of either. */
export function startPair(states: usize, time: f64, samples: i32, watched: i32, rtol: f64, extrapolates: bool): void {
  duration = time;
  rowCount = samples;
  section = watched;
  rowsDone = 0;
  isFailed = false;
  const step = time / <f64>(samples - 1);
  startControlled(0, states, rtol, 0.1 * step, step, extrapolates);
  writePair();
}

/** One try of a step. */
export function advancePair(): void {
  const end = (duration * <f64>rowsDone) / <f64>(rowCount - 1);
  const result = tryControlledStep(end);
  isFailed = result === TRY_FAILED;
  if (result === TRY_ACCEPTED && now >= end) writePair();
}

function writePair(): void {
  let square: f64 = 0;
  for (let i = 0; i < n; i++) {
    const difference = get(here, n + i) - get(here, i);
    square += difference * difference;
  }
  const row = rows + ((<usize>(rowsDone * PAIR_COLUMNS)) << 3);
  set(row, 0, Math.sqrt(square));
  set(row, 1, get(here, section));
  set(row, 2, get(here, n + section));
  rowsDone++;
}

export function timeNow(): f64 {
  return now;
}
