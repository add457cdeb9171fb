// Maxima of one state between the steps: where its slope falls through 0, by Hermite's cubic between the two steps.
//
// The cubic errs as the fourth power of the step, as the steps themselves do. Lorenz, J. Atmos. Sci. 20 (1963) 130: each
// maximum of z against the one before.
import { get, set } from '../../numerics/vector';
import { n } from './system';

/** Counts of maxima of all states, f64[n]. */
let counts: usize = 0;
let found: i32 = 0;
let state: i32 = 0;
let capacity: i32 = 0;
let maxima: usize = 0;

/** @param countsAddress  f64[n] */
export function initMaxima(watched: i32, rows: i32, out: usize, countsAddress: usize): void {
  state = watched;
  capacity = rows;
  maxima = out;
  counts = countsAddress;
  found = 0;
  for (let i = 0; i < n; i++) set(counts, i, 0);
}

export function maximaCount(): i32 {
  return found;
}

/** Maxima of the state that has most of them: how often the way has turned. */
export function turnCount(): f64 {
  let most: f64 = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, get(counts, i));
  return most;
}

/** Counts the maxima of every state. @param f0, f1  slopes before and after a step */
export function noteTurns(f0: usize, f1: usize): void {
  for (let i = 0; i < n; i++) if (get(f0, i) > 0 && get(f1, i) <= 0) set(counts, i, get(counts, i) + 1);
}

/** @param before, after  states; f0, f1  their slopes; h  the step between */
export function noteMaximum(before: usize, f0: usize, after: usize, f1: usize, h: f64): void {
  if (found >= capacity) return;
  const rise = h * get(f0, state);
  const fall = h * get(f1, state);
  if (!(rise > 0 && fall <= 0)) return;
  const start = get(before, state);
  const change = get(after, state) - start;
  // The slope over h: c + 2 b θ + 3 a θ², which is positive at 0 and not at 1.
  const a = rise + fall - 2 * change;
  const b = 3 * change - 2 * rise - fall;
  const root = Math.sqrt(Math.max(0, b * b - 3 * a * rise));
  // Of the two forms of the root, the one without a difference.
  const theta = b > 0 ? (a === 0 ? rise / fall : -(b + root) / (3 * a)) : rise / (root - b);
  const place = theta >= 0 && theta <= 1 ? theta : rise / (rise - fall);
  set(maxima, found, start + place * (rise + place * (b + place * a)));
  found++;
}
