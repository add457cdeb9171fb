// Exposes the steppers of high order in assembly/numerics/ode to their test, on Kepler's problem with a known solution.
import { allocateF64 } from '../../assembly/kernel';
import { compositionStages, compositionStep } from '../../assembly/numerics/ode/composition';
import {
  controlledSize,
  here,
  initControlled,
  insideControlled,
  interpolateControlled,
  now,
  startControlled,
  TRY_ACCEPTED,
  TRY_FAILED,
  tryControlledStep,
  width,
} from '../../assembly/numerics/ode/controlled';
import {
  DOP853_INTERPOLANT,
  DOP853_STAGES,
  dop853Interpolant,
  dop853Interpolate,
  dop853Result,
  dop853Stages,
} from '../../assembly/numerics/ode/dop853';
import {
  EXTRAPOLATION_COLUMNS,
  extrapolationScratch,
  extrapolationStep,
} from '../../assembly/numerics/ode/extrapolation';
import { get, set } from '../../assembly/numerics/vector';

export { compositionStages };

const N: i32 = 4;
const EXTRAPOLATION: i32 = 1;
const SHORT_EXTRAPOLATION: i32 = 2;
/** Of a step, which begins at 0 and changes by the whole state. */
const origin: usize = memory.data(32, 16);
const y: usize = memory.data(32, 16);
const out: usize = memory.data(32, 16);
const slopes: usize = memory.data(32, 16);
const error: usize = memory.data(32, 16);
let eccentricity: f64 = 0;

function acceleration(x: usize, a: usize): void {
  const r2 = get(x, 0) * get(x, 0) + get(x, 1) * get(x, 1);
  const w = -1 / (r2 * Math.sqrt(r2));
  set(a, 0, w * get(x, 0));
  set(a, 1, w * get(x, 1));
}

function kepler(_t: f64, at: usize, dydt: usize): void {
  set(dydt, 0, get(at, 2));
  set(dydt, 1, get(at, 3));
  acceleration(at, dydt + 16);
}

const sum: usize = memory.data(32, 16);

function keplerSplit(t: f64, origin: usize, change: usize, dydt: usize): void {
  for (let i = 0; i < N; i++) set(sum, i, get(origin, i) + get(change, i));
  kepler(t, sum, dydt);
}

/** The error of a body is a part of its distance and of its speed. */
function sizes(at: usize, _slopes: usize, to: usize): void {
  const distance = Math.hypot(get(at, 0), get(at, 1));
  const speed = Math.hypot(get(at, 2), get(at, 3));
  set(to, 0, distance);
  set(to, 1, distance);
  set(to, 2, speed);
  set(to, 3, speed);
}

function perihelion(e: f64): void {
  eccentricity = e;
  set(y, 0, 1 - e);
  set(y, 1, 0);
  set(y, 2, 0);
  set(y, 3, Math.sqrt((1 + e) / (1 - e)));
}

/** Distance of the position at `at` from the exact one. */
function distanceAt(t: f64, at: usize): f64 {
  let anomaly = t;
  for (let i = 0; i < 60; i++) {
    const residual = anomaly - eccentricity * Math.sin(anomaly) - t;
    anomaly -= residual / (1 - eccentricity * Math.cos(anomaly));
  }
  const x = Math.cos(anomaly) - eccentricity;
  const z = Math.sqrt(1 - eccentricity * eccentricity) * Math.sin(anomaly);
  return Math.hypot(get(at, 0) - x, get(at, 1) - z);
}

/** Equal steps from 0 to 3 by DOP853 (0), extrapolation (1) or that with six columns (2). @returns the error at the end */
export function stepError(method: i32, steps: i32, e: f64): f64 {
  const k = allocateF64(DOP853_STAGES * N);
  const scratch = allocateF64(extrapolationScratch(N));
  const h = 3 / <f64>steps;
  perihelion(e);
  for (let i = 0; i < steps; i++) {
    const t = h * <f64>i;
    kepler(t, y, k);
    const columns = method === SHORT_EXTRAPOLATION ? 6 : EXTRAPOLATION_COLUMNS;
    if (method >= EXTRAPOLATION) extrapolationStep(keplerSplit, columns, t, origin, y, k, h, N, out, error, scratch);
    else {
      dop853Stages(keplerSplit, t, origin, y, k, h, N, scratch);
      dop853Result(y, k, h, N, out);
    }
    memory.copy(y, out, 32);
  }
  return distanceAt(3, y);
}

