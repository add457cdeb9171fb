// The guard equation P'' + μ P = 0 with P(0) = 1 and P'(0) = 0: in closed form, and by Runge and Kutta's method.
//
// cos kθ for μ ≥ 0 and cosh kθ for μ < 0, with k = √|μ|. The second method is the classical one of order 4 over equal
// steps, stable for h k < 2.8; it shares nothing with the closed form but the equation. Fails where a number is not
// finite. Boyce & DiPrima, Elementary Differential Equations (10th ed., 2012), the chapter on linear equations of the
// second order.
//
// Calls in inner loops: a step of the second method calls the right side; its steps are few.
import '../numerics/trigonometric';
import {
  allocateF64,
  INFO_NON_FINITE,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
} from '../kernel';
import { RUNGE_KUTTA_STAGES, rungeKuttaStep } from '../numerics/ode/runge-kutta';
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative } from '../parameters';

export { abi, control } from '../kernel';

/** byRungeKutta 0 | 1; mu, finite; end ≥ 0 in rad; samples ≥ 2; steps from one sample to the next, of the second method. */
export enum Parameter {
  byRungeKutta,
  mu,
  end,
  samples,
  stepsPerSample,
}

/** history f64[samples, 3], see HistoryColumn. */
export enum View {
  history,
}

/** θ, P and dP/dθ. */
export enum HistoryColumn {
  theta,
  p,
  slope,
}

const COLUMNS: i32 = HistoryColumn.slope + 1;
const MAX_SAMPLES: f64 = 10_000;
const MAX_STEPS: f64 = 1e6;

let byRungeKutta = false;
let mu: f64 = 0;
let end: f64 = 0;
let samples: i32 = 0;
let stepsPerSample: i32 = 1;
let history: usize = 0;
let state: usize = 0;
let slopes: usize = 0;
let row: i32 = 0;
let step: i32 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isFlag(parameter(Parameter.byRungeKutta))) return illegal(Parameter.byRungeKutta);
  if (!isFinite(parameter(Parameter.mu))) return illegal(Parameter.mu);
  if (!isNonNegative(parameter(Parameter.end))) return illegal(Parameter.end);
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.stepsPerSample), 1, MAX_STEPS)) return illegal(Parameter.stepsPerSample);
  byRungeKutta = parameter(Parameter.byRungeKutta) === 1;
  mu = parameter(Parameter.mu);
  end = parameter(Parameter.end);
  samples = <i32>parameter(Parameter.samples);
  stepsPerSample = <i32>parameter(Parameter.stepsPerSample);
  history = allocateF64(COLUMNS * samples);
  state = allocateF64(4);
  slopes = allocateF64(2 * (RUNGE_KUTTA_STAGES + 1));
  return history && state && slopes ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  row = 0;
  step = 0;
  set(state, 0, 1);
  set(state, 1, 0);
  field(0, state, slopes);
  if (byRungeKutta) record(0, 1, 0);
  return INFO_OK;
}

/** @returns info: 0; 2 a number is not finite */
export function advance(count: i32): i32 {
  return byRungeKutta ? advanceSteps(count) : advanceSamples(count);
}

function record(theta: f64, p: f64, slope: f64): void {
  const target = history + ((<usize>(COLUMNS * row)) << 3);
  set(target, HistoryColumn.theta, theta);
  set(target, HistoryColumn.p, p);
  set(target, HistoryColumn.slope, slope);
  row++;
}

/** A part of the way; the end itself where the part is whole. */
function thetaOf(done: i32, all: i32): f64 {
  return done === all ? end : (<f64>done / <f64>all) * end;
}

function advanceSamples(count: i32): i32 {
  const k = Math.sqrt(Math.abs(mu));
  for (let i = 0; i < count && row < samples; i++) {
    const theta = thetaOf(row, samples - 1);
    const angle = k * theta;
    const p = mu < 0 ? Math.cosh(angle) : Math.cos(angle);
    const slope = mu < 0 ? k * Math.sinh(angle) : -k * Math.sin(angle);
    record(theta, p, slope);
    if (!isFinite(p)) {
      setDone(row);
      return INFO_NON_FINITE;
    }
  }
  setDone(row);
  return INFO_OK;
}

function field(_theta: f64, y: usize, dydt: usize): void {
  set(dydt, 0, get(y, 1));
  set(dydt, 1, -mu * get(y, 0));
}

function advanceSteps(count: i32): i32 {
  const all = stepsPerSample * (samples - 1);
  const next = state + 16;
  for (let i = 0; i < count && step < all; i++) {
    const theta = thetaOf(step, all);
    step++;
    const after = thetaOf(step, all);
    rungeKuttaStep(field, theta, state, slopes, after - theta, 2, next);
    copyValues(state, next, 2);
    copyValues(slopes, slopes + 16 * (RUNGE_KUTTA_STAGES - 1), 2);
    if (step % stepsPerSample === 0) record(after, get(state, 0), get(state, 1));
    if (!isFinite(get(state, 0))) {
      setDone(step);
      return INFO_NON_FINITE;
    }
  }
  setDone(step);
  return INFO_OK;
}

export function view(i: i32): usize {
  return i === View.history ? history : 0;
}

export function extent(i: i32): i32 {
  return i === View.history ? COLUMNS * samples : 0;
}
