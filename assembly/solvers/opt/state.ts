// The state of a search: the point, its slopes, the trial, bounds and why it ended.

import { copyValues, get, set } from '../../numerics/vector';
import { hasMemory, takeF64 } from './memory';

/** Why a search ended; 0 while it runs. */
export const RUNNING: i32 = 0;
/** The slopes and the decrease that is left are within the tolerances. */
export const STATIONARY: i32 = 1;
/** No smaller value is found along a descent: the rounding of f hides it. */
export const ROUNDING: i32 = 2;
export const MAX_ITERATIONS: i32 = 3;
export const BUDGET: i32 = 4;
export const UNBOUNDED: i32 = 5;
export const DIVERGED: i32 = 6;
/** f or its slopes are no numbers at the start. */
export const NO_START: i32 = 7;
/** The simplex is a point. */
export const COLLAPSED: i32 = 8;

/** Relative to f, what rounding may add to it; steps in a row that leave f as it is before a search ends. */
export const NOISE: f64 = 4 * 2.220446049250313e-16;
export const MAX_STILL: i32 = 8;

/** Of a value that no minimum has, relative to that of the start. */
const UNBOUNDED_FACTOR: f64 = 1e20;
/** The decrease that is left, of tolF times the value of the start. */
const START_FACTOR: f64 = 1e-10;

export let n: i32 = 0;
export let x: usize = 0;
export let g: usize = 0;
export let p: usize = 0;
export let trialX: usize = 0;
export let trialG: usize = 0;
export let lower: usize = 0;
export let upper: usize = 0;
export let isBounded = false;
export let tolG: f64 = 0;
export let tolF: f64 = 0;

export let f: f64 = 0;
export let firstF: f64 = 0;
export let status: i32 = RUNNING;
export let iteration: f64 = 0;

export function reserveState(count: i32): bool {
  n = count;
  x = takeF64(n);
  g = takeF64(n);
  p = takeF64(n);
  trialX = takeF64(n);
  trialG = takeF64(n);
  lower = takeF64(n);
  upper = takeF64(n);
  return hasMemory();
}

export function setTolerances(ofSlopes: f64, ofValue: f64, bounded: bool): void {
  tolG = ofSlopes;
  tolF = ofValue;
  isBounded = bounded;
}

/** The tolerance of the gradient alone: a witness does not stop where the run stopped. */
export function setStatus(reason: i32): void {
  status = reason;
}

export function setValue(value: f64): void {
  f = value;
}

export function beginState(value: f64): void {
  f = value;
  firstF = value;
  iteration = 0;
  status = RUNNING;
}

export function countIteration(): void {
  iteration += 1;
}

/** The point and slopes of the trial become those of the state. */
export function accept(value: f64): void {
  copyValues(x, trialX, n);
  copyValues(g, trialG, n);
  f = value;
}

export function clip(j: i32, at: f64): f64 {
  return isBounded ? Math.max(get(lower, j), Math.min(get(upper, j), at)) : at;
}

/** Whether variable j is on a bound that the descent would cross. */
export function isHeld(j: i32): bool {
  if (!isBounded) return false;
  const at = get(x, j);
  if (at <= get(lower, j) && get(g, j) >= 0) return true;
  return at >= get(upper, j) && get(g, j) <= 0;
}

/** The largest slope of the variables that may move. */
export function slopeNorm(): f64 {
  let norm: f64 = 0;
  for (let j = 0; j < n; j++) {
    if (isHeld(j)) continue;
    const size = Math.abs(get(g, j));
    if (!(size <= norm)) norm = size;
  }
  return norm;
}

/** Whether the decrease that a model predicts is below the tolerance of f. */
export function isNegligible(decrease: f64): bool {
  return decrease <= tolF * Math.max(Math.abs(f), START_FACTOR * Math.abs(firstF)) || decrease < 1e-300;
}

export function isBelowAll(value: f64): bool {
  return value < -UNBOUNDED_FACTOR * (1 + Math.abs(firstF));
}

/** Direction p: no way beyond a bound of a held variable. @returns the slope along p */
export function holdDirection(): f64 {
  let slope: f64 = 0;
  for (let j = 0; j < n; j++) {
    if (isHeld(j)) set(p, j, 0);
    slope += get(p, j) * get(g, j);
  }
  return slope;
}

/** The longest step along p until a bound. */
export function longestStep(): f64 {
  if (!isBounded) return 1e300;
  let longest: f64 = 1e300;
  for (let j = 0; j < n; j++) {
    const way = get(p, j);
    if (way === 0) continue;
    const room = (way > 0 ? get(upper, j) - get(x, j) : get(lower, j) - get(x, j)) / way;
    if (room > 0 && room < longest) longest = room;
  }
  return longest;
}
