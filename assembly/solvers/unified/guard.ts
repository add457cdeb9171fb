// Watches for features between the stages of a step: a pulse that no stage meets leaves no trace in the error estimate.
//
// The equations are evaluated at the times of a grid that does not follow the steps, and at given times, with the
// states of the interpolant. What they say beyond the interpolant's own slope is the defect of the step; Enright,
// SIAM J. Numer. Anal. 26 (1989) 588. The defect of a smooth solution has the order of the error estimate, so a step is
// refused only for one far above the tolerance.
import { get, set } from '../../numerics/vector';
import { defectNorm, interpolateAt, interpolatedSlopesAt, prepareInterpolant, t } from './integrator';
import { n } from './layout';
import { firstNonFinite } from './programs';
import { derivatives } from './system';

/** Largest defect of an accepted step, in tolerances. That of smooth solutions is measured below 100. */
const MAX_DEFECT: f64 = 1000;

let checks: i32 = 0;
let breaks: usize = 0;
let breakCount: i32 = 0;
let startTime: f64 = 0;
let span: f64 = 0;
/** First point of the grid, and first of the breaks, that the accepted steps have not passed. */
let nextCheck: i32 = 0;
let nextBreak: i32 = 0;
let states: usize = 0;
let slopes: usize = 0;
let defect: usize = 0;

/** Number of f64 that `initGuard` requires. */
export function guardScratch(states: i32): i32 {
  return 3 * states;
}

/** @param breakTimes  f64[count], sorted */
export function initGuard(scratch: usize, breakTimes: usize, count: i32, gridPoints: i32): void {
  const bytes = (<usize>n) << 3;
  states = scratch;
  slopes = states + bytes;
  defect = slopes + bytes;
  breaks = breakTimes;
  breakCount = count;
  checks = gridPoints;
}

export function startGuard(from: f64, to: f64): void {
  startTime = from;
  span = to - from;
  nextCheck = 0;
  nextBreak = 0;
}

function checkTime(i: i32): f64 {
  return i < checks ? startTime + (span * (<f64>i + 0.5)) / <f64>checks : Infinity;
}

function breakTime(i: i32): f64 {
  return i < breakCount ? get(breaks, i) : Infinity;
}

/**
 * The largest defect inside the step of h that was tried, in units of the largest that is accepted; a step is refused
 * above 1. Stops at the first such defect.
 */
export function largestDefect(h: f64): f64 {
  while (checkTime(nextCheck) <= t) nextCheck++;
  while (breakTime(nextBreak) <= t) nextBreak++;
  let largest: f64 = 0;
  let check = nextCheck;
  let other = nextBreak;
  while (largest <= 1) {
    const byGrid = checkTime(check);
    const byBreaks = breakTime(other);
    const time = Math.min(byGrid, byBreaks);
    if (!(time < t + h)) break;
    if (byGrid <= byBreaks) check++;
    else other++;
    largest = Math.max(largest, defectAt(time, h) / MAX_DEFECT);
  }
  return largest;
}

/** 0 where the equations have no finite value: what they say at a single point has no weight. */
function defectAt(time: f64, h: f64): f64 {
  prepareInterpolant(h, 0);
  const theta = (time - t) / h;
  interpolateAt(theta, states);
  interpolatedSlopesAt(theta, h, slopes);
  derivatives(time, states, defect);
  if (firstNonFinite(defect, n) >= 0) return 0;
  for (let i = 0; i < n; i++) set(defect, i, get(defect, i) - get(slopes, i));
  return defectNorm(defect, h);
}
