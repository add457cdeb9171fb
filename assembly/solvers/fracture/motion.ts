// Motion of the bonds in time: velocity Verlet for bond-based peridynamics with a critical stretch (PMB).
//
// Units of the lattice, with density 1: the speed √(E/ρ) is 1. The force of a bond acts along it as it is now, by its
// elongation, so large rotations are allowed; a bond beyond the stretch s0 loses its force at once, and does not heal. Ends are
// gripped with a mean strain that grows with time, held, drawn by a traction over the rows within the horizon, or
// joined into a ring. There is no contact: faces of a crack may cross.
//
// Second order in time, stable for steps up to 2 / √(2 Σ stiffness) (Gershgorin). With K taken at whole steps,
// K − dt²/8 Σ a² + bonds + losses − work is constant up to rounding for bonds that do not turn, for any step: the work is summed
// by the trapezoidal rule, and a bond that breaks is counted with half the product of its last two elongations times its stiffness.
// Silling & Askari, Comput. Struct. 83 (2005) 1526; Hairer, Lubich & Wanner, Acta Numerica 12 (2003) 399.
//
// Calls in inner loops: none but where a bond breaks.
import { allocateF64 } from '../../kernel';
import { laneSum, splat } from '../../numerics/simd';
import { get, set } from '../../numerics/vector';
import { columns, damageOf, grips, isGrip, offsets, points, reach, rows, stencil, u, weights } from './lattice';

export enum Load {
  none,
  grips,
  stress,
  release,
  ring,
}

/** step; strain of the grips; stress through the middle; kinetic energy and its correction dt²/8 Σ a²; energy of bonds;
 * energy of broken ones; work; momentum along the pull; amplitude of the profile; bonds lost; x of the tip. */
export enum MotionColumn {
  step,
  strain,
  stress,
  kinetic,
  correction,
  bonds,
  lost,
  work,
  momentum,
  amplitude,
  broken,
  tip,
}

export const MOTION_COLUMNS: i32 = MotionColumn.tip + 1;
/** Damage of a point that a crack has passed. */
export const CRACKED: f64 = 0.35;

export namespace Motion {
  export let load: i32 = 0;
  export let dt: f64 = 0;
  export let steps: i32 = 0;
  /** Mean strain at the end, its rise time, and the traction at the end of its rise. */
  export let strain: f64 = 0;
  export let ramp: f64 = 0;
  export let stress: f64 = 0;
  export let s0: f64 = 0;
  export let step: i32 = 0;
  export let peak: f64 = 0;
  export let peakStep: f64 = 0;
  export let firstStep: f64 = 0;
  export let firstY: f64 = 0;
  export let broken: f64 = 0;
}

let v: usize = 0;
let a: usize = 0;
/** Of points that the crack has reached. */
let reached: usize = 0;
/** f64[rows]: initial displacement of a ring for strain 1, and the shape that its amplitude is read by. */
export let profile: usize = 0;
const TWO: usize = memory.data<f64>([2.0]);
const LIMIT: usize = memory.data<f64>([0.0]);

let bonds: f64 = 0;
let lost: f64 = 0;
let work: f64 = 0;
let conjugate: f64 = 0;
let through: f64 = 0;

/** @returns whether there is room */
export function reserveMotion(): bool {
  v = allocateF64(2 * points + 2);
  a = allocateF64(2 * points + 2);
  reached = allocateF64(points);
  profile = allocateF64(rows);
  return !!(v && a && reached && profile);
}

function strainAt(step: i32): f64 {
  if (Motion.load === Load.release) return Motion.strain;
  if (Motion.load !== Load.grips) return 0;
  const t = Motion.dt * <f64>step;
  const rate = Motion.strain / (Motion.dt * <f64>Motion.steps - 0.5 * Motion.ramp);
  return t < Motion.ramp ? (0.5 * rate * t * t) / Motion.ramp : rate * (t - 0.5 * Motion.ramp);
}

function tractionAt(step: i32): f64 {
  const t = Motion.dt * <f64>step;
  return t < Motion.ramp ? (Motion.stress * t) / Motion.ramp : Motion.stress;
}

