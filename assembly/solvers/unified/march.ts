// One way for all methods to go from t to t + h: try a step, measure its error, keep it, look inside it.

import { errorNorm, firstStep, growth, shrinkage } from '../../numerics/ode/control';
import {
  DORMAND_PRINCE_STAGES,
  dormandPrinceError,
  dormandPrinceInterpolant,
  dormandPrinceStep,
  dormandPrinceStiffness,
} from '../../numerics/ode/dormand-prince';
import { explicitScratch } from '../../numerics/ode/explicit';
import { hermite, INTERPOLANT_VECTORS, interpolate } from '../../numerics/ode/interpolant';
import { jacobianOf, jacobianSize, rodasInterpolant, rodasScratch, rodasStep } from '../../numerics/ode/rodas';
import { RUNGE_KUTTA_STAGES, rungeKuttaStep } from '../../numerics/ode/runge-kutta';
import { get, set } from '../../numerics/vector';
import { derivatives } from './system';

export const RUNGE_KUTTA: i32 = 0;
export const DORMAND_PRINCE: i32 = 1;
export const RODAS: i32 = 2;

/**
 * h |λ| at which Dormand–Prince is near its edge of 3.3, where steps of a stiff problem settle; how often in a row makes a
 * problem stiff, and how often not clears it.
 */
const STIFF_EDGE: f64 = 3;
const STIFF_STEPS: i32 = 15;
const CALM_STEPS: i32 = 6;

export let method: i32 = DORMAND_PRINCE;
/** Where the run stands, its slopes there, and where the step that was tried ends. */
export let t: f64 = 0;
export let y: usize = 0;
export let after: usize = 0;
/** The interpolant of the last step, for `inside`. */
let coefficients: usize = 0;
let slopes: usize = 0;
let error: usize = 0;
let atol: usize = 0;
let most: usize = 0;
let rtol: f64 = 0;
let isAutonomous = false;
let n: i32 = 0;

// Two sets of stages: one for steps that are kept, one for looks inside a step.
let stages: usize = 0;
let probes: usize = 0;
let matrix: usize = 0;
let isMatrixFresh = false;
let matrices: f64 = 0;

let errorBefore: f64 = 1;
let stiffSteps: i32 = 0;
let calmSteps: i32 = 0;

/** f64 that `useMarch` takes. */
export function marchSize(states: i32, needsMatrix: bool): i32 {
  return (
    (7 + INTERPOLANT_VECTORS) * states + 2 * stageSize(states, needsMatrix) + (needsMatrix ? jacobianSize(states) : 0)
  );
}

function stageSize(states: i32, needsMatrix: bool): i32 {
  const explicit = explicitScratch(max(DORMAND_PRINCE_STAGES, RUNGE_KUTTA_STAGES), states);
  return needsMatrix ? max(explicit, rodasScratch(states)) : explicit;
}

/** @param room  f64[marchSize], zeroed */
export function useMarch(states: i32, needsMatrix: bool, room: usize): void {
  const bytes = (<usize>states) << 3;
  n = states;
  y = room;
  after = y + bytes;
  slopes = after + bytes;
  atol = slopes + bytes;
  most = atol + bytes;
  error = most + bytes;
  coefficients = error + 2 * bytes;
  stages = coefficients + <usize>INTERPOLANT_VECTORS * bytes;
  probes = stages + ((<usize>stageSize(states, needsMatrix)) << 3);
  matrix = probes + ((<usize>stageSize(states, needsMatrix)) << 3);
}

export function absoluteTolerances(): usize {
  return atol;
}

export function jacobianCount(): f64 {
  return matrices;
}

/** Slopes at (t, y): f64[n]. */
export function slopesHere(): usize {
  return slopes;
}

export function begin(at: f64, states: usize, how: i32, tolerance: f64, autonomous: bool): void {
  t = at;
  method = how;
  rtol = tolerance;
  isAutonomous = autonomous;
  matrices = 0;
  memory.copy(y, states, (<usize>n) << 3);
  memory.fill(most, 0, (<usize>n) << 3);
  restart();
}

/** After a jump of the states: nothing of the past holds. */
export function restart(): void {
  derivatives(t, y, slopes);
  remember(y);
  isMatrixFresh = false;
  errorBefore = 1;
  stiffSteps = 0;
  calmSteps = 0;
}