/** The largest error of the interpolant inside one step of h from perihelion. */
export function interpolantError(h: f64, e: f64): f64 {
  const k = allocateF64(DOP853_STAGES * N);
  const scratch = allocateF64(N);
  const dense = allocateF64(DOP853_INTERPOLANT * N);
  perihelion(e);
  kepler(0, y, k);
  dop853Stages(keplerSplit, 0, origin, y, k, h, N, scratch);
  dop853Result(y, k, h, N, out);
  kepler(h, out, k + ((<usize>(12 * N)) << 3));
  dop853Interpolant(keplerSplit, 0, origin, y, k, h, N, out, scratch, dense);
  let largest: f64 = 0;
  for (let i = 1; i < 10; i++) {
    dop853Interpolate(dense, 0.1 * <f64>i, N, scratch);
    largest = Math.max(largest, distanceAt(0.1 * <f64>i * h, scratch));
  }
  return largest;
}

/** Symplectic steps over `orbits` orbits. @returns the largest relative error of the energy at a step */
export function energyError(order: i32, stepsPerOrbit: i32, orbits: i32, e: f64): f64 {
  perihelion(e);
  acceleration(y, slopes);
  let largest: f64 = 0;
  const h = (2 * Math.PI) / <f64>stepsPerOrbit;
  for (let i = 0; i < stepsPerOrbit * orbits; i++) {
    compositionStep(acceleration, order, y, y + 16, slopes, h, 2);
    const kinetic = 0.5 * (get(y, 2) * get(y, 2) + get(y, 3) * get(y, 3));
    largest = Math.max(largest, Math.abs((kinetic - 1 / Math.hypot(get(y, 0), get(y, 1)) + 0.5) / 0.5));
  }
  return largest;
}

/** Forward and back by as many steps. @returns the distance from the start */
export function returnError(order: i32, steps: i32, h: f64, e: f64): f64 {
  perihelion(e);
  acceleration(y, slopes);
  for (let i = 0; i < steps; i++) compositionStep(acceleration, order, y, y + 16, slopes, h, 2);
  for (let i = 0; i < steps; i++) compositionStep(acceleration, order, y, y + 16, slopes, -h, 2);
  return distanceAt(0, y);
}

export let controlledSteps: i32 = 0;
export let insideError: f64 = 0;
export let denseError: f64 = 0;

/** Adaptive steps from perihelion to `end`. @returns the error at the end; −1 if no step is short enough */
export function controlledError(method: i32, rtol: f64, end: f64, maxStep: f64, e: f64): f64 {
  const work = allocateF64(controlledSize(N));
  const point = allocateF64(N);
  perihelion(e);
  initControlled(keplerSplit, sizes, N, work);
  startControlled(0, y, rtol, 1e-3, maxStep, method === EXTRAPOLATION);
  controlledSteps = 0;
  insideError = 0;
  denseError = 0;
  for (let tries = 0; tries < 1_000_000 && now < end; tries++) {
    const outcome = tryControlledStep(end);
    if (outcome === TRY_FAILED) return -1;
    if (outcome !== TRY_ACCEPTED) continue;
    controlledSteps++;
    const t = now - 0.6 * width;
    interpolateControlled(0.4, point);
    denseError = Math.max(denseError, distanceAt(t, point));
    insideControlled(0.4, point);
    insideError = Math.max(insideError, distanceAt(t, point));
  }
  return distanceAt(now, here);
}

const FAR: f64 = 1_000_000;
const far: usize = memory.data(32, 16);

/** Kepler's problem about a centre that is far from 0, whose place is subtracted from origin and change apart. */
function farKepler(t: f64, origin: usize, change: usize, dydt: usize): void {
  for (let i = 0; i < N; i++) set(sum, i, get(origin, i) - get(far, i) + get(change, i));
  kepler(t, sum, dydt);
}

function farSizes(at: usize, slopes: usize, to: usize): void {
  for (let i = 0; i < N; i++) set(out, i, get(at, i) - get(far, i));
  sizes(out, slopes, to);
}

/** As \`controlledError\` with a centre a million away. */
export function farError(method: i32, rtol: f64, end: f64, e: f64): f64 {
  const work = allocateF64(controlledSize(N));
  perihelion(e);
  set(far, 0, FAR);
  set(far, 1, -FAR);
  for (let i = 0; i < N; i++) set(y, i, get(y, i) + get(far, i));
  // The start as it is once it is rounded.
  eccentricity = 1 - (get(y, 0) - FAR);
  set(y, 3, Math.sqrt((1 + eccentricity) / (1 - eccentricity)));
  initControlled(farKepler, farSizes, N, work);
  startControlled(0, y, rtol, 1e-3, 10, method === EXTRAPOLATION);
  for (let tries = 0; tries < 1_000_000 && now < end; tries++) if (tryControlledStep(end) === TRY_FAILED) return -1;
  for (let i = 0; i < N; i++) set(out, i, get(here, i) - get(far, i));
  return distanceAt(now, out);
}
