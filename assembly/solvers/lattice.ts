// Kuramoto's phase oscillators on a chain, a ring or all to all: θ_i' = ω_i + K Σ sin(θ_j − θ_i), and the integral of r.
//
// The classical Runge–Kutta method, order 4, stable for h · 4K < 2.785; or DOP853 with its error controlled, for a second
// opinion. r = |mean of exp(iθ)| has a kink where two phases oppose each other: a Runge–Kutta step of two nodes is cut
// there. Times and frequencies are those of a frame that turns with the mean frequency. Kuramoto (1975); Strogatz, Physica
// D 143 (2000) 1; Hairer, Nørsett & Wanner I, §II.1 and §II.5.
//
// Calls in inner loops: a step calls the right side; it has two to five sines a neighbour, far more than a call.
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
import {
  controlledSize,
  here,
  initControlled,
  now,
  startControlled,
  TRY_FAILED,
  tryControlledStep,
} from '../numerics/ode/controlled';
import { RUNGE_KUTTA_STAGES, rungeKuttaStep } from '../numerics/ode/runge-kutta';
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';

export { abi, control } from '../kernel';

/**
 * isAdaptive 0 | 1; nodes 2 to 5; topology 0 chain | 1 ring | 2 all to all; coupling K in rad/s, finite; tEnd > 0 in s; samples
 * ≥ 2; stepsPerSample of Runge–Kutta; tolerance of DOP853; then ω less its mean in rad/s, and θ at the start in rad.
 */
export enum Parameter {
  isAdaptive,
  nodes,
  topology,
  coupling,
  tEnd,
  samples,
  stepsPerSample,
  tolerance,
  omega1,
  omega2,
  omega3,
  omega4,
  omega5,
  theta1,
  theta2,
  theta3,
  theta4,
  theta5,
}

/** history f64[samples, 9], see HistoryColumn. */
export enum View {
  history,
}

/** t, θ of each node (0 of those that are not), r, ψ of mean exp(iθ), and the integral of r since the start. */
export enum HistoryColumn {
  t,
  theta1,
  theta2,
  theta3,
  theta4,
  theta5,
  r,
  psi,
  integral,
}

const COLUMNS: i32 = HistoryColumn.integral + 1;
const MAX_NODES: i32 = 5;
const MAX_SAMPLES: f64 = 10_000;
const MAX_STEPS: f64 = 1e6;
const MAX_TRIES: i32 = 100_000;
const RING: i32 = 1;
const ALL: i32 = 2;

let isAdaptive = false;
let nodes: i32 = 0;
let topology: i32 = 0;
let coupling: f64 = 0;
let tEnd: f64 = 0;
let samples: i32 = 0;
let stepsPerSample: i32 = 1;
let history: usize = 0;
let state: usize = 0;
let slopes: usize = 0;
let work: usize = 0;
let row: i32 = 0;
let step: i32 = 0;
/** Of cos((θ₁ − θ₂)/2), as the integrand of two nodes takes it, so that it is smooth within a step. */
let sign: f64 = 1;
let r: f64 = 0;
let cosines: f64 = 0;
let sines: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isFlag(parameter(Parameter.isAdaptive))) return illegal(Parameter.isAdaptive);
  if (!isIntegerBetween(parameter(Parameter.nodes), 2, MAX_NODES)) return illegal(Parameter.nodes);
  if (!isIntegerBetween(parameter(Parameter.topology), 0, ALL)) return illegal(Parameter.topology);
  if (!isFinite(parameter(Parameter.coupling))) return illegal(Parameter.coupling);
  if (!isPositive(parameter(Parameter.tEnd))) return illegal(Parameter.tEnd);
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.stepsPerSample), 1, MAX_STEPS)) return illegal(Parameter.stepsPerSample);
  if (!isPositive(parameter(Parameter.tolerance))) return illegal(Parameter.tolerance);
  for (let i: i32 = Parameter.omega1; i <= Parameter.theta5; i++) if (!isFinite(parameter(i))) return illegal(i);
  isAdaptive = parameter(Parameter.isAdaptive) === 1;
  nodes = <i32>parameter(Parameter.nodes);
  topology = <i32>parameter(Parameter.topology);
  coupling = parameter(Parameter.coupling);
  tEnd = parameter(Parameter.tEnd);
  samples = <i32>parameter(Parameter.samples);
  stepsPerSample = <i32>parameter(Parameter.stepsPerSample);
  const n = nodes + 1;
  history = allocateF64(COLUMNS * samples);
  state = allocateF64(3 * n);
  slopes = allocateF64(n * (RUNGE_KUTTA_STAGES + 1));
  work = allocateF64(controlledSize(n) + n);
  return history && state && slopes && work ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  row = 0;
  step = 0;
  for (let i = 0; i < nodes; i++) set(state, i, parameter(Parameter.theta1 + i));
  set(state, nodes, 0);
  sign = nodes === 2 && Math.cos(0.5 * (get(state, 0) - get(state, 1))) < 0 ? -1 : 1;
  field(0, state, slopes);
  if (isAdaptive) {
    const n = nodes + 1;
    initControlled(split, sizesOf, n, work);
    startControlled(0, state, parameter(Parameter.tolerance), 1e-3 * sampleTime(1), sampleTime(1), false);
  }
  record(0, state);
  return INFO_OK;
}

function sampleTime(sample: i32): f64 {
  return sample === samples - 1 ? tEnd : (<f64>sample / <f64>(samples - 1)) * tEnd;
}

