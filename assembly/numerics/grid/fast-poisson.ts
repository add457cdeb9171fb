// −h² ∇² φ = b on the cells of a rectangle of square cells, solved directly: a transform along y, tridiagonal systems along x.
//
// Along y both ends are insulated (a cosine transform) or periodic (a real Fourier transform); along x they are insulated,
// periodic, or the last face holds 0. The five-point operator is diagonal in these bases, so the solution is exact but
// for rounding. The transforms are products with a matrix of the basis, rows² columns multiplications each: for at most a
// few hundred rows as fast as an FFT of any length, and of one order of summation. Insulated on all sides, φ is free up
// to a constant; then the mean of b along both axes must vanish, and the first cell's equation takes an additional φ,
// which is 0 in exact arithmetic. Periodic systems are tridiagonal ones less v vᵀ, v = e_first + e_last (Sherman & Morrison).
// Hockney, J. ACM 12 (1965) 95; Swarztrauber, SIAM Rev. 19 (1977) 490.
//
// Cells lie row by row, `cellStride` entries from a row to the next; what pads the rows and the last columns is 0.

import { allocateF64 } from '../../kernel';
import { TABLE_COMPILED } from '../trigonometric';
import { get, set } from '../vector';
import { factor, solve } from './tridiagonal';

export const INSULATED: i32 = 0;
export const PERIODIC: i32 = 1;
/** The last face along x holds 0. */
export const OPEN: i32 = 2;

let columns: i32 = 0;
let rows: i32 = 0;
let stride: i32 = 0;
let paddedRows: i32 = 0;
let kindX: i32 = 0;
let kindY: i32 = 0;
let toModes: usize = 0;
let toCells: usize = 0;
let modes: usize = 0;
let lower: usize = 0;
let inverse: usize = 0;
let upper: usize = 0;
/** T⁻¹ v of each mode, and 1 / (1 − vᵀ T⁻¹ v), of periodic rows. */
let wrapped: usize = 0;
let wrapFactor: usize = 0;
let diagonal: usize = 0;
let scratch: usize = 0;

/** Entries from a row of cells to the next: a multiple of 4. */
export function cellStride(nx: i32): i32 {
  return (nx + 3) & ~3;
}

/** Entries of a field of cells. */
export function cellCount(nx: i32, ny: i32): i32 {
  return ((ny + 3) & ~3) * cellStride(nx);
}

/** Allocates and factors. @param alongX INSULATED, PERIODIC or OPEN @param alongY INSULATED or PERIODIC */
export function reservePoisson(nx: i32, ny: i32, alongX: i32, alongY: i32): bool {
  columns = nx;
  rows = ny;
  kindX = alongX;
  kindY = alongY;
  stride = cellStride(nx);
  paddedRows = (ny + 3) & ~3;
  const cells = paddedRows * stride;
  toModes = allocateF64(paddedRows * paddedRows);
  toCells = allocateF64(paddedRows * paddedRows);
  modes = allocateF64(cells);
  lower = allocateF64(cells);
  inverse = allocateF64(cells);
  upper = allocateF64(cells);
  wrapped = allocateF64(kindX === PERIODIC ? cells : 1);
  wrapFactor = allocateF64(paddedRows);
  diagonal = allocateF64(3 * stride);
  scratch = allocateF64(stride);
  if (!(toModes && toCells && modes && lower && inverse && upper && wrapped && wrapFactor && diagonal && scratch))
    return false;
  fillBasis();
  for (let k = 0; k < rows; k++) factorMode(k);
  return true;
}

/** The angle of mode k: its eigenvalue is 4 sin²(angle / 2). */
function angleOf(k: i32): f64 {
  if (kindY === INSULATED) return (Math.PI * <f64>k) / <f64>rows;
  return (2 * Math.PI * <f64>((k + 1) >> 1)) / <f64>rows;
}

/** Mode k at row j, of norm 1. Periodic: 1, then cosines and sines of each wave in turn. */
function basisAt(k: i32, j: i32): f64 {
  const n = <f64>rows;
  if (k === 0) return TABLE_COMPILED + Math.sqrt(1 / n);
  if (kindY === INSULATED) {
    // The angle is reduced in integers.
    const turn = (k * (2 * j + 1)) % (4 * rows);
    return Math.sqrt(2 / n) * Math.cos((Math.PI * <f64>turn) / (2 * n));
  }
  const wave = (k + 1) >> 1;
  const angle = (2 * Math.PI * <f64>((wave * j) % rows)) / n;
  if (2 * wave === rows) return Math.sqrt(1 / n) * Math.cos(angle);
  return Math.sqrt(2 / n) * ((k & 1) === 1 ? Math.cos(angle) : Math.sin(angle));
}

