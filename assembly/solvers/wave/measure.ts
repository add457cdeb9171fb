// Measurements of the domain within the layers: energies, the value at a place, and the largest magnitude.
//
// Nodes on a side count half, and so do faces along it: the rule of trapezoids, under which the discrete divergence and
// gradient are adjoint for fixed, free and periodic sides alike, so that the energy is conserved exactly.
import { neumaierSum } from '../../numerics/sum';
import { get, set } from '../../numerics/vector';
import * as grid from './grid';
import { gainOfFaceX, gainOfFaceY } from './step';

/** Nodes about a place along an axis: cubic interpolation. */
export const STENCIL: i32 = 4;

/** First and last node of the domain along x and y. */
let i0: i32 = 0;
let i1: i32 = 0;
let j0: i32 = 0;
let j1: i32 = 0;
/** Density and 1 / τ of a uniform medium. */
let density: f64 = 0;
let compliance: f64 = 0;
/** f64[rows], scratch. */
let sums: usize = 0;

export function configureMeasure(
  west: i32,
  east: i32,
  south: i32,
  north: i32,
  uniformDensity: f64,
  uniformStiffness: f64,
  scratch: usize,
): void {
  i0 = west;
  i1 = grid.columns - 1 - east;
  j0 = south;
  j1 = grid.rows - 1 - north;
  density = uniformDensity;
  compliance = 1 / uniformStiffness;
  sums = scratch;
}

function weightOf(i: i32, from: i32, to: i32): f64 {
  return from < to && (i === from || i === to) ? 0.5 : 1;
}

/** ½ Σ ρ w² over the nodes of the domain, without the volume of a cell. */
export function nodeEnergy(field: usize): f64 {
  const size = grid.rows * grid.columns;
  for (let j = j0; j <= j1; j++) {
    const row = field + <usize>j * grid.stride;
    let sum: f64 = 0;
    for (let i = i0; i <= i1; i++) {
      const value = get(row, i);
      const rho = grid.isGeneral ? get(grid.nodes, size + j * grid.columns + i) : density;
      sum += weightOf(i, i0, i1) * rho * value * value;
    }
    set(sums, j, weightOf(j, j0, j1) * sum);
  }
  return 0.5 * neumaierSum(sums + ((<usize>j0) << 3), j1 - j0 + 1);
}

/**
 * ½ Σ q·q′ / τ over the faces of the domain, where q′ is a step later (`direction` 1) or earlier (−1) by the gradient of
 * `field`.
 */
export function faceEnergy(field: usize, direction: f64): f64 {
  for (let j = j0; j <= j1; j++) {
    const qx = grid.qx + <usize>j * grid.stride;
    const qy = grid.qy + <usize>j * grid.stride;
    let alongX: f64 = 0;
    for (let i = i0; i < i1; i++) {
      const q = get(qx, i);
      alongX += complianceOf(grid.facesX, j, i) * q * (q + direction * gainOfFaceX(field, j, i));
    }
    let alongY: f64 = 0;
    if (j < j1)
      for (let i = i0; i <= i1; i++) {
        const q = get(qy, i);
        alongY +=
          weightOf(i, i0, i1) * complianceOf(grid.facesY, j, i) * q * (q + direction * gainOfFaceY(field, j, i));
      }
    set(sums, j, weightOf(j, j0, j1) * alongX + alongY);
  }
  return 0.5 * neumaierSum(sums + ((<usize>j0) << 3), j1 - j0 + 1);
}

function complianceOf(faces: usize, j: i32, i: i32): f64 {
  return grid.isGeneral ? 1 / get(faces, j * grid.columns + i) : compliance;
}

/** Interpolates at the weights of a place along x and y, f64[4] each. */
export function valueAt(field: usize, firstX: i32, firstY: i32, weightsX: usize, weightsY: usize): f64 {
  let sum: f64 = 0;
  for (let q = 0; q < STENCIL; q++) {
    const weight = get(weightsY, q);
    if (weight === 0) continue;
    const row = field + <usize>(firstY + q) * grid.stride;
    for (let p = 0; p < STENCIL; p++) sum += weight * get(weightsX, p) * get(row, firstX + p);
  }
  return sum;
}

/** max |field| over the domain. */
export function largest(field: usize): f64 {
  let most: f64 = 0;
  for (let j = j0; j <= j1; j++) {
    const row = field + <usize>j * grid.stride;
    for (let i = i0; i <= i1; i++) most = Math.max(most, Math.abs(get(row, i)));
  }
  return most;
}

/** Copies the domain, row by row. @returns the address behind the copy */
export function copyDomain(field: usize, target: usize): usize {
  const bytes = (<usize>(i1 - i0 + 1)) << 3;
  for (let j = j0; j <= j1; j++, target += bytes)
    memory.copy(target, field + <usize>j * grid.stride + ((<usize>i0) << 3), bytes);
  return target;
}
