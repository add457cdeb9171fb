// The projection onto velocities without divergence: τ ∇² φ = ∇·u, u ← u − τ ∇φ, p ← p + φ − ν ∇·u (rotational).
//
// Without solids the Poisson equation is solved directly and the divergence vanishes but for rounding. With solids, faces
// of solid cells are closed, and conjugate gradients with the direct solver of the whole rectangle as a preconditioner go
// on until the divergence is below a tolerance.
// Chorin, Math. Comp. 22 (1968) 745; Timmermans, Minev & Van de Vosse, Int. J. Numer. Methods Fluids 22 (1996) 673; Guermond,
// Minev & Shen, Comput. Methods Appl. Mech. Eng. 195 (2006) 6011.
import { allocateF64 } from '../../kernel';
import { cellCount, reservePoisson, solvePoisson } from '../../numerics/grid/fast-poisson';
import { Cg, startCg, stepCg } from '../../numerics/krylov/conjugate-gradient';
import { get, set } from '../../numerics/vector';
import {
  alongX,
  alongY,
  cell,
  cellRow,
  face,
  hasSolid,
  nx,
  ny,
  PERIODIC,
  p,
  solid,
  THROUGH,
  uSolid,
  vSolid,
} from './grid';
import { fillHalo, outflowOf } from './halo';

let rhs: usize = 0;
let phi: usize = 0;
/** f64[cells]: h ∇·u before the projection. */
let source: usize = 0;

/** Most iterations of a step so far, and steps that did not reach the tolerance. */
export let iterationsMax: i32 = 0;
export let open: i32 = 0;

export function allocateProjection(): bool {
  const cells = cellCount(nx, ny);
  rhs = allocateF64(cells);
  phi = allocateF64(cells);
  source = allocateF64(cells);
  Cg.n = cells;
  Cg.x = phi;
  Cg.r = rhs;
  Cg.z = allocateF64(hasSolid ? cells : 2);
  Cg.p = allocateF64(hasSolid ? cells : 2);
  Cg.ap = allocateF64(hasSolid ? cells : 2);
  const hasAll = rhs && phi && source && Cg.z && Cg.p && Cg.ap;
  return !!hasAll && reservePoisson(nx, ny, alongX, alongY);
}

export function startProjection(): void {
  iterationsMax = 0;
  open = 0;
  iteration = -1;
}

/** to = −h² ∇·∇ from over open faces; 0 in solids. */
function applyMasked(from: usize, to: usize): void {
  memory.fill(to, 0, (<usize>Cg.n) << 3);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const k = cell(i, j);
      if (get(solid, k) !== 0) continue;
      const value = get(from, k);
      let sum: f64 = 0;
      if (i > 0 && get(uSolid, face(i, j)) === 0) sum += value - get(from, k - 1);
      if (i < nx - 1 && get(uSolid, face(i + 1, j)) === 0) sum += value - get(from, k + 1);
      if (i === nx - 1 && alongX === THROUGH) sum += 2 * value;
      if (j > 0 && get(vSolid, face(i, j)) === 0) sum += value - get(from, k - cellRow);
      if (j < ny - 1 && get(vSolid, face(i, j + 1)) === 0) sum += value - get(from, k + cellRow);
      set(to, k, sum);
    }
  }
}

function precondition(from: usize, to: usize): void {
  solvePoisson(from, to);
  for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) if (get(solid, cell(i, j)) !== 0) set(to, cell(i, j), 0);
}

function largestResidual(): f64 {
  let most: f64 = 0;
  for (let k = 0; k < Cg.n; k++) most = Math.max(most, Math.abs(get(Cg.r, k)));
  return most;
}

/** Iterations of the projection at hand; −1 before the first. */
let iteration: i32 = -1;
/** Iterations of one call: with solids a projection takes many, and each the time of a step without them. */
const ITERATIONS: i32 = 2;

/**
 * Makes u and v free of divergence, and updates p, or does a part of it.
 *
 * @param tau        τ, > 0
 * @param tolerance  of |h ∇·u|
 * @returns          iterations so far, + 1, of a projection that goes on with the next call; 0 at its end
 */
