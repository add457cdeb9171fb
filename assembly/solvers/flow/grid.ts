// The staggered grid (Harlow & Welch 1965): u on faces (i, j + 1/2), v on faces (i + 1/2, j), pressure in cells.
//
// Arrays of faces have a halo of two. Positions are in cells from the lower left corner. A side is a wall, periodic, or
// along x an inflow on the left and an outflow on the right. Cells may be solid; the faces of a solid cell hold 0.
import { allocateF64 } from '../../kernel';
import { cellCount, cellStride } from '../../numerics/grid/fast-poisson';
import { get, set } from '../../numerics/vector';

export const WALL: i32 = 0;
export const PERIODIC: i32 = 1;
export const THROUGH: i32 = 2;

/** Faces of the halo. */
const HALO: i32 = 2;

export let nx: i32 = 0;
export let ny: i32 = 0;
export let alongX: i32 = 0;
export let alongY: i32 = 0;
export let hasSolid: bool = false;
/** Velocity of the upper wall. */
export let lid: f64 = 0;
/** Entries from a row of faces to the next. */
export let width: i32 = 0;
/** Entries of an array of faces. */
export let size: i32 = 0;
/** Entries from a row of cells to the next. */
export let cellRow: i32 = 0;

// Unknown faces: u for uFirst <= i <= uLast and 0 <= j < ny, v for 0 <= i < nx and vFirst <= j <= vLast.
export let uFirst: i32 = 0;
export let uLast: i32 = 0;
export let vFirst: i32 = 0;
export let vLast: i32 = 0;

/** f64[size] each: velocities now, a step before, and those in the making. */
export let u: usize = 0;
export let v: usize = 0;
export let uBefore: usize = 0;
export let vBefore: usize = 0;
export let uNext: usize = 0;
export let vNext: usize = 0;
/** Pressure over density, in cells. */
export let p: usize = 0;
/** Cells: not 0 where solid. Faces: not 0 beside a solid cell. */
export let solid: usize = 0;
export let uSolid: usize = 0;
export let vSolid: usize = 0;
/** f64[ny], the velocity of the inflow. */
export let inflow: usize = 0;

export function configure(columns: i32, rows: i32, x: i32, y: i32, isMasked: bool, lidSpeed: f64): void {
  nx = columns;
  ny = rows;
  alongX = x;
  alongY = y;
  hasSolid = isMasked;
  lid = lidSpeed;
  width = columns + 1 + 2 * HALO;
  size = width * (rows + 1 + 2 * HALO);
  cellRow = cellStride(columns);
  uFirst = x === PERIODIC ? 0 : 1;
  uLast = x === THROUGH ? columns : columns - 1;
  vFirst = y === PERIODIC ? 0 : 1;
  vLast = rows - 1;
}

export function allocateGrid(): bool {
  u = allocateF64(size);
  v = allocateF64(size);
  uBefore = allocateF64(size);
  vBefore = allocateF64(size);
  uNext = allocateF64(size);
  vNext = allocateF64(size);
  p = allocateF64(cellCount(nx, ny));
  solid = allocateF64(cellCount(nx, ny));
  uSolid = allocateF64(size);
  vSolid = allocateF64(size);
  inflow = allocateF64(ny);
  return !!(u && v && uBefore && vBefore && uNext && vNext && p && solid && uSolid && vSolid && inflow);
}

/** The entry of face (i, j) of either component. */
export function face(i: i32, j: i32): i32 {
  return (j + HALO) * width + i + HALO;
}

export function cell(i: i32, j: i32): i32 {
  return j * cellRow + i;
}

/** Marks the faces of solid cells. */
export function markFaces(): void {
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      if (get(solid, cell(i, j)) === 0) continue;
      set(uSolid, face(i, j), 1);
      set(uSolid, face(i + 1, j), 1);
      set(vSolid, face(i, j), 1);
      set(vSolid, face(i, j + 1), 1);
    }
  }
}

/** What was in the making is now, and the oldest is to be overwritten. */
export function rotate(): void {
  const a = uBefore;
  const b = vBefore;
  uBefore = u;
  vBefore = v;
  u = uNext;
  v = vNext;
  uNext = a;
  vNext = b;
}
