// The master field in closed form, φ'' + c φ' + a φ + b φ³ = G + X cos ωt − Y sin ωt, and by Runge and Kutta's method.
//
// Linear with b = 0 (closedform/orbit.ts), Duffing's with c = G = X = Y = 0 (closedform/duffing.ts). Each number of the
// closed form has a ±: its change with each parameter, by a difference, times a few roundings. The second method is the
// classical one of order 4, stable for h |λ| < 2.785 on the negative real axis, with steps that shrink towards a pole.
// Fails where a number is not finite. NIST Digital Library of Mathematical Functions, chapters 19 and 22; Kovacic &
// Brennan, The Duffing Equation (2011).
//
// Calls in inner loops: a step of the second method calls the right side; its steps are few.
import {
  allocateF64,
  INFO_NON_FINITE,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { RUNGE_KUTTA_STAGES, rungeKuttaStep } from '../numerics/ode/runge-kutta';
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { acceleration, ORBIT_NUMBERS, Orbit, orbitAt, setOrbit } from './closedform/orbit';

export { abi, control } from '../kernel';

/**
 * byRungeKutta 0 | 1; samples; steps from one to the next of the second method; then the coefficients a, b, c, G, X, Y, ω,
 * φ₀ and φ₀'; tEnd > 0; pole, its time, or 0 for none.
 */
export enum Parameter {
  byRungeKutta,
  samples,
  stepsPerSample,
  a,
  b,
  c,
  constant,
  cosine,
  sine,
  omega,
  phi0,
  dphi0,
  tEnd,
  pole,
}

/** history f64[samples, 5], see HistoryColumn. */
export enum View {
  history,
}

/** How far the steady answer lags behind the drive, in rad. */
export enum Statistic {
  lag,
}

/** t, φ, φ', and the ± of φ and φ' in the closed form. */
export enum HistoryColumn {
  t,
  phi,
  dphi,
  phiUncertainty,
  dphiUncertainty,
}

const COLUMNS: i32 = HistoryColumn.dphiUncertainty + 1;
const MAX_SAMPLES: f64 = 100_000;
const MAX_STEPS: f64 = 1e7;
/** Change of a parameter whose effect is measured, and what one rounding is of it. */
const CHANGE: f64 = 5.684341886080802e-14;
const ROUNDINGS_IN_CHANGE: f64 = 0.00390625;
const EPSILON: f64 = 2.220446049250313e-16;
/** Roundings of a parameter that the evaluation amounts to, and of the terms that are added. */
const OF_PARAMETERS: f64 = 2;
const OF_TERMS: f64 = 3;

let byRungeKutta = false;
let samples: i32 = 0;
let stepsPerSample: i32 = 1;
let tEnd: f64 = 0;
let pole: f64 = 0;
let logRatio: f64 = 0;
let history: usize = 0;
let numbers: usize = 0;
let state: usize = 0;
let slopes: usize = 0;
let row: i32 = 0;
let step: i32 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isFlag(parameter(Parameter.byRungeKutta))) return illegal(Parameter.byRungeKutta);
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  byRungeKutta = parameter(Parameter.byRungeKutta) === 1;
  if (!isIntegerBetween(parameter(Parameter.stepsPerSample), 1, MAX_STEPS)) return illegal(Parameter.stepsPerSample);
  for (let i: i32 = Parameter.a; i <= Parameter.dphi0; i++) if (!isFinite(parameter(i))) return illegal(i);
  if (!isPositive(parameter(Parameter.tEnd))) return illegal(Parameter.tEnd);
  pole = parameter(Parameter.pole);
  if (!isNonNegative(pole) || (pole > 0 && pole <= parameter(Parameter.tEnd))) return illegal(Parameter.pole);
  samples = <i32>parameter(Parameter.samples);
  stepsPerSample = <i32>parameter(Parameter.stepsPerSample);
  tEnd = parameter(Parameter.tEnd);
  history = allocateF64(COLUMNS * samples);
  numbers = allocateF64(ORBIT_NUMBERS);
  state = allocateF64(4);
  slopes = allocateF64(2 * (RUNGE_KUTTA_STAGES + 1));
  return history && numbers && state && slopes ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  for (let i = 0; i < ORBIT_NUMBERS; i++) set(numbers, i, parameter(Parameter.a + i));
  setOrbit(numbers);
  logRatio = pole > 0 ? Math.log1p(-tEnd / pole) : 0;
  const omega = parameter(Parameter.omega);
  const stiffness = parameter(Parameter.a) - omega * omega;
  setStatistic(Statistic.lag, Math.atan2(parameter(Parameter.c) * omega, stiffness));
  row = 0;
  step = 0;
  if (byRungeKutta) {
    set(state, 0, parameter(Parameter.phi0));
    set(state, 1, parameter(Parameter.dphi0));
    field(0, state, slopes);
    record(0, get(state, 0), get(state, 1));
  }
  return INFO_OK;
}

