// Runge and Kutta's classical method with equal steps, run again with shorter ones until it agrees with a reference.
//
// Each try compares φ and φ' at all samples with the reference, relative to their largest magnitudes; the next step
// follows from the order 4. Stable for h |λ| < 2.785 on the negative real axis.
import { get, set } from '../../numerics/vector';
import {
  conservative,
  damping,
  drag,
  driveAhead,
  driveAt,
  endForce,
  extra,
  hasWork,
  isOnlyDriven,
  isPlain,
  lastDissipation,
  middleForce,
  springs,
} from './field';

export const TUNING: i32 = 0;
export const TUNED: i32 = 1;
/** Of tries, of steps, or no step is better. */
export const TRIES_SPENT: i32 = 2;
export const STEPS_SPENT: i32 = 3;
export const STALLED: i32 = 4;

export let status: i32 = TUNING;
export let tries: i32 = 0;
export let error: f64 = Infinity;
/** Steps from one sample to the next of the last try. */
export let perSample: f64 = 1;

let samples: i32 = 0;
let end: f64 = 0;
let tolerance: f64 = 0;
let maxTries: i32 = 0;
let maxSteps: f64 = 0;
let to: usize = 0;
let reference: usize = 0;
let stride: i32 = 0;
let phiScale: f64 = 0;
let dphiScale: f64 = 0;
let h: f64 = 0;
let step: f64 = 0;
let inSample: f64 = 0;
let row: i32 = 0;
let worst: f64 = 0;
let before: f64 = Infinity;
let phi: f64 = 0;
let dphi: f64 = 0;
let work: f64 = 0;
let dissipated: f64 = 0;

/** Factors of the number of steps from one try to the next. */
const MIN_FACTOR: f64 = 1.25;
const MAX_FACTOR: f64 = 32;
const SAFETY: f64 = 1.1;
/** A try with an error above this part of the last one is no better. */
const BETTER: f64 = 0.9;

/**
 * @param target     f64 rows of `rowWidth`: φ, φ', work, dissipated, written; the first is the start
 * @param known      rows of the same width that begin with φ, φ'
 * @param largest    steps of a try
 */
export function startTuning(
  target: usize,
  known: usize,
  rowWidth: i32,
  count: i32,
  tEnd: f64,
  dt: f64,
  accepted: f64,
  iterations: i32,
  largest: f64,
): void {
  to = target;
  reference = known;
  stride = rowWidth;
  samples = count;
  end = tEnd;
  tolerance = accepted;
  maxTries = iterations;
  maxSteps = largest;
  phiScale = 0;
  dphiScale = 0;
  for (let i = 0; i < count; i++) {
    phiScale = Math.max(phiScale, Math.abs(get(reference, i * stride)));
    dphiScale = Math.max(dphiScale, Math.abs(get(reference, i * stride + 1)));
  }
  status = TUNING;
  tries = 0;
  error = Infinity;
  before = Infinity;
  const intervals = <f64>(count - 1);
  // A quotient that is whole but for rounding is taken as whole.
  perSample = Math.max(1, Math.ceil((end / dt / intervals) * (1 - 1e-12)));
  perSample = Math.min(perSample, Math.floor(maxSteps / intervals));
  begin();
}

function begin(): void {
  tries += 1;
  h = end / (perSample * <f64>(samples - 1));
  step = 0;
  inSample = 0;
  row = 0;
  worst = 0;
  phi = get(to, 0);
  dphi = get(to, 1);
  work = 0;
  dissipated = 0;
}

/** At most `count` steps. */
export function advanceTuning(count: i32): void {
  for (let i = 0; i < count && status === TUNING; i++) {
    if (isPlain && !hasWork) stepAlone();
    else if (isPlain && isOnlyDriven) stepDriven(h * step, h * (step + 1));
    else stepWithWork(h * step, h * (step + 1));
    step += 1;
    inSample += 1;
    if (inSample === perSample) recordSample();
  }
}

/** Of what has a potential, without a call. */
function stepAlone(): void {
  const half = 0.5 * h;
  const a1 = springs(phi);
  const v2 = dphi + half * a1;
  const a2 = springs(phi + half * dphi);
  const v3 = dphi + half * a2;
  const a3 = springs(phi + half * v2);
  const v4 = dphi + h * a3;
  const a4 = springs(phi + h * v3);
  const sixth = h / 6;
  phi += sixth * (dphi + 2 * (v2 + v3) + v4);
  dphi += sixth * (a1 + 2 * (a2 + a3) + a4);
}

