// Adaptive integration by Dormand–Prince 5(4): the loop around its step, with dense output, for kernels whose right side is
// compiled in.
//
// Every component is as accurate as rtol relative to its own size, also one that is small against the others for a while
// and grows later, as the infectious between two waves. Not for stiff problems: see dormand-prince.ts. Hairer, Nørsett
// & Wanner I, §II.4 – II.6.
import { copyValues, get, set } from '../vector';
import { errorNorm, firstStep, growth, shrinkage } from './control';
import {
  DORMAND_PRINCE_STAGES,
  dormandPrinceError,
  dormandPrinceInterpolant,
  dormandPrinceStep,
} from './dormand-prince';
import { explicitScratch } from './explicit';
import { INTERPOLANT_VECTORS, interpolate } from './interpolant';
import { RightSide } from './right-side';

const ORDER: f64 = 5;
const MEMORY: f64 = 0.04;
/** Minimum step relative to the time: a shorter step does not change it. */
const MIN_STEP_RATIO: f64 = 1e-15;

/** A try of a step: rejected, accepted, or no step is short enough. */
export const STEP_REJECTED: i32 = 0;
export const STEP_ACCEPTED: i32 = 1;
export const STEP_FAILED: i32 = 2;

/** Time and states after the last accepted step; the length of that step, and the states before it. */
export let time: f64 = 0;
export let states: usize = 0;
export let lastStep: f64 = 0;
export let before: usize = 0;
/** Slopes at (time, states), and before the last accepted step. */
export let slopes: usize = 0;
export let slopesBefore: usize = 0;
export let nextStep: f64 = 0;

let f: RightSide = noSlopes;
let n: i32 = 0;
let rtol: f64 = 0;
let maxStep: f64 = 0;
let previousError: f64 = 1;
let atol: usize = 0;
let sizes: usize = 0;
let error: usize = 0;
let stages: usize = 0;
let probeStages: usize = 0;
let coefficients: usize = 0;
let isInterpolantCurrent = false;

function noSlopes(_t: f64, _y: usize, _out: usize): void {
  unreachable();
}

/** Number of f64 that `initAdaptive` requires. */
export function adaptiveSize(count: i32): i32 {
  return (8 + INTERPOLANT_VECTORS) * count + 2 * explicitScratch(DORMAND_PRINCE_STAGES, count);
}

/** @param memoryAddress  f64[adaptiveSize(count)], zeroed; the absolute tolerances stay 0 */
export function initAdaptive(rightSide: RightSide, count: i32, memoryAddress: usize): void {
  const bytes = (<usize>count) << 3;
  f = rightSide;
  n = count;
  states = memoryAddress;
  before = states + bytes;
  slopes = before + bytes;
  slopesBefore = slopes + bytes;
  atol = slopesBefore + bytes;
  sizes = atol + bytes;
  error = sizes + bytes; // two vectors
  coefficients = error + 2 * bytes;
  stages = coefficients + <usize>INTERPOLANT_VECTORS * bytes;
  probeStages = stages + ((<usize>explicitScratch(DORMAND_PRINCE_STAGES, n)) << 3);
}

/**
 * Begins at (t, y); call again after a jump of the states or the right side.
 *
 * @param y        f64[n], copied
 * @param longest  maximum step, positive
 * @param span     time until the next jump or the end, which bounds the first step
 */
export function startAdaptive(t: f64, y: usize, tolerance: f64, longest: f64, span: f64): void {
  time = t;
  rtol = tolerance;
  maxStep = longest;
  previousError = 1;
  isInterpolantCurrent = false;
  copyValues(states, y, n);
  f(t, states, slopes);
  for (let i = 0; i < n; i++) set(sizes, i, Math.abs(get(states, i)));
  const first = firstStep(f, t, states, slopes, atol, sizes, rtol, ORDER, span, n, error);
  // A component that leaves 0 late asks for a step that would not change the time.
  nextStep = Math.min(maxStep, Math.max(first, 100 * MIN_STEP_RATIO * Math.abs(t)));
}

/** The next step is at most `length`: for a caller who knows that a longer one jumps over something. */
export function limitAdaptive(length: f64): void {
  nextStep = Math.min(nextStep, length);
}

/** Tries one step, at most to `end`. @returns STEP_REJECTED, STEP_ACCEPTED or STEP_FAILED */
export function tryAdaptiveStep(end: f64): i32 {
  let to = time + nextStep;
  // The last step may be slightly longer, which avoids a tiny step at the end.
  if (to + 0.01 * nextStep >= end) to = end;
  const h = to - time;
  copyValues(stages, slopes, n);
  dormandPrinceStep(f, time, states, stages, h, n, before);
  dormandPrinceError(stages, h, n, error);
  // The states of this moment, not the largest so far: the accuracy is relative to them.
  for (let i = 0; i < n; i++) set(sizes, i, Math.abs(get(states, i)));
  const size = errorNorm(error, states, before, atol, sizes, rtol, 1, n);
  if (!(size <= 1)) {
    nextStep = h * shrinkage(size, ORDER);
    return nextStep <= MIN_STEP_RATIO * Math.abs(time) || nextStep < 1e-300 ? STEP_FAILED : STEP_REJECTED;
  }
  // Swap instead of copying: `before` was the scratch of the new states.
  const old = states;
  states = before;
  before = old;
  copyValues(slopesBefore, slopes, n);
  copyValues(slopes, stages + ((<usize>(6 * n)) << 3), n);
  lastStep = h;
  time = to;
  nextStep = Math.min(maxStep, h * growth(size, previousError, ORDER, MEMORY));
  previousError = Math.max(size, 1e-4);
  isInterpolantCurrent = false;
  return STEP_ACCEPTED;
}

/** The states at the fraction θ of the last accepted step, by its interpolant of order 4. */
export function interpolateStep(theta: f64, out: usize): void {
  if (!isInterpolantCurrent) {
    dormandPrinceInterpolant(before, stages, lastStep, n, states, coefficients);
    isInterpolantCurrent = true;
  }
  interpolate(coefficients, theta, n, out);
}

/** The states at the fraction θ of the last accepted step by a step of their own, as accurate as any step. */
export function stepInside(theta: f64, out: usize): void {
  copyValues(probeStages, slopesBefore, n);
  dormandPrinceStep(f, time - lastStep, before, probeStages, theta * lastStep, n, out);
}