function fillBasis(): void {
  for (let k = 0; k < rows; k++) {
    for (let j = 0; j < rows; j++) {
      const value = basisAt(k, j);
      set(toModes, k * paddedRows + j, value);
      set(toCells, j * paddedRows + k, value);
    }
  }
}

function factorMode(k: i32): void {
  const s = Math.sin(0.5 * angleOf(k));
  const excess = 4 * s * s;
  const isFree = k === 0 && kindX !== OPEN;
  const below = diagonal + ((<usize>stride) << 3);
  const above = below + ((<usize>stride) << 3);
  for (let i = 0; i < columns; i++) {
    let d = excess + 2;
    if (kindX !== PERIODIC && i === 0) d -= 1;
    if (kindX === INSULATED && i === columns - 1) d -= 1;
    if (kindX === OPEN && i === columns - 1) d += 1;
    if (kindX === PERIODIC && (i === 0 || i === columns - 1)) d += 1;
    if (isFree && i === 0) d += 1;
    set(diagonal, i, d);
    set(below, i, -1);
    set(above, i, -1);
  }
  const at = (<usize>(k * stride)) << 3;
  factor(below, diagonal, above, lower + at, inverse + at, upper + at, columns);
  if (kindX !== PERIODIC) return;
  const z = wrapped + at;
  set(z, 0, 1);
  set(z, columns - 1, 1);
  solve(lower + at, inverse + at, upper + at, z, z, scratch, columns, 1, 0);
  set(wrapFactor, k, 1 / (1 - (get(z, 0) + get(z, columns - 1))));
}

/** φ with −h² ∇² φ = b. @param b, phi  cells; may be the same field */
export function solvePoisson(b: usize, phi: usize): void {
  transform(toModes, b, modes);
  for (let k = 0; k < rows; k++) {
    const at = (<usize>(k * stride)) << 3;
    const x = modes + at;
    solve(lower + at, inverse + at, upper + at, x, x, scratch, columns, 1, 0);
    if (kindX !== PERIODIC) continue;
    const z = wrapped + at;
    const share = (get(x, 0) + get(x, columns - 1)) * get(wrapFactor, k);
    for (let i = 0; i < columns; i++) set(x, i, get(x, i) + share * get(z, i));
  }
  transform(toCells, modes, phi);
}

/** target = matrix source: four rows by four columns at a time. */
function transform(matrix: usize, source: usize, target: usize): void {
  const row = (<usize>stride) << 3;
  const line = (<usize>paddedRows) << 3;
  for (let k = 0; k < paddedRows; k += 4) {
    const weights = matrix + <usize>k * line;
    for (let column: usize = 0; column < row; column += 32) {
      let a0 = f64x2.splat(0);
      let a1 = a0;
      let b0 = a0;
      let b1 = a0;
      let c0 = a0;
      let c1 = a0;
      let d0 = a0;
      let d1 = a0;
      let from = source + column;
      let w = weights;
      for (let j = 0; j < rows; j++) {
        const left = v128.load(from);
        const right = v128.load(from, 16);
        const wa = v128.load64_splat(w);
        const wb = v128.load64_splat(w + line);
        const wc = v128.load64_splat(w + 2 * line);
        const wd = v128.load64_splat(w + 3 * line);
        a0 = f64x2.add(a0, f64x2.mul(wa, left));
        a1 = f64x2.add(a1, f64x2.mul(wa, right));
        b0 = f64x2.add(b0, f64x2.mul(wb, left));
        b1 = f64x2.add(b1, f64x2.mul(wb, right));
        c0 = f64x2.add(c0, f64x2.mul(wc, left));
        c1 = f64x2.add(c1, f64x2.mul(wc, right));
        d0 = f64x2.add(d0, f64x2.mul(wd, left));
        d1 = f64x2.add(d1, f64x2.mul(wd, right));
        from += row;
        w += 8;
      }
      const to = target + <usize>k * row + column;
      v128.store(to, a0);
      v128.store(to, a1, 16);
      v128.store(to + row, b0);
      v128.store(to + row, b1, 16);
      v128.store(to + 2 * row, c0);
      v128.store(to + 2 * row, c1, 16);
      v128.store(to + 3 * row, d0);
      v128.store(to + 3 * row, d1, 16);
    }
  }
}
