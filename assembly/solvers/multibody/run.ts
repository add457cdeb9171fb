// One run: adaptive steps with samples and encounters, or equal steps of a classical method.
import { compositionStep } from '../../numerics/ode/composition';
import {
  here,
  insideControlled,
  now,
  startControlled,
  TRY_ACCEPTED,
  TRY_FAILED,
  tryControlledStep,
  width,
} from '../../numerics/ode/controlled';
import { rungeKuttaStep } from '../../numerics/ode/runge-kutta';
import { copyValues, get, set } from '../../numerics/vector';
import { contactFirst, contactTheta, startEncounters, watchStep } from './encounters';
import { conservative, coordinates, derivatives, states } from './forces';

export const DOP853: i32 = 0;
export const EXTRAPOLATION: i32 = 1;
export const RUNGE_KUTTA: i32 = 2;
export const COMPOSITION: i32 = 3;

/** Why a run ended: at the end of the time, at a contact, because no step is short enough, or of numbers not finite. */
export const RUNNING: i32 = 0;
export const ENDED: i32 = 1;
export const CONTACT: i32 = 2;
export const SINGULAR: i32 = 3;

export let outcome: i32 = RUNNING;
export let stopTime: f64 = 0;
export let accepted: f64 = 0;
export let rejected: f64 = 0;
export let recorded: i32 = 0;

let method: i32 = 0;
let order: i32 = 0;
let end: f64 = 0;
let times: usize = 0;
let sampleCount: i32 = 0;
let history: usize = 0;
let frame: usize = 0;
let stepCount: f64 = 0;
let recordEvery: f64 = 0;
let y: usize = 0;
let next: usize = 0;
let k: usize = 0;

/** Number of f64 of scratch for n states: two vectors, six stages, and a state of its own. */
export function runSize(n: i32): i32 {
  return 9 * n;
}

/** Time that the run has reached. */
export function reached(): f64 {
  return isFixed() ? (end * accepted) / stepCount : now;
}

function isFixed(): bool {
  return method >= RUNGE_KUTTA;
}

/** @param sampleTimes  f64[samples], rising, from 0 to the end; @param to  f64[samples, 1 + states] */
export function setSamples(sampleTimes: usize, samples: i32, to: usize, frameAddress: usize): void {
  times = sampleTimes;
  sampleCount = samples;
  history = to;
  frame = frameAddress;
}

/**
 * @param initial  f64[states]
 * @param step     of an adaptive method the first step and, as `longest`, the longest; of the others unused
 * @param steps    of equal steps their number, and the number between two samples
 */
export function startRun(
  methodNumber: i32,
  compositionOrder: i32,
  initial: usize,
  tEnd: f64,
  rtol: f64,
  step: f64,
  longest: f64,
  steps: f64,
  every: f64,
  pairs: usize,
  radii: usize,
  encounterScratch: usize,
  scratch: usize,
): void {
  const bytes = (<usize>states) << 3;
  method = methodNumber;
  order = compositionOrder;
  end = tEnd;
  stepCount = steps;
  recordEvery = every;
  outcome = RUNNING;
  stopTime = 0;
  accepted = 0;
  rejected = 0;
  recorded = 0;
  y = scratch;
  next = y + bytes;
  k = next + bytes;
  record(0, initial);
  startEncounters(pairs, radii, encounterScratch, initial, isFixed() ? 0 : rtol);
  if (!isFixed()) {
    startControlled(0, initial, rtol, step, longest, method === EXTRAPOLATION);
    return;
  }
  copyValues(y, initial, states);
  if (method === COMPOSITION) conservative(y, k);
  else derivatives(0, y, k);
}

/** Tries a step, or makes one. */
export function advanceRun(): void {
  if (isFixed()) advanceFixed();
  else advanceAdaptive();
}

function advanceAdaptive(): void {
  const tried = tryControlledStep(end);
  if (tried !== TRY_ACCEPTED) {
    rejected += 1;
    if (tried === TRY_FAILED) stop(SINGULAR, now);
    return;
  }
  accepted += 1;
  watchStep();
  if (contactFirst >= 0) {
    const at = now - width + contactTheta * width;
    while (recorded < sampleCount && get(times, recorded) <= at) recordInside();
    stop(CONTACT, at);
    return;
  }
  while (recorded < sampleCount && get(times, recorded) <= now) recordInside();
  copyValues(frame, here, coordinates);
  if (now >= end) stop(ENDED, end);
}

function stop(why: i32, at: f64): void {
  outcome = why;
  stopTime = at;
}

/** The sample that is due, by a step of its own from the last state, unless it is that of now. */
function recordInside(): void {
  const t = get(times, recorded);
  if (t === now) {
    record(t, here);
    return;
  }
  const row = history + ((<usize>(recorded * (1 + states))) << 3);
  set(row, 0, t);
  insideControlled((t - (now - width)) / width, row + 8);
  recorded += 1;
}

function record(t: f64, from: usize): void {
  const row = history + ((<usize>(recorded * (1 + states))) << 3);
  set(row, 0, t);
  copyValues(row + 8, from, states);
  copyValues(frame, from, coordinates);
  recorded += 1;
}

function advanceFixed(): void {
  const h = end / stepCount;
  const t = h * accepted;
  if (method === COMPOSITION) {
    compositionStep(conservative, order, y, y + ((<usize>coordinates) << 3), k, h, coordinates);
  } else {
    rungeKuttaStep(derivatives, t, y, k, h, states, next);
    const old = y;
    y = next;
    next = old;
    copyValues(k, k + ((<usize>(4 * states)) << 3), states);
  }
  accepted += 1;
  let sum: f64 = 0;
  for (let i = 0; i < states; i++) sum += get(y, i);
  if (!isFinite(sum)) {
    stop(SINGULAR, t);
    return;
  }
  const isLast = accepted === stepCount;
  if (isLast || Math.floor(accepted / recordEvery) * recordEvery === accepted) {
    if (recorded < sampleCount) record(get(times, recorded), y);
  }
  if (isLast) stop(ENDED, end);
}
