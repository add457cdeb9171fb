// One step of the whole grid, row by row and in place: a row changes only after the fluxes of both its sides are known.
//
// Rotation is part of the fluxes, as a bed that leans, with the state at the start of the step; multiplying the change of
// the momentum by the inverse of I − ½ dt f J makes it Crank and Nicolson's for inertial circles and leaves steady flow
// as it is. Friction follows: |q| of q' = −k |q| q is q / (1 + k |q| dt).
//
// Calls in inner loops: cbrt, with friction only.
import { allocate, allocateF64 } from '../../kernel';
import { neumaierSum } from '../../numerics/sum';
import { get, set } from '../../numerics/vector';
import * as flux from './flux';
import * as grid from './grid';
import * as line from './line';
import * as second from './second';

let dx: f64 = 0;
let dy: f64 = 0;
let gravity: f64 = 0;
let isGlobal = false;
/** Whether one sweep does a step. */
let isSweep = false;
let isHll = false;
/** Whether a step is Heun's, of rates of order 2. */
let isSecond = false;
// The state at the start of such a step.
let oldH: usize = 0;
let oldQ: usize = 0;
let oldR: usize = 0;
let courant: f64 = 0;
let manning: f64 = 0;
let coriolis: f64 = 0;
let beta: f64 = 0;
let dryDepth: f64 = 0;

// Fluxes of the faces of a row along x, and of the faces below and above it along y: mass, momentum less the pressure of
// the cell before and of the one behind, momentum along the face.
let alongX: usize = 0;
let below: usize = 0;
let above: usize = 0;
/** Bytes of one of the four. */
let part: usize = 0;
/** Δz of a row of faces with the lean by rotation. */
let lean: usize = 0;
let sideFlow: usize = 0;

/** Largest (|u| + c)/dx + (|v| + c)/dy, (|u| + c)/dx and (|v| + c)/dy of a cell. */
export let fastest: f64 = 0;
let fastestX: f64 = 0;
let fastestY: f64 = 0;
/** Volume that left through open sides, and that rounding added to depths. */
export let outflow: f64 = 0;
let outflowRest: f64 = 0;
export let clipped: f64 = 0;

export function configure(
  spacingX: f64,
  spacingY: f64,
  g: f64,
  scheme: i32,
  cfl: f64,
  n: f64,
  f: f64,
  slope: f64,
  dry: f64,
  order: i32,
): void {
  dx = spacingX;
  dy = spacingY;
  gravity = g;
  isGlobal = scheme === 0;
  courant = cfl;
  manning = n;
  coriolis = f;
  beta = slope;
  dryDepth = dry;
  isSecond = order === 2;
  isSweep = !isSecond && grid.rows === 1 && !grid.hasCross && n === 0;
  isHll = scheme === 2;
}

export function allocateStep(): bool {
  part = ((<usize>(grid.columns + 6)) << 3) & ~15;
  alongX = allocate(4 * part);
  below = allocate(4 * part);
  above = allocate(4 * part);
  lean = allocate(part);
  sideFlow = allocateF64(2 * grid.columns + 2 * grid.rows + 4);
  if (isSecond) {
    oldH = grid.allocateField();
    oldQ = grid.allocateField();
    oldR = grid.allocateField();
    if (!(oldH && oldQ && oldR && second.allocateSecond())) return false;
  }
  return !!(alongX && below && above && lean && sideFlow);
}

/** Velocities and speeds of the state at the start. */
export function prepare(): void {
  outflow = 0;
  outflowRest = 0;
  clipped = 0;
  resetSpeeds();
  for (let j = 0; j < grid.rows; j++) primitives(j);
  grid.fillHalo();
  if (isSweep && !isHll) line.addSpeeds();
  if (isSweep) line.findStill();
}

function resetSpeeds(): void {
  fastest = 0;
  fastestX = 0;
  fastestY = 0;
}

