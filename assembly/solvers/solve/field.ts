// The master field on a line, per unit of mass, and the work of what is not conserved.
//
//   φ'' = −g (R / (R + φ))² − α φ − β φ³ − κ exp(μ φ) − b φ' − c φ' |φ'| + F cos(ω t + ψ) + Σ_k w_k C_k(φ, φ', t)
//
// Without R gravity is uniform. The first four terms have a potential. The state is φ, φ', the work of the others per
// unit of mass, and the part of it that damping and drag dissipate.

import { cosinePair } from '../../numerics/cosine-pair';
import { get, set } from '../../numerics/vector';
import { count as couplingCount, couplingForce } from '../multibody/couplings';

/** Parts of smaller numbers lose digits. */
const MIN_SIZE: f64 = 1e-280;

/** Longest state; of conserved motion only φ and φ'. */
export const STATES: i32 = 4;

let gravity: f64 = 0;
let radius: f64 = 0;
let alpha: f64 = 0;
let beta: f64 = 0;
let kappa: f64 = 0;
let mu: f64 = 0;
export let damping: f64 = 0;
export let drag: f64 = 0;
let drive: f64 = 0;
let omega: f64 = 0;
let phase: f64 = 0;
/** Whether anything but the potential acts, and whether more than damping and drag. */
export let hasWork = false;
let isDriven = false;
/** Whether gravity is uniform and no exponential acts. */
export let isPlain = false;
/** Time of the last cosine of the drive, and that: stages share times. */
let driveTime: f64 = NaN;
let driveForce: f64 = 0;
/** Whether the drive acts and no coupling does. */
export let isOnlyDriven = false;
/** The drive at the two times of the last `driveAhead`. */
export let middleForce: f64 = 0;
export let endForce: f64 = 0;
/** Dissipated by damping and drag, of the last `extra`. */
let dissipation: f64 = 0;
/** Largest |φ| of an accepted step so far. */
let reach: f64 = 0;

/** @param g  at φ = 0; @param r  distance of φ = 0 from the centre, 0 for uniform gravity */
export function setPotential(g: f64, r: f64, linear: f64, cubic: f64, strength: f64, exponent: f64): void {
  gravity = g;
  radius = r;
  alpha = linear;
  beta = cubic;
  kappa = strength;
  mu = exponent;
  isPlain = radius === 0 && kappa === 0;
}

export function setExtra(linear: f64, quadratic: f64, amplitude: f64, frequency: f64, at: f64): void {
  damping = linear;
  drag = quadratic;
  drive = amplitude;
  omega = frequency;
  phase = at;
  driveTime = NaN;
  isDriven = drive !== 0 || couplingCount > 0;
  isOnlyDriven = drive !== 0 && couplingCount === 0;
  hasWork = isDriven || damping !== 0 || drag !== 0;
}

/** Length of the state. */
export function statesOf(): i32 {
  return hasWork ? STATES : 2;
}

export function clearReach(): void {
  reach = 0;
}

/** Of the potential where `isPlain`: short, so that it is inlined. */
export function springs(phi: f64): f64 {
  return -phi * (alpha + beta * phi * phi) - gravity;
}

/** Of the potential. */
export function conservative(phi: f64): f64 {
  let a = -phi * (alpha + beta * phi * phi);
  if (radius > 0) {
    const part = radius / (radius + phi);
    a -= radius + phi > 0 ? gravity * part * part : Infinity;
  } else a -= gravity;
  if (kappa !== 0) a -= kappa * Math.exp(mu * phi);
  return a;
}

/** Of everything else; sets `dissipation`. */
export function extra(t: f64, phi: f64, dphi: f64): f64 {
  const loss = damping + drag * Math.abs(dphi);
  dissipation = loss * dphi * dphi;
  return isDriven ? driven(t, phi, dphi, -loss * dphi) : -loss * dphi;
}

/** The drive at a time. */
export function driveAt(t: f64): f64 {
  return drive * Math.cos(omega * t + phase);
}

/** Computes the drive at two times, with the bits of `driveAt`: two cosines side by side take little more than one. */
export function driveAhead(middle: f64, end: f64): void {
  const times = f64x2.replace_lane(f64x2.splat(middle), 1, end);
  const angles = f64x2.add(f64x2.mul(f64x2.splat(omega), times), f64x2.splat(phase));
  const forces = f64x2.mul(f64x2.splat(drive), cosinePair(angles));
  middleForce = f64x2.extract_lane(forces, 0);
  endForce = f64x2.extract_lane(forces, 1);
}

/** With drive and couplings beside `a`. */
function driven(t: f64, phi: f64, dphi: f64, a: f64): f64 {
  if (drive !== 0) {
    if (t !== driveTime) {
      driveTime = t;
      driveForce = driveAt(t);
    }
    a += driveForce;
  }
  if (couplingCount > 0) a += couplingForce(phi, dphi, t);
  return a;
}

/** Dissipated power of the last `extra`. */
export function lastDissipation(): f64 {
  return dissipation;
}

/** The right side at the state y + c. */
export function splitDerivatives(t: f64, y: usize, c: usize, dydt: usize): void {
  const phi = get(y, 0) + get(c, 0);
  const dphi = get(y, 1) + get(c, 1);
  set(dydt, 0, dphi);
  let a = isPlain ? springs(phi) : conservative(phi);
  if (hasWork) {
    const loss = damping + drag * Math.abs(dphi);
    let more = -loss * dphi;
    if (isDriven) more = driven(t, phi, dphi, more);
    a += more;
    set(dydt, 2, dphi * more);
    set(dydt, 3, loss * dphi * dphi);
  }
  set(dydt, 1, a);
}

/**
 * What errors are measured by: of φ the largest so far, at rest at 0 what it reaches in a time of 1; of φ' also what the
 * acceleration makes of that; of work the energies that are exchanged.
 */
export function sizes(y: usize, slopes: usize, out: usize): void {
  const a = Math.abs(get(slopes, 1));
  const v = Math.abs(get(y, 1));
  reach = Math.max(reach, Math.abs(get(y, 0)));
  const size = Math.max(MIN_SIZE, reach > 0 ? reach : Math.max(a, v));
  const speed = Math.max(MIN_SIZE, Math.max(v, Math.sqrt(a * size)));
  set(out, 0, size);
  set(out, 1, speed);
  if (!hasWork) return;
  const energy = speed * speed + Math.abs(gravity) * size;
  set(out, 2, energy);
  set(out, 3, energy);
}
