// The velocity at the foot of each face's trajectory, one and two steps back: semi-Lagrangian advection.
//
// Feet by the midpoint rule: over dt with the velocity extrapolated to the middle of the step, over 2 dt with that of its
// middle. Values there by bilinear or bicubic Lagrange interpolation, or bilinear with MacCormack's correction: the value
// is carried back along the trajectory, half of what it lost on the way there and back is added, and the result is
// kept between the corners of its cell. Stable for every step. Feet beyond a wall are put on it.
// Staniforth & Côté, Mon. Weather Rev. 119 (1991) 2206; Xiu & Karniadakis, J. Comput. Phys. 172 (2001) 658; Selle, Fedkiw,
// Kim, Liu & Rossignac, J. Sci. Comput. 35 (2008) 350.
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
  u,
  uBefore,
  uFirst,
  uLast,
  uSolid,
  v,
  vBefore,
  vFirst,
  vLast,
  vSolid,
  width,
} from './grid';
import { fillHalo } from './halo';

/** Numbers of schemes; 0 is linear. */
const CUBIC: i32 = 1;
const MAC_CORMACK: i32 = 2;

/** f64[size]: velocities in the middle of the step, and at its end, extrapolated. */
let uMiddle: usize = 0;
let vMiddle: usize = 0;
let uEnd: usize = 0;
let vEnd: usize = 0;
/** Carried values of MacCormack's scheme. */
let uCarried: usize = 0;
let vCarried: usize = 0;

/** Where a trajectory ends; a function returns one number. */
let footX: f64 = 0;
let footY: f64 = 0;

export function allocateAdvection(): bool {
  uMiddle = allocateF64(size);
  vMiddle = allocateF64(size);
  uEnd = allocateF64(size);
  vEnd = allocateF64(size);
  uCarried = allocateF64(size);
  vCarried = allocateF64(size);
  return !!(uMiddle && vMiddle && uEnd && vEnd && uCarried && vCarried);
}

/** Into the domain. */
function foldX(x: f64): f64 {
  const n = <f64>nx;
  if (alongX === PERIODIC) return x - n * Math.floor(x / n);
  return Math.min(Math.max(x, 0), n);
}

function foldY(y: f64): f64 {
  const n = <f64>ny;
  if (alongY === PERIODIC) return y - n * Math.floor(y / n);
  return Math.min(Math.max(y, 0), n);
}

/** First node of the pair about s, whose nodes run from `first` to `last`. */
function base(s: f64, first: i32, last: i32): i32 {
  return min(max(<i32>Math.floor(s), first), last - 1);
}

/** @param isU  nodes on faces of u, or of v */
export function linearAt(a: usize, isU: bool, x: f64, y: f64): f64 {
  const s = isU ? x : x - 0.5;
  const t = isU ? y - 0.5 : y;
  const i = base(s, -1, nx + 1);
  const j = base(t, -1, ny + 1);
  const wx = s - <f64>i;
  const wy = t - <f64>j;
  const k = face(i, j);
  const low = (1 - wx) * get(a, k) + wx * get(a, k + 1);
  const high = (1 - wx) * get(a, k + width) + wx * get(a, k + width + 1);
  return (1 - wy) * low + wy * high;
}

