// A closed orbit, or the limit cycle, by laps from the section x = x*, y > y*, where the predators are most, to itself.
//
// The return map q → q(next lap) grows, since paths cannot cross, so a limit cycle lies where it changes from above the
// diagonal to below. A closed orbit returns after one lap from anywhere. Times and extremes are located inside their
// steps by steps of their own.

import { rootInStep } from '../../numerics/ode/root-in-step';
import { get, set } from '../../numerics/vector';
import { plainLapSlopes } from './model';
import {
  after,
  at,
  earlier,
  insideWalk,
  slopesAfter,
  slopesEarlier,
  startWalk,
  stride,
  tryWalk,
  WALK_ACCEPTED,
  WALK_FAILED,
} from './walk';

export let period: f64 = 0;
export let predatorMax: f64 = 0;
export let predatorMin: f64 = 0;
export let preyMax: f64 = 0;
export let preyMin: f64 = 0;
export let preyMaxTime: f64 = 0;
export let preyMinTime: f64 = 0;
export let predatorMinTime: f64 = 0;
/** Means over the lap of P and Q. */
export let meanPrey: f64 = 0;
export let meanPredators: f64 = 0;
/** How far from closing the lap is, in q; the slope of the return map, and of the period by q, there. */
export let gap: f64 = 0;
export let multiplier: f64 = 1;
export let periodSlope: f64 = 0;
export let laps: i32 = 0;
export let accepted: f64 = 0;
export let rejected: f64 = 0;
export let isFinished = false;
export let isFailed = false;

const MAX_LAPS: i32 = 200;
/** Beyond this the search for a limit cycle is given up. */
const MAX_LOG: f64 = 600;

let isClosed = false;
let isSeeking = false;
let rtol: f64 = 0;
let firstStep: f64 = 0;
let start: usize = 0;
let inside: usize = 0;
let insideSlopes: usize = 0;
let entry: f64 = 0;
let low: f64 = 0;
let lowGap: f64 = 0;
let high: f64 = 0;
let highGap: f64 = 0;
let hasLow = false;
let hasHigh = false;
let side: i32 = 0;
let previousEntry: f64 = 0;
let previousGap: f64 = 0;
let previousPeriod: f64 = 0;

/** Number of f64 of `work`. */
export const CYCLE_WORK: i32 = 12;

/**
 * @param from   f64[2], p and q of the start; of a limit cycle a guess of q > 0 in the second
 * @param closed  whether the orbit through the start is closed
 * @param work   f64[CYCLE_WORK]
 */
export function startCycle(from: usize, closed: bool, tolerance: f64, first: f64, work: usize): void {
  isClosed = closed;
  rtol = tolerance;
  firstStep = first;
  start = work;
  inside = work + 32;
  insideSlopes = work + 64;
  laps = 0;
  accepted = 0;
  rejected = 0;
  gap = 0;
  multiplier = 1;
  periodSlope = 0;
  isFinished = false;
  isFailed = false;
  hasLow = false;
  hasHigh = false;
  side = 0;
  const p = get(from, 0);
  const q = get(from, 1);
  isSeeking = closed && !(p === 0 && q > 0);
  begin(isClosed ? p : 0, q);
}

function begin(p: f64, q: f64): void {
  entry = q;
  set(start, 0, p);
  set(start, 1, q);
  set(start, 2, 0);
  set(start, 3, 0);
  predatorMax = q;
  predatorMin = q;
  preyMax = p;
  preyMin = p;
  startWalk(start, rtol, firstStep);
}

function preyAt(theta: f64): f64 {
  insideWalk(theta, inside);
  return get(inside, 0);
}

function preySlopeAt(theta: f64): f64 {
  insideWalk(theta, inside);
  plainLapSlopes(0, inside, insideSlopes);
  return get(insideSlopes, 0);
}

function timeAt(theta: f64): f64 {
  return at - stride + theta * stride;
}

