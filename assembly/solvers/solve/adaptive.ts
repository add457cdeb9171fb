// An adaptive run with its events: turning points, the ground, and an escape where no step is short enough.
//
// Events are roots inside a step, by Newton's method within a bracket, each time with a step of its own: as accurate as
// the run. The method begins at the root of Hermite's cubic, or at the event of an earlier run, so that one or two such
// steps suffice. Drag has a kink where the motion turns, so a run with drag begins anew there.
import {
  here,
  hereSlopes,
  insideControlled,
  now,
  startControlled,
  TRY_ACCEPTED,
  TRY_FAILED,
  there,
  thereSlopes,
  tryControlledStep,
  width,
} from '../../numerics/ode/controlled';
import { hermite, INTERPOLANT_VECTORS, interpolate, interpolateSlopes } from '../../numerics/ode/interpolant';
import { copyValues, get, set } from '../../numerics/vector';
import { clearReach, conservative, extra, hasWork, STATES, statesOf } from './field';

/** Why a run ended: at the end of the time, at the ground, or because no step is short enough. */
export const RUNNING: i32 = 0;
export const ENDED: i32 = 1;
export const GROUND: i32 = 2;
export const SINGULAR: i32 = 3;

/** Columns of a turning point: time, place. */
export const TURN_COLUMNS: i32 = 2;

const MAX_ITERATIONS: i32 = 80;
/** Part of the step within which a root is found. */
const NEAR: f64 = 4e-16;
/** A last change of Newton's method: the error is about its square, and Taylor's formula replaces a step. */
const LAST_CHANGE: f64 = 1e-9;
/** Of the root of the cubic, which only begins the method. */
const CUBIC_ITERATIONS: i32 = 12;
const CUBIC_CHANGE: f64 = 1e-6;

/** Outcome of the way, and its time; φ' there. Samples may go on for a while. */
export let outcome: i32 = RUNNING;
export let stopTime: f64 = 0;
export let stopSpeed: f64 = 0;
export let turns: i32 = 0;
export let accepted: f64 = 0;
/** Largest |φ| and |φ'| at the ends of steps. */
export let farthest: f64 = 0;
export let fastest: f64 = 0;
/** φ, φ' of the last accepted step. */
export let lastPhi: f64 = 0;

let isExtrapolation = false;
let tolerance: f64 = 0;
let longest: f64 = 0;
let end: f64 = 0;
let hasGround = false;
let ground: f64 = 0;
let hasKinks = false;
let turnTable: usize = 0;
let turnCapacity: i32 = 0;
let history: usize = 0;
let stride: i32 = 0;
let samples: i32 = 0;
let sampleEnd: f64 = 0;
let row: i32 = 0;
/** State at an event, and at the turning point of the step. */
let state: usize = 0;
let turned: usize = 0;
let cubic: usize = 0;
/** Times of events of an earlier run, and how many: turning points, and the ground or NaN. */
let knownTurns: usize = 0;
let knownCount: i32 = 0;
let knownGround: f64 = NaN;

/** Number of f64 of scratch. */
export const ADAPTIVE_SCRATCH: i32 = 2 * STATES + INTERPOLANT_VECTORS + 1;

/** @param kinks  whether the right side has a kink where φ' is 0 */
export function setWay(tEnd: f64, isBounded: bool, groundAt: f64, kinks: bool, maxStep: f64, scratch: usize): void {
  end = tEnd;
  hasGround = isBounded;
  ground = groundAt;
  hasKinks = kinks;
  longest = maxStep;
  state = scratch;
  turned = state + (STATES << 3);
  cubic = turned + (STATES << 3);
}

/**
 * Where the next run looks for its events first; they are its own all the same.
 *
 * @param table  f64[count, TURN_COLUMNS], may be the table that the run writes
 * @param fall   time at the ground, or NaN
 */
export function expectEvents(table: usize, count: i32, fall: f64): void {
  knownTurns = table;
  knownCount = count;
  knownGround = fall;
}

/**
 * @param initial   f64[STATES]
 * @param table     f64[capacity, TURN_COLUMNS], written
 * @param to        samples at equal times to `last` are written to rows of `width` f64 there; none if count is 0
 */
export function startWay(
  initial: usize,
  rtol: f64,
  first: f64,
  extrapolates: bool,
  table: usize,
  capacity: i32,
  to: usize,
  rowWidth: i32,
  count: i32,
  last: f64,
): void {
  isExtrapolation = extrapolates;
  tolerance = rtol;
  turnTable = table;
  turnCapacity = capacity;
  history = to;
  stride = rowWidth;
  samples = count;
  sampleEnd = last;
  row = 0;
  turns = 0;
  accepted = 0;
  outcome = RUNNING;
  stopTime = 0;
  stopSpeed = 0;
  farthest = Math.abs(get(initial, 0));
  fastest = Math.abs(get(initial, 1));
  clearReach();
  lastPhi = get(initial, 0);
  startControlled(0, initial, rtol, first, longest, extrapolates);
  if (samples > 0) record(initial);
  if (get(initial, 1) === 0 && acceleration(0, get(initial, 0), 0) !== 0) addTurn(0, get(initial, 0));
}

function acceleration(t: f64, phi: f64, dphi: f64): f64 {
  return conservative(phi) + (hasWork ? extra(t, phi, dphi) : 0);
}