/** Distance of a row from the middle of the body. */
function heightOf(row: i32): f64 {
  return <f64>row + 0.5 - <f64>grips - 0.5 * <f64>rows;
}

/** Grips follow the strain; the rows beyond the ends of a ring are those of the other end. */
function moveGrips(step: i32): void {
  if (Motion.load === Load.stress) return;
  const strain = strainAt(step);
  for (let p = 0; p < points; p++) {
    const row = p / columns;
    if (!isGrip(row)) continue;
    if (Motion.load === Load.ring) {
      const other = row < grips ? p + rows * columns : p - rows * columns;
      set(u, p, get(u, other));
      set(u, points + p, get(u, points + other));
    } else {
      set(u, p, 0);
      set(u, points + p, strain * heightOf(row));
    }
  }
}

/** Forces of all bonds into `a`; breaks those beyond the limit. */
function applyBonds(): void {
  memory.fill(a, 0, (<usize>(2 * points + 2)) << 3);
  const half = (<usize>points) << 3;
  const two = splat(TWO);
  let energy = f64x2.splat(0);
  for (let o = 0; o < offsets; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    const shift = <i32>get(at, 1) * columns + <i32>get(at, 0);
    store<f64>(LIMIT, Motion.s0 * get(at, 2));
    const limit = splat(LIMIT);
    const xi = splat(at);
    const eta = splat(at + 8);
    const length = splat(at + 16);
    const xi2 = f64x2.mul(two, xi);
    const eta2 = f64x2.mul(two, eta);
    const skip = (<usize>shift) << 3;
    // A pair may reach one point beyond the last bond: that bond has no stiffness.
    const count = (<usize>(points - shift + 1) >> 1) << 4;
    const plane = weights + ((<usize>(o * points)) << 3);
    for (let k: usize = 0; k < count; k += 16) {
      const w = v128.load(plane + k);
      const x = f64x2.sub(v128.load(u + k + skip), v128.load(u + k));
      const y = f64x2.sub(v128.load(u + half + k + skip), v128.load(u + half + k));
      const dx = f64x2.add(xi, x);
      const dy = f64x2.add(eta, y);
      const now = f64x2.sqrt(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)));
      // now² − ξ² without cancellation.
      const square = f64x2.add(f64x2.mul(x, f64x2.add(xi2, x)), f64x2.mul(y, f64x2.add(eta2, y)));
      const relative = f64x2.div(square, f64x2.mul(now, f64x2.add(now, length)));
      const longer = f64x2.mul(relative, now);
      let stiffness = w;
      const beyond = v128.and(f64x2.gt(longer, limit), f64x2.gt(w, f64x2.splat(0)));
      if (v128.any_true(beyond)) {
        breakBonds(o, <i32>(k >> 3), shift);
        stiffness = v128.load(plane + k);
      }
      const force = f64x2.mul(stiffness, relative);
      energy = f64x2.add(energy, f64x2.mul(stiffness, f64x2.mul(longer, longer)));
      const fx = f64x2.mul(force, dx);
      const fy = f64x2.mul(force, dy);
      v128.store(a + k, f64x2.add(v128.load(a + k), fx));
      v128.store(a + k + skip, f64x2.sub(v128.load(a + k + skip), fx));
      v128.store(a + half + k, f64x2.add(v128.load(a + half + k), fy));
      v128.store(a + half + k + skip, f64x2.sub(v128.load(a + half + k + skip), fy));
    }
  }
  bonds = 0.5 * laneSum(energy);
}

/** Elongation of the bond of p to q; `back` steps ago by the velocities between steps. */
function elongation(o: i32, p: i32, q: i32, back: f64): f64 {
  const at = stencil + ((<usize>(5 * o)) << 3);
  const x = get(u, q) - get(u, p) - back * (get(v, q) - get(v, p));
  const y = get(u, points + q) - get(u, points + p) - back * (get(v, points + q) - get(v, points + p));
  const dx = get(at, 0) + x;
  const dy = get(at, 1) + y;
  const now = Math.sqrt(dx * dx + dy * dy);
  return (x * (get(at, 0) + dx) + y * (get(at, 1) + dy)) / (now + get(at, 2));
}

