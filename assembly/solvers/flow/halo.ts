// Faces beyond the sides: periodic copies, or ghosts that put the wall's velocity halfway between themselves and the fluid.
//
// Interpolation wants quadratic ghosts, through the wall and the two faces beside it; the five-point Laplacian wants linear
// ones, which keep its matrix symmetric.
import { get, set } from '../../numerics/vector';
import { alongX, alongY, face, hasSolid, inflow, lid, nx, ny, PERIODIC, THROUGH, uSolid, vSolid, WALL } from './grid';

function ghost(wall: f64, near: f64, far: f64, isLinear: bool): f64 {
  return isLinear ? 2 * wall - near : (8.0 / 3.0) * wall - 2 * near + (1.0 / 3.0) * far;
}

/** Fills the halo of both components, and the normal velocities of walls and inflow. */
export function fillHalo(u: usize, v: usize, isLinear: bool): void {
  if (hasSolid) clearSolid(u, v);
  if (alongX === PERIODIC) {
    wrapColumns(u);
    wrapColumns(v);
  } else {
    for (let j = 0; j < ny; j++) {
      set(u, face(0, j), alongX === THROUGH ? get(inflow, j) : 0);
      if (alongX === WALL) set(u, face(nx, j), 0);
      else set(u, face(nx + 1, j), get(u, face(nx, j)));
    }
    for (let j = 0; j <= ny; j++) {
      set(v, face(-1, j), ghost(0, get(v, face(0, j)), get(v, face(1, j)), isLinear));
      const last = get(v, face(nx - 1, j));
      set(v, face(nx, j), alongX === THROUGH ? last : ghost(0, last, get(v, face(nx - 2, j)), isLinear));
    }
  }
  if (alongY === PERIODIC) {
    wrapRows(u);
    wrapRows(v);
  } else {
    for (let i = -2; i <= nx + 2; i++) {
      set(v, face(i, 0), 0);
      set(v, face(i, ny), 0);
      set(u, face(i, -1), ghost(0, get(u, face(i, 0)), get(u, face(i, 1)), isLinear));
      set(u, face(i, ny), ghost(lid, get(u, face(i, ny - 1)), get(u, face(i, ny - 2)), isLinear));
    }
  }
}

function wrapColumns(a: usize): void {
  for (let j = 0; j <= ny; j++) {
    set(a, face(-2, j), get(a, face(nx - 2, j)));
    set(a, face(-1, j), get(a, face(nx - 1, j)));
    set(a, face(nx, j), get(a, face(0, j)));
    set(a, face(nx + 1, j), get(a, face(1, j)));
    set(a, face(nx + 2, j), get(a, face(2, j)));
  }
}

function wrapRows(a: usize): void {
  for (let i = -2; i <= nx + 2; i++) {
    set(a, face(i, -2), get(a, face(i, ny - 2)));
    set(a, face(i, -1), get(a, face(i, ny - 1)));
    set(a, face(i, ny), get(a, face(i, 0)));
    set(a, face(i, ny + 1), get(a, face(i, 1)));
    set(a, face(i, ny + 2), get(a, face(i, 2)));
  }
}

function clearSolid(u: usize, v: usize): void {
  for (let j = 0; j <= ny; j++) {
    for (let i = 0; i <= nx; i++) {
      if (get(uSolid, face(i, j)) !== 0) set(u, face(i, j), 0);
      if (get(vSolid, face(i, j)) !== 0) set(v, face(i, j), 0);
    }
  }
}

/** The sum of outward fluxes of cell (i, j) over a side's length: h ∇·u. */
export function outflowOf(u: usize, v: usize, i: i32, j: i32): f64 {
  return get(u, face(i + 1, j)) - get(u, face(i, j)) + (get(v, face(i, j + 1)) - get(v, face(i, j)));
}
