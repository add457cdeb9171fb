// Equilibria f(x) = 0 by Newton's method from many starts, with the matrix of the linearised equations at each.
//
// Full steps without a search along them: a start that does not arrive is given up. Deuflhard, Newton Methods for
// Nonlinear Problems, §1.
import { factorLu, solveLu } from '../../numerics/ode/lu';
import { copyValues, get, set } from '../../numerics/vector';
import { jacobian, matrix, n, slopes } from './system';

const MAX_ITERATIONS: i32 = 60;
/** A step below this part of the state is the last; or one below the second part that no longer halves: a rounding. */
const SMALL: f64 = 1e-15;
const ROUNDED: f64 = 1e-9;
/** Beyond this size nothing is looked for. */
const FAR: f64 = 1e100;

let factor: usize = 0;
let pivot: usize = 0;
let step: usize = 0;

/** Number of f64 that `initEquilibria` requires. */
export function equilibriaSize(states: i32): i32 {
  return states * states + 2 * states + 2;
}

export function initEquilibria(memoryAddress: usize): void {
  factor = memoryAddress;
  pivot = factor + ((<usize>(n * n)) << 3);
  step = pivot + ((<usize>n) << 3);
}

/** Number of f64 of a result: whether it was found, the last step, the state, and ∂f/∂x. */
export function equilibriumWidth(states: i32): i32 {
  return 2 + states + states * states;
}

/** @param x  f64[n], the start  @param out  f64[equilibriumWidth(n)] */
export function findEquilibrium(x: usize, out: usize): void {
  const at = out + 16;
  copyValues(at, x, n);
  set(out, 0, 0);
  set(out, 1, 0);
  let before: f64 = Infinity;
  let first: f64 = 0;
  for (let i = 0; i < n; i++) first = Math.max(first, Math.abs(get(x, i)));
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    slopes(0, at, step);
    jacobian(at);
    copyValues(factor, matrix, n * n);
    let largestSlope: f64 = 0;
    for (let i = 0; i < n; i++) largestSlope = Math.max(largestSlope, Math.abs(get(step, i)));
    if (!isFinite(largestSlope)) return;
    if (factorLu(factor, pivot, n) !== 0) {
      // A singular matrix at a point of rest: one of many, as along a line.
      if (largestSlope === 0) finish(at, 0, out);
      return;
    }
    solveLu(factor, pivot, n, step);
    let size: f64 = 0;
    let change: f64 = 0;
    for (let i = 0; i < n; i++) {
      const here = get(at, i) - get(step, i);
      set(at, i, here);
      size = Math.max(size, Math.abs(here));
      change = Math.max(change, Math.abs(get(step, i)));
    }
    if (!(size < FAR)) return;
    // Relative to where it began, too: a way into the origin has no size of its own.
    if (change <= SMALL * Math.max(size, first) || (change <= ROUNDED * size && change > 0.5 * before)) {
      finish(at, change, out);
      return;
    }
    before = change;
  }
}

function finish(at: usize, change: f64, out: usize): void {
  jacobian(at);
  for (let i = 0; i < n * n; i++) if (!isFinite(get(matrix, i))) return;
  set(out, 0, 1);
  set(out, 1, change);
  copyValues(at + ((<usize>n) << 3), matrix, n * n);
}
