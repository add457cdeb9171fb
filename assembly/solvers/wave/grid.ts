// Arrays of the staggered grid: w, its parts, u and the next w on nodes, q on faces, the media, and the halos.
//
// Node (i, j) lies at (i hx, j hy). Face i of a row lies between nodes i and i + 1, and so along y. All arrays have the
// halo and the stride of numerics/grid/halo.ts.
import { allocateF64 } from '../../kernel';
import { allocateField, haloStride } from '../../numerics/grid/halo';
import { get, set } from '../../numerics/vector';

export const FIXED: i32 = 0;
export const FREE: i32 = 1;
export const PERIODIC: i32 = 2;

/** Rows of the array of nodes: r dt / 2ρ, ρ and f. */
export const NODE_MAPS: i32 = 3;
/** Rows of a layer: decay and gain of nodes, then of faces. */
export const LAYER_ROWS: i32 = 4;

export let columns: i32 = 0;
export let rows: i32 = 0;
export let stride: usize = 0;
/** Bytes of a row without its halo. */
export let rowBytes: usize = 0;
export let isGeneral = false;
export let hasLayers = false;

export let w: usize = 0;
export let next: usize = 0;
export let u: usize = 0;
export let qx: usize = 0;
export let qy: usize = 0;
/** w in two parts, each driven along one axis; only with layers. */
export let partX: usize = 0;
export let partY: usize = 0;

/** f64[3, rows, columns]. */
export let nodes: usize = 0;
/** τ of the face behind each node, f64[rows, columns]. */
export let facesX: usize = 0;
export let facesY: usize = 0;
export let layerX: usize = 0;
export let layerY: usize = 0;

let west: i32 = 0;
let east: i32 = 0;
let south: i32 = 0;
let north: i32 = 0;

export function configure(
  columnCount: i32,
  rowCount: i32,
  general: bool,
  layered: bool,
  sideWest: i32,
  sideEast: i32,
  sideSouth: i32,
  sideNorth: i32,
): void {
  columns = columnCount;
  rows = rowCount;
  stride = haloStride(columns);
  rowBytes = (<usize>columns) << 3;
  isGeneral = general;
  hasLayers = layered;
  west = sideWest;
  east = sideEast;
  south = sideSouth;
  north = sideNorth;
}

export function allocateGrid(): bool {
  w = allocateField(rows, columns);
  next = allocateField(rows, columns);
  u = allocateField(rows, columns);
  qx = allocateField(rows, columns);
  qy = allocateField(rows, columns);
  if (!(w && next && u && qx && qy)) return false;
  if (!isGeneral) return true;
  nodes = allocateF64(NODE_MAPS * rows * columns);
  facesX = allocateF64(rows * columns);
  facesY = allocateF64(rows * columns);
  layerX = allocateF64(LAYER_ROWS * columns);
  layerY = allocateF64(LAYER_ROWS * rows);
  if (!(nodes && facesX && facesY && layerX && layerY)) return false;
  if (!hasLayers) return true;
  partX = allocateField(rows, columns);
  partY = allocateField(rows, columns);
  return !!(partX && partY);
}

/** Whether w is held at zero on a row. */
export function isHeldRow(j: i32): bool {
  return (j === 0 && south === FIXED && rows > 1) || (j === rows - 1 && north === FIXED && rows > 1);
}

/** Sets w to zero on the fixed ends of a row. */
export function holdEnds(row: usize): void {
  if (west === FIXED) set(row, 0, 0);
  if (east === FIXED) set(row, columns - 1, 0);
  // Beyond an odd row, what vectors of two lanes left there.
  set(row, columns, 0);
}

/** The flux through the sides: its mirror image with the other sign behind free ones, its other end behind periodic ones. */
export function fillFluxes(): void {
  const last = columns - 2;
  for (let j = 0; j < rows; j++) {
    const row = qx + <usize>j * stride;
    set(row, -1, west === PERIODIC ? get(row, last) : -get(row, 0));
    set(row, columns - 1, east === PERIODIC ? get(row, 0) : -get(row, last));
  }
  if (rows === 1) return;
  const final = qy + <usize>(rows - 2) * stride;
  for (let i = 0; i < columns; i++) {
    set(qy - stride, i, south === PERIODIC ? get(final, i) : -get(qy, i));
    set(final + stride, i, north === PERIODIC ? get(qy, i) : -get(final, i));
  }
}
