// Forces between bodies, and on each of them.
//
//   x_i'' = S Σ_j m_j (X_j − X_i) / (|X_j − X_i|² + ε²)^(3/2)  +  on_i,   X_i = site_i + x_i
//   on_i  = −g_i − α x_i − β x_i³ − c_i x_i' |x_i'| + Σ_k w_k C_k(x_i, x_i', t)    on a line alone
//
// Plummer's softening ε is in the force as in the potential −S m_i m_j / √(r² + ε²), so that the energy is conserved.
// Dehnen & Read, Eur. Phys. J. Plus 126 (2011) 55, doi:10.1140/epjp/i2011-11055-3.
import { highs, lows } from '../../numerics/simd';
import { get, set } from '../../numerics/vector';
import { count as couplingCount, couplingForce } from './couplings';

/** Bodies and dimensions; the state is x f64[bodies, d], v f64[bodies, d], and the work of what is not conserved. */
export let bodies: i32 = 0;
export let dimensions: i32 = 0;
/** Coordinates of all bodies, and the length of the state. */
export let coordinates: i32 = 0;
export let states: i32 = 0;

export let masses: usize = 0;
/** f64[bodies], only on a line: places that displacements are counted from, weights over masses, drag over masses. */
export let sites: usize = 0;
export let gravity: usize = 0;
export let drag: usize = 0;

let strength: f64 = 0;
let softening2: f64 = 0;
let alpha: f64 = 0;
let beta: f64 = 0;
let isField = false;
let hasWork = false;
/** Of each body the largest |x| of an accepted step so far. */
let reach: usize = 0;
let near: usize = 0;
let nearest: usize = 0;
/** f64[states], zeros. */
let none: usize = 0;

/** Number of f64 that `initForces` requires. */
export function forcesSize(n: i32, d: i32): i32 {
  return 7 * n + 2 * n * d + 1;
}

/** @param address  f64[forcesSize(n, d)], zeroed */
export function initForces(n: i32, d: i32, field: bool, works: bool, address: usize): void {
  const bytes = (<usize>n) << 3;
  bodies = n;
  dimensions = d;
  coordinates = n * d;
  isField = field;
  hasWork = works;
  states = 2 * coordinates + (works ? 1 : 0);
  masses = address;
  sites = masses + bytes;
  gravity = sites + bytes;
  drag = gravity + bytes;
  reach = drag + bytes;
  near = reach + bytes;
  nearest = near + bytes;
  none = nearest + bytes;
}

export function setForces(pairStrength: f64, softening: f64, linear: f64, cubic: f64): void {
  strength = pairStrength;
  softening2 = softening * softening;
  alpha = linear;
  beta = cubic;
  memory.fill(reach, 0, (<usize>bodies) << 3);
}

/** Accelerations of forces that depend on positions alone. */
export function conservative(x: usize, a: usize): void {
  accelerate(x, none, a);
}

/** At the positions x + c, whose differences are taken before they are added. */
function accelerate(x: usize, c: usize, a: usize): void {
  if (dimensions === 2) attractInPlane(x, c, a);
  else if (dimensions === 3) attractInSpace(x, c, a);
  else attractOnLine(x, c, a);
  if (!isField) return;
  for (let i = 0; i < bodies; i++) {
    const phi = get(x, i) + get(c, i);
    set(a, i, get(a, i) - get(gravity, i) - alpha * phi - beta * phi * phi * phi);
  }
}

function attractOnLine(x: usize, c: usize, a: usize): void {
  memory.fill(a, 0, (<usize>bodies) << 3);
  if (strength === 0) return;
  for (let i = 0; i < bodies; i++) {
    const site = get(sites, i);
    const xi = get(x, i);
    const ci = get(c, i);
    let own = get(a, i);
    for (let j = i + 1; j < bodies; j++) {
      const dx = get(sites, j) - site + (get(x, j) - xi) + (get(c, j) - ci);
      const r2 = dx * dx + softening2;
      const w = (strength / (r2 * Math.sqrt(r2))) * dx;
      own += get(masses, j) * w;
      set(a, j, get(a, j) - get(masses, i) * w);
    }
    set(a, i, own);
  }
}

