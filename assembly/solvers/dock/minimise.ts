// Local minimisation in the tangent space of a pose: L-BFGS, with backtracking along each direction.
//
// Limited-memory BFGS by the two-loop recursion (Nocedal & Wright, Numerical Optimization, 2nd ed.); steps are cut to
// a largest length, pairs without positive curvature are left out. The energy never rises. It stops at a small gradient, or
// where no step along the steepest descent lowers the energy by more than rounding (at a kink of Vina's ramps).
import { allocateF64 } from '../../kernel';
import { copyValues, get, set } from '../../numerics/vector';
import { evaluate } from './energy';
import { FREEDOM, movePose, POSE } from './pose';

const MEMORY: i32 = 6;
const DECREASE: f64 = 1e-4;
const MAX_TRIALS: i32 = 24;
const FIRST_LENGTH: f64 = 0.05;
const ROUNDING: f64 = 4e-15;

export class Minimise {
  static maxIterations: i32 = 0;
  /** Of the gradient's length. */
  static tolerance: f64 = 1e-8;
  static maxStep: f64 = 0.3;
  /** Of the last run: energy with the spring, length of the gradient, and whether the iterations ran out. */
  static energy: f64 = 0;
  static slope: f64 = 0;
  static isExhausted: bool = false;
}

let steps: usize = 0;
let changes: usize = 0;
let curvatures: usize = 0;
let weights: usize = 0;
let gradient: usize = 0;
let nextGradient: usize = 0;
let direction: usize = 0;
let trial: usize = 0;
let held: i32 = 0;
let newest: i32 = 0;

export function allocateMinimise(): bool {
  steps = allocateF64(MEMORY * FREEDOM);
  changes = allocateF64(MEMORY * FREEDOM);
  curvatures = allocateF64(MEMORY);
  weights = allocateF64(MEMORY);
  gradient = allocateF64(FREEDOM);
  nextGradient = allocateF64(FREEDOM);
  direction = allocateF64(FREEDOM);
  trial = allocateF64(POSE);
  return trial !== 0;
}

function dot(a: usize, b: usize): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < FREEDOM; k++) sum += get(a, k) * get(b, k);
  return sum;
}

function row(matrix: usize, k: i32): usize {
  return matrix + ((<usize>(k * FREEDOM)) << 3);
}

/** Moves `pose` to a local minimum. Outcomes in `Minimise`. */
export function minimise(pose: usize): void {
  held = 0;
  Minimise.isExhausted = Minimise.maxIterations > 0;
  let energy = evaluate(pose, gradient);
  for (let iteration = 0; iteration < Minimise.maxIterations; iteration++) {
    const square = dot(gradient, gradient);
    if (!(square > Minimise.tolerance * Minimise.tolerance)) {
      Minimise.isExhausted = false;
      break;
    }
    setDirection();
    let slope = dot(direction, gradient);
    if (!(slope < 0)) {
      held = 0;
      setDirection();
      slope = dot(direction, gradient);
    }
    const found = descend(pose, energy, slope);
    if (isNaN(found)) {
      if (held === 0) {
        Minimise.isExhausted = false;
        break;
      }
      held = 0;
      continue;
    }
    energy = found;
  }
  Minimise.energy = energy;
  Minimise.slope = Math.sqrt(dot(gradient, gradient));
}

/** −H g with H from the pairs that are held, cut to the largest step. */
function setDirection(): void {
  for (let k = 0; k < FREEDOM; k++) set(direction, k, -get(gradient, k));
  for (let n = 0; n < held; n++) {
    const at = (newest - n + MEMORY) % MEMORY;
    const weight = dot(row(steps, at), direction) / get(curvatures, at);
    set(weights, at, weight);
    for (let k = 0; k < FREEDOM; k++) set(direction, k, get(direction, k) - weight * get(row(changes, at), k));
  }
  if (held > 0) {
    const last = row(changes, newest);
    const scale = get(curvatures, newest) / dot(last, last);
    for (let k = 0; k < FREEDOM; k++) set(direction, k, scale * get(direction, k));
  }
  for (let n = held - 1; n >= 0; n--) {
    const at = (newest - n + MEMORY) % MEMORY;
    const weight = get(weights, at) - dot(row(changes, at), direction) / get(curvatures, at);
    for (let k = 0; k < FREEDOM; k++) set(direction, k, get(direction, k) + weight * get(row(steps, at), k));
  }
  const length = Math.sqrt(dot(direction, direction));
  const longest = held === 0 ? Math.min(FIRST_LENGTH, Minimise.maxStep) : Minimise.maxStep;
  if (length > longest) {
    const cut = longest / length;
    for (let k = 0; k < FREEDOM; k++) set(direction, k, cut * get(direction, k));
  }
}

/** Backtracks until the energy falls enough, and moves the pose. @returns the energy there; NaN if it does not fall */
function descend(pose: usize, energy: f64, slope: f64): f64 {
  let factor: f64 = 1;
  for (let attempt = 0; attempt < MAX_TRIALS; attempt++) {
    movePose(trial, pose, direction, factor);
    const found = evaluate(trial, nextGradient);
    if (found <= energy + DECREASE * factor * slope) {
      copyValues(pose, trial, POSE);
      remember(factor);
      copyValues(gradient, nextGradient, FREEDOM);
      return found;
    }
    if (-factor * slope < ROUNDING * Math.abs(energy)) return NaN;
    // The minimum of the parabola through both energies and the slope.
    const best = (-0.5 * slope * factor * factor) / (found - energy - slope * factor);
    factor = best > 0.1 * factor && best < 0.5 * factor ? best : best <= 0.1 * factor ? 0.1 * factor : 0.5 * factor;
  }
  return NaN;
}

function remember(factor: f64): void {
  const at = held === 0 ? 0 : (newest + 1) % MEMORY;
  const step = row(steps, at);
  const change = row(changes, at);
  for (let k = 0; k < FREEDOM; k++) {
    set(step, k, factor * get(direction, k));
    set(change, k, get(nextGradient, k) - get(gradient, k));
  }
  const curvature = dot(step, change);
  if (!(curvature > 1e-10 * Math.sqrt(dot(step, step) * dot(change, change)))) return;
  set(curvatures, at, curvature);
  newest = at;
  held = min<i32>(MEMORY, held + 1);
}