/** Breaks bonds of two points beside each other that are beyond the limit. */
function breakBonds(o: i32, first: i32, shift: i32): void {
  const at = stencil + ((<usize>(5 * o)) << 3);
  const plane = weights + ((<usize>(o * points)) << 3);
  for (let p = first; p < first + 2; p++) {
    const w = get(plane, p);
    const q = p + shift;
    if (!(w > 0)) continue;
    const now = elongation(o, p, q, 0);
    if (!(now > Motion.s0 * get(at, 2))) continue;
    const before = Motion.step === 0 ? now : elongation(o, p, q, Motion.dt);
    lost += 0.5 * w * now * before;
    set(plane, p, 0);
    if (Motion.broken === 0) {
      Motion.firstStep = <f64>Motion.step;
      Motion.firstY = 0.5 * (heightOf(p / columns) + heightOf(q / columns)) + 0.5 * <f64>rows;
    }
    Motion.broken += 1;
  }
}

/** Forces at the step: bonds, the stress through the middle, the force of the grips by the strain, then the traction. */
function applyForces(): void {
  applyBonds();
  let above: f64 = 0;
  for (let p = (grips + rows / 2) * columns; p < points; p++) above += get(a, points + p);
  through = -above / <f64>columns;
  conjugate = 0;
  if (Motion.load === Load.grips)
    for (let p = 0; p < points; p++) if (isGrip(p / columns)) conjugate -= get(a, points + p) * heightOf(p / columns);
  if (Motion.load === Load.stress) {
    const layer = layerRows();
    const pull = tractionAt(Motion.step) / <f64>layer;
    for (let p = 0; p < layer * columns; p++) {
      set(a, points + p, get(a, points + p) - pull);
      const other = 2 * points - 1 - p;
      set(a, other, get(a, other) + pull);
    }
  }
  // What is held has no acceleration of its own.
  if (grips > 0) {
    const length = (<usize>(grips * columns)) << 3;
    const half = (<usize>points) << 3;
    for (let d: usize = 0; d < 2; d++) {
      memory.fill(a + d * half, 0, length);
      memory.fill(a + (d + 1) * half - length, 0, length);
    }
  }
  if (through > Motion.peak) {
    Motion.peak = through;
    Motion.peakStep = <f64>Motion.step;
  }
}

function layerRows(): i32 {
  return <i32>Math.min(<f64>reach, <f64>(rows / 2));
}

/** The state at time 0; `u` holds the equilibrium if it is released. */
export function startMotion(): void {
  Motion.step = 0;
  Motion.peak = 0;
  Motion.peakStep = 0;
  Motion.firstStep = 0;
  Motion.firstY = 0;
  Motion.broken = 0;
  lost = 0;
  work = 0;
  memory.fill(v, 0, (<usize>(2 * points + 2)) << 3);
  if (Motion.load === Load.ring)
    for (let row = 0; row < rows; row++) set(u, points + grips + row, Motion.strain * get(profile, row));
  moveGrips(0);
  for (let p = 0; p < points; p++) set(reached, p, damageOf(p) > CRACKED && !isGrip(p / columns) ? 1 : 0);
  applyForces();
}

/** One step of velocity Verlet. */
export function stepMotion(): void {
  const dt = Motion.dt;
  const kick = 0.5 * dt;
  const most = 2 * points;
  for (let i = 0; i < most; i++) {
    const speed = get(v, i) + kick * get(a, i);
    set(v, i, speed);
    set(u, i, get(u, i) + dt * speed);
  }
  const before = conjugate;
  const strain = strainAt(Motion.step);
  const pull = tractionAt(Motion.step);
  Motion.step++;
  setGripSpeeds();
  moveGrips(Motion.step);
  applyForces();
  if (Motion.load === Load.grips) work += 0.5 * (before + conjugate) * (strainAt(Motion.step) - strain);
  if (Motion.load === Load.stress) {
    const layer = layerRows();
    let moved: f64 = 0;
    for (let p = 0; p < layer * columns; p++) moved += get(v, 2 * points - 1 - p) - get(v, points + p);
    work += (0.5 * dt * (pull + tractionAt(Motion.step)) * moved) / <f64>layer;
  }
  if (grips > 0) clearGripSpeeds();
  for (let i = 0; i < most; i++) set(v, i, get(v, i) + kick * get(a, i));
}

