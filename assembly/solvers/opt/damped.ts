// Newton's method with the exact second slopes, damped.
//
// Solves (A + λ D²) p = −g with λ that a good prediction lowers and a bad one raises; quadratic convergence. Nocedal & Wright,
// Numerical Optimization (2nd ed.), §3.4; Nielsen's rule for λ.

import { get, set } from '../../numerics/vector';
import { hasMemory, takeF64, takeI32 } from './memory';
import { gradient, hessian } from './objective';
import {
  accept,
  beginState,
  clip,
  countIteration,
  f,
  g,
  isBelowAll,
  isHeld,
  isNegligible,
  MAX_STILL,
  NO_START,
  NOISE,
  n,
  p,
  ROUNDING,
  STATIONARY,
  setStatus,
  slopeNorm,
  tolG,
  trialG,
  trialX,
  UNBOUNDED,
  x,
} from './state';

const FIRST_LAMBDA: f64 = 1e-3;
const MAX_LAMBDA: f64 = 1e60;
/** Below it, the damping is left out. */
const MIN_LAMBDA: f64 = 1e-14;
const MAX_TRIES: i32 = 80;

/** f64[n, n]: the second slopes, of newton. */
export let curvature: usize = 0;
let scale: usize = 0;
let factor: usize = 0;
let right: usize = 0;
let lambda: f64 = 0;
let raise: f64 = 2;
let still: i32 = 0;
let isPrepared = false;
let profile: usize = 0;

export function reserveDamped(): bool {
  curvature = takeF64(n * n);
  factor = takeF64(n * n);
  scale = takeF64(n);
  right = takeF64(n);
  profile = takeI32(n);
  return hasMemory();
}

export function beginDamped(): void {
  beginState(gradient(x, g));
  lambda = FIRST_LAMBDA;
  raise = 2;
  still = 0;
  isPrepared = false;
  for (let j = 0; j < n; j++) set(scale, j, 0);
  if (!(f < Infinity) || !isFinite(slopeNorm())) setStatus(NO_START);
}

function prepare(): void {
  hessian(x, curvature);
  for (let j = 0; j < n; j++) {
    set(scale, j, Math.max(get(scale, j), Math.sqrt(Math.abs(get(curvature, j * n + j)))));
    let first = 0;
    while (first < j && get(curvature, j * n + first) === 0) first++;
    store<i32>(profile + ((<usize>j) << 2), first);
  }
  isPrepared = true;
}

function damping(j: i32): f64 {
  const d = get(scale, j);
  return d > 0 ? d : 1;
}

/** Where the first entry of row i of the second slopes is: left of it, nothing is computed. */
function firstOf(i: i32): i32 {
  return load<i32>(profile + ((<usize>i) << 2));
}

/** Sets p for λ. @returns the decrease that the model predicts; negative if the matrix is not positive definite */
function solve(): f64 {
  for (let i = 0; i < n; i++) {
    for (let j = firstOf(i); j <= i; j++) {
      let sum = get(curvature, i * n + j);
      if (i === j) sum += lambda < MIN_LAMBDA ? 0 : lambda * damping(i) * damping(i);
      if (isHeld(i) || isHeld(j)) sum = i === j ? 1 : 0;
      const diagonal = sum;
      for (let k = max(firstOf(i), firstOf(j)); k < j; k++) sum -= get(factor, i * n + k) * get(factor, j * n + k);
      if (i !== j) set(factor, i * n + j, sum / get(factor, j * n + j));
      else if (sum > 1e-15 * Math.abs(diagonal)) set(factor, i * n + i, Math.sqrt(sum));
      else return -1;
    }
  }
  for (let i = 0; i < n; i++) {
    let sum = isHeld(i) ? 0 : -get(g, i);
    for (let k = firstOf(i); k < i; k++) sum -= get(factor, i * n + k) * get(right, k);
    set(right, i, sum / get(factor, i * n + i));
  }
  for (let i = n - 1; i >= 0; i--) {
    const found = get(right, i) / get(factor, i * n + i);
    set(p, i, found);
    for (let k = firstOf(i); k < i; k++) set(right, k, get(right, k) - get(factor, i * n + k) * found);
  }
  let decrease: f64 = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0.5 * get(curvature, i * n + i) * get(p, i);
    for (let j = firstOf(i); j < i; j++) sum += get(curvature, i * n + j) * get(p, j);
    decrease -= get(p, i) * (get(g, i) + sum);
  }
  return isNaN(decrease) ? -1 : decrease;
}

/** One iteration: steps are tried until one is accepted. */
export function iterateDamped(): void {
  if (slopeNorm() === 0) {
    setStatus(STATIONARY);
    return;
  }
  if (!isPrepared) prepare();
  for (let i = 0; i < MAX_TRIES; i++) {
    const predicted = solve();
    if (predicted > 0) {
      if (isNegligible(predicted) && lambda <= 1 && slopeNorm() <= tolG) {
        setStatus(STATIONARY);
        return;
      }
      for (let j = 0; j < n; j++) set(trialX, j, clip(j, get(x, j) + get(p, j)));
      const value = gradient(trialX, trialG);
      if (isBelowAll(value)) {
        accept(value);
        setStatus(UNBOUNDED);
        return;
      }
      const ratio = (f - value) / predicted;
      const isNoise = predicted <= NOISE * Math.abs(f) && value <= f + NOISE * Math.abs(f);
      if (value < Infinity && (ratio > 1e-4 || isNoise)) {
        still = value < f - 1e-15 * Math.abs(f) ? 0 : still + 1;
        const side = 2 * ratio - 1;
        lambda = Math.max(1e-300, lambda * (ratio > 0.75 ? 0.1 : Math.max(1 / 3.0, 1 - side * side * side)));
        raise = 2;
        accept(value);
        countIteration();
        isPrepared = false;
        if (still >= MAX_STILL) setStatus(slopeNorm() <= tolG ? STATIONARY : ROUNDING);
        return;
      }
    }
    lambda = Math.max(lambda, 1e-12) * raise;
    raise *= 2;
    if (lambda > MAX_LAMBDA) break;
  }
  setStatus(ROUNDING);
}