/** The step by the Courant number, or what is left. */
export function timeStep(left: f64): f64 {
  const rate = isGlobal ? (grid.rows > 1 ? 2 * Math.max(fastestX, fastestY) : fastestX) : fastest;
  const limit = isSecond ? 0.5 * courant : courant;
  return rate > 0 ? Math.min(limit / rate, left) : left;
}

export function advance(dt: f64): void {
  if (isSecond) {
    advanceSecond(dt);
    return;
  }
  if (isSweep) {
    sweep(dt);
    return;
  }
  const isPlane = grid.rows > 1;
  const spread = isPlane ? 0.5 : 1;
  const alphaX = isGlobal ? (spread * dx) / dt : 0;
  const alphaY = isGlobal ? (spread * dy) / dt : 0;
  resetSpeeds();
  if (isPlane) fluxesY(0, below, alphaY);
  for (let j = 0; j < grid.rows; j++) {
    fluxesX(j, alphaX);
    if (isPlane) fluxesY(j + 1, above, alphaY);
    if (grid.west === 1) set(sideFlow, j, -dt * dy * get(alongX, 0));
    if (grid.east === 1) set(sideFlow, grid.rows + j, dt * dy * get(alongX, grid.columns));
    if (isPlane && j === 0 && grid.south === 1) addSide(2 * grid.rows, below, -dt * dx);
    if (isPlane && j === grid.rows - 1 && grid.north === 1) addSide(2 * grid.rows + grid.columns, above, dt * dx);
    updateRow(j, dt);
    if (manning > 0) applyFriction(j, dt);
    primitives(j);
    const next = below;
    below = above;
    above = next;
  }
  addOutflow();
  grid.fillHalo();
}

function sweep(dt: f64): void {
  line.sweep(isHll, -dt / dx, gravity, dryDepth, isGlobal ? dx / dt : 0);
  fastest = (1 / dx) * line.fastest;
  fastestX = fastest;
  clipped += dx * dy * line.lifted;
  if (grid.west === 1) set(sideFlow, 0, -dt * dy * line.westMass);
  if (grid.east === 1) set(sideFlow, 1, dt * dy * line.eastMass);
  addOutflow();
  grid.fillHalo();
}

/** Heun's step: the mean of the state and of two steps of Euler's. Half of what leaves leaves in each. */
function advanceSecond(dt: f64): void {
  const bytes = <usize>grid.rows * grid.stride - 16;
  memory.copy(oldH, grid.h, bytes);
  memory.copy(oldQ, grid.q, bytes);
  memory.copy(oldR, grid.r, bytes);
  memory.fill(sideFlow, 0, (<usize>(2 * (grid.columns + grid.rows))) << 3);
  for (let stage = 0; stage < 2; stage++) {
    setRates(dt);
    resetSpeeds();
    for (let j = 0; j < grid.rows; j++) {
      const at = <usize>j * grid.stride;
      const f = coriolis + beta * (<f64>j + 0.5) * dy;
      updateSecond(at, dt, f, stage === 1);
      if (stage === 1 && manning > 0) applyFriction(j, dt);
      primitives(j);
    }
    grid.fillHalo();
  }
  addOutflow();
}

