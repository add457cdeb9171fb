// Exposes assembly/numerics/ode to its test, on two problems with known solutions.
import { allocate, allocateF64 } from '../../assembly/kernel';
import {
  adaptiveSize,
  initAdaptive,
  interpolateStep,
  lastStep,
  STEP_ACCEPTED,
  STEP_FAILED,
  startAdaptive,
  states,
  stepInside,
  time,
  tryAdaptiveStep,
} from '../../assembly/numerics/ode/adaptive';
import {
  dormandPrinceError,
  dormandPrinceInterpolant,
  dormandPrinceStep,
} from '../../assembly/numerics/ode/dormand-prince';
import { hermite, interpolate, interpolateSlopes } from '../../assembly/numerics/ode/interpolant';
import { factorLu, solveLu } from '../../assembly/numerics/ode/lu';
import { jacobianOf, jacobianSize, rodasInterpolant, rodasScratch, rodasStep } from '../../assembly/numerics/ode/rodas';
import { rungeKuttaStep } from '../../assembly/numerics/ode/runge-kutta';
import { get, set } from '../../assembly/numerics/vector';

export { allocate, allocateF64, factorLu, solveLu };

const N: i32 = 2;
const y: usize = memory.data(16, 8);
const out: usize = memory.data(16, 8);
const f0: usize = memory.data(16, 8);
const f1: usize = memory.data(16, 8);
const maxAbs: usize = memory.data(16, 8);
const dense: usize = memory.data(80, 8);
const error: usize = memory.data(16, 8);

/** Nonlinear and not autonomous: y₀ = sin t, y₁ = exp(sin t). */
function derivative(t: f64, at: usize, dydt: usize): void {
  const a = get(at, 0);
  const b = get(at, 1);
  set(dydt, 0, Math.cos(t) + a * a + b * Math.exp(-a) - 1 - Math.sin(t) * a);
  set(dydt, 1, b * (Math.cos(t) + a - Math.log(b)));
}

/** Steps of equal length from 0 to 2. 0 Runge–Kutta, 1 Dormand–Prince, 2 RODAS. @returns the largest error at a step */
export function maxErrorAtSteps(method: i32, steps: i32): f64 {
  integrate(method, steps);
  return maxEnd;
}

/** The largest error of the interpolant inside a step. */
export function maxErrorInsideSteps(method: i32, steps: i32): f64 {
  return integrate(method, steps);
}

/** The norm of the error estimate of the first step of h. */
export function errorEstimate(h: f64): f64 {
  const k = allocateF64(8 * N);
  set(y, 0, 0);
  set(y, 1, 1);
  derivative(0, y, k);
  dormandPrinceStep(derivative, 0, y, k, h, N, out);
  dormandPrinceError(k, h, N, error);
  return Math.hypot(get(error, 0), get(error, 1));
}

/** The largest error of the interpolant's slope inside a step. */
export function maxSlopeErrorInsideSteps(method: i32, steps: i32): f64 {
  integrate(method, steps);
  return maxSlope;
}

let maxEnd: f64 = 0;
let maxSlope: f64 = 0;

function integrate(method: i32, steps: i32): f64 {
  const scratch = allocateF64(max(8 * N, rodasScratch(N)));
  const jacobian = allocateF64(jacobianSize(N));
  const point = allocateF64(N);
  const h = 2 / <f64>steps;
  let maxInside: f64 = 0;
  maxEnd = 0;
  maxSlope = 0;
  set(y, 0, 0);
  set(y, 1, 1);
  set(maxAbs, 0, 1);
  set(maxAbs, 1, 3);
  for (let i = 0; i < steps; i++) {
    const t = h * <f64>i;
    derivative(t, y, f0);
    if (method === 2) {
      jacobianOf(derivative, t, y, f0, maxAbs, h, false, N, jacobian);
      rodasStep(derivative, t, y, f0, jacobian, h, N, out, scratch);
      rodasInterpolant(y, scratch, N, out, dense);
    } else {
      memory.copy(scratch, f0, 16);
      if (method === 1) {
        dormandPrinceStep(derivative, t, y, scratch, h, N, out);
        dormandPrinceInterpolant(y, scratch, h, N, out, dense);
      } else {
        rungeKuttaStep(derivative, t, y, scratch, h, N, out);
        derivative(t + h, out, f1);
        hermite(y, f0, out, f1, h, N, dense);
      }
    }
    interpolate(dense, 0.4, N, point);
    maxInside = Math.max(maxInside, Math.abs(get(point, 0) - Math.sin(t + 0.4 * h)));
    interpolateSlopes(dense, 0.4, h, N, point);
    maxSlope = Math.max(maxSlope, Math.abs(get(point, 0) - Math.cos(t + 0.4 * h)));
    memory.copy(y, out, 16);
    const sine = Math.sin(t + h);
    maxEnd = Math.max(maxEnd, Math.max(Math.abs(get(y, 0) - sine), Math.abs(get(y, 1) - Math.exp(sine))));
  }
  return maxInside;
}