/** As `stepWithWork` of springs, damping, drag and a drive, without calls but for the cosines. */
function stepDriven(t: f64, after: f64): void {
  const half = 0.5 * h;
  const force = step === 0 ? driveAt(t) : endForce;
  driveAhead(t + half, after);
  const l1 = damping + drag * Math.abs(dphi);
  const b1 = -l1 * dphi + force;
  const a1 = springs(phi) + b1;
  const v2 = dphi + half * a1;
  const x2 = phi + half * dphi;
  const l2 = damping + drag * Math.abs(v2);
  const b2 = -l2 * v2 + middleForce;
  const a2 = springs(x2) + b2;
  const v3 = dphi + half * a2;
  const x3 = phi + half * v2;
  const l3 = damping + drag * Math.abs(v3);
  const b3 = -l3 * v3 + middleForce;
  const a3 = springs(x3) + b3;
  const v4 = dphi + h * a3;
  const x4 = phi + h * v3;
  const l4 = damping + drag * Math.abs(v4);
  const b4 = -l4 * v4 + endForce;
  const a4 = springs(x4) + b4;
  const sixth = h / 6;
  work += sixth * (dphi * b1 + 2 * (v2 * b2 + v3 * b3) + v4 * b4);
  dissipated += sixth * (l1 * dphi * dphi + 2 * (l2 * v2 * v2 + l3 * v3 * v3) + l4 * v4 * v4);
  phi += sixth * (dphi + 2 * (v2 + v3) + v4);
  dphi += sixth * (a1 + 2 * (a2 + a3) + a4);
}

function stepWithWork(t: f64, after: f64): void {
  const half = 0.5 * h;
  const b1 = extra(t, phi, dphi);
  const d1 = lastDissipation();
  const a1 = (isPlain ? springs(phi) : conservative(phi)) + b1;
  const v2 = dphi + half * a1;
  const x2 = phi + half * dphi;
  const b2 = extra(t + half, x2, v2);
  const d2 = lastDissipation();
  const a2 = (isPlain ? springs(x2) : conservative(x2)) + b2;
  const v3 = dphi + half * a2;
  const x3 = phi + half * v2;
  const b3 = extra(t + half, x3, v3);
  const d3 = lastDissipation();
  const a3 = (isPlain ? springs(x3) : conservative(x3)) + b3;
  const v4 = dphi + h * a3;
  const x4 = phi + h * v3;
  const b4 = extra(after, x4, v4);
  const d4 = lastDissipation();
  const a4 = (isPlain ? springs(x4) : conservative(x4)) + b4;
  const sixth = h / 6;
  work += sixth * (dphi * b1 + 2 * (v2 * b2 + v3 * b3) + v4 * b4);
  dissipated += sixth * (d1 + 2 * (d2 + d3) + d4);
  phi += sixth * (dphi + 2 * (v2 + v3) + v4);
  dphi += sixth * (a1 + 2 * (a2 + a3) + a4);
}

function recordSample(): void {
  inSample = 0;
  row += 1;
  const at = row * stride;
  set(to, at, phi);
  set(to, at + 1, dphi);
  set(to, at + 2, work);
  set(to, at + 3, dissipated);
  const off = Math.max(part(phi, at, phiScale), part(dphi, at + 1, dphiScale));
  // Not Math.max: a NaN is an error without bound.
  if (!(off <= worst)) worst = isNaN(off) ? Infinity : off;
  if (row === samples - 1) finish();
}

function part(value: f64, at: i32, scale: f64): f64 {
  const difference = Math.abs(value - get(reference, at));
  return difference === 0 ? 0 : difference / scale;
}

function finish(): void {
  error = worst;
  if (error <= tolerance) {
    status = TUNED;
    return;
  }
  if (tries === maxTries) {
    status = TRIES_SPENT;
    return;
  }
  if (!(error <= BETTER * before) && isFinite(before) && error < 1e-3) {
    status = STALLED;
    return;
  }
  before = error;
  const factor = SAFETY * Math.sqrt(Math.sqrt(error / tolerance));
  const next = Math.ceil(perSample * Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, isFinite(factor) ? factor : 2)));
  if (next * <f64>(samples - 1) > maxSteps) {
    status = STEPS_SPENT;
    return;
  }
  perSample = next;
  begin();
}