/** A row becomes that of Euler's step, or the mean of it and the old one. */
function updateSecond(at: usize, dt: f64, f: f64, isMean: bool): void {
  const half = f64x2.splat(0.5);
  const zero = f64x2.splat(0);
  const time = f64x2.splat(dt);
  const turn = f64x2.splat(f);
  const hasCross = grid.hasCross;
  const stop = at + ((<usize>grid.columns) << 3);
  const last = stop - 8;
  let taken = zero;
  for (; at < stop; at += 16) {
    const q = v128.load(grid.q + at);
    let rateQ = v128.load(second.rateQ + at);
    let h = f64x2.add(v128.load(grid.h + at), f64x2.mul(time, v128.load(second.rateH + at)));
    if (hasCross) {
      const r = v128.load(grid.r + at);
      rateQ = f64x2.add(rateQ, f64x2.mul(turn, r));
      const rateR = f64x2.sub(v128.load(second.rateR + at), f64x2.mul(turn, q));
      let nextR = f64x2.add(r, f64x2.mul(time, rateR));
      if (isMean) nextR = f64x2.mul(half, f64x2.add(v128.load(oldR + at), nextR));
      v128.store(grid.r + at, nextR);
    }
    let nextQ = f64x2.add(q, f64x2.mul(time, rateQ));
    if (isMean) {
      h = f64x2.mul(half, f64x2.add(v128.load(oldH + at), h));
      nextQ = f64x2.mul(half, f64x2.add(v128.load(oldQ + at), nextQ));
    }
    // A lane past the last cell counts for nothing.
    if (at === last) h = f64x2.replace_lane(h, 1, 0);
    const kept = f64x2.pmax(h, zero);
    taken = f64x2.add(taken, f64x2.sub(kept, h));
    v128.store(grid.h + at, kept);
    v128.store(grid.q + at, nextQ);
  }
  clipped += dx * dy * (f64x2.extract_lane(taken, 0) + f64x2.extract_lane(taken, 1));
}

function setRates(dt: f64): void {
  const isPlane = grid.rows > 1;
  const spread = isPlane ? 0.25 : 0.5;
  second.prepare();
  for (let j = 0; j < grid.rows; j++) {
    second.ratesX(j, 1 / dx, isGlobal ? (spread * dx) / dt : 0);
    if (grid.west === 1) addTo(j, -0.5 * dt * dy * get(second.fluxes, 0));
    if (grid.east === 1) addTo(grid.rows + j, 0.5 * dt * dy * get(second.fluxes, grid.columns));
  }
  if (!isPlane) return;
  second.startY();
  for (let j = 0; j <= grid.rows; j++) {
    second.ratesY(j, 1 / dy, isGlobal ? (spread * dy) / dt : 0);
    const isSouth = j === 0 && grid.south === 1;
    if (!isSouth && !(j === grid.rows && grid.north === 1)) continue;
    const from = 2 * grid.rows + (isSouth ? 0 : grid.columns);
    for (let i = 0; i < grid.columns; i++) addTo(from + i, (isSouth ? -0.5 : 0.5) * dt * dx * get(second.fluxes, i));
  }
}

function addTo(side: i32, flow: f64): void {
  set(sideFlow, side, get(sideFlow, side) + flow);
}

function addSide(from: i32, fluxes: usize, factor: f64): void {
  for (let i = 0; i < grid.columns; i++) set(sideFlow, from + i, factor * get(fluxes, i));
}

/** Adds with the rounding of the addition before. Sides that are not open hold 0. */
function addOutflow(): void {
  if (grid.west !== 1 && grid.east !== 1 && grid.south !== 1 && grid.north !== 1) return;
  const added = neumaierSum(sideFlow, 2 * (grid.rows + (grid.rows > 1 ? grid.columns : 0))) - outflowRest;
  const next = outflow + added;
  outflowRest = next - outflow - added;
  outflow = next;
}

function fluxesX(j: i32, alpha: f64): void {
  const at = <usize>j * grid.stride;
  const f = coriolis + beta * (<f64>j + 0.5) * dy;
  const jump = f === 0 ? grid.jumpX + at : leanX(j, (-0.5 * dx * f) / gravity);
  flux.target(alongX, alongX + part, alongX + 2 * part, alongX + 3 * part);
  const cross = grid.hasCross ? grid.v + at - 8 : 0;
  flux.fluxRow(grid.columns + 1, 8, grid.h + at - 8, grid.u + at - 8, grid.c + at - 8, cross, jump, alpha);
}

function leanX(j: i32, factor: f64): usize {
  const jump = grid.jumpX + <usize>j * grid.stride;
  const v = grid.v + <usize>j * grid.stride;
  const isRound = grid.west === grid.PERIODIC;
  for (let i = 0; i <= grid.columns; i++) {
    const isSide = !isRound && (i === 0 || i === grid.columns);
    set(lean, i, get(jump, i) + (isSide ? 0 : factor * (get(v, i - 1) + get(v, i))));
  }
  return lean;
}