/** y' = λ (y − cos t) − sin t with y = cos t, by steps of 0.1 to t = 1. @returns the error, or NaN */
export function stiffError(method: i32, lambda: f64): f64 {
  stiffness = lambda;
  const scratch = allocateF64(max(8, rodasScratch(1)));
  const jacobian = allocateF64(jacobianSize(1));
  set(y, 0, 1);
  set(maxAbs, 0, 1);
  for (let i = 0; i < 10; i++) {
    const t = 0.1 * <f64>i;
    stiff(t, y, f0);
    if (method === 2) {
      jacobianOf(stiff, t, y, f0, maxAbs, 0.1, false, 1, jacobian);
      rodasStep(stiff, t, y, f0, jacobian, 0.1, 1, out, scratch);
    } else {
      set(scratch, 0, get(f0, 0));
      dormandPrinceStep(stiff, t, y, scratch, 0.1, 1, out);
    }
    set(y, 0, get(out, 0));
  }
  return Math.abs(get(y, 0) - Math.cos(1));
}

let stiffness: f64 = 0;

function stiff(t: f64, at: usize, dydt: usize): void {
  set(dydt, 0, stiffness * (get(at, 0) - Math.cos(t)) - Math.sin(t));
}

/** Steps that the last `adaptiveError` accepted, and the largest error inside them. */
export let adaptiveSteps: i32 = 0;
export let adaptiveInside: f64 = 0;
export let adaptiveProbe: f64 = 0;

/** The same problem from 0 to 2 with an adaptive step. @returns the largest relative error at a step; −1 if it fails */
export function adaptiveError(rtol: f64, maxStep: f64): f64 {
  const work = allocateF64(adaptiveSize(N));
  const point = allocateF64(N);
  set(y, 0, 0);
  set(y, 1, 1);
  initAdaptive(derivative, N, work);
  startAdaptive(0, y, rtol, maxStep, 2);
  adaptiveSteps = 0;
  adaptiveInside = 0;
  adaptiveProbe = 0;
  let largest: f64 = 0;
  for (let tries = 0; tries < 1_000_000 && time < 2; tries++) {
    const outcome = tryAdaptiveStep(2);
    if (outcome === STEP_FAILED) return -1;
    if (outcome !== STEP_ACCEPTED) continue;
    adaptiveSteps++;
    largest = Math.max(largest, errorAt(time, states));
    interpolateStep(0.4, point);
    adaptiveInside = Math.max(adaptiveInside, errorAt(time - 0.6 * lastStep, point));
    stepInside(0.4, point);
    adaptiveProbe = Math.max(adaptiveProbe, errorAt(time - 0.6 * lastStep, point));
  }
  return largest;
}

function errorAt(t: f64, at: usize): f64 {
  const sine = Math.sin(t);
  return Math.max(Math.abs(get(at, 0) - sine), Math.abs(get(at, 1) - Math.exp(sine)) / Math.exp(sine));
}

/** A component that leaves 0 at a late time, much faster than the tolerance of 0: the time after a hundred tries. */
export function firstTimeAfter(t: f64): f64 {
  const work = allocateF64(adaptiveSize(N));
  set(y, 0, 1e9);
  set(y, 1, 0);
  initAdaptive(leaving, N, work);
  startAdaptive(t, y, 1e-9, 1e6, 1e6);
  for (let tries = 0; tries < 100; tries++) tryAdaptiveStep(t + 1e6);
  return time;
}

function leaving(_t: f64, at: usize, dydt: usize): void {
  set(dydt, 0, -0.1 * get(at, 0));
  set(dydt, 1, 0.1 * get(at, 0));
}
