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
/** Of MacCormack's scheme: carried values, and the feet that they come from, x before y. */
let uCarried: usize = 0;
let vCarried: usize = 0;
let uFeet: usize = 0;
let vFeet: usize = 0;

/** Where a trajectory ends; a function returns one number. */
let footX: f64 = 0;
let footY: f64 = 0;

export function allocateAdvection(scheme: i32): bool {
  uMiddle = allocateF64(size);
  vMiddle = allocateF64(size);
  uEnd = allocateF64(size);
  vEnd = allocateF64(size);
  uCarried = allocateF64(size);
  vCarried = allocateF64(size);
  const feet = scheme === MAC_CORMACK ? 2 * size : 2;
  uFeet = allocateF64(feet);
  vFeet = allocateF64(feet);
  return !!(uMiddle && vMiddle && uEnd && vEnd && uCarried && vCarried && uFeet && vFeet);
}

/** Into the domain. */
function foldX(x: f64): f64 {
  const n = <f64>nx;
  if (alongX === PERIODIC) return x - n * Math.floor(x / n);
  return clamp(x, n);
}

function foldY(y: f64): f64 {
  const n = <f64>ny;
  if (alongY === PERIODIC) return y - n * Math.floor(y / n);
  return clamp(y, n);
}

/** Between 0 and n; what is no number stays none. By comparisons, of which a foot inside takes two. */
function clamp(x: f64, n: f64): f64 {
  if (x < 0) return 0;
  return x > n ? n : x;
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
  const velocity = bothAt(fx, fy, mx, my);
  footX = foldX(x - c * f64x2.extract_lane(velocity, 0));
  footY = foldY(y - c * f64x2.extract_lane(velocity, 1));
}

/** `linearAt` of both components in two lanes, with its operations in their order. */
function bothAt(a: usize, b: usize, x: f64, y: f64): v128 {
  const s = f64x2.replace_lane(f64x2.splat(x), 1, x - 0.5);
  const t = f64x2.replace_lane(f64x2.splat(y), 0, y - 0.5);
  const first = f64x2.splat(-1);
  const i = f64x2.pmin(f64x2.pmax(f64x2.floor(s), first), f64x2.splat(<f64>nx));
  const j = f64x2.pmin(f64x2.pmax(f64x2.floor(t), first), f64x2.splat(<f64>ny));
  const wx = f64x2.sub(s, i);
  const wy = f64x2.sub(t, j);
  const columns = i32x4.trunc_sat_f64x2_s_zero(i);
  const rows = i32x4.trunc_sat_f64x2_s_zero(j);
  const one = f64x2.splat(1);
  const row = (<usize>width) << 3;
  const ofA = a + ((<usize>face(i32x4.extract_lane(columns, 0), i32x4.extract_lane(rows, 0))) << 3);
  const ofB = b + ((<usize>face(i32x4.extract_lane(columns, 1), i32x4.extract_lane(rows, 1))) << 3);
  const lowA = v128.load(ofA);
  const lowB = v128.load(ofB);
  const highA = v128.load(ofA + row);
  const highB = v128.load(ofB + row);
  const rest = f64x2.sub(one, wx);
  const low = f64x2.add(
    f64x2.mul(rest, v128.shuffle<f64>(lowA, lowB, 0, 2)),
    f64x2.mul(wx, v128.shuffle<f64>(lowA, lowB, 1, 3)),
  );
  const high = f64x2.add(
    f64x2.mul(rest, v128.shuffle<f64>(highA, highB, 0, 2)),
    f64x2.mul(wx, v128.shuffle<f64>(highA, highB, 1, 3)),
  );
  return f64x2.add(f64x2.mul(f64x2.sub(one, wy), low), f64x2.mul(wy, high));
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
  const feet = isU ? uFeet : vFeet;
  const firstI = isU ? uFirst : 0;
  const lastI = isU ? uLast : nx - 1;
  const firstJ = isU ? 0 : vFirst;
  const lastJ = isU ? ny - 1 : vLast;
  for (let j = firstJ; j <= lastJ; j++)
    for (let i = firstI; i <= lastI; i++) {
      traceFace(isU, i, j, fx, fy, c, true);
      const k = face(i, j);
      set(feet, 2 * k, footX);
      set(feet, 2 * k + 1, footY);
      set(to, k, linearAt(a, isU, footX, footY));
    }
}

/** The carried value and half of what a face loses on the way there and back, kept between the corners of its foot's cell. */
function corrected(isU: bool, a: usize, i: i32, j: i32, fx: usize, fy: usize, c: f64): f64 {
  const carried = isU ? uCarried : vCarried;
  const feet = (isU ? uFeet : vFeet) + ((<usize>face(i, j)) << 4);
  const s = isU ? load<f64>(feet) : load<f64>(feet) - 0.5;
  const t = isU ? load<f64>(feet, 8) - 0.5 : load<f64>(feet, 8);
  const k = face(base(s, -1, nx + 1), base(t, -1, ny + 1));
  const pairs = a + ((<usize>k) << 3);
  const below = v128.load(pairs);
  const above = v128.load(pairs + ((<usize>width) << 3));
  const lows = f64x2.min(below, above);
  const highs = f64x2.max(below, above);
  const low = Math.min(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  const high = Math.max(f64x2.extract_lane(highs, 0), f64x2.extract_lane(highs, 1));
  traceFace(isU, i, j, fx, fy, c, false);
  const loss = get(a, face(i, j)) - linearAt(carried, isU, footX, footY);
  return Math.min(Math.max(get(carried, face(i, j)) + 0.5 * loss, low), high);
}
