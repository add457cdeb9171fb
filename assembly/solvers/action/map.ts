// The symplectic map: equal steps, the energy after each of them, and the way back; or Runge and Kutta's method beside it.
import { splitStep } from '../../numerics/ode/composition';
import { rungeKuttaStep } from '../../numerics/ode/runge-kutta';
import { copyValues, get, set } from '../../numerics/vector';
import { angularMomentum, degrees, derivatives, energy, force, kinetic, states, velocity } from './hamiltonian';

/** In place of an order: the classical Runge–Kutta method. */
export const RUNGE_KUTTA: i32 = 0;

/** Largest |E − E₀|, |L − L₀|, kinetic energy and |E| so far; sums for the trend of E; steps. */
export let worst: f64 = 0;
export let worstMomentum: f64 = 0;
export let largest: f64 = 0;
export let sum: f64 = 0;
export let moment: f64 = 0;
export let start: f64 = 0;
export let startMomentum: f64 = 0;
export let done: f64 = 0;
export let isFinished: bool = false;

/** f64[states], now and before the last step. */
export let y: usize = 0;
export let before: usize = 0;

let order: i32 = 2;
let h: f64 = 0;
let carry: usize = 0;
let forces: usize = 0;
let scratch: usize = 0;
let k: usize = 0;
let next: usize = 0;

/** Number of f64 that `initMap` requires. */
export function mapSize(n: i32): i32 {
  return 12 * n;
}

export function initMap(address: usize): void {
  const bytes = (<usize>states) << 3;
  y = address;
  before = y + bytes;
  carry = before + bytes;
  forces = carry + bytes;
  scratch = forces + bytes;
  next = scratch + bytes;
  k = next + bytes;
}

/** @param method  2, 4, 6, 8 or RUNGE_KUTTA */
export function startMap(initial: usize, method: i32, step: f64): void {
  order = method;
  h = step;
  copyValues(y, initial, states);
  copyValues(before, initial, states);
  for (let i = 0; i < states; i++) set(carry, i, 0);
  worst = 0;
  worstMomentum = 0;
  sum = 0;
  moment = 0;
  done = 0;
  isFinished = false;
  start = energy(y);
  largest = Math.abs(kinetic);
  startMomentum = angularMomentum(y);
  prepare();
}

function prepare(): void {
  if (order === RUNGE_KUTTA) derivatives(0, y, k);
  else force(y, forces);
}

/** Back from here. */
export function reverse(): void {
  h = -h;
  prepare();
}

/** One step, and what it does to the invariants. @returns whether all numbers are finite */
export function stepMap(): bool {
  copyValues(before, y, states);
  step();
  done += 1;
  const e = energy(y);
  const off = e - start;
  const size = Math.abs(off);
  // Not Math.max: a NaN is an end.
  if (!(size < Infinity)) return false;
  if (size > worst) worst = size;
  if (kinetic > largest) largest = kinetic;
  sum += off;
  moment += off * done;
  if (degrees === 2) worstMomentum = Math.max(worstMomentum, Math.abs(angularMomentum(y) - startMomentum));
  return true;
}

/** One step without a look at the energy. */
export function step(): void {
  if (order === RUNGE_KUTTA) {
    rungeKuttaStep(derivatives, 0, y, k, h, states, next);
    copyValues(y, next, states);
    copyValues(k, k + ((<usize>(4 * states)) << 3), states);
    return;
  }
  splitStep(force, velocity, order, y, carry, forces, scratch, h, degrees);
}

/** Largest |difference| of the state from another. */
export function distanceFrom(other: usize): f64 {
  let most: f64 = 0;
  for (let i = 0; i < states; i++) most = Math.max(most, Math.abs(get(y, i) - get(other, i)));
  return most;
}

/**
 * Where q₁ rises through 0 in the last step, by Hermite's cubic.
 *
 * @param out  f64[1 + states]: fraction of the step, and the state there
 * @returns whether it does
 */
export function crossing(out: usize): bool {
  if (!(get(before, 0) < 0 && get(y, 0) >= 0)) return false;
  derivatives(0, before, k);
  derivatives(0, y, k + ((<usize>states) << 3));
  let lo: f64 = 0;
  let hi: f64 = 1;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (lo + hi);
    if (hermite(0, middle) < 0) lo = middle;
    else hi = middle;
  }
  set(out, 0, hi);
  for (let i = 0; i < states; i++) set(out, 1 + i, hermite(i, hi));
  return true;
}

function hermite(i: i32, theta: f64): f64 {
  const left = 1 - theta;
  const a = get(before, i);
  const b = get(y, i);
  const change = b - a;
  const f0 = h * get(k, i) - change;
  const f1 = change - h * get(k, states + i);
  return a + theta * (change + left * (left * f0 + theta * f1));
}