// Two others at a time, whose sums are then added in their order: the bits of one at a time.

function attractInPlane(x: usize, c: usize, a: usize): void {
  for (let i = 0; i < coordinates; i++) set(a, i, 0);
  const soft = f64x2.splat(softening2);
  const all = f64x2.splat(strength);
  for (let i = 0; i < bodies; i++) {
    const xi = get(x, 2 * i);
    const yi = get(x, 2 * i + 1);
    const cx = get(c, 2 * i);
    const cy = get(c, 2 * i + 1);
    const mi = get(masses, i);
    let ax = get(a, 2 * i);
    let ay = get(a, 2 * i + 1);
    let j = i + 1;
    for (; j + 1 < bodies; j += 2) {
      const at = (<usize>j) << 4;
      const x0 = v128.load(x + at);
      const x1 = v128.load(x + at, 16);
      const c0 = v128.load(c + at);
      const c1 = v128.load(c + at, 16);
      const dx = f64x2.add(f64x2.sub(lows(x0, x1), f64x2.splat(xi)), f64x2.sub(lows(c0, c1), f64x2.splat(cx)));
      const dy = f64x2.add(f64x2.sub(highs(x0, x1), f64x2.splat(yi)), f64x2.sub(highs(c0, c1), f64x2.splat(cy)));
      const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), soft);
      const w = f64x2.div(all, f64x2.mul(r2, f64x2.sqrt(r2)));
      const wj = f64x2.mul(w, v128.load(masses + ((<usize>j) << 3)));
      const wi = f64x2.mul(w, f64x2.splat(mi));
      const tx = f64x2.mul(wj, dx);
      const ty = f64x2.mul(wj, dy);
      ax = ax + f64x2.extract_lane(tx, 0) + f64x2.extract_lane(tx, 1);
      ay = ay + f64x2.extract_lane(ty, 0) + f64x2.extract_lane(ty, 1);
      const px = f64x2.mul(wi, dx);
      const py = f64x2.mul(wi, dy);
      v128.store(a + at, f64x2.sub(v128.load(a + at), lows(px, py)));
      v128.store(a + at, f64x2.sub(v128.load(a + at, 16), highs(px, py)), 16);
    }
    if (j < bodies) {
      const dx = get(x, 2 * j) - xi + (get(c, 2 * j) - cx);
      const dy = get(x, 2 * j + 1) - yi + (get(c, 2 * j + 1) - cy);
      const r2 = dx * dx + dy * dy + softening2;
      const w = strength / (r2 * Math.sqrt(r2));
      const wj = w * get(masses, j);
      const wi = w * mi;
      ax += wj * dx;
      ay += wj * dy;
      set(a, 2 * j, get(a, 2 * j) - wi * dx);
      set(a, 2 * j + 1, get(a, 2 * j + 1) - wi * dy);
    }
    set(a, 2 * i, ax);
    set(a, 2 * i + 1, ay);
  }
}