/** Fluxes through the faces below row j. */
function fluxesY(j: i32, to: usize, alpha: f64): void {
  const at = <usize>j * grid.stride;
  const f = coriolis + beta * <f64>j * dy;
  const isSide = grid.south !== grid.PERIODIC && (j === 0 || j === grid.rows);
  const jump = f === 0 || isSide ? grid.jumpY + at : leanY(j, (0.5 * dy * f) / gravity);
  flux.target(to, to + part, to + 2 * part, to + 3 * part);
  const from = at - grid.stride;
  flux.fluxRow(grid.columns, grid.stride, grid.h + from, grid.v + from, grid.c + from, grid.u + from, jump, alpha);
}

function leanY(j: i32, factor: f64): usize {
  const jump = grid.jumpY + <usize>j * grid.stride;
  const u = grid.u + <usize>j * grid.stride;
  for (let i = 0; i < grid.columns; i++) set(lean, i, get(jump, i) + factor * (get(u - grid.stride, i) + get(u, i)));
  return lean;
}

function updateRow(j: i32, dt: f64): void {
  const at = <usize>j * grid.stride;
  const isPlane = grid.rows > 1;
  const hasCross = grid.hasCross;
  const a = 0.5 * dt * (coriolis + beta * (<f64>j + 0.5) * dy);
  const isTurningLine = !isPlane && a !== 0;
  const inverse = f64x2.splat(1 / (1 + a * a));
  const turn = f64x2.splat(a);
  const perX = f64x2.splat(-dt / dx);
  const perY = f64x2.splat(isPlane ? -dt / dy : 0);
  const zero = f64x2.splat(0);
  let taken = zero;
  let h = grid.h + at;
  let q = grid.q + at;
  let r = grid.r + at;
  let x = alongX;
  let down = below;
  let up = above;
  const stop = h + ((<usize>grid.columns) << 3);
  // Lanes past the last cell are in the halo, and count for nothing.
  const last = stop - 8;
  while (h < stop) {
    let depth = f64x2.mul(perX, f64x2.sub(v128.load(x + 8), v128.load(x)));
    let alongward = f64x2.mul(perX, f64x2.sub(v128.load(x + part + 8), v128.load(x + 2 * part)));
    let crossward = zero;
    if (hasCross) crossward = f64x2.mul(perX, f64x2.sub(v128.load(x + 3 * part + 8), v128.load(x + 3 * part)));
    if (isTurningLine) {
      // Across a line nothing leans: the force is that of the water which flows through the faces.
      const flow = f64x2.add(v128.load(x + 8), v128.load(x));
      crossward = f64x2.sub(crossward, f64x2.mul(turn, flow));
    }
    if (isPlane) {
      depth = f64x2.add(depth, f64x2.mul(perY, f64x2.sub(v128.load(up), v128.load(down))));
      crossward = f64x2.add(crossward, f64x2.mul(perY, f64x2.sub(v128.load(up + part), v128.load(down + 2 * part))));
      alongward = f64x2.add(
        alongward,
        f64x2.mul(perY, f64x2.sub(v128.load(up + 3 * part), v128.load(down + 3 * part))),
      );
    }
    const next = f64x2.add(v128.load(h), depth);
    const kept = f64x2.pmax(next, zero);
    const lost = f64x2.sub(kept, next);
    if (v128.any_true(f64x2.gt(lost, zero)))
      taken = f64x2.add(taken, h === last ? f64x2.replace_lane(lost, 1, 0) : lost);
    v128.store(h, kept);
    if (hasCross) {
      const turnedX = f64x2.mul(inverse, f64x2.add(alongward, f64x2.mul(turn, crossward)));
      const turnedY = f64x2.mul(inverse, f64x2.sub(crossward, f64x2.mul(turn, alongward)));
      v128.store(q, f64x2.add(v128.load(q), turnedX));
      v128.store(r, f64x2.add(v128.load(r), turnedY));
    } else v128.store(q, f64x2.add(v128.load(q), alongward));
    h += 16;
    q += 16;
    r += 16;
    x += 16;
    down += 16;
    up += 16;
  }
  clipped += dx * dy * (f64x2.extract_lane(taken, 0) + f64x2.extract_lane(taken, 1));
}

