// Records of a run: energy, divergence, the change over a step, the velocity at a place, and the force on solids.
import { get, set } from '../../numerics/vector';
import { cubicAt } from './advect';
import { cell, face, hasSolid, nx, ny, p, solid, u, uBefore, uFirst, uLast, v, vBefore, vFirst, vLast } from './grid';
import { fillHalo, outflowOf } from './halo';

/** The force on all solids over density and depth, along x and y; a function returns one number. */
export let drag: f64 = 0;
export let lift: f64 = 0;

/** Mean of |u|² / 2 over the domain. */
export function kineticEnergy(): f64 {
  let sum: f64 = 0;
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const k = face(i, j);
      const up = face(i, j + 1);
      sum += get(u, k) * get(u, k) + get(u, k + 1) * get(u, k + 1) + get(v, k) * get(v, k) + get(v, up) * get(v, up);
    }
  }
  return (0.25 * sum) / (<f64>nx * <f64>ny);
}

/** The largest |h ∇·u|. */
export function divergence(): f64 {
  let most: f64 = 0;
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++)
      if (get(solid, cell(i, j)) === 0) most = Math.max(most, Math.abs(outflowOf(u, v, i, j)));
  return most;
}

/** The largest change of a velocity over the last step. */
export function change(): f64 {
  let most: f64 = 0;
  for (let j = 0; j < ny; j++)
    for (let i = uFirst; i <= uLast; i++)
      most = Math.max(most, Math.abs(get(u, face(i, j)) - get(uBefore, face(i, j))));
  for (let j = vFirst; j <= vLast; j++)
    for (let i = 0; i < nx; i++) most = Math.max(most, Math.abs(get(v, face(i, j)) - get(vBefore, face(i, j))));
  return most;
}

/** Fills ghosts for `velocityAt`. */
export function prepareSamples(): void {
  fillHalo(u, v, false);
}

export function velocityAt(isU: bool, x: f64, y: f64): f64 {
  return cubicAt(isU ? u : v, isU, x, y);
}

/** Pressure on the sides of solid cells, and friction along them. */
export function measureForce(h: f64, nu: f64): void {
  drag = 0;
  lift = 0;
  if (!hasSolid) return;
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      if (get(solid, cell(i, j)) === 0) continue;
      if (i > 0 && get(solid, cell(i - 1, j)) === 0) {
        drag += h * get(p, cell(i - 1, j));
        lift += frictionV(i - 1, j, nu);
      }
      if (i < nx - 1 && get(solid, cell(i + 1, j)) === 0) {
        drag -= h * get(p, cell(i + 1, j));
        lift += frictionV(i + 1, j, nu);
      }
      if (j > 0 && get(solid, cell(i, j - 1)) === 0) {
        lift += h * get(p, cell(i, j - 1));
        drag += frictionU(i, j - 1, nu);
      }
      if (j < ny - 1 && get(solid, cell(i, j + 1)) === 0) {
        lift -= h * get(p, cell(i, j + 1));
        drag += frictionU(i, j + 1, nu);
      }
    }
  }
}

/** ν ∂u/∂n h of a side, half a cell beside the middle of a fluid cell. */
function frictionU(i: i32, j: i32, nu: f64): f64 {
  return nu * (get(u, face(i, j)) + get(u, face(i + 1, j)));
}

function frictionV(i: i32, j: i32, nu: f64): f64 {
  return nu * (get(v, face(i, j)) + get(v, face(i, j + 1)));
}

/** |u| in the middle of every stride-th cell. */
export function keepSpeed(to: usize, stride: i32): void {
  let at = 0;
  for (let j = 0; j < ny; j += stride) {
    for (let i = 0; i < nx; i += stride) {
      const k = face(i, j);
      const a = 0.5 * (get(u, k) + get(u, k + 1));
      const b = 0.5 * (get(v, k) + get(v, face(i, j + 1)));
      set(to, at++, Math.sqrt(a * a + b * b));
    }
  }
}