function attractInSpace(x: usize, c: usize, a: usize): void {
  for (let i = 0; i < coordinates; i++) set(a, i, 0);
  const soft = f64x2.splat(softening2);
  const all = f64x2.splat(strength);
  for (let i = 0; i < bodies; i++) {
    const at = 3 * i;
    const xi = get(x, at);
    const yi = get(x, at + 1);
    const zi = get(x, at + 2);
    const cx = get(c, at);
    const cy = get(c, at + 1);
    const cz = get(c, at + 2);
    const mi = get(masses, i);
    let ax = get(a, at);
    let ay = get(a, at + 1);
    let az = get(a, at + 2);
    let j = i + 1;
    for (; j + 1 < bodies; j += 2) {
      // x₀ y₀ | z₀ x₁ | y₁ z₁
      const from = (<usize>(3 * j)) << 3;
      const p0 = v128.load(x + from);
      const p1 = v128.load(x + from, 16);
      const p2 = v128.load(x + from, 32);
      const c0 = v128.load(c + from);
      const c1 = v128.load(c + from, 16);
      const c2 = v128.load(c + from, 32);
      const dx = f64x2.add(
        f64x2.sub(v128.shuffle<f64>(p0, p1, 0, 3), f64x2.splat(xi)),
        f64x2.sub(v128.shuffle<f64>(c0, c1, 0, 3), f64x2.splat(cx)),
      );
      const dy = f64x2.add(
        f64x2.sub(v128.shuffle<f64>(p0, p2, 1, 2), f64x2.splat(yi)),
        f64x2.sub(v128.shuffle<f64>(c0, c2, 1, 2), f64x2.splat(cy)),
      );
      const dz = f64x2.add(
        f64x2.sub(v128.shuffle<f64>(p1, p2, 0, 3), f64x2.splat(zi)),
        f64x2.sub(v128.shuffle<f64>(c1, c2, 0, 3), f64x2.splat(cz)),
      );
      const plane = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
      const r2 = f64x2.add(f64x2.add(plane, f64x2.mul(dz, dz)), soft);
      const w = f64x2.div(all, f64x2.mul(r2, f64x2.sqrt(r2)));
      const wj = f64x2.mul(w, v128.load(masses + ((<usize>j) << 3)));
      const wi = f64x2.mul(w, f64x2.splat(mi));
      const tx = f64x2.mul(wj, dx);
      const ty = f64x2.mul(wj, dy);
      const tz = f64x2.mul(wj, dz);
      ax = ax + f64x2.extract_lane(tx, 0) + f64x2.extract_lane(tx, 1);
      ay = ay + f64x2.extract_lane(ty, 0) + f64x2.extract_lane(ty, 1);
      az = az + f64x2.extract_lane(tz, 0) + f64x2.extract_lane(tz, 1);
      const px = f64x2.mul(wi, dx);
      const py = f64x2.mul(wi, dy);
      const pz = f64x2.mul(wi, dz);
      v128.store(a + from, f64x2.sub(v128.load(a + from), lows(px, py)));
      v128.store(a + from, f64x2.sub(v128.load(a + from, 16), v128.shuffle<f64>(pz, px, 0, 3)), 16);
      v128.store(a + from, f64x2.sub(v128.load(a + from, 32), highs(py, pz)), 32);
    }
    if (j < bodies) {
      const to = 3 * j;
      const dx = get(x, to) - xi + (get(c, to) - cx);
      const dy = get(x, to + 1) - yi + (get(c, to + 1) - cy);
      const dz = get(x, to + 2) - zi + (get(c, to + 2) - cz);
      const r2 = dx * dx + dy * dy + dz * dz + softening2;
      const w = strength / (r2 * Math.sqrt(r2));
      const wj = w * get(masses, j);
      const wi = w * mi;
      ax += wj * dx;
      ay += wj * dy;
      az += wj * dz;
      set(a, to, get(a, to) - wi * dx);
      set(a, to + 1, get(a, to + 1) - wi * dy);
      set(a, to + 2, get(a, to + 2) - wi * dz);
    }
    set(a, at, ax);
    set(a, at + 1, ay);
    set(a, at + 2, az);
  }
}

/** x' = v, v' = a, and the power of drag and couplings, at the state y. */
export function derivatives(t: f64, y: usize, dydt: usize): void {
  splitDerivatives(t, y, none, dydt);
}

/** The same at the state y + c. */
export function splitDerivatives(t: f64, y: usize, c: usize, dydt: usize): void {
  const bytes = (<usize>coordinates) << 3;
  const a = dydt + bytes;
  for (let i = 0; i < coordinates; i++) set(dydt, i, get(y, coordinates + i) + get(c, coordinates + i));
  accelerate(y, c, a);
  if (!hasWork) return;
  let power: f64 = 0;
  for (let i = 0; i < bodies; i++) {
    const v = get(dydt, i);
    let extra = -get(drag, i) * v * Math.abs(v);
    if (couplingCount > 0) extra += couplingForce(get(y, i) + get(c, i), v, t);
    power += get(masses, i) * v * extra;
    set(a, i, get(a, i) + extra);
  }
  set(dydt, 2 * coordinates, power);
}