/** Sets r of the phases, and the sums of their cosines and sines. */
function orderOf(y: usize): void {
  let x: f64 = 0;
  let z: f64 = 0;
  for (let i = 0; i < nodes; i++) {
    x += Math.cos(get(y, i));
    z += Math.sin(get(y, i));
  }
  r = Math.sqrt(x * x + z * z) / <f64>nodes;
  cosines = x;
  sines = z;
}

function isNeighbour(i: i32, j: i32): bool {
  if (i === j) return false;
  if (topology === ALL) return true;
  const distance = i > j ? i - j : j - i;
  return distance === 1 || (topology === RING && nodes > 2 && distance === nodes - 1);
}

function field(_t: f64, y: usize, dydt: usize): void {
  for (let i = 0; i < nodes; i++) set(dydt, i, parameter(Parameter.omega1 + i));
  // Each pair once, so that what one gains the other loses to the last bit.
  for (let i = 0; i < nodes; i++) {
    for (let j = i + 1; j < nodes; j++) {
      if (!isNeighbour(i, j)) continue;
      const pull = coupling * Math.sin(get(y, j) - get(y, i));
      set(dydt, i, get(dydt, i) + pull);
      set(dydt, j, get(dydt, j) - pull);
    }
  }
  if (nodes === 2) {
    const half = Math.cos(0.5 * (get(y, 0) - get(y, 1)));
    set(dydt, 2, isAdaptive ? Math.abs(half) : sign * half);
    return;
  }
  orderOf(y);
  set(dydt, nodes, r);
}

function split(t: f64, origin: usize, change: usize, dydt: usize): void {
  const y = work + ((<usize>controlledSize(nodes + 1)) << 3);
  for (let i = 0; i <= nodes; i++) set(y, i, get(origin, i) + get(change, i));
  field(t, y, dydt);
}

function sizesOf(_y: usize, _slopes: usize, out: usize): void {
  for (let i = 0; i <= nodes; i++) set(out, i, 1);
}

function record(t: f64, y: usize): void {
  const target = history + ((<usize>(COLUMNS * row)) << 3);
  orderOf(y);
  set(target, HistoryColumn.t, t);
  for (let i = 0; i < nodes; i++) set(target, HistoryColumn.theta1 + i, get(y, i));
  set(target, HistoryColumn.r, r);
  set(target, HistoryColumn.psi, Math.atan2(sines, cosines));
  set(target, HistoryColumn.integral, get(y, nodes));
  row++;
}

/** @returns info: 0; 2 a number is not finite; 3 no step is short enough */
export function advance(count: i32): i32 {
  return isAdaptive ? advanceSamples(count) : advanceSteps(count);
}

/** Steps of DOP853 end at each sample, which is shorter than any of its turns. */
function advanceSamples(count: i32): i32 {
  for (let i = 0; i < count && row < samples; i++) {
    const end = sampleTime(row);
    for (let tries = 0; now < end; tries++) {
      if (tryControlledStep(end) === TRY_FAILED || tries > MAX_TRIES) {
        setDone(row - 1);
        return 3;
      }
    }
    record(end, here);
    if (!isFinite(r)) {
      setDone(row - 1);
      return INFO_NON_FINITE;
    }
  }
  setDone(row - 1);
  return INFO_OK;
}

/** One step from the state to `out`; the slopes at its start are read, those at its end written there. */
function advanceBy(t: f64, h: f64, out: usize): void {
  rungeKuttaStep(field, t, state, slopes, h, nodes + 1, out);
}

function accept(out: usize): void {
  copyValues(state, out, nodes + 1);
  copyValues(slopes, slopes + ((<usize>((RUNGE_KUTTA_STAGES - 1) * (nodes + 1))) << 3), nodes + 1);
}

const isOpposite = (y: usize): bool => sign * Math.cos(0.5 * (get(y, 0) - get(y, 1))) < 0;

function advanceSteps(count: i32): i32 {
  const all = stepsPerSample * (samples - 1);
  const next = state + ((<usize>(nodes + 1)) << 3);
  for (let i = 0; i < count && step < all; i++) {
    const t = stepTime(step, all);
    step++;
    const end = stepTime(step, all);
    advanceBy(t, end - t, next);
    if (nodes === 2 && isOpposite(next)) cutStep(t, end - t, next);
    else accept(next);
    if (step % stepsPerSample === 0) record(end, state);
    if (!isFinite(get(state, 0)) || !isFinite(get(state, nodes))) {
      setDone(step);
      return INFO_NON_FINITE;
    }
  }
  setDone(step);
  return INFO_OK;
}

function stepTime(done: i32, all: i32): f64 {
  return done === all ? tEnd : (<f64>done / <f64>all) * tEnd;
}

/** A step in two parts, before and after the phases oppose each other. */
function cutStep(t: f64, h: f64, next: usize): void {
  let low: f64 = 0;
  let high = h;
  for (let k = 0; k < 60; k++) {
    const middle = 0.5 * (low + high);
    advanceBy(t, middle, next);
    if (isOpposite(next)) high = middle;
    else low = middle;
  }
  advanceBy(t, high, next);
  accept(next);
  sign = -sign;
  field(t + high, state, slopes);
  advanceBy(t + high, h - high, next);
  accept(next);
}

export function view(i: i32): usize {
  return i === View.history ? history : 0;
}

export function extent(i: i32): i32 {
  return i === View.history ? COLUMNS * samples : 0;
}
