// The two halves of a step: the flux from the field, and the field from the flux.
//
// Uniform media take two nodes at a time; general media multiply each node and face by its own numbers. Layers advance w
// in two parts, one an axis, each with the decay and the gain of its axis: the layer of an axis then damps what travels
// along it and nothing else.
//
// Calls in inner loops: none.
import { get, set } from '../../numerics/vector';
import * as grid from './grid';

// dt τ / h of faces and dt / (ρ h) of nodes, of a uniform medium; dt / h of a general one.
let faceX: f64 = 0;
let faceY: f64 = 0;
let nodeX: f64 = 0;
let nodeY: f64 = 0;
let dt: f64 = 0;

/** Work of the source and loss by damping, of all steps so far; and of a row of the present one. */
export let work: f64 = 0;
export let loss: f64 = 0;
let rowWork: f64 = 0;
let rowLoss: f64 = 0;
/** Roundings of the sums over steps, which are carried on. */
let workRest: f64 = 0;
let lossRest: f64 = 0;

export function configureStep(step: f64, hx: f64, hy: f64, density: f64, stiffness: f64): void {
  dt = step;
  const hasRows = grid.rows > 1;
  faceX = (step / hx) * (grid.isGeneral ? 1 : stiffness);
  faceY = hasRows ? (step / hy) * (grid.isGeneral ? 1 : stiffness) : 0;
  nodeX = step / hx / (grid.isGeneral ? 1 : density);
  nodeY = hasRows ? step / hy / (grid.isGeneral ? 1 : density) : 0;
}

export function resetSums(): void {
  work = 0;
  loss = 0;
  workRest = 0;
  lossRest = 0;
}

/** dt τ ∂w/∂x on face i of a row. */
export function gainOfFaceX(field: usize, j: i32, i: i32): f64 {
  const row = field + <usize>j * grid.stride;
  const gain = grid.isGeneral ? faceX * get(grid.facesX, j * grid.columns + i) : faceX;
  const matched = grid.hasLayers ? gain * get(grid.layerX, 3 * grid.columns + i) : gain;
  return matched * (get(row, i + 1) - get(row, i));
}

/** dt τ ∂w/∂y on the face above node i of row j. */
export function gainOfFaceY(field: usize, j: i32, i: i32): f64 {
  const row = field + <usize>j * grid.stride;
  const gain = grid.isGeneral ? faceY * get(grid.facesY, j * grid.columns + i) : faceY;
  const matched = grid.hasLayers ? gain * get(grid.layerY, 3 * grid.rows + j) : gain;
  return matched * (get(row + grid.stride, i) - get(row, i));
}

/** q at the next level, and its halo. */
export function advanceFluxes(): void {
  if (grid.isGeneral) generalFluxes();
  else uniformFluxes();
  grid.fillFluxes();
}

function uniformFluxes(): void {
  const alongX = f64x2.splat(faceX);
  const alongY = f64x2.splat(faceY);
  const stride = grid.stride;
  for (let j = 0; j < grid.rows; j++) {
    const at = <usize>j * stride;
    let w = grid.w + at;
    let qx = grid.qx + at;
    let qy = grid.qy + at;
    const end = w + grid.rowBytes;
    if (j === grid.rows - 1) {
      for (; w < end; w += 16, qx += 16)
        v128.store(qx, f64x2.add(v128.load(qx), f64x2.mul(alongX, f64x2.sub(v128.load(w + 8), v128.load(w)))));
      break;
    }
    while (w < end) {
      const here = v128.load(w);
      v128.store(qx, f64x2.add(v128.load(qx), f64x2.mul(alongX, f64x2.sub(v128.load(w + 8), here))));
      v128.store(qy, f64x2.add(v128.load(qy), f64x2.mul(alongY, f64x2.sub(v128.load(w + stride), here))));
      w += 16;
      qx += 16;
      qy += 16;
    }
  }
}

function generalFluxes(): void {
  for (let j = 0; j < grid.rows; j++) {
    const at = <usize>j * grid.stride;
    const qx = grid.qx + at;
    const qy = grid.qy + at;
    for (let i = 0; i < grid.columns - 1; i++) {
      const decay = grid.hasLayers ? get(grid.layerX, 2 * grid.columns + i) : 1;
      set(qx, i, decay * get(qx, i) + gainOfFaceX(grid.w, j, i));
    }
    if (j === grid.rows - 1) break;
    const decay = grid.hasLayers ? get(grid.layerY, 2 * grid.rows + j) : 1;
    for (let i = 0; i < grid.columns; i++) set(qy, i, decay * get(qy, i) + gainOfFaceY(grid.w, j, i));
  }
}

/**
 * w at the next level, written to `target`, and u half a step later.
 *
 * @param source     s(t) of this step
 * @param isForward  whether the step counts: sums of work and loss, parts of layers and u advance with it
 */