/** Whether the way and all samples are done. */
export function isWayDone(): bool {
  return outcome === SINGULAR || (outcome !== RUNNING && row >= samples);
}

export function progress(): f64 {
  return Math.min(1, now / end);
}

export function advanceWay(): void {
  const tried = tryControlledStep(end);
  if (tried !== TRY_ACCEPTED) {
    if (tried === TRY_FAILED) {
      if (outcome === RUNNING) stop(SINGULAR, now);
      else row = samples;
    }
    return;
  }
  accepted += 1;
  lastPhi = get(here, 0);
  const before = get(there, 1);
  const after = get(here, 1);
  farthest = Math.max(farthest, Math.abs(lastPhi));
  fastest = Math.max(fastest, Math.abs(after));
  const isTurn = before * after < 0 || (before !== 0 && after === 0);
  const from = now - width;
  let theta: f64 = 2;
  if (isTurn) {
    const known = turns < knownCount ? get(knownTurns, TURN_COLUMNS * turns) : NaN;
    theta = root(1, 0, 0, 1, before < 0, (known - from) / width, turned);
  }
  if (outcome === RUNNING && hasGround) {
    const turning = isTurn ? get(turned, 0) : ground + 1;
    const isDip = isTurn && turning < ground;
    if (isDip || get(here, 0) < ground) {
      // From above to below: before a lower turn, or after an upper one.
      const top = isTurn && !isDip ? theta : 0;
      const at = root(0, ground, top, isDip ? theta : 1, false, (knownGround - from) / width, state);
      stopSpeed = get(state, 1);
      stop(GROUND, from + at * width);
    }
  }
  if (isTurn && outcome === RUNNING) addTurn(from + theta * width, get(turned, 0));
  const isRestart = isTurn && hasKinks && theta < 1;
  const until = isRestart ? from + theta * width : now;
  while (row < samples && timeOf(row) <= until) recordInside();
  if (isRestart) {
    set(turned, 1, 0);
    startControlled(until, turned, tolerance, Math.min(0.5 * width, longest), longest, isExtrapolation);
  }
  if (now >= end) {
    if (outcome === RUNNING) stop(ENDED, end);
    // Roundings of the last sample.
    while (row < samples) recordInside();
  }
}

function stop(why: i32, at: f64): void {
  outcome = why;
  stopTime = at;
}

function addTurn(t: f64, phi: f64): void {
  if (turns < turnCapacity) {
    set(turnTable, TURN_COLUMNS * turns, t);
    set(turnTable, TURN_COLUMNS * turns + 1, phi);
  }
  turns += 1;
}

/**
 * Where component i of the state is `level` in the last step, between lo and hi, at which it has different signs.
 *
 * @param rises  whether it is below before
 * @param guess  part of the step; NaN or outside if none is known
 * @param out    f64[STATES], the state there
 */
function root(i: i32, level: f64, lo: f64, hi: f64, rises: bool, guess: f64, out: usize): f64 {
  let theta = guess > lo && guess < hi ? guess : cubicRoot(i, level, lo, hi, rises);
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    insideControlled(theta, out);
    const value = get(out, i) - level;
    if (value === 0 || hi - lo <= NEAR * hi) break;
    if (value > 0 === rises) hi = theta;
    else lo = theta;
    const a = acceleration(now - width + theta * width, get(out, 0), get(out, 1));
    const change = -value / ((i === 0 ? get(out, 1) : a) * width);
    const next = theta + change;
    if (Math.abs(change) <= LAST_CHANGE * theta) {
      // The place changes by less than a rounding: it is `level`, or at a turn.
      set(out, 1, get(out, 1) + change * width * a);
      return Math.min(1, Math.max(0, next));
    }
    theta = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  return theta;
}

/** The same of Hermite's cubic of the step. */
function cubicRoot(i: i32, level: f64, lo: f64, hi: f64, rises: bool): f64 {
  const at = (<usize>i) << 3;
  hermite(there + at, thereSlopes + at, here + at, hereSlopes + at, width, 1, cubic);
  const found = cubic + ((<usize>INTERPOLANT_VECTORS) << 3);
  let theta = 0.5 * (lo + hi);
  for (let k = 0; k < CUBIC_ITERATIONS; k++) {
    interpolate(cubic, theta, 1, found);
    const value = load<f64>(found) - level;
    if (value > 0 === rises) hi = theta;
    else lo = theta;
    interpolateSlopes(cubic, theta, width, 1, found);
    const next = theta - value / (load<f64>(found) * width);
    const last = theta;
    theta = next > lo && next < hi ? next : 0.5 * (lo + hi);
    if (Math.abs(theta - last) < CUBIC_CHANGE) break;
  }
  return theta;
}

export function timeOf(sample: i32): f64 {
  return sample === samples - 1 ? sampleEnd : (sampleEnd * <f64>sample) / <f64>(samples - 1);
}

function record(from: usize): void {
  copyValues(history + ((<usize>(row * stride)) << 3), from, statesOf());
  row += 1;
}

function recordInside(): void {
  const t = timeOf(row);
  if (t === now) {
    record(here);
    return;
  }
  insideControlled(Math.min(1, (t - (now - width)) / width), history + ((<usize>(row * stride)) << 3));
  row += 1;
}
