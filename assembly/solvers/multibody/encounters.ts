// Closest approaches of all pairs, and the first contact of two bodies, located inside the steps.
//
// A pair that approaches before a step and recedes after it has its least distance inside. Steps of their own to that
// time, and Newton's method, give its time and distance.
import { here, insideControlled, now, there, width } from '../../numerics/ode/controlled';
import { get, set } from '../../numerics/vector';
import { approach, approachSlope, bodies, derivatives, distance2, states } from './forces';

/** Columns of a pair: least distance and its time. */
export const PAIR_COLUMNS: i32 = 2;

/** The bodies that touch first, from 0, and the time as a fraction of the step; −1 if none touch in it. */
export let contactFirst: i32 = -1;
export let contactSecond: i32 = -1;
export let contactTheta: f64 = 2;

let pairs: usize = 0;
let radii: usize = 0;
let state: usize = 0;
let slopes: usize = 0;
let isWatched = false;
const MAX_ITERATIONS: i32 = 60;
/** Part of the step that is near enough: the parabola does the rest, to its square. */
const NEAR: f64 = 1e-7;
/** Part of r² by which it changes in a step at least, else it says nothing: a rounding, or the error of the run. */
const MIN_NEWS: f64 = 1e-14;
let news: f64 = MIN_NEWS;
let leastDistance: f64 = 0;
let leastTime: f64 = 0;

/** Number of f64 of scratch. */
export function encountersSize(n: i32): i32 {
  return 2 * n;
}

/**
 * @param pairTable  f64[pairs, PAIR_COLUMNS], written
 * @param radiiGiven f64[bodies]; two bodies touch at the sum of theirs, if it is positive
 * @param y          f64[states] at the start
 * @param rtol       tolerance of the run
 */
export function startEncounters(pairTable: usize, radiiGiven: usize, scratch: usize, y: usize, rtol: f64): void {
  news = Math.max(MIN_NEWS, rtol);
  pairs = pairTable;
  radii = radiiGiven;
  state = scratch;
  slopes = scratch + ((<usize>states) << 3);
  contactFirst = -1;
  contactSecond = -1;
  contactTheta = 2;
  isWatched = false;
  for (let i = 0; i < bodies; i++) isWatched = isWatched || get(radii, i) > 0;
  let row = 0;
  for (let i = 0; i < bodies; i++)
    for (let j = i + 1; j < bodies; j++) {
      set(pairs, row, Math.sqrt(distance2(y, i, j)));
      set(pairs, row + 1, 0);
      row += PAIR_COLUMNS;
    }
}

/** After an accepted step: updates the least distances, and finds the first contact of the step. */
export function watchStep(): void {
  let row = 0;
  for (let i = 0; i < bodies; i++)
    for (let j = i + 1; j < bodies; j++) {
      watchPair(i, j, row);
      row += PAIR_COLUMNS;
    }
}

function watchPair(i: i32, j: i32, row: i32): void {
  const before = approach(there, i, j);
  if (before >= 0) return;
  const after = approach(here, i, j);
  const contact = get(radii, i) + get(radii, j);
  // r² falls by at most 2 |r · v| of the start in the step, with a reserve: no news if that is too little.
  const start2 = distance2(there, i, j);
  const fall = -4 * before * width;
  const nearest = Math.max(get(pairs, row), contact);
  if (start2 - fall > nearest * nearest || fall < news * start2) return;
  let least = Math.sqrt(distance2(here, i, j));
  let theta: f64 = 1;
  let time = now;
  if (after > 0) {
    theta = turningPoint(i, j, before, after);
    least = leastDistance;
    time = leastTime;
  }
  if (least < get(pairs, row)) {
    set(pairs, row, least);
    set(pairs, row + 1, time);
  }
  if (!isWatched || !(contact > 0 && least <= contact)) return;
  const touching = touchingPoint(i, j, contact, theta);
  if (touching >= contactTheta) return;
  contactTheta = touching;
  contactFirst = i;
  contactSecond = j;
}

/**
 * Where r · v changes its sign, by Newton's method within a bracket, with steps of their own from the last state. Sets
 * the least distance and its time.
 */
function turningPoint(i: i32, j: i32, before: f64, after: f64): f64 {
  const begin = now - width;
  let low: f64 = 0;
  let high: f64 = 1;
  let theta = before / (before - after);
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    insideControlled(theta, state);
    derivatives(begin + theta * width, state, slopes);
    const rate = approach(state, i, j);
    const bend = approachSlope(state, slopes, i, j);
    const shift = bend > 0 ? -rate / bend : 0;
    // Of the parabola about this place.
    leastDistance = Math.sqrt(Math.max(0, distance2(state, i, j) + rate * shift));
    leastTime = begin + theta * width + shift;
    if (rate < 0) low = theta;
    else high = theta;
    if (rate === 0 || (bend > 0 && Math.abs(shift) < NEAR * width)) break;
    const next = theta + shift / width;
    theta = bend > 0 && next > low && next < high ? next : 0.5 * (low + high);
    if (high - low < 1e-15) break;
  }
  return theta;
}

/** Where the distance falls to `contact` between 0 and `end`, by bisection with steps of their own. */
function touchingPoint(i: i32, j: i32, contact: f64, end: f64): f64 {
  let low: f64 = 0;
  let high = end;
  for (let k = 0; k < MAX_ITERATIONS && high - low > 1e-15; k++) {
    const theta = 0.5 * (low + high);
    insideControlled(theta, state);
    if (distance2(state, i, j) > contact * contact) low = theta;
    else high = theta;
  }
  return high;
}
