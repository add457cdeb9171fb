// Steps by either of two methods: DOP853 of order 8 with errors of logarithms that are absolute (controlled.ts), or for a
// second opinion Dormand and Prince's pair 5(4) with errors relative to each state of the moment (adaptive.ts).
import {
  initAdaptive,
  lastStep,
  limitAdaptive,
  STEP_ACCEPTED,
  STEP_FAILED,
  slopesBefore,
  startAdaptive,
  states,
  before as statesBefore,
  slopes as statesSlopes,
  stepInside,
  time,
  tryAdaptiveStep,
} from '../../numerics/ode/adaptive';
import {
  here,
  hereSlopes,
  initControlled,
  insideControlled,
  limitControlled,
  now,
  startControlled,
  there,
  thereSlopes,
  tryControlledStep,
  width,
} from '../../numerics/ode/controlled';
import { lapSizes, lapSlopes, longestStep, pairSizes, pairSlopes, plainLapSlopes, plainSlopes } from './model';

export const WALK_REJECTED: i32 = 0;
export const WALK_ACCEPTED: i32 = STEP_ACCEPTED;
export const WALK_FAILED: i32 = STEP_FAILED;

/** Time, states and slopes after the last accepted step, and before it; the length of that step. */
export let at: f64 = 0;
export let after: usize = 0;
export let slopesAfter: usize = 0;
export let earlier: usize = 0;
export let slopesEarlier: usize = 0;
export let stride: f64 = 0;

let isSecond = false;

/** @param withMeans  whether the states are p, q and the integrals of P and Q, or p and q; memoryAddress as both methods ask */
export function initWalk(second: bool, withMeans: bool, memoryAddress: usize): void {
  isSecond = second;
  if (second) initAdaptive(withMeans ? plainLapSlopes : plainSlopes, withMeans ? 4 : 2, memoryAddress);
  else if (withMeans) initControlled(lapSlopes, lapSizes, 4, memoryAddress);
  else initControlled(pairSlopes, pairSizes, 2, memoryAddress);
}

export function startWalk(from: usize, tolerance: f64, first: f64): void {
  if (isSecond) {
    startAdaptive(0, from, tolerance, Infinity, Infinity);
    limitAdaptive(first);
  } else startControlled(0, from, tolerance, first, Infinity, false);
  publish();
}

function publish(): void {
  at = isSecond ? time : now;
  after = isSecond ? states : here;
  slopesAfter = isSecond ? statesSlopes : hereSlopes;
  earlier = isSecond ? statesBefore : there;
  slopesEarlier = isSecond ? slopesBefore : thereSlopes;
  stride = isSecond ? lastStep : width;
}

/** Tries one step, at most to `end`. */
export function tryWalk(end: f64): i32 {
  const longest = longestStep(after, slopesAfter);
  if (isSecond) limitAdaptive(longest);
  else limitControlled(longest);
  const outcome = isSecond ? tryAdaptiveStep(end) : tryControlledStep(end);
  if (outcome === WALK_ACCEPTED) publish();
  return outcome;
}

/** The states at the fraction θ of the last accepted step by a step of their own. */
export function insideWalk(theta: f64, out: usize): void {
  if (isSecond) stepInside(theta, out);
  else insideControlled(theta, out);
}