/** Speeds of grips between steps, from which the elongation before a break is found. */
function setGripSpeeds(): void {
  if (grips === 0) return;
  const rate = (strainAt(Motion.step) - strainAt(Motion.step - 1)) / Motion.dt;
  for (let p = 0; p < points; p++) {
    const row = p / columns;
    if (!isGrip(row)) continue;
    if (Motion.load === Load.ring) {
      const other = row < grips ? p + rows * columns : p - rows * columns;
      set(v, p, get(v, other));
      set(v, points + p, get(v, points + other));
    } else set(v, points + p, rate * heightOf(row));
  }
}

function clearGripSpeeds(): void {
  const length = (<usize>(grips * columns)) << 3;
  const half = (<usize>points) << 3;
  for (let d: usize = 0; d < 2; d++) {
    memory.fill(v + d * half, 0, length);
    memory.fill(v + (d + 1) * half - length, 0, length);
  }
}

/** Bonds of a ring between its ends stand twice, at each end. */
function ringEnergy(): f64 {
  let sum: f64 = 0;
  for (let o = 0; o < offsets; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    const shift = <i32>get(at, 1);
    const plane = weights + ((<usize>(o * points)) << 3);
    for (let p = 0; p < points - shift; p++) {
      const w = get(plane, p);
      if (w === 0) continue;
      const longer = elongation(o, p, p + shift, 0);
      sum += (isGrip(p) || isGrip(p + shift) ? 0.5 : 1) * w * longer * longer;
    }
  }
  return 0.5 * sum;
}

/** Follows the crack from the notches over damaged points that touch. @returns x of its foremost point */
function followCrack(): f64 {
  let isGrowing = true;
  for (let turn = 0; turn < points && isGrowing; turn++) {
    isGrowing = false;
    for (let p = 0; p < points; p++) {
      if (get(reached, p) > 0 || isGrip(p / columns)) continue;
      if (hasReachedNeighbour(p) && damageOf(p) > CRACKED) {
        set(reached, p, 1);
        isGrowing = true;
      }
    }
  }
  let tip: f64 = 0;
  for (let p = 0; p < points; p++) if (get(reached, p) > 0) tip = Math.max(tip, <f64>(p % columns) + 1);
  return tip;
}

function hasReachedNeighbour(p: i32): bool {
  const column = p % columns;
  for (let dj = -1; dj <= 1; dj++)
    for (let di = -1; di <= 1; di++) {
      const q = p + dj * columns + di;
      if (q < 0 || q >= points || column + di < 0 || column + di >= columns) continue;
      if (get(reached, q) > 0) return true;
    }
  return false;
}

/** Writes a row of the history. @returns whether its energy is finite */
export function recordMotion(row: usize): bool {
  let kinetic: f64 = 0;
  let square: f64 = 0;
  let momentum: f64 = 0;
  for (let i = 0; i < 2 * points; i++) {
    kinetic += get(v, i) * get(v, i);
    square += get(a, i) * get(a, i);
    if (i >= points) momentum += get(v, i);
  }
  let amplitude: f64 = 0;
  if (Motion.load === Load.ring)
    for (let i = 0; i < rows; i++) amplitude += get(u, points + grips + i) * get(profile, i);
  set(row, MotionColumn.step, <f64>Motion.step);
  set(row, MotionColumn.strain, strainAt(Motion.step));
  set(row, MotionColumn.stress, through);
  set(row, MotionColumn.kinetic, 0.5 * kinetic);
  set(row, MotionColumn.correction, 0.125 * Motion.dt * Motion.dt * square);
  set(row, MotionColumn.bonds, Motion.load === Load.ring ? ringEnergy() : bonds);
  set(row, MotionColumn.lost, lost);
  set(row, MotionColumn.work, work);
  set(row, MotionColumn.momentum, momentum);
  set(row, MotionColumn.amplitude, amplitude);
  set(row, MotionColumn.broken, Motion.broken);
  set(row, MotionColumn.tip, columns > 1 ? followCrack() : 0);
  return isFinite(kinetic) && isFinite(bonds);
}
