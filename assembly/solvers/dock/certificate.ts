// Certificate of the best pose of a search: a refined energy, its Hessian, and how far the minimum may still lie below.
//
// Lennard-Jones: Newton's method with central differences of the gradient; at most half g' H^-1 g is left. Vina has kinks and
// jumps: a search without gradients polls both ways along random orthonormal directions, with steps that shrink when none
// lowers the energy. Audet & Dennis, SIAM J. Optim. 17 (2006) 188: dense directions, so that no kink holds it for ever.
import { allocateF64 } from '../../kernel';
import { symmetricEigen } from '../../numerics/eigen/dense-symmetric';
import { normalPair } from '../../numerics/random';
import { copyValues, get, set } from '../../numerics/vector';
import { Energy, evaluate, exactEnergy, outsideBox, sharpEnergy } from './energy';
import { FREEDOM, movePose, POSE } from './pose';

const NEWTON_STEPS: i32 = 6;
const DIFFERENCE: f64 = 2e-5;
/** Curvatures below this part of the largest are those of motions that cost nothing. */
const FLAT: f64 = 1e-6;
const POLL_LONGEST: f64 = 0.05;
const MAX_POLLS: i32 = 1000;
/** Of the square of the steps: the gain of a round after which they need not shrink. */
const GAIN: f64 = 0.1;
/** Rounds without that gain before the steps shrink. */
const PATIENCE: i32 = 2;
/** The stream of the directions. */
const DIRECTIONS: u32 = 0xffffffff;

export class Certificate {
  static energy: f64 = 0;
  static slope: f64 = 0;
  static decrement: f64 = 0;
  /** Directions without a curvature, and with a negative one. */
  static flat: f64 = 0;
  static falling: f64 = 0;
}

/** f64[6]: curvatures in descending order. */
let curvatures: usize = 0;
let hessian: usize = 0;
let vectors: usize = 0;
let gradient: usize = 0;
let above: usize = 0;
let below: usize = 0;
let step: usize = 0;
let trial: usize = 0;
let mirror: usize = 0;

export function allocateCertificate(): usize {
  curvatures = allocateF64(FREEDOM);
  hessian = allocateF64(FREEDOM * FREEDOM);
  vectors = allocateF64(FREEDOM * FREEDOM);
  gradient = allocateF64(FREEDOM);
  above = allocateF64(FREEDOM);
  below = allocateF64(FREEDOM);
  step = allocateF64(FREEDOM);
  trial = allocateF64(POSE);
  mirror = allocateF64(FREEDOM);
  return mirror === 0 ? 0 : curvatures;
}

/** Refines the pose in place; outcomes in `Certificate`. */
export function certify(pose: usize): void {
  if (Energy.isVina) poll(pose, 1e-3, 1e-7);
  else for (let k = 0; k < NEWTON_STEPS; k++) if (!newtonStep(pose)) break;
  setCurvatures(pose);
  Certificate.energy = exactEnergy(pose);
}

/** @returns false where the gradient no longer falls */
function newtonStep(pose: usize): bool {
  setCurvatures(pose);
  const slope = Certificate.slope;
  for (let k = 0; k < FREEDOM; k++) set(step, k, 0);
  const largest = get(curvatures, 0);
  for (let k = 0; k < FREEDOM; k++) {
    const curvature = get(curvatures, k);
    if (!(curvature > FLAT * largest)) continue;
    let along: f64 = 0;
    for (let c = 0; c < FREEDOM; c++) along += get(vectors, k * FREEDOM + c) * get(gradient, c);
    for (let c = 0; c < FREEDOM; c++) {
      set(step, c, get(step, c) - (along / curvature) * get(vectors, k * FREEDOM + c));
    }
  }
  movePose(trial, pose, step, 1);
  evaluate(trial, above);
  let square: f64 = 0;
  for (let k = 0; k < FREEDOM; k++) square += get(above, k) * get(above, k);
  if (!(Math.sqrt(square) < 0.5 * slope)) return false;
  copyValues(pose, trial, POSE);
  return true;
}

/** The gradient, the curvatures of the Hessian, and what a Newton step would gain. */
function setCurvatures(pose: usize): void {
  for (let k = 0; k < FREEDOM; k++) {
    for (let c = 0; c < FREEDOM; c++) set(step, c, c === k ? DIFFERENCE : 0);
    movePose(trial, pose, step, 1);
    evaluate(trial, above);
    movePose(trial, pose, step, -1);
    evaluate(trial, below);
    for (let c = 0; c < FREEDOM; c++) {
      set(hessian, k * FREEDOM + c, (get(above, c) - get(below, c)) / (2 * DIFFERENCE));
    }
  }
  for (let k = 0; k < FREEDOM; k++) {
    for (let c = 0; c < k; c++) {
      const mean = 0.5 * (get(hessian, k * FREEDOM + c) + get(hessian, c * FREEDOM + k));
      set(hessian, k * FREEDOM + c, mean);
      set(hessian, c * FREEDOM + k, mean);
    }
  }
  evaluate(pose, gradient);
  symmetricEigen(hessian, vectors, FREEDOM);
  const largest = get(hessian, 0);
  let square: f64 = 0;
  Certificate.decrement = 0;
  Certificate.flat = 0;
  Certificate.falling = 0;
  for (let k = 0; k < FREEDOM; k++) {
    const curvature = get(hessian, k * FREEDOM + k);
    set(curvatures, k, curvature);
    let along: f64 = 0;
    for (let c = 0; c < FREEDOM; c++) along += get(vectors, k * FREEDOM + c) * get(gradient, c);
    square += along * along;
    if (curvature > FLAT * largest) Certificate.decrement += (0.5 * along * along) / curvature;
    else if (curvature < -FLAT * largest) Certificate.falling += 1;
    else Certificate.flat += 1;
  }
  Certificate.slope = Math.sqrt(square);
}

/** Moves the pose to where no step of the poll, from one length down to another, lowers the sharp energy inside the box. */
export function poll(pose: usize, from: f64, to: f64): void {
  let energy = sharpEnergy(pose);
  let length = from;
  let idle = 0;
  for (let round = 0; round < MAX_POLLS && length > to; round++) {
    drawMirror(round);
    const before = energy;
    for (let k = 0; k < 2 * FREEDOM; k++) {
      // A column of I − 2 v v', there and back.
      const axis = k >> 1;
      const factor = 2 * get(mirror, axis);
      for (let c = 0; c < FREEDOM; c++) set(step, c, (c === axis ? 1 : 0) - factor * get(mirror, c));
      movePose(trial, pose, step, (k & 1) === 0 ? length : -length);
      const found = sharpEnergy(trial);
      if (found < energy && !(outsideBox() > 0)) {
        energy = found;
        copyValues(pose, trial, POSE);
      }
    }
    if (before - energy > GAIN * length * length) {
      idle = 0;
      length = Math.min(POLL_LONGEST, 2 * length);
    } else if (++idle === PATIENCE) {
      idle = 0;
      length *= 0.3;
    }
  }
}

/** A random unit vector of six dimensions. */
function drawMirror(round: i32): void {
  let square: f64 = 0;
  for (let k = 0; k < FREEDOM; k += 2) {
    normalPair(mirror + ((<usize>k) << 3), DIRECTIONS, ((<u64>round) << 2) + <u64>(k >> 1));
    square += get(mirror, k) * get(mirror, k) + get(mirror, k + 1) * get(mirror, k + 1);
  }
  const scale = 1 / Math.sqrt(square);
  for (let k = 0; k < FREEDOM; k++) set(mirror, k, scale * get(mirror, k));
}