export function advanceField(target: usize, source: f64, isForward: bool): void {
  let stepWork: f64 = 0;
  let stepLoss: f64 = 0;
  for (let j = 0; j < grid.rows; j++) {
    rowWork = 0;
    rowLoss = 0;
    const at = <usize>j * grid.stride;
    if (grid.isHeldRow(j)) {
      memory.fill(target + at, 0, grid.rowBytes);
      continue;
    }
    if (!grid.isGeneral) uniformRow(at, target + at, isForward);
    else if (grid.hasLayers) layeredRow(at, j, target + at, source, isForward);
    else generalRow(at, j, target + at, source, isForward);
    grid.holdEnds(target + at);
    if (!isForward) continue;
    grid.holdEnds(grid.u + at);
    stepWork += rowWork;
    stepLoss += rowLoss;
  }
  if (isForward && grid.isGeneral) addSums(stepWork, stepLoss);
}

/** Adds with the roundings of the additions before. */
function addSums(stepWork: f64, stepLoss: f64): void {
  const addedWork = stepWork - workRest;
  const nextWork = work + addedWork;
  workRest = nextWork - work - addedWork;
  work = nextWork;
  const addedLoss = stepLoss - lossRest;
  const nextLoss = loss + addedLoss;
  lossRest = nextLoss - loss - addedLoss;
  loss = nextLoss;
}

function uniformRow(at: usize, target: usize, isForward: bool): void {
  const alongX = f64x2.splat(nodeX);
  const alongY = f64x2.splat(nodeY);
  const toU = f64x2.splat(isForward ? dt : 0);
  const stride = grid.stride;
  let w = grid.w + at;
  let u = grid.u + at;
  let qx = grid.qx + at;
  let qy = grid.qy + at;
  const end = w + grid.rowBytes;
  while (w < end) {
    const x = f64x2.sub(v128.load(qx), v128.load(qx - 8));
    const y = f64x2.sub(v128.load(qy), v128.load(qy - stride));
    const change = f64x2.add(f64x2.mul(alongX, x), f64x2.mul(alongY, y));
    const sum = f64x2.add(v128.load(w), change);
    v128.store(target, sum);
    v128.store(u, f64x2.add(v128.load(u), f64x2.mul(toU, sum)));
    w += 16;
    u += 16;
    qx += 16;
    qy += 16;
    target += 16;
  }
}

function generalRow(at: usize, j: i32, target: usize, source: f64, isForward: bool): void {
  const size = grid.rows * grid.columns;
  for (let i = 0; i < grid.columns; i++) {
    const node = j * grid.columns + i;
    const half = get(grid.nodes, node);
    const density = get(grid.nodes, size + node);
    const before = get(grid.w + at, i);
    const force = source * get(grid.nodes, 2 * size + node);
    const divergence = nodeX * differenceX(at, i) + nodeY * differenceY(at, i);
    const value = ((1 - half) * before + (divergence + dt * force) / density) / (1 + half);
    set(target, i, value);
    if (isForward) finish(at, j, i, before, value, force, half * density);
  }
}

function layeredRow(at: usize, j: i32, target: usize, source: f64, isForward: bool): void {
  const size = grid.rows * grid.columns;
  const decayY = get(grid.layerY, j);
  const gainY = get(grid.layerY, grid.rows + j);
  for (let i = 0; i < grid.columns; i++) {
    const node = j * grid.columns + i;
    const half = get(grid.nodes, node);
    const density = get(grid.nodes, size + node);
    const before = get(grid.w + at, i);
    const force = source * get(grid.nodes, 2 * size + node);
    const scale = 1 / (density * (1 + half));
    const decay = (1 - half) / (1 + half);
    const x =
      decay * get(grid.layerX, i) * get(grid.partX + at, i) +
      scale * (get(grid.layerX, grid.columns + i) * nodeX * differenceX(at, i) + dt * force);
    const y = decay * decayY * get(grid.partY + at, i) + scale * gainY * nodeY * differenceY(at, i);
    const value = x + y;
    set(target, i, value);
    if (!isForward) continue;
    set(grid.partX + at, i, x);
    set(grid.partY + at, i, y);
    finish(at, j, i, before, value, force, half * density);
  }
  if (!isForward) return;
  grid.holdEnds(grid.partX + at);
  grid.holdEnds(grid.partY + at);
}

function differenceX(at: usize, i: i32): f64 {
  return get(grid.qx + at, i) - get(grid.qx + at, i - 1);
}

function differenceY(at: usize, i: i32): f64 {
  return get(grid.qy + at, i) - get(grid.qy + at - grid.stride, i);
}

/** u, and the sums of work and loss, weighted as the energy is. */
function finish(at: usize, j: i32, i: i32, before: f64, after: f64, force: f64, halfDamping: f64): void {
  set(grid.u + at, i, get(grid.u + at, i) + dt * after);
  const mean = 0.5 * (before + after);
  const weight = weightOf(i, grid.columns) * (grid.rows === 1 ? 1 : weightOf(j, grid.rows));
  rowWork += weight * dt * force * mean;
  rowLoss += weight * 2 * halfDamping * mean * mean;
}

function weightOf(i: i32, count: i32): f64 {
  return i === 0 || i === count - 1 ? 0.5 : 1;
}
