// Adaptive integration at high accuracy: the loop around DOP853, or around extrapolation for a second opinion.
//
// What an error may be is the caller's to say, component by component, from the states of the moment: of bodies it is a
// part of the distance to the next one, not of a coordinate that passes through 0.
//
// A step integrates the change since its start, beginning with what earlier sums have lost, and a right side gets origin
// and change apart. So thousands of steps lose no more digits than one, and the distance of two bodies that are near each
// other and far from 0 keeps all its digits: (X_j − X_i) + (c_j − c_i). Not for stiff problems. Hairer, Nørsett & Wanner I,
// §II.4 – II.10; Kahan, Comm. ACM 8 (1965) 40, doi:10.1145/363707.363723.
import { copyValues, get, set } from '../vector';
import { growth, shrinkage } from './control';
import {
  DOP853_INTERPOLANT,
  DOP853_STAGES,
  dop853Error,
  dop853Interpolant,
  dop853Interpolate,
  dop853Result,
  dop853Stages,
} from './dop853';
import { EXTRAPOLATION_COLUMNS, extrapolationOrder, extrapolationScratch, extrapolationStep } from './extrapolation';
import { SplitRightSide } from './right-side';

/** Writes what the error of each component may be at a tolerance of 1. */
export type Sizes = (y: usize, slopes: usize, out: usize) => void;

const ORDER: f64 = 8;
const MEMORY: f64 = 0;
/** Minimum step relative to the time: a shorter step does not change it. */
const MIN_STEP_RATIO: f64 = 1e-15;

export const TRY_REJECTED: i32 = 0;
export const TRY_ACCEPTED: i32 = 1;
export const TRY_FAILED: i32 = 2;

/** Time, states and slopes after the last accepted step, and before it. */
export let now: f64 = 0;
export let here: usize = 0;
export let hereSlopes: usize = 0;
export let width: f64 = 0;
export let there: usize = 0;
export let thereSlopes: usize = 0;

let split: SplitRightSide = noSlopes;
let sizesOf: Sizes = noSizes;
let isExtrapolation = false;
let columns: i32 = EXTRAPOLATION_COLUMNS;
let n: i32 = 0;
let rtol: f64 = 0;
let longest: f64 = 0;
let next: f64 = 0;
let k: usize = 0;
let error: usize = 0;
let change: usize = 0;
let carry: usize = 0;
let carryBefore: usize = 0;
let sizes: usize = 0;
let scratch: usize = 0;
let dense: usize = 0;
let inside: usize = 0;
let isDenseCurrent = false;

function noSlopes(_t: f64, _origin: usize, _change: usize, _out: usize): void {
  unreachable();
}

function noSizes(_y: usize, _slopes: usize, _out: usize): void {
  unreachable();
}

/** Number of f64 that `initControlled` requires. */
export function controlledSize(count: i32): i32 {
  return (9 + 2 * DOP853_STAGES + DOP853_INTERPOLANT) * count + extrapolationScratch(count);
}

/** @param memoryAddress  f64[controlledSize(count)], zeroed */
export function initControlled(rightSide: SplitRightSide, tolerated: Sizes, count: i32, memoryAddress: usize): void {
  const bytes = (<usize>count) << 3;
  split = rightSide;
  sizesOf = tolerated;
  columns = EXTRAPOLATION_COLUMNS;
  n = count;
  here = memoryAddress;
  there = here + bytes;
  hereSlopes = there + bytes;
  thereSlopes = hereSlopes + bytes;
  error = thereSlopes + bytes;
  change = error + bytes;
  carry = change + bytes;
  carryBefore = carry + bytes;
  sizes = carryBefore + bytes;
  k = sizes + bytes;
  inside = k + <usize>DOP853_STAGES * bytes;
  dense = inside + <usize>DOP853_STAGES * bytes;
  scratch = dense + <usize>DOP853_INTERPOLANT * bytes;
}

/** Fewer columns of extrapolation from now on: cheaper where errors need not be near roundings. */
export function limitColumns(count: i32): void {
  columns = count;
}

/**
 * Begins at (t, y).
 *
 * @param y        f64[n], copied
 * @param first    length of the first step
 * @param maxStep  maximum step, positive
 */
