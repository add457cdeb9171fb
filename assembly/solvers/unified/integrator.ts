// Integrator shared by all methods: try a step from t to t + h, estimate its error, accept it, interpolate inside it.

import { errorNorm, firstStep, growth, shrinkage } from '../../numerics/ode/control';
import {
  DORMAND_PRINCE_STAGES,
  dormandPrinceError,
  dormandPrinceInterpolant,
  dormandPrinceStep,
  dormandPrinceStiffness,
} from '../../numerics/ode/dormand-prince';
import { explicitScratch } from '../../numerics/ode/explicit';
import { hermite, INTERPOLANT_VECTORS, interpolate, interpolateSlopes } from '../../numerics/ode/interpolant';
import {
  jacobianOf,
  jacobianSize,
  rodasDamp,
  rodasInterpolant,
  rodasScratch,
  rodasStep,
} from '../../numerics/ode/rodas';
import { RUNGE_KUTTA_STAGES, rungeKuttaStep } from '../../numerics/ode/runge-kutta';
import { copyValues, get, set } from '../../numerics/vector';
import { derivatives, stepByModule } from './system';

export const RUNGE_KUTTA: i32 = 0;
export const DORMAND_PRINCE: i32 = 1;
export const RODAS: i32 = 2;

/**
 * h |λ| near the stability limit of Dormand–Prince, 3.3, where the steps of a stiff problem settle; the number of such
 * steps in a row that makes a problem stiff; the number of other steps in a row that resets the count.
 */
const STIFFNESS_LIMIT: f64 = 3;
const STIFF_STEPS: i32 = 15;
const NONSTIFF_STEPS: i32 = 6;

export let method: i32 = DORMAND_PRINCE;
/** Current time and states, and the states at the end of the step that was tried. */
export let t: f64 = 0;
export let y: usize = 0;
export let after: usize = 0;
/** The interpolant of the last step, for `interpolateAt`. */
let coefficients: usize = 0;
let isInterpolantCurrent = false;
/** The slopes at (t, y). */
let slopes: usize = 0;
let error: usize = 0;
let atol: usize = 0;
let maxAbs: usize = 0;
let rtol: f64 = 0;
let isAutonomous = false;
let span: f64 = 0;
let n: i32 = 0;

// Two sets of stages: one for accepted steps, one for probes inside a step.
let stages: usize = 0;
let probeStages: usize = 0;
let jacobian: usize = 0;
let isJacobianCurrent = false;
let jacobianEvaluations: f64 = 0;

let previousError: f64 = 1;
let stiffSteps: i32 = 0;
let nonstiffSteps: i32 = 0;

/** Number of f64 that `initIntegrator` requires. */
export function integratorSize(states: i32, needsJacobian: bool): i32 {
  return (
    (7 + INTERPOLANT_VECTORS) * states +
    2 * stageSize(states, needsJacobian) +
    (needsJacobian ? jacobianSize(states) : 0)
  );
}

function stageSize(states: i32, needsJacobian: bool): i32 {
  const explicit = explicitScratch(max(DORMAND_PRINCE_STAGES, RUNGE_KUTTA_STAGES), states);
  return needsJacobian ? max(explicit, rodasScratch(states)) : explicit;
}

/** @param memoryAddress  f64[integratorSize], zeroed */
export function initIntegrator(states: i32, needsJacobian: bool, memoryAddress: usize): void {
  const bytes = (<usize>states) << 3;
  n = states;
  y = memoryAddress;
  after = y + bytes;
  slopes = after + bytes;
  atol = slopes + bytes;
  maxAbs = atol + bytes;
  error = maxAbs + bytes;
  coefficients = error + 2 * bytes;
  stages = coefficients + <usize>INTERPOLANT_VECTORS * bytes;
  probeStages = stages + ((<usize>stageSize(states, needsJacobian)) << 3);
  jacobian = probeStages + ((<usize>stageSize(states, needsJacobian)) << 3);
}

export function absoluteTolerances(): usize {
  return atol;
}

export function jacobianCount(): f64 {
  return jacobianEvaluations;
}

/** Slopes at (t, y): f64[n]. */
export function currentSlopes(): usize {
  return slopes;
}

export function startIntegrator(
  time: f64,
  states: usize,
  chosenMethod: i32,
  tolerance: f64,
  autonomous: bool,
  wholeSpan: f64,
): void {
  t = time;
  method = chosenMethod;
  rtol = tolerance;
  isAutonomous = autonomous;
  span = wholeSpan;
  jacobianEvaluations = 0;
  copyValues(y, states, n);
  memory.fill(maxAbs, 0, (<usize>n) << 3);
  restartIntegrator();
}

/** After a jump of the states: discards the history of the solution. */
export function restartIntegrator(): void {
  derivatives(t, y, slopes);
  updateMaxAbs(y);
  isJacobianCurrent = false;
  previousError = 1;
  stiffSteps = 0;
  nonstiffSteps = 0;
}

function updateMaxAbs(states: usize): void {
  for (let i = 0; i < n; i++) set(maxAbs, i, Math.max(get(maxAbs, i), Math.abs(get(states, i))));
}

export function initialStep(remaining: f64): f64 {
  const order: f64 = method === DORMAND_PRINCE ? 5 : 4;
  return firstStep(derivatives, t, y, slopes, atol, maxAbs, rtol, order, remaining, n, error);
}