/** @returns info: 0; 2 a number is not finite */
export function advance(count: i32): i32 {
  return byRungeKutta ? advanceSteps(count) : advanceSamples(count);
}

/** Equal parts of the time; of the logarithm of the time that is left to the pole, if there is one. */
function timeOf(part: f64): f64 {
  if (part >= 1) return tEnd;
  return pole > 0 ? -pole * Math.expm1(part * logRatio) : part * tEnd;
}

function record(t: f64, phi: f64, dphi: f64): void {
  const target = history + ((<usize>(COLUMNS * row)) << 3);
  set(target, HistoryColumn.t, t);
  set(target, HistoryColumn.phi, phi);
  set(target, HistoryColumn.dphi, dphi);
  row++;
}

function advanceSamples(count: i32): i32 {
  for (let i = 0; i < count && row < samples; i++) {
    const t = timeOf(<f64>row / <f64>(samples - 1));
    orbitAt(t);
    const phi = Orbit.phi;
    const dphi = Orbit.dphi;
    const size = Orbit.size;
    const slopeSize = Orbit.slopeSize;
    let change: f64 = 0;
    let slopeChange: f64 = 0;
    for (let k = 0; k < ORBIT_NUMBERS; k++) {
      const given = get(numbers, k);
      if (given === 0) continue;
      set(numbers, k, given * (1 + CHANGE));
      setOrbit(numbers);
      orbitAt(t);
      change += Math.abs(Orbit.phi - phi);
      slopeChange += Math.abs(Orbit.dphi - dphi);
      set(numbers, k, given);
    }
    setOrbit(numbers);
    const second = acceleration(t, phi, dphi);
    const target = history + ((<usize>(COLUMNS * row)) << 3);
    const rounding = OF_PARAMETERS * ROUNDINGS_IN_CHANGE;
    set(
      target,
      HistoryColumn.phiUncertainty,
      rounding * change + EPSILON * (OF_PARAMETERS * Math.abs(t * dphi) + OF_TERMS * size),
    );
    set(
      target,
      HistoryColumn.dphiUncertainty,
      rounding * slopeChange + EPSILON * (OF_PARAMETERS * Math.abs(t * second) + OF_TERMS * slopeSize),
    );
    record(t, phi, dphi);
    if (!isFinite(phi) || !isFinite(dphi)) {
      setDone(row);
      return INFO_NON_FINITE;
    }
  }
  setDone(row);
  return INFO_OK;
}

function field(t: f64, y: usize, dydt: usize): void {
  set(dydt, 0, get(y, 1));
  set(dydt, 1, acceleration(t, get(y, 0), get(y, 1)));
}

function advanceSteps(count: i32): i32 {
  const all = stepsPerSample * (samples - 1);
  const next = state + 16;
  for (let i = 0; i < count && step < all; i++) {
    const t = timeOf(<f64>step / <f64>all);
    step++;
    const end = timeOf(<f64>step / <f64>all);
    rungeKuttaStep(field, t, state, slopes, end - t, 2, next);
    copyValues(state, next, 2);
    copyValues(slopes, slopes + 16 * (RUNGE_KUTTA_STAGES - 1), 2);
    if (step % stepsPerSample === 0) record(end, get(state, 0), get(state, 1));
    if (!isFinite(get(state, 0)) || !isFinite(get(state, 1))) {
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