/** With r as well on a line that turns; elsewhere on a line r is 0. */
function applyFriction(j: i32, dt: f64): void {
  const at = <usize>j * grid.stride;
  const scale = gravity * manning * manning * dt;
  for (let i = 0; i < grid.columns; i++) {
    const h = get(grid.h + at, i);
    if (h <= dryDepth) continue;
    const q = get(grid.q + at, i);
    const r = get(grid.r + at, i);
    if (q === 0 && r === 0) continue;
    const factor = 1 / (1 + (scale * Math.sqrt(q * q + r * r)) / (h * h * Math.cbrt(h)));
    set(grid.q + at, i, factor * q);
    set(grid.r + at, i, factor * r);
  }
}

/** u, v and c of a row, 0 where it is dry, and the largest speeds. */
function primitives(j: i32): void {
  const at = <usize>j * grid.stride;
  const isPlane = grid.rows > 1;
  const hasCross = grid.hasCross;
  const dry = f64x2.splat(dryDepth);
  const g = f64x2.splat(gravity);
  const perX = f64x2.splat(1 / dx);
  const perY = f64x2.splat(isPlane ? 1 / dy : 0);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  let most = zero;
  let all = zero;
  let mostX = zero;
  let mostY = zero;
  let h = grid.h + at;
  let q = grid.q + at;
  let r = grid.r + at;
  let u = grid.u + at;
  let v = grid.v + at;
  let c = grid.c + at;
  const stop = h + ((<usize>grid.columns) << 3);
  // A lane past the last cell is dry.
  if (grid.columns & 1) set(grid.h + at, grid.columns, 0);
  while (h < stop) {
    const depth = v128.load(h);
    const isWet = f64x2.gt(depth, dry);
    const over = f64x2.div(one, v128.bitselect(depth, one, isWet));
    const flowX = v128.and(v128.load(q), isWet);
    const speedX = f64x2.mul(flowX, over);
    const wave = f64x2.sqrt(f64x2.mul(g, depth));
    v128.store(q, flowX);
    v128.store(u, speedX);
    v128.store(c, wave);
    const rateX = f64x2.mul(perX, f64x2.add(f64x2.abs(speedX), wave));
    let rateY = zero;
    if (hasCross) {
      const flowY = v128.and(v128.load(r), isWet);
      const speedY = f64x2.mul(flowY, over);
      v128.store(r, flowY);
      v128.store(v, speedY);
      rateY = f64x2.mul(perY, f64x2.add(f64x2.abs(speedY), wave));
    }
    const rate = f64x2.add(rateX, rateY);
    most = f64x2.pmax(most, rate);
    all = f64x2.add(all, rate);
    if (isGlobal) {
      mostX = f64x2.pmax(mostX, rateX);
      mostY = f64x2.pmax(mostY, rateY);
    }
    h += 16;
    q += 16;
    r += 16;
    u += 16;
    v += 16;
    c += 16;
  }
  // NaN is lost in the largest, not in the sum.
  if (!isFinite(f64x2.extract_lane(all, 0) + f64x2.extract_lane(all, 1))) fastest = f64.POSITIVE_INFINITY;
  fastest = Math.max(fastest, Math.max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)));
  fastestX = Math.max(fastestX, Math.max(f64x2.extract_lane(mostX, 0), f64x2.extract_lane(mostX, 1)));
  fastestY = Math.max(fastestY, Math.max(f64x2.extract_lane(mostY, 0), f64x2.extract_lane(mostY, 1)));
}