export function switchToRodas(): void {
  method = RODAS;
  isJacobianCurrent = false;
  previousError = 1;
}

function stepFrom(from: f64, states: usize, f0: usize, h: f64, out: usize, scratch: usize): void {
  if (method === RODAS) {
    const isSingular = rodasStep(derivatives, from, states, f0, jacobian, h, n, out, scratch);
    // NaN marks the step as not finite, so that the caller retries a shorter one with another matrix.
    if (isSingular !== 0) memory.fill(out, 0xff, (<usize>n) << 3);
    return;
  }
  copyValues(scratch, f0, n);
  if (method === DORMAND_PRINCE) {
    if (!stepByModule(from, states, scratch, h, out)) {
      dormandPrinceStep(derivatives, from, states, scratch, h, n, out);
    }
  } else rungeKuttaStep(derivatives, from, states, scratch, h, n, out);
}

/** Tries a step of h. @returns its error norm, accepted up to 1; NaN if a value is not finite; 0 for Runge–Kutta */
export function tryStep(h: f64): f64 {
  isInterpolantCurrent = false;
  if (method === RODAS && !isJacobianCurrent) {
    jacobianOf(derivatives, t, y, slopes, maxAbs, h, isAutonomous, n, jacobian);
    isJacobianCurrent = true;
    jacobianEvaluations += 1;
  }
  stepFrom(t, y, slopes, h, after, stages);
  if (method === RUNGE_KUTTA) return 0;
  if (method === DORMAND_PRINCE) dormandPrinceError(stages, h, n, error);
  else copyValues(error, stages + ((<usize>(5 * n)) << 3), n);
  return errorNorm(error, y, after, atol, maxAbs, rtol, span / h, n);
}

/**
 * The error norm of a slope that the step of h that was tried does not have: as if it lasted for the whole step.
 *
 * @param defect  f64[n], what the equations say beyond the slope of the interpolant; overwritten
 */
export function defectNorm(defect: usize, h: f64): f64 {
  if (method === RODAS) rodasDamp(stages, n, defect);
  else for (let i = 0; i < n; i++) set(defect, i, h * get(defect, i));
  // Its own size counts, since a state that has been 0 so far has no other.
  for (let i = 0; i < n; i++) set(error, i, get(after, i) + get(defect, i));
  return errorNorm(defect, y, error, atol, maxAbs, rtol, span / h, n);
}

/** The factor for the next step after a try with this error. */
export function stepFactor(size: f64): f64 {
  const isExplicit = method === DORMAND_PRINCE;
  const order: f64 = isExplicit ? 5 : 4;
  if (!(size <= 1)) return shrinkage(size, order);
  const factor = growth(size, previousError, order, isExplicit ? 0.04 : 0);
  previousError = Math.max(size, 1e-4);
  return factor;
}

/** Whether stability, not accuracy, limited the last accepted steps. */
export function isStiff(h: f64): bool {
  if (method !== DORMAND_PRINCE) return false;
  if (dormandPrinceStiffness(stages, h, n, after) > STIFFNESS_LIMIT) {
    nonstiffSteps = 0;
    stiffSteps++;
  } else if (stiffSteps > 0) {
    nonstiffSteps++;
    if (nonstiffSteps === NONSTIFF_STEPS) stiffSteps = 0;
  }
  return stiffSteps >= STIFF_STEPS;
}

/** Writes the slopes at the end of the step of h that was tried. @param endSlopes  f64[n] */
export function slopesAtEnd(h: f64, endSlopes: usize): void {
  if (method === RODAS) derivatives(t + h, after, endSlopes);
  else copyValues(endSlopes, stages + ((<usize>((method === DORMAND_PRINCE ? 6 : 4) * n)) << 3), n);
}

/** Prepares `interpolateAt` for the step of h that was tried, if it is not. Many steps hold no sample and no event. */
export function prepareInterpolant(h: f64, endSlopes: usize): void {
  if (isInterpolantCurrent) return;
  isInterpolantCurrent = true;
  if (method === RODAS) rodasInterpolant(y, stages, n, after, coefficients);
  else if (method === DORMAND_PRINCE) dormandPrinceInterpolant(y, stages, h, n, after, coefficients);
  else hermite(y, slopes, after, endSlopes, h, n, coefficients);
}

/** The states at the fraction θ of the prepared step, by its interpolant. */
export function interpolateAt(theta: f64, out: usize): void {
  interpolate(coefficients, theta, n, out);
}

/** The slopes of the interpolant at the fraction θ of the prepared step of h. */
export function interpolatedSlopesAt(theta: f64, h: f64, out: usize): void {
  interpolateSlopes(coefficients, theta, h, n, out);
}

/** The states at t + s by a separate step, as accurate as any step. Leaves the step that was tried intact. */
export function stepTo(s: f64, out: usize): void {
  stepFrom(t, y, slopes, s, out, probeStages);
}

/** Accepts these states and slopes as the solution at `time`. */
export function acceptState(time: f64, states: usize, endSlopes: usize): void {
  t = time;
  copyValues(y, states, n);
  copyValues(slopes, endSlopes, n);
  updateMaxAbs(y);
  isJacobianCurrent = false;
}