/** Four nodes, of which the halo of a wall has one beside tangential faces and none beside normal ones. */
export function cubicAt(a: usize, isU: bool, x: f64, y: f64): f64 {
  const s = isU ? x : x - 0.5;
  const t = isU ? y - 0.5 : y;
  const i = alongX === PERIODIC ? <i32>Math.floor(s) : min(max(<i32>Math.floor(s), isU ? 1 : 0), nx - 2);
  const j = alongY === PERIODIC ? <i32>Math.floor(t) : min(max(<i32>Math.floor(t), isU ? 0 : 1), ny - 2);
  const wx = s - <f64>i;
  const wy = t - <f64>j;
  const sixth: f64 = 1.0 / 6.0;
  const x0 = -sixth * wx * (wx - 1) * (wx - 2);
  const x1 = 0.5 * (wx + 1) * (wx - 1) * (wx - 2);
  const x2 = -0.5 * (wx + 1) * wx * (wx - 2);
  const x3 = sixth * (wx + 1) * wx * (wx - 1);
  const y0 = f64x2.splat(-sixth * wy * (wy - 1) * (wy - 2));
  const y1 = f64x2.splat(0.5 * (wy + 1) * (wy - 1) * (wy - 2));
  const y2 = f64x2.splat(-0.5 * (wy + 1) * wy * (wy - 2));
  const y3 = f64x2.splat(sixth * (wy + 1) * wy * (wy - 1));
  const row = (<usize>width) << 3;
  const r0 = a + ((<usize>face(i - 1, j - 1)) << 3);
  const r1 = r0 + row;
  const r2 = r1 + row;
  const r3 = r2 + row;
  const left = f64x2.add(
    f64x2.add(f64x2.mul(y0, v128.load(r0)), f64x2.mul(y1, v128.load(r1))),
    f64x2.add(f64x2.mul(y2, v128.load(r2)), f64x2.mul(y3, v128.load(r3))),
  );
  const right = f64x2.add(
    f64x2.add(f64x2.mul(y0, v128.load(r0, 16)), f64x2.mul(y1, v128.load(r1, 16))),
    f64x2.add(f64x2.mul(y2, v128.load(r2, 16)), f64x2.mul(y3, v128.load(r3, 16))),
  );
  return (
    x0 * f64x2.extract_lane(left, 0) +
    x1 * f64x2.extract_lane(left, 1) +
    (x2 * f64x2.extract_lane(right, 0) + x3 * f64x2.extract_lane(right, 1))
  );
}

/** From (x, y) along velocities (fx, fy) of the middle, with (px, py) the velocity here: cells over `c`, dt / h. */
function trace(x: f64, y: f64, px: f64, py: f64, fx: usize, fy: usize, c: f64): void {
  const mx = foldX(x - 0.5 * c * px);
  const my = foldY(y - 0.5 * c * py);
  footX = foldX(x - c * linearAt(fx, true, mx, my));
  footY = foldY(y - c * linearAt(fy, false, mx, my));
}

function extrapolate(): void {
  for (let k = 0; k < size; k++) {
    const du = get(u, k) - get(uBefore, k);
    const dv = get(v, k) - get(vBefore, k);
    set(uMiddle, k, get(u, k) + 0.5 * du);
    set(vMiddle, k, get(v, k) + 0.5 * dv);
    set(uEnd, k, get(u, k) + du);
    set(vEnd, k, get(v, k) + dv);
  }
}

/** Of the other component beside a face, by the mean of four. */
function crossAtU(a: usize, k: i32): f64 {
  return 0.25 * (get(a, k - 1) + get(a, k) + (get(a, k + width - 1) + get(a, k + width)));
}

function crossAtV(a: usize, k: i32): f64 {
  return 0.25 * (get(a, k - width) + get(a, k - width + 1) + (get(a, k) + get(a, k + 1)));
}

/**
 * Writes what arrives at each unknown face: weight of the value a step back, and of that two steps back.
 *
 * @param c       dt / h
 * @param second  0 in a first step, which has no step before
 */
export function advect(uTo: usize, vTo: usize, c: f64, first: f64, second: f64, scheme: i32): void {
  fillHalo(u, v, false);
  fillHalo(uBefore, vBefore, false);
  extrapolate();
  memory.fill(uTo, 0, (<usize>size) << 3);
  memory.fill(vTo, 0, (<usize>size) << 3);
  if (scheme === MAC_CORMACK) {
    correct(uTo, vTo, u, v, uMiddle, vMiddle, c, first);
    if (second !== 0) correct(uTo, vTo, uBefore, vBefore, u, v, 2 * c, second);
    return;
  }
  const isCubic = scheme === CUBIC;
  for (let j = 0; j < ny; j++) {
    for (let i = uFirst; i <= uLast; i++) {
      const k = face(i, j);
      if (hasSolid && get(uSolid, k) !== 0) continue;
      const x = <f64>i;
      const y = <f64>j + 0.5;
      const px = get(uEnd, k);
      const py = crossAtU(vEnd, k);
      trace(x, y, px, py, uMiddle, vMiddle, c);
      let sum = first * (isCubic ? cubicAt(u, true, footX, footY) : linearAt(u, true, footX, footY));
      if (second !== 0) {
        trace(x, y, px, py, u, v, 2 * c);
        sum += second * (isCubic ? cubicAt(uBefore, true, footX, footY) : linearAt(uBefore, true, footX, footY));
      }
      set(uTo, k, sum);
    }
  }
  for (let j = vFirst; j <= vLast; j++) {
    for (let i = 0; i < nx; i++) {
      const k = face(i, j);
      if (hasSolid && get(vSolid, k) !== 0) continue;
      const x = <f64>i + 0.5;
      const y = <f64>j;
      const px = crossAtV(uEnd, k);
      const py = get(vEnd, k);
      trace(x, y, px, py, uMiddle, vMiddle, c);
      let sum = first * (isCubic ? cubicAt(v, false, footX, footY) : linearAt(v, false, footX, footY));
      if (second !== 0) {
        trace(x, y, px, py, u, v, 2 * c);
        sum += second * (isCubic ? cubicAt(vBefore, false, footX, footY) : linearAt(vBefore, false, footX, footY));
      }
      set(vTo, k, sum);
    }
  }
}