function remember(states: usize): void {
  for (let i = 0; i < n; i++) set(most, i, Math.max(get(most, i), Math.abs(get(states, i))));
}

export function guessStep(span: f64): f64 {
  const order: f64 = method === DORMAND_PRINCE ? 5 : 4;
  return firstStep(derivatives, t, y, slopes, atol, most, rtol, order, span, n, error);
}

export function useRodas(): void {
  method = RODAS;
  isMatrixFresh = false;
  errorBefore = 1;
}

function stepWith(from: f64, states: usize, f0: usize, h: f64, out: usize, scratch: usize): void {
  if (method === RODAS) {
    const isSingular = rodasStep(derivatives, from, states, f0, matrix, h, n, out, scratch);
    // Reads as a step that is not finite: a shorter one has another matrix.
    if (isSingular !== 0) memory.fill(out, 0xff, (<usize>n) << 3);
    return;
  }
  memory.copy(scratch, f0, (<usize>n) << 3);
  if (method === DORMAND_PRINCE) dormandPrinceStep(derivatives, from, states, scratch, h, n, out);
  else rungeKuttaStep(derivatives, from, states, scratch, h, n, out);
}

/** Try a step of h. @returns the size of its error, good up to 1; NaN if a value is not finite; 0 for Runge–Kutta */
export function tryStep(h: f64): f64 {
  if (method === RODAS && !isMatrixFresh) {
    jacobianOf(derivatives, t, y, slopes, most, h, isAutonomous, n, matrix);
    isMatrixFresh = true;
    matrices += 1;
  }
  stepWith(t, y, slopes, h, after, stages);
  if (method === RUNGE_KUTTA) return 0;
  if (method === DORMAND_PRINCE) dormandPrinceError(stages, h, n, error);
  else memory.copy(error, stages + ((<usize>(5 * n)) << 3), (<usize>n) << 3);
  return errorNorm(error, y, after, atol, most, rtol, n);
}

/** The factor for the step after a try with this error. */
export function factorAfter(size: f64): f64 {
  const isExplicit = method === DORMAND_PRINCE;
  const order: f64 = isExplicit ? 5 : 4;
  if (!(size <= 1)) return shrinkage(size, order);
  const factor = growth(size, errorBefore, order, isExplicit ? 0.04 : 0);
  errorBefore = Math.max(size, 1e-4);
  return factor;
}

/** Whether the last accepted steps were as long as stability allows, not as accuracy does. */
export function looksStiff(h: f64): bool {
  if (method !== DORMAND_PRINCE) return false;
  if (dormandPrinceStiffness(stages, h, n, after) > STIFF_EDGE) {
    calmSteps = 0;
    stiffSteps++;
  } else if (stiffSteps > 0) {
    calmSteps++;
    if (calmSteps === CALM_STEPS) stiffSteps = 0;
  }
  return stiffSteps >= STIFF_STEPS;
}

/** Ready `inside` for the step of h that was tried. @param ahead  f64[n], written: the slopes at its end */
export function measure(h: f64, ahead: usize): void {
  const bytes = (<usize>n) << 3;
  if (method === RODAS) {
    derivatives(t + h, after, ahead);
    rodasInterpolant(y, stages, n, after, coefficients);
    return;
  }
  const isPair = method === DORMAND_PRINCE;
  memory.copy(ahead, stages + (isPair ? 6 : 4) * bytes, bytes);
  if (isPair) dormandPrinceInterpolant(y, stages, h, n, after, coefficients);
  else hermite(y, slopes, after, ahead, h, n, coefficients);
}

/** The states at the part θ of the step that was measured, by its interpolant. */
export function inside(theta: f64, out: usize): void {
  interpolate(coefficients, theta, n, out);
}

/** The states at t + s by a step of its own, as accurate as any step. Does not disturb the step that was tried. */
export function reach(s: f64, out: usize): void {
  stepWith(t, y, slopes, s, out, probes);
}

/** Go on to `time` with these states and slopes. */
export function move(time: f64, states: usize, ahead: usize): void {
  const bytes = (<usize>n) << 3;
  t = time;
  memory.copy(y, states, bytes);
  memory.copy(slopes, ahead, bytes);
  remember(y);
  isMatrixFresh = false;
}
