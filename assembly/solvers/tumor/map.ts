// Motion of cells on a map of tissue: square cells, each of one diffusivity, 0 outside of the tissue.
//
// Finite volumes of order 2; the diffusivity of a face is the harmonic mean, that is two resistances in a row, and faces
// to the outside are closed. One axis at a time by Crank–Nicolson, in the symmetric order x/2, y, x/2 (Strang 1968): order
// 2 in time, stable for every step, and every part keeps the mass to roundings. Between two steps the halves along x are
// one. A jump rings as it does in one dimension, and damped steps are two backward Euler halves of each part.
//
// u lies in rows, and once more transposed while it moves along x; rows and columns are padded with cells outside.
// LeVeque, Finite Volume Methods for Hyperbolic Problems (2002), sections 17.4 and 19.5, on splitting by dimension.
import { allocateF64 } from '../../kernel';
import { factorLines, solveLines, transpose } from '../../numerics/grid/lines';
import { LANES, padded } from '../../numerics/grid/tridiagonal';
import { get, set } from '../../numerics/vector';

let columns: i32 = 0;
let rows: i32 = 0;
let stride: i32 = 0;
let height: i32 = 0;
let width: f64 = 0;
let factoredFor: f64 = 0;

let tissue: usize = 0;
let u: usize = 0;
let turned: usize = 0;
let scratch: usize = 0;
let couplingX: usize = 0;
let couplingY: usize = 0;
/** Factors, f64[3, size]: below, inverse, above. */
let halfX: usize = 0;
let wholeX: usize = 0;
let wholeY: usize = 0;

/** Memory of a map of given cells. @returns whether there was enough */
export function reserveMap(columnCount: i32, rowCount: i32, cellWidth: f64): bool {
  columns = columnCount;
  rows = rowCount;
  stride = padded(columns);
  height = padded(rows);
  width = cellWidth;
  const size = stride * height;
  tissue = allocateF64(size);
  u = allocateF64(size);
  turned = allocateF64(size);
  couplingX = allocateF64(size);
  couplingY = allocateF64(size);
  halfX = allocateF64(3 * size);
  wholeX = allocateF64(3 * size);
  wholeY = allocateF64(3 * size);
  scratch = allocateF64(LANES * max(stride, height));
  const hasFields = tissue && u && turned && couplingX && couplingY;
  return !!(hasFields && halfX && wholeX && wholeY && scratch);
}

/** @param initial, diffusivity  f64[rows, columns] */
export function startMap(initial: usize, diffusivity: usize): void {
  const size = (<usize>(stride * height)) << 3;
  memory.fill(u, 0, size);
  memory.fill(tissue, 0, size);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const D = get(diffusivity, j * columns + i);
      set(tissue, j * stride + i, D);
      set(u, j * stride + i, D > 0 ? get(initial, j * columns + i) : 0);
    }
  }
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < stride; i++) {
      const at = j * stride + i;
      const right = i + 1 < stride ? get(tissue, at + 1) : 0;
      const up = j + 1 < height ? get(tissue, at + stride) : 0;
      set(couplingX, i * height + j, between(get(tissue, at), right));
      set(couplingY, at, between(get(tissue, at), up));
    }
  }
  factoredFor = 0;
}

/** Two resistances in a row; none to the outside. */
function between(a: f64, b: f64): f64 {
  return a > 0 && b > 0 ? (2 * a * b) / (a + b) : 0;
}

function factorMap(dt: f64): void {
  factoredFor = dt;
  const size = (<usize>(stride * height)) << 3;
  const scale = (0.5 * dt) / (width * width);
  factorLines(couplingX, 0.5 * scale, halfX, halfX + size, halfX + 2 * size, stride, height);
  factorLines(couplingX, scale, wholeX, wholeX + size, wholeX + 2 * size, stride, height);
  factorLines(couplingY, scale, wholeY, wholeY + size, wholeY + 2 * size, height, stride);
}

function solveWith(factors: usize, field: usize, n: i32, lanes: i32, isDamped: bool): void {
  const size = (<usize>(stride * height)) << 3;
  if (isDamped) {
    solveLines(factors, factors + size, factors + 2 * size, field, scratch, n, lanes, 1, 0);
    solveLines(factors, factors + size, factors + 2 * size, field, scratch, n, lanes, 1, 0);
  } else solveLines(factors, factors + size, factors + 2 * size, field, scratch, n, lanes, 2, 1);
}

