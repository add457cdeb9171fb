// (1 − a ∇²) u = r by factors along x and y, in the change of u over the step:
//
//   (1 − a ∂xx) (1 − a ∂yy) δ = r − (1 − a ∇²) u,   u ← u + δ,   a = τ ν
//
// The term a² ∂xx ∂yy δ that the factors add is of second order in time and vanishes in a steady state. Tangential walls
// lie half a cell from their faces. Systems of a line are tridiagonal; periodic ones are tridiagonal ones less v vᵀ,
// v = e_first + e_last, by Sherman & Morrison.
// Douglas & Gunn, Numer. Math. 6 (1964) 428; Kim & Moin, J. Comput. Phys. 59 (1985) 308.
import { allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';
import {
  alongX,
  alongY,
  face,
  hasSolid,
  nx,
  ny,
  PERIODIC,
  size,
  THROUGH,
  u,
  uFirst,
  uLast,
  uSolid,
  v,
  vFirst,
  vLast,
  vSolid,
  width,
} from './grid';

/** Sets of lines: of u along x and y, and of v. */
const SETS: i32 = 4;
/** f64[size] each: factors of Thomas elimination, and T⁻¹ v of periodic lines; all entries of a line share `share`. */
enum Part {
  below,
  inverse,
  above,
  wrapped,
  share,
  count,
}

const PARTS: usize = memory.data(4 * 5 * 8, 16);

function part(lines: i32, which: i32): usize {
  return load<usize>(PARTS + ((<usize>(lines * Part.count + which)) << 3));
}

export function allocateDiffusion(): bool {
  for (let lines = 0; lines < SETS; lines++) {
    const isPeriodic = ((lines & 1) === 0 ? alongX : alongY) === PERIODIC;
    for (let which = 0; which < Part.count; which++) {
      const address = allocateF64(which < Part.wrapped || isPeriodic ? size : 1);
      if (!address) return false;
      store<usize>(PARTS + ((<usize>(lines * Part.count + which)) << 3), address);
    }
  }
  return true;
}

function isSolid(isU: bool, k: i32): bool {
  return hasSolid && get(isU ? uSolid : vSolid, k) !== 0;
}

/** Part of the diagonal, over a, at face k of a line: 1 a neighbour, 2 a wall at half a cell, 0 where nothing changes. */
function coupling(isU: bool, isX: bool, k: i32, step: i32, isEnd: bool, isOutflow: bool): f64 {
  if (isOutflow) return 0;
  const isTangential = isU !== isX;
  if (!isTangential) return 1;
  return isEnd || isSolid(isU, k + step) ? 2 : 1;
}

/** Factors all lines. @param a  τ ν / h² */
export function factorDiffusion(a: f64): void {
  for (let j = 0; j < ny; j++) factorLine(0, true, true, face(uFirst, j), 1, uLast - uFirst + 1, a);
  for (let i = uFirst; i <= uLast; i++) factorLine(1, true, false, face(i, 0), width, ny, a);
  for (let j = vFirst; j <= vLast; j++) factorLine(2, false, true, face(0, j), 1, nx, a);
  for (let i = 0; i < nx; i++) factorLine(3, false, false, face(i, vFirst), width, vLast - vFirst + 1, a);
}

function factorLine(lines: i32, isU: bool, isX: bool, first: i32, step: i32, n: i32, a: f64): void {
  const below = part(lines, Part.below);
  const inverse = part(lines, Part.inverse);
  const above = part(lines, Part.above);
  const isPeriodic = (isX ? alongX : alongY) === PERIODIC;
  let ratio: f64 = 0;
  for (let m = 0; m < n; m++) {
    const k = first + m * step;
    const isFirst = m === 0;
    const isLast = m === n - 1;
    let diagonal: f64 = 1;
    let next: f64 = 0;
    let previous: f64 = 0;
    if (!isSolid(isU, k)) {
      const isOutflow = isLast && isX && alongX === THROUGH;
      const low = isPeriodic ? 1 : coupling(isU, isX, k, -step, isFirst, false);
      const high = isPeriodic ? 1 : coupling(isU, isX, k, step, isLast, isOutflow);
      diagonal = 1 + a * (low + high);
      if (!isFirst && !isSolid(isU, k - step)) previous = -a;
      if (!isLast && !isSolid(isU, k + step)) next = -a;
      // T = A + a v vᵀ.
      if (isPeriodic && (isFirst || isLast)) diagonal += a;
    }
    const reciprocal = 1 / (diagonal - previous * ratio);
    ratio = next * reciprocal;
    set(below, k, previous * reciprocal);
    set(inverse, k, reciprocal);
    set(above, k, ratio);
  }
  if (!isPeriodic) return;
  const wrapped = part(lines, Part.wrapped);
  for (let m = 0; m < n; m++) set(wrapped, first + m * step, m === 0 || m === n - 1 ? 1 : 0);
  eliminate(lines, wrapped, first, step, n);
  const last = first + (n - 1) * step;
  set(part(lines, Part.share), first, a / (1 - a * (get(wrapped, first) + get(wrapped, last))));
}

/** x ← T⁻¹ x along a line. */
function eliminate(lines: i32, x: usize, first: i32, step: i32, n: i32): void {
  const start = (<usize>first) << 3;
  const bytes = (<usize>step) << 3;
  const below = part(lines, Part.below) + start;
  const inverse = part(lines, Part.inverse) + start;
  const above = part(lines, Part.above) + start;
  const values = x + start;
  const end = <usize>n * bytes;
  let d: f64 = 0;
  for (let at: usize = 0; at < end; at += bytes) {
    d = load<f64>(values + at) * load<f64>(inverse + at) - load<f64>(below + at) * d;
    store<f64>(values + at, d);
  }
  let y: f64 = 0;
  for (let at = end; at > 0; ) {
    at -= bytes;
    y = load<f64>(values + at) - load<f64>(above + at) * y;
    store<f64>(values + at, y);
  }
}

function solveLine(lines: i32, isPeriodic: bool, x: usize, first: i32, step: i32, n: i32): void {
  eliminate(lines, x, first, step, n);
  if (!isPeriodic) return;
  const last = first + (n - 1) * step;
  const wrapped = part(lines, Part.wrapped);
  const share = get(part(lines, Part.share), first) * (get(x, first) + get(x, last));
  for (let m = 0; m < n; m++) {
    const k = first + m * step;
    set(x, k, get(x, k) + share * get(wrapped, k));
  }
}

/** h² ∇² of a component at an unknown face, with linear ghosts. */
function laplacian(f: usize, isU: bool, k: i32, isOutflow: bool): f64 {
  const value = get(f, k);
  const right = isOutflow ? value : get(f, k + 1);
  let sum = right + get(f, k - 1) + (get(f, k + width) + get(f, k - width)) - 4 * value;
  if (hasSolid) {
    // A tangential wall lies halfway, where the ghost is −u and the solid face holds 0.
    const step = isU ? width : 1;
    if (isSolid(isU, k + step)) sum -= value;
    if (isSolid(isU, k - step)) sum -= value;
  }
  return sum;
}

/**
 * Replaces right-hand sides by velocities.
 *
 * @param uNext, vNext  r at unknown faces; in place
 * @param a             τ ν / h²
 */
export function diffuse(uNext: usize, vNext: usize, a: f64): void {
  for (let j = 0; j < ny; j++) {
    for (let i = uFirst; i <= uLast; i++) {
      const k = face(i, j);
      const isOutflow = i === nx && alongX === THROUGH;
      set(uNext, k, isSolid(true, k) ? 0 : get(uNext, k) - get(u, k) + a * laplacian(u, true, k, isOutflow));
    }
  }
  for (let j = vFirst; j <= vLast; j++) {
    for (let i = 0; i < nx; i++) {
      const k = face(i, j);
      set(vNext, k, isSolid(false, k) ? 0 : get(vNext, k) - get(v, k) + a * laplacian(v, false, k, false));
    }
  }
  const isPeriodicX = alongX === PERIODIC;
  const isPeriodicY = alongY === PERIODIC;
  for (let j = 0; j < ny; j++) solveLine(0, isPeriodicX, uNext, face(uFirst, j), 1, uLast - uFirst + 1);
  for (let i = uFirst; i <= uLast; i++) solveLine(1, isPeriodicY, uNext, face(i, 0), width, ny);
  for (let j = vFirst; j <= vLast; j++) solveLine(2, isPeriodicX, vNext, face(0, j), 1, nx);
  for (let i = 0; i < nx; i++) solveLine(3, isPeriodicY, vNext, face(i, vFirst), width, vLast - vFirst + 1);
  for (let j = 0; j < ny; j++)
    for (let i = uFirst; i <= uLast; i++) set(uNext, face(i, j), get(u, face(i, j)) + get(uNext, face(i, j)));
  for (let j = vFirst; j <= vLast; j++)
    for (let i = 0; i < nx; i++) set(vNext, face(i, j), get(v, face(i, j)) + get(vNext, face(i, j)));
}
