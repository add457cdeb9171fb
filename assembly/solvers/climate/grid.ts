// The state in cells, row by row with a halo: depth h, discharges q = h u and r = h v, velocities u and v, and the speed
// c = √(g h) of waves; and the jumps of the bed at faces.
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

export const WALL: i32 = 0;
export const PERIODIC: i32 = 2;

/** Cells of the halo: one is read, the others are where pairs of lanes end. */
const HALO: i32 = 2;

export let columns: i32 = 0;
export let rows: i32 = 0;
/** Whether v and r are kept. */
export let hasCross = false;
export let west: i32 = 0;
export let east: i32 = 0;
export let south: i32 = 0;
export let north: i32 = 0;
/** Bytes from a row to the next. */
export let stride: usize = 0;

// Addresses of cell (0, 0).
export let h: usize = 0;
export let q: usize = 0;
export let r: usize = 0;
export let u: usize = 0;
export let v: usize = 0;
export let c: usize = 0;
/** b of a cell less that of the one before it along x, and along y. */
export let jumpX: usize = 0;
export let jumpY: usize = 0;
/** Whether the bed jumps at a face along x. */
export let hasBed = false;

export function configure(nx: i32, ny: i32, cross: bool, w: i32, e: i32, s: i32, n: i32): void {
  columns = nx;
  rows = ny;
  hasCross = cross;
  west = w;
  east = e;
  south = s;
  north = n;
  stride = (<usize>(((nx + 1) & ~1) + 2 * HALO)) << 3;
}

export function allocateField(): usize {
  const address = allocate(<usize>(rows + 2) * stride);
  return address === 0 ? 0 : address + stride + HALO * 8;
}

export function allocateGrid(): bool {
  h = allocateField();
  q = allocateField();
  r = allocateField();
  u = allocateField();
  v = allocateField();
  c = allocateField();
  jumpX = allocateField();
  jumpY = rows > 1 ? allocateField() : allocateF64(1);
  return !!(h && q && r && u && v && c && jumpX && jumpY);
}

export function setBed(bed: usize): void {
  hasBed = false;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i <= columns; i++) {
      const isSide = i === 0 || i === columns;
      const before = i === 0 ? columns - 1 : i - 1;
      const here = i === columns ? 0 : i;
      const jump = isSide && west !== PERIODIC ? 0 : get(bed, j * columns + here) - get(bed, j * columns + before);
      set(jumpX + <usize>j * stride, i, jump);
      if (jump !== 0) hasBed = true;
    }
  if (rows === 1) return;
  for (let j = 0; j <= rows; j++)
    for (let i = 0; i < columns; i++) {
      const isSide = j === 0 || j === rows;
      const before = j === 0 ? rows - 1 : j - 1;
      const here = j === rows ? 0 : j;
      const jump = isSide && south !== PERIODIC ? 0 : get(bed, here * columns + i) - get(bed, before * columns + i);
      set(jumpY + <usize>j * stride, i, jump);
    }
}

export function read(depth: usize, flowX: usize, flowY: usize): void {
  const bytes = (<usize>columns) << 3;
  for (let j = 0; j < rows; j++) {
    const at = <usize>j * stride;
    memory.copy(h + at, depth + <usize>j * bytes, bytes);
    memory.copy(q + at, flowX + <usize>j * bytes, bytes);
    memory.copy(r + at, flowY + <usize>j * bytes, bytes);
  }
}

/** Fills the halo of what fluxes read: beyond a wall its mirror image, beyond an open side the cell beside it. */
export function fillHalo(): void {
  fillEnds(h, 1, 1);
  fillEnds(u, west === WALL ? -1 : 1, east === WALL ? -1 : 1);
  fillEnds(c, 1, 1);
  if (!hasCross) return;
  fillEnds(v, 1, 1);
  if (rows === 1) return;
  fillRows(h, 1, 1);
  fillRows(u, 1, 1);
  fillRows(c, 1, 1);
  fillRows(v, south === WALL ? -1 : 1, north === WALL ? -1 : 1);
}

export function fillEnds(field: usize, before: f64, after: f64): void {
  for (let j = 0; j < rows; j++) {
    const row = field + <usize>j * stride;
    set(row, -1, before * get(row, west === PERIODIC ? columns - 1 : 0));
    set(row, columns, after * get(row, west === PERIODIC ? 0 : columns - 1));
  }
}

export function fillRows(field: usize, before: f64, after: f64): void {
  const bottom = field - stride;
  const top = field + <usize>rows * stride;
  const toBottom = field + <usize>(south === PERIODIC ? rows - 1 : 0) * stride;
  const toTop = field + <usize>(south === PERIODIC ? 0 : rows - 1) * stride;
  for (let i = 0; i < columns; i++) {
    set(bottom, i, before * get(toBottom, i));
    set(top, i, after * get(toTop, i));
  }
}