/** Motion along x, for half a step or for the halves of two. @returns the relative change of mass */
export function moveAlongX(dt: f64, isWhole: bool, isDamped: bool): f64 {
  if (dt !== factoredFor) factorMap(dt);
  transpose(u, turned, height, stride);
  const before = sumOf(turned);
  solveWith(isWhole ? wholeX : halfX, turned, stride, height, isDamped);
  const after = sumOf(turned);
  transpose(turned, u, stride, height);
  return before === 0 ? 0 : Math.abs((after - before) / before);
}

/** Motion along y for a step. @returns the relative change of mass */
export function moveAlongY(dt: f64, isDamped: bool): f64 {
  if (dt !== factoredFor) factorMap(dt);
  const before = sumOf(u);
  solveWith(wholeY, u, height, stride, isDamped);
  const after = sumOf(u);
  return before === 0 ? 0 : Math.abs((after - before) / before);
}

function sumOf(field: usize): f64 {
  let even = f64x2.splat(0);
  let odd = even;
  const end = field + ((<usize>(stride * height)) << 3);
  for (let at = field; at < end; at += 32) {
    even = f64x2.add(even, v128.load(at));
    odd = f64x2.add(odd, v128.load(at, 16));
  }
  const sum = f64x2.add(even, odd);
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** The state, padded with zeros, and its number of values. */
export function mapState(): usize {
  return u;
}

export function mapSize(): i32 {
  return stride * height;
}

/** ∫ u dA, of a slice of unit thickness. */
export function mapMass(): f64 {
  return width * width * sumOf(u);
}

/** Largest u, or the smallest, of the tissue. */
export function mapExtreme(isLargest: bool): f64 {
  let extreme = isLargest ? -Infinity : Infinity;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      if (get(tissue, j * stride + i) === 0) continue;
      const value = get(u, j * stride + i);
      extreme = isLargest ? Math.max(extreme, value) : Math.min(extreme, value);
    }
  }
  return extreme;
}

/** Copies the state without its padding. */
export function keepMap(frame: usize): void {
  for (let j = 0; j < rows; j++) {
    const row = (<usize>columns) << 3;
    memory.copy(frame + <usize>j * row, u + ((<usize>(j * stride)) << 3), row);
  }
}

/** Takes away what is within a distance of a place; a cell on the circle keeps its part outside. */
export function removeFromMap(radius: f64, x: f64, y: f64): void {
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const dx = (<f64>i + 0.5) * width - x;
      const dy = (<f64>j + 0.5) * width - y;
      const outside = (Math.sqrt(dx * dx + dy * dy) - radius) / width + 0.5;
      const kept = Math.max(0, Math.min(1, outside));
      const at = j * stride + i;
      set(u, at, kept * get(u, at));
    }
  }
}

/** Radius of the disc whose area is that where u is at least `level`, of a plane through each cell; −1 if there is none. */
export function radiusOnMap(level: f64): f64 {
  let area: f64 = 0;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = j * stride + i;
      if (get(tissue, at) === 0) continue;
      const a = Math.abs(slopeOf(at, i > 0, i + 1 < columns, 1));
      const b = Math.abs(slopeOf(at, j > 0, j + 1 < rows, stride));
      area += partAbove(get(u, at) - level, a, b);
    }
  }
  return area > 0 ? width * Math.sqrt(area / Math.PI) : -1;
}

/** Change of u over a cell along an axis; what is outside mirrors the cell. */
function slopeOf(at: i32, hasBefore: bool, hasNext: bool, step: i32): f64 {
  const own = get(u, at);
  const before = hasBefore && get(tissue, at - step) > 0 ? get(u, at - step) : own;
  const next = hasNext && get(tissue, at + step) > 0 ? get(u, at + step) : own;
  return 0.5 * (next - before);
}

/** Slopes whose ratio is below this count as one: the quotient would lose digits. */
const FLAT: f64 = 1e-6;

/** The part of a unit square where excess + a s + b t >= 0, |s|, |t| <= 1/2; a, b >= 0. */
function partAbove(excess: f64, a: f64, b: f64): f64 {
  const half = 0.5 * (a + b);
  if (excess >= half) return 1;
  if (excess <= -half) return 0;
  const steep = Math.max(a, b);
  if (Math.min(a, b) <= FLAT * steep) return Math.max(0, Math.min(1, excess / steep + 0.5));
  const top = excess + half;
  return (square(top) - square(top - a) - square(top - b) + square(top - a - b)) / (2 * a * b);
}

/** Of what is above 0. */
function square(x: f64): f64 {
  return x > 0 ? x * x : 0;
}