/** r · v of a pair: negative while it approaches. */
export function approach(y: usize, i: i32, j: i32): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < dimensions; k++) {
    sum +=
      separation(y, i, j, k) * (get(y, coordinates + j * dimensions + k) - get(y, coordinates + i * dimensions + k));
  }
  return sum;
}

function separation(y: usize, i: i32, j: i32, k: i32): f64 {
  const apart = get(y, j * dimensions + k) - get(y, i * dimensions + k);
  return isField ? apart + (get(sites, j) - get(sites, i)) : apart;
}

/** The square of the distance of a pair, without softening. */
export function distance2(y: usize, i: i32, j: i32): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < dimensions; k++) {
    const apart = separation(y, i, j, k);
    sum += apart * apart;
  }
  return sum;
}

/** (r · v)' = |v|² + r · a of a pair. */
export function approachSlope(y: usize, slopes: usize, i: i32, j: i32): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < dimensions; k++) {
    const speed = get(y, coordinates + j * dimensions + k) - get(y, coordinates + i * dimensions + k);
    const a = get(slopes, coordinates + j * dimensions + k) - get(slopes, coordinates + i * dimensions + k);
    sum += speed * speed + separation(y, i, j, k) * a;
  }
  return sum;
}

/**
 * What errors are measured by: of a position the distance to the nearest body, on a line at most the largest
 * displacement so far; of a velocity that relative to the nearest body, and what the acceleration makes of the distance.
 */
export function sizes(y: usize, slopes: usize, out: usize): void {
  for (let i = 0; i < bodies; i++) {
    set(near, i, Infinity);
    set(nearest, i, <f64>i);
  }
  if (!isField || strength !== 0) findNearest(y);
  let energy: f64 = 0;
  for (let i = 0; i < bodies; i++) {
    let acceleration2: f64 = 0;
    let speed2: f64 = 0;
    const other = <i32>get(nearest, i);
    for (let k = 0; k < dimensions; k++) {
      const a = get(slopes, coordinates + i * dimensions + k);
      const v = get(y, coordinates + i * dimensions + k);
      const relative = isField ? v : v - get(y, coordinates + other * dimensions + k);
      acceleration2 += a * a;
      speed2 += relative * relative;
    }
    const acceleration = Math.sqrt(acceleration2);
    let size = Math.sqrt(get(near, i));
    if (isField) {
      set(reach, i, Math.max(get(reach, i), Math.abs(get(y, i))));
      // At rest at the origin a body has no size yet: what it reaches in a time of 1 counts.
      size = Math.min(size, get(reach, i) > 0 ? get(reach, i) : Math.max(acceleration, Math.sqrt(speed2)));
    }
    const speed = Math.max(Math.sqrt(speed2), Math.sqrt(acceleration * size));
    for (let k = 0; k < dimensions; k++) {
      set(out, i * dimensions + k, size);
      set(out, coordinates + i * dimensions + k, speed);
    }
    if (isField) energy += get(masses, i) * (speed * speed + Math.abs(get(gravity, i)) * get(reach, i));
  }
  if (hasWork) set(out, 2 * coordinates, energy);
}

function findNearest(y: usize): void {
  for (let i = 0; i < bodies; i++)
    for (let j = i + 1; j < bodies; j++) {
      const r2 = distance2(y, i, j) + softening2;
      if (r2 < get(near, i)) {
        set(near, i, r2);
        set(nearest, i, <f64>j);
      }
      if (r2 < get(near, j)) {
        set(near, j, r2);
        set(nearest, j, <f64>i);
      }
    }
}