export function startControlled(t: f64, y: usize, tolerance: f64, first: f64, maxStep: f64, extrapolates: bool): void {
  now = t;
  rtol = tolerance;
  longest = maxStep;
  next = Math.min(first, maxStep);
  width = 0;
  isExtrapolation = extrapolates;
  isDenseCurrent = false;
  copyValues(here, y, n);
  for (let i = 0; i < n; i++) set(carry, i, 0);
  split(t, here, carry, hereSlopes);
}

/** The next step is at most `length`: for a caller who knows that a longer one jumps over something. */
export function limitControlled(length: f64): void {
  next = Math.min(next, length);
}

/** Tries one step, at most to `end`. @returns TRY_REJECTED, TRY_ACCEPTED or TRY_FAILED */
export function tryControlledStep(end: f64): i32 {
  let to = now + next;
  // The last step may be slightly longer, which avoids a tiny step at the end.
  if (to + 0.01 * next >= end) to = end;
  const h = to - now;
  sizesOf(here, hereSlopes, sizes);
  for (let i = 0; i < n; i++) set(sizes, i, rtol * get(sizes, i));
  const size = isExtrapolation ? extrapolated(h) : propagated(h);
  const order = isExtrapolation ? extrapolationOrder(columns) : ORDER;
  if (!(size <= 1)) {
    next = h * shrinkage(size, order);
    return next <= MIN_STEP_RATIO * Math.abs(now) || next < 1e-300 ? TRY_FAILED : TRY_REJECTED;
  }
  addCompensated();
  const old = here;
  here = there;
  there = old;
  const oldSlopes = hereSlopes;
  hereSlopes = thereSlopes;
  thereSlopes = oldSlopes;
  width = h;
  now = to;
  isDenseCurrent = false;
  split(now, here, carry, hereSlopes);
  next = Math.min(longest, h * growth(size, 1, order, MEMORY));
  return TRY_ACCEPTED;
}

function propagated(h: f64): f64 {
  copyValues(k, hereSlopes, n);
  dop853Stages(split, now, here, carry, k, h, n, scratch);
  const size = dop853Error(k, h, sizes, n);
  if (size <= 1) dop853Result(carry, k, h, n, change);
  return size;
}

/** there = here + change, and what the sum loses. */
function addCompensated(): void {
  const old = carryBefore;
  carryBefore = carry;
  carry = old;
  for (let i = 0; i < n; i++) {
    const value = get(here, i);
    const increment = get(change, i);
    const sum = value + increment;
    set(carry, i, increment - (sum - value));
    set(there, i, sum);
  }
}

function extrapolated(h: f64): f64 {
  extrapolationStep(split, columns, now, here, carry, hereSlopes, h, n, change, error, scratch);
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const size = get(sizes, i);
    if (size === 0) continue;
    const part = get(error, i) / size;
    sum += part * part;
  }
  return Math.sqrt(sum / <f64>n);
}

/** The states at the fraction θ of the last accepted step, by the interpolant of order 7; of DOP853. */
export function interpolateControlled(theta: f64, out: usize): void {
  if (isExtrapolation) {
    insideControlled(theta, out);
    return;
  }
  if (!isDenseCurrent) {
    copyValues(k + ((<usize>(12 * n)) << 3), hereSlopes, n);
    // The change of the whole step is exact but for its last digit.
    for (let i = 0; i < n; i++) set(change, i, get(here, i) - get(there, i) + get(carry, i));
    dop853Interpolant(split, now - width, there, carryBefore, k, width, n, change, scratch, dense);
    isDenseCurrent = true;
  }
  dop853Interpolate(dense, theta, n, out);
  addOrigin(out);
}

function addOrigin(out: usize): void {
  for (let i = 0; i < n; i++) set(out, i, get(there, i) + get(out, i));
}

/** The states at the fraction θ of the last accepted step by a step of their own, as accurate as any step. */
export function insideControlled(theta: f64, out: usize): void {
  if (isExtrapolation) {
    extrapolationStep(
      split,
      columns,
      now - width,
      there,
      carryBefore,
      thereSlopes,
      theta * width,
      n,
      out,
      error,
      scratch,
    );
  } else {
    copyValues(inside, thereSlopes, n);
    dop853Stages(split, now - width, there, carryBefore, inside, theta * width, n, scratch);
    dop853Result(carryBefore, inside, theta * width, n, out);
  }
  addOrigin(out);
}
