// Descent along directions: steepest descent, conjugate gradients (of Hager and Zhang), BFGS with a dense inverse,
// and the same with a short memory.
//
// BFGS is superlinear, its memory n² numbers; the others are linear, in the condition of the problem. The first inverse is
// the diagonal of the second slopes at the start, so that scales of variables do not matter. Nocedal & Wright, Numerical
// Optimization (2nd ed.), chapters 5 – 7; Hager & Zhang, SIAM J. Optim. 16 (2005) 170–192.

import { copyValues, get, set } from '../../numerics/vector';
import { invertCurvature } from './certificate';
import { curvature } from './damped';
import { hasMemory, takeF64 } from './memory';
import { addWork, gradient, hessian, isCentral, value } from './objective';
import { isUnbounded, search, step, trialF } from './search';
import {
  accept,
  beginState,
  clip,
  countIteration,
  DIVERGED,
  f,
  firstF,
  g,
  holdDirection,
  isBounded,
  isHeld,
  isNegligible,
  iteration,
  NO_START,
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

export const GD: i32 = 0;
export const CG: i32 = 1;
export const BFGS: i32 = 2;
export const LBFGS: i32 = 3;

const DIVERGENCE: f64 = 1e10;
/** Iterations without a noticeable decrease after which the rounding of f is reached. */
const MAX_STILL: i32 = 20;
/** Iterations in a row, at most, in which the decrease that is left must be negligible. */
const MAX_QUIET: i32 = 30;
/** Variables, and times, of an inverse from the exact second slopes before the end. */
const MAX_REFINED: i32 = 200;
const MAX_REFINEMENTS: i32 = 20;
/** Iterations after which the inverse is renewed from the exact second slopes; two for each variable, if more. */
const RENEWAL: i32 = 40;

let kind: i32 = GD;
let memory_: i32 = 0;
let fixedStep: f64 = 0;
let inverse: usize = 0;
let diagonal: usize = 0;
let change: usize = 0;
let slopeChange: usize = 0;
let product: usize = 0;
let pairs: usize = 0;
let scales: usize = 0;
let weights: usize = 0;
let pairCount: i32 = 0;
let newest: i32 = 0;
let isFresh = true;
let lastStep: f64 = 0;
let lastSlope: f64 = 0;
let still: i32 = 0;
let quiet: i32 = 0;
let refined: i32 = 0;
/** Whether the inverse is that of the exact second slopes, at this point. */
let isRefined = false;

export function reserveDirections(isDense: bool, memorySize: i32): bool {
  memory_ = memorySize;
  inverse = takeF64(isDense ? n * n : 1);
  diagonal = takeF64(n);
  change = takeF64(n);
  slopeChange = takeF64(n);
  product = takeF64(n);
  pairs = takeF64(2 * n * memorySize);
  scales = takeF64(memorySize);
  weights = takeF64(memorySize);
  return hasMemory();
}

/** @param second  f64[n], the second slopes at x, or 0 */
export function beginDescent(method: i32, constantStep: f64, second: usize): void {
  kind = method;
  fixedStep = constantStep;
  beginState(gradient(x, g));
  isFresh = true;
  pairCount = 0;
  lastStep = 0;
  still = 0;
  quiet = 0;
  refined = 0;
  isRefined = false;
  if (!(f < Infinity) || !isFinite(slopeNorm())) {
    setStatus(NO_START);
    return;
  }
  let largest: f64 = 0;
  if (second !== 0) for (let j = 0; j < n; j++) largest = Math.max(largest, Math.abs(get(second, j)));
  const isScaled = second !== 0 && largest > 0 && isFinite(largest) && (kind === BFGS || kind === LBFGS);
  for (let j = 0; j < n; j++) {
    set(diagonal, j, isScaled ? 1 / Math.max(Math.abs(get(second, j)), 1e-12 * largest) : 1);
  }
  if (kind === BFGS) resetInverse();
}

function resetInverse(): void {
  memory.fill(inverse, 0, (<usize>(n * n)) << 3);
  for (let j = 0; j < n; j++) set(inverse, j * n + j, get(diagonal, j));
}

function reset(): void {
  isFresh = true;
  pairCount = 0;
  if (kind === BFGS) resetInverse();
}

/** One iteration; the status tells when it is over. */
export function iterateDescent(): void {
  const norm = slopeNorm();
  if (norm === 0) {
    setStatus(STATIONARY);
    return;
  }
  if (fixedStep > 0) {
    iterateFixed(norm);
    return;
  }
  direct();
  let slope = holdDirection();
  if (!(slope < 0)) {
    reset();
    direct();
    slope = holdDirection();
  }
  let first = firstStep(slope);
  if (norm <= tolG && !isFresh && isNegligible(-0.5 * slope * (kind <= CG ? lastStep : 1))) {
    // The model may not know a direction yet: it must say so along as many as there are.
    quiet++;
    if (quiet > min(n, MAX_QUIET)) {
      if (!refine()) {
        setStatus(STATIONARY);
        return;
      }
      direct();
      slope = holdDirection();
      first = 1;
      if (isNegligible(-0.5 * slope)) {
        setStatus(STATIONARY);
        return;
      }
    }
  } else {
    quiet = 0;
  }
  const wolfe = kind === CG ? 0.1 : kind === GD ? 0.5 : 0.9;
  if (!search(first, slope, wolfe) && !searchAgain(wolfe)) {
    if (!isRefined && refine()) return;
    setStatus(ROUNDING);
    return;
  }
  if (isUnbounded) {
    accept(trialF);
    setStatus(UNBOUNDED);
    return;
  }
  finish(slope);
}

/** From the start's diagonal, if the direction came from elsewhere. */
function searchAgain(wolfe: f64): bool {
  if (isFresh) return false;
  reset();
  direct();
  const slope = holdDirection();
  lastSlope = slope;
  return search(firstStep(slope), slope, wolfe);
}

/** Takes the inverse of bfgs from the exact second slopes, a few times. @returns whether it did */
function refine(): bool {
  if (kind !== BFGS || isBounded || n > MAX_REFINED || refined >= MAX_REFINEMENTS) return false;
  value(x);
  hessian(x, curvature);
  if (!invertCurvature(inverse)) {
    resetInverse();
    return false;
  }
  refined++;
  quiet = 0;
  still = 0;
  isFresh = false;
  isRefined = true;
  return true;
}

/** In a narrow valley the inverse of bfgs learns slowly: where the exact second slopes are positive, it takes theirs. */
function renew(): void {
  if (kind !== BFGS || isBounded || isCentral || n > MAX_REFINED) return;
  hessian(x, curvature);
  const size = <f64>n;
  addWork(size * size * size);
  if (invertCurvature(inverse)) isFresh = false;
}

function finish(slope: f64): void {
  for (let j = 0; j < n; j++) {
    set(change, j, get(trialX, j) - get(x, j));
    set(slopeChange, j, get(trialG, j) - get(g, j));
  }
  lastStep = step;
  lastSlope = slope;
  still = trialF < f - 1e-15 * Math.abs(f) ? 0 : still + 1;
  update();
  accept(trialF);
  countIteration();
  isRefined = false;
  if (<i32>iteration % max(RENEWAL, 2 * n) === 0) renew();
  if (still >= MAX_STILL && !refine()) setStatus(slopeNorm() <= tolG ? STATIONARY : ROUNDING);
}

function iterateFixed(norm: f64): void {
  for (let j = 0; j < n; j++) set(trialX, j, clip(j, get(x, j) - fixedStep * get(g, j)));
  const value = gradient(trialX, trialG);
  if (!(value < Infinity) || value > DIVERGENCE * (1 + Math.abs(firstF))) {
    setStatus(DIVERGED);
    return;
  }
  if (norm <= tolG && isNegligible(fixedStep * norm * norm)) {
    setStatus(STATIONARY);
    return;
  }
  still = value < f - 1e-15 * Math.abs(f) ? 0 : still + 1;
  accept(value);
  countIteration();
  if (still >= 1000) setStatus(slopeNorm() <= tolG ? STATIONARY : ROUNDING);
}

function firstStep(slope: f64): f64 {
  if (kind === BFGS || kind === LBFGS) return 1;
  if (lastStep > 0) return Math.min(1e10, Math.max(1e-300, (1.01 * lastStep * lastSlope) / slope));
  return 1 / Math.sqrt(-slope);
}

/** Sets p. */
function direct(): void {
  if (kind === BFGS) {
    for (let i = 0; i < n; i++) {
      let sum: f64 = 0;
      for (let j = 0; j < n; j++) if (!isHeld(j)) sum += get(inverse, i * n + j) * get(g, j);
      set(p, i, -sum);
    }
  } else if (kind === LBFGS) {
    recall();
  } else if (kind === CG && !isFresh) {
    // Along every such direction f falls, whatever the search has left.
    const curved = dot(p, slopeChange);
    const square = dot(slopeChange, slopeChange);
    let before: f64 = 0;
    for (let j = 0; j < n; j++) {
      const old = get(g, j) - get(slopeChange, j);
      before += old * old;
    }
    const free = (dot(slopeChange, g) - (2 * square * dot(p, g)) / curved) / curved;
    const least = -1 / (Math.sqrt(dot(p, p)) * Math.min(0.01, Math.sqrt(before)));
    const beta = curved > 0 ? Math.max(free, least) : 0;
    for (let j = 0; j < n; j++) set(p, j, beta * get(p, j) - get(g, j));
  } else {
    for (let j = 0; j < n; j++) set(p, j, -get(g, j));
  }
}

/** The product of the inverse and −g from the pairs in memory, newest first, then oldest first. */
function recall(): void {
  for (let j = 0; j < n; j++) set(p, j, isHeld(j) ? 0 : -get(g, j));
  for (let k = 0; k < pairCount; k++) {
    const at = place(k);
    const alpha = dot(pairAt(at), p) * get(scales, at);
    set(weights, at, alpha);
    addMultiple(p, -alpha, slopesAt(at));
  }
  if (pairCount === 0) {
    for (let j = 0; j < n; j++) set(p, j, get(diagonal, j) * get(p, j));
  } else {
    // The diagonal in the scale of the newest pair.
    const at = place(0);
    const newestSlopes = slopesAt(at);
    let square: f64 = 0;
    for (let j = 0; j < n; j++) square += get(diagonal, j) * get(newestSlopes, j) * get(newestSlopes, j);
    const scale = 1 / (get(scales, at) * square);
    for (let j = 0; j < n; j++) set(p, j, scale * get(diagonal, j) * get(p, j));
  }
  for (let k = pairCount - 1; k >= 0; k--) {
    const at = place(k);
    const beta = get(weights, at) - get(scales, at) * dot(slopesAt(at), p);
    addMultiple(p, beta, pairAt(at));
  }
}

function place(k: i32): i32 {
  return (newest - k + memory_) % memory_;
}

function pairAt(at: i32): usize {
  return pairs + ((<usize>(2 * n * at)) << 3);
}

function slopesAt(at: i32): usize {
  return pairAt(at) + ((<usize>n) << 3);
}

/** In four lanes: a single chain of sums waits for each one before. */
function dot(a: usize, b: usize): f64 {
  let even = f64x2.splat(0);
  let odd = f64x2.splat(0);
  const whole = n & ~3;
  for (let j = 0; j < whole; j += 4) {
    const at = (<usize>j) << 3;
    even = f64x2.add(even, f64x2.mul(v128.load(a + at), v128.load(b + at)));
    odd = f64x2.add(odd, f64x2.mul(v128.load(a + at, 16), v128.load(b + at, 16)));
  }
  const both = f64x2.add(even, odd);
  let sum = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  for (let j = whole; j < n; j++) sum += get(a, j) * get(b, j);
  return sum;
}

/** to += factor · from */
function addMultiple(to: usize, factor: f64, from: usize): void {
  const lanes = f64x2.splat(factor);
  const whole = n & ~1;
  for (let j = 0; j < whole; j += 2) {
    const at = (<usize>j) << 3;
    v128.store(to + at, f64x2.add(v128.load(to + at), f64x2.mul(lanes, v128.load(from + at))));
  }
  if (whole < n) set(to, whole, get(to, whole) + factor * get(from, whole));
}

function update(): void {
  const wasFresh = isFresh;
  isFresh = kind === CG && <i32>iteration % (4 * n + 20) === 4 * n + 19;
  if (kind <= CG) return;
  const curvature = dot(change, slopeChange);
  const size = Math.sqrt(dot(change, change) * dot(slopeChange, slopeChange));
  if (!(curvature > 1e-14 * size)) return;
  if (kind === LBFGS) {
    newest = pairCount === 0 ? 0 : (newest + 1) % memory_;
    pairCount = min(pairCount + 1, memory_);
    copyValues(pairAt(newest), change, n);
    copyValues(slopesAt(newest), slopeChange, n);
    set(scales, newest, 1 / curvature);
    return;
  }
  if (wasFresh) {
    // The diagonal takes the scale that the first step shows.
    let square: f64 = 0;
    for (let j = 0; j < n; j++) square += get(diagonal, j) * get(slopeChange, j) * get(slopeChange, j);
    const scale = curvature / square;
    for (let j = 0; j < n; j++) set(inverse, j * n + j, scale * get(diagonal, j));
  }
  for (let i = 0; i < n; i++) {
    set(product, i, dot(inverse + ((<usize>(i * n)) << 3), slopeChange));
  }
  const factor = (1 + dot(slopeChange, product) / curvature) / curvature;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const next =
        get(inverse, i * n + j) +
        factor * get(change, i) * get(change, j) -
        (get(product, i) * get(change, j) + get(change, i) * get(product, j)) / curvature;
      set(inverse, i * n + j, next);
      set(inverse, j * n + i, next);
    }
  }
}