/** Tries one step. */
export function advanceCycle(): void {
  const outcome = tryWalk(Infinity);
  if (outcome !== WALK_ACCEPTED) {
    rejected += 1;
    isFailed = outcome === WALK_FAILED;
    return;
  }
  accepted += 1;
  const rise = get(slopesEarlier, 0);
  const fall = get(slopesAfter, 0);
  if (!isSeeking && ((rise > 0 && fall <= 0) || (rise < 0 && fall >= 0))) turnPrey(rise, fall);
  const left = get(earlier, 0);
  const right = get(after, 0);
  if (left < 0 && right >= 0) {
    const theta = rootInStep(preyAt, left, right);
    preyAt(theta);
    predatorMin = get(inside, 1);
    predatorMinTime = timeAt(theta);
  }
  if (left > 0 && right <= 0) {
    const theta = rootInStep(preyAt, left, right);
    preyAt(theta);
    arrive(timeAt(theta));
  }
  if (!(Math.abs(get(after, 0)) + Math.abs(get(after, 1)) < 1e15)) isFailed = true;
}

function turnPrey(left: f64, right: f64): void {
  const theta = rootInStep(preySlopeAt, left, right);
  insideWalk(theta, inside);
  const p = get(inside, 0);
  // At their capacity the prey turn many times by rounding.
  if (p > preyMax) {
    preyMax = p;
    preyMaxTime = timeAt(theta);
  } else if (p < preyMin) {
    preyMin = p;
    preyMinTime = timeAt(theta);
  }
}

/** At the section, with the states there in `inside`. */
function arrive(t: f64): void {
  const q = get(inside, 1);
  if (isSeeking) {
    isSeeking = false;
    begin(0, q);
    return;
  }
  laps++;
  gap = q - entry;
  period = t;
  meanPrey = get(inside, 2) / t;
  meanPredators = get(inside, 3) / t;
  if (isClosed) {
    isFinished = true;
    return;
  }
  if (laps > 1 && entry !== previousEntry) {
    multiplier = 1 + (gap - previousGap) / (entry - previousEntry);
    periodSlope = (period - previousPeriod) / (entry - previousEntry);
  }
  const sharpness = Math.max(1e-4, Math.min(1, Math.abs(1 - multiplier)));
  if (
    (laps > 1 && Math.abs(gap) <= rtol * entry * sharpness) ||
    (hasLow && hasHigh && Math.abs(high - low) <= 4e-16 * high)
  ) {
    isFinished = true;
    return;
  }
  if (laps >= MAX_LAPS) {
    isFailed = true;
    return;
  }
  previousEntry = entry;
  previousGap = gap;
  previousPeriod = period;
  const next = nextEntry(q);
  if (!(next > 0 && next < MAX_LOG)) {
    isFailed = true;
    return;
  }
  begin(0, next);
}

/**
 * Between a lap that grew and one that shrank by the false position. Until there are both, along the slope of the return
 * map and slightly beyond, since laps come nearer to the cycle from one side only.
 */
function nextEntry(q: f64): f64 {
  if (gap > 0) {
    low = entry;
    lowGap = gap;
    hasLow = true;
    if (side === 1) highGap *= 0.5;
    side = 1;
  } else {
    high = entry;
    highGap = gap;
    hasHigh = true;
    if (side === -1) lowGap *= 0.5;
    side = -1;
  }
  if (hasLow && hasHigh) {
    const next = (low * highGap - high * lowGap) / (highGap - lowGap);
    return next > low && next < high ? next : 0.5 * (low + high);
  }
  if (laps === 1 || !(multiplier < 1)) return gap > 0 ? q + gap : Math.max(0.3 * entry, q);
  const beyond = entry + (1.05 * gap) / (1 - multiplier);
  return gap > 0 ? Math.min(beyond, 3 * entry + 1) : Math.max(beyond, 0.3 * entry);
}