/** Adds weight times (a, b) carried over c by MacCormack's scheme. */
function correct(uTo: usize, vTo: usize, a: usize, b: usize, fx: usize, fy: usize, c: f64, weight: f64): void {
  carry(true, a, fx, fy, c);
  carry(false, b, fx, fy, c);
  fillHalo(uCarried, vCarried, false);
  for (let j = 0; j < ny; j++)
    for (let i = uFirst; i <= uLast; i++) {
      const k = face(i, j);
      if (get(uSolid, k) === 0) set(uTo, k, get(uTo, k) + weight * corrected(true, a, i, j, fx, fy, c));
    }
  for (let j = vFirst; j <= vLast; j++)
    for (let i = 0; i < nx; i++) {
      const k = face(i, j);
      if (get(vSolid, k) === 0) set(vTo, k, get(vTo, k) + weight * corrected(false, b, i, j, fx, fy, c));
    }
}

function traceFace(isU: bool, i: i32, j: i32, fx: usize, fy: usize, c: f64, isBack: bool): void {
  const k = face(i, j);
  const x = isU ? <f64>i : <f64>i + 0.5;
  const y = isU ? <f64>j + 0.5 : <f64>j;
  const fromX = isBack ? uEnd : fx;
  const fromY = isBack ? vEnd : fy;
  const px = isU ? get(fromX, k) : crossAtV(fromX, k);
  const py = isU ? crossAtU(fromY, k) : get(fromY, k);
  trace(x, y, px, py, fx, fy, isBack ? c : -c);
}

function carry(isU: bool, a: usize, fx: usize, fy: usize, c: f64): void {
  const to = isU ? uCarried : vCarried;
  const firstI = isU ? uFirst : 0;
  const lastI = isU ? uLast : nx - 1;
  const firstJ = isU ? 0 : vFirst;
  const lastJ = isU ? ny - 1 : vLast;
  for (let j = firstJ; j <= lastJ; j++)
    for (let i = firstI; i <= lastI; i++) {
      traceFace(isU, i, j, fx, fy, c, true);
      set(to, face(i, j), linearAt(a, isU, footX, footY));
    }
}

/** The carried value and half of what a face loses on the way there and back, kept between the corners of its foot's cell. */
function corrected(isU: bool, a: usize, i: i32, j: i32, fx: usize, fy: usize, c: f64): f64 {
  const carried = isU ? uCarried : vCarried;
  traceFace(isU, i, j, fx, fy, c, true);
  const s = isU ? footX : footX - 0.5;
  const t = isU ? footY - 0.5 : footY;
  const k = face(base(s, -1, nx + 1), base(t, -1, ny + 1));
  const low = Math.min(Math.min(get(a, k), get(a, k + 1)), Math.min(get(a, k + width), get(a, k + width + 1)));
  const high = Math.max(Math.max(get(a, k), get(a, k + 1)), Math.max(get(a, k + width), get(a, k + width + 1)));
  traceFace(isU, i, j, fx, fy, c, false);
  const loss = get(a, face(i, j)) - linearAt(carried, isU, footX, footY);
  return Math.min(Math.max(get(carried, face(i, j)) + 0.5 * loss, low), high);
}