export function project(u: usize, v: usize, h: f64, tau: f64, nu: f64, tolerance: f64, maxIterations: i32): i32 {
  if (iteration < 0) begin(u, v, h / tau);
  if (!hasSolid) {
    solvePoisson(rhs, phi);
    iterationsMax = 1;
  } else if (!solveMasked((h / tau) * tolerance, maxIterations)) return iteration + 1;
  iteration = -1;
  correct(u, v, tau / h);
  const damping = nu / h;
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++) {
      const k = cell(i, j);
      set(p, k, get(p, k) + get(phi, k) - damping * get(source, k));
    }
  fillHalo(u, v, true);
  return 0;
}

function begin(u: usize, v: usize, scale: f64): void {
  fillHalo(u, v, true);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const k = cell(i, j);
      const out = hasSolid && get(solid, k) !== 0 ? 0 : outflowOf(u, v, i, j);
      set(source, k, out);
      set(rhs, k, -scale * out);
    }
  }
}

/** Some iterations. @returns whether they are over */
function solveMasked(tolerance: f64, maxIterations: i32): bool {
  if (iteration < 0) {
    memory.fill(phi, 0, (<usize>Cg.n) << 3);
    if (largestResidual() <= tolerance) return true;
    startCg(precondition);
    iteration = 0;
  }
  let isDone = false;
  let isSound = true;
  const end = min(maxIterations, iteration + ITERATIONS);
  while (iteration < end && !isDone) {
    isSound = stepCg(applyMasked, precondition);
    if (!isSound) break;
    iteration++;
    isDone = largestResidual() <= tolerance;
  }
  if (isSound && !isDone && iteration < maxIterations) return false;
  iterationsMax = max(iterationsMax, iteration);
  if (!isDone) open++;
  return true;
}

function correct(u: usize, v: usize, factor: f64): void {
  const isPeriodicX = alongX === PERIODIC;
  const isPeriodicY = alongY === PERIODIC;
  for (let j = 0; j < ny; j++) {
    for (let i = isPeriodicX ? 0 : 1; i < nx; i++) {
      const f = face(i, j);
      if (hasSolid && get(uSolid, f) !== 0) continue;
      const before = get(phi, i === 0 ? cell(nx - 1, j) : cell(i - 1, j));
      set(u, f, get(u, f) - factor * (get(phi, cell(i, j)) - before));
    }
    if (alongX === THROUGH && get(uSolid, face(nx, j)) === 0) {
      // φ is 0 on the last face.
      const f = face(nx, j);
      set(u, f, get(u, f) + 2 * factor * get(phi, cell(nx - 1, j)));
    }
  }
  for (let j = isPeriodicY ? 0 : 1; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const f = face(i, j);
      if (hasSolid && get(vSolid, f) !== 0) continue;
      const below = get(phi, j === 0 ? cell(i, ny - 1) : cell(i, j - 1));
      set(v, f, get(v, f) - factor * (get(phi, cell(i, j)) - below));
    }
  }
}

/** Subtracts τ ∇p at unknown faces, plus a force along x: the pressure of the last step in the momentum equation. */
export function addPressure(u: usize, v: usize, h: f64, tau: f64, force: f64): void {
  const factor = tau / h;
  const isPeriodicX = alongX === PERIODIC;
  const isPeriodicY = alongY === PERIODIC;
  for (let j = 0; j < ny; j++) {
    for (let i = isPeriodicX ? 0 : 1; i < nx; i++) {
      const f = face(i, j);
      const before = get(p, i === 0 ? cell(nx - 1, j) : cell(i - 1, j));
      set(u, f, get(u, f) - factor * (get(p, cell(i, j)) - before) + tau * force);
    }
    if (alongX === THROUGH) set(u, face(nx, j), get(u, face(nx, j)) + 2 * factor * get(p, cell(nx - 1, j)));
  }
  for (let j = isPeriodicY ? 0 : 1; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const f = face(i, j);
      const below = get(p, j === 0 ? cell(i, ny - 1) : cell(i, j - 1));
      set(v, f, get(v, f) - factor * (get(p, cell(i, j)) - below));
    }
  }
}
