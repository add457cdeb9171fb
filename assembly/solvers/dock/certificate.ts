// What is known about the best pose of a search: a refined energy, its Hessian, and how far the minimum may still lie below.
//
// Lennard-Jones: Newton's method with central differences of the gradient; at most half g' H^-1 g is left. Vina has kinks
// and jumps: a compass search with shrinking steps, and what its last round of steps gained.
import { allocateF64 } from '../../kernel';
import { symmetricEigen } from '../../numerics/eigen/dense-symmetric';
import { copyValues, get, set } from '../../numerics/vector';
import { Energy, evaluate, exactEnergy, outsideBox } from './energy';
import { FREEDOM, movePose, POSE } from './pose';

const NEWTON_STEPS: i32 = 6;
const DIFFERENCE: f64 = 2e-5;
/** Curvatures below this part of the largest are those of motions that cost nothing. */
const FLAT: f64 = 1e-6;
const COMPASS_FROM: f64 = 0.02;
const COMPASS_TO: f64 = 1e-6;
const COMPASS_ROUNDS: i32 = 4000;

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

export function allocateCertificate(): usize {
  curvatures = allocateF64(FREEDOM);
  hessian = allocateF64(FREEDOM * FREEDOM);
  vectors = allocateF64(FREEDOM * FREEDOM);
  gradient = allocateF64(FREEDOM);
  above = allocateF64(FREEDOM);
  below = allocateF64(FREEDOM);
  step = allocateF64(FREEDOM);
  trial = allocateF64(POSE);
  return trial === 0 ? 0 : curvatures;
}

/** Refines the pose in place; outcomes in `Certificate`. */
export function certify(pose: usize): void {
  if (Energy.isVina) searchCompass(pose);
  else {
    for (let k = 0; k < NEWTON_STEPS; k++) if (!newtonStep(pose)) break;
  }
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

/** Steps along each freedom and back, halved when none lowers the exact energy inside the box. */
function searchCompass(pose: usize): void {
  let energy = exactEnergy(pose);
  let length = COMPASS_FROM;
  let gained: f64 = 0;
  for (let round = 0; round < COMPASS_ROUNDS && length > COMPASS_TO; round++) {
    const before = energy;
    for (let k = 0; k < 2 * FREEDOM; k++) {
      for (let c = 0; c < FREEDOM; c++) set(step, c, c === k >> 1 ? ((k & 1) === 0 ? length : -length) : 0);
      movePose(trial, pose, step, 1);
      const found = exactEnergy(trial);
      if (found < energy && !(outsideBox() > 0)) {
        energy = found;
        copyValues(pose, trial, POSE);
      }
    }
    gained += before - energy;
    if (before - energy > 1e-12) continue;
    length *= 0.5;
  }
}
