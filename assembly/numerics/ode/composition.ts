// Symplectic steps of x'' = a(x): velocity Verlet, and symmetric compositions of it of orders 4, 6 and 8.
//
// Of Hamiltonians T(p) + V(q) and equal steps: the error of the energy stays bounded and does not drift. Order 4 and 6:
// Yoshida, Phys. Lett. A 150 (1990) 262, doi:10.1016/0375-9601(90)90092-3, set A; order 8 with 17 steps: Kahan & Li,
// Math. Comp. 66 (1997) 1089, doi:10.1090/S0025-5718-97-00873-9. The middle step is what is left to 1.
import { get, set } from '../vector';

/** Writes a(x) into a. */
export type Acceleration = (x: usize, a: usize) => void;

/** Lengths of the steps before the middle one, of orders 4, 6 and 8. */
const FOURTH: usize = memory.data<f64>([1.35120719195965763]);
const SIXTH: usize = memory.data<f64>([0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695]);
const EIGHTH: usize = memory.data<f64>([
  0.13020248308889008088, 0.5611629817751083846, -0.38947496264484728641, 0.1588419065551556009,
  -0.39590389413323757734, 0.18453964097831570709, 0.25837438768632204729, 0.29501172360931029887,
]);

/** Evaluations of a in a step of order 2, 4, 6 or 8; 0 of another order. */
export function compositionStages(order: i32): i32 {
  return order === 2 ? 1 : order === 4 ? 3 : order === 6 ? 7 : order === 8 ? 17 : 0;
}

/**
 * One step of h, in place.
 *
 * @param order  2, 4, 6 or 8
 * @param x      f64[n]; v f64[n]; a f64[n], a(x) before and after
 */
export function compositionStep(
  acceleration: Acceleration,
  order: i32,
  x: usize,
  v: usize,
  a: usize,
  h: f64,
  n: i32,
): void {
  const lengths = order === 8 ? EIGHTH : order === 6 ? SIXTH : FOURTH;
  const half = (compositionStages(order) - 1) >> 1;
  let middle: f64 = 1;
  for (let s = 0; s < half; s++) {
    middle -= 2 * get(lengths, s);
    verlet(acceleration, x, v, a, get(lengths, s) * h, n);
  }
  verlet(acceleration, x, v, a, middle * h, n);
  for (let s = half - 1; s >= 0; s--) verlet(acceleration, x, v, a, get(lengths, s) * h, n);
}

function verlet(acceleration: Acceleration, x: usize, v: usize, a: usize, h: f64, n: i32): void {
  for (let i = 0; i < n; i++) {
    const speed = get(v, i) + 0.5 * h * get(a, i);
    set(v, i, speed);
    set(x, i, get(x, i) + h * speed);
  }
  acceleration(x, a);
  for (let i = 0; i < n; i++) set(v, i, get(v, i) + 0.5 * h * get(a, i));
}

/**
 * One step of h of H = T(p) + V(q), in place: kick, drift, kick, composed as above. What sums lose is carried, so that
 * millions of steps, and the way back, lose no more digits than one. Kahan, Comm. ACM 8 (1965) 40.
 *
 * @param kick   writes −V'(q); @param drift  writes T'(p)
 * @param y      f64[2 n]: q, p; carry f64[2 n], what they lose, 0 at first
 * @param force  f64[n], −V'(q) before and after; velocity f64[n], scratch
 */
export function splitStep(
  kick: Acceleration,
  drift: Acceleration,
  order: i32,
  y: usize,
  carry: usize,
  force: usize,
  velocity: usize,
  h: f64,
  n: i32,
): void {
  const lengths = order === 8 ? EIGHTH : order === 6 ? SIXTH : FOURTH;
  const half = (compositionStages(order) - 1) >> 1;
  let middle: f64 = 1;
  for (let s = 0; s < half; s++) {
    middle -= 2 * get(lengths, s);
    leapfrog(kick, drift, y, carry, force, velocity, get(lengths, s) * h, n);
  }
  leapfrog(kick, drift, y, carry, force, velocity, middle * h, n);
  for (let s = half - 1; s >= 0; s--) leapfrog(kick, drift, y, carry, force, velocity, get(lengths, s) * h, n);
}

function leapfrog(
  kick: Acceleration,
  drift: Acceleration,
  y: usize,
  carry: usize,
  force: usize,
  velocity: usize,
  h: f64,
  n: i32,
): void {
  const p = y + ((<usize>n) << 3);
  const carryP = carry + ((<usize>n) << 3);
  addCarried(p, carryP, 0.5 * h, force, n);
  drift(p, velocity);
  addCarried(y, carry, h, velocity, n);
  kick(y, force);
  addCarried(p, carryP, 0.5 * h, force, n);
}

/** y += h slope, with what the sum loses in `carry`. */
function addCarried(y: usize, carry: usize, h: f64, slope: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const value = get(y, i);
    const increment = h * get(slope, i) + get(carry, i);
    const sum = value + increment;
    set(carry, i, increment - (sum - value));
    set(y, i, sum);
  }
}
