// Heat conduction u_t = α (u_xx + u_yy) on a rod or a plate with fixed (u = 0) or insulated ends.
//
// Three schemes on an even grid of cells, unknowns at the nodes, r = α Δt / h² for each axis:
//   FTCS             explicit; order 1 in time, 2 in space; stable for r_x + r_y <= 1/2, where the maximum
//                    principle holds too
//   Crank–Nicolson   one axis; order 2 in both, stable for every r
//   ADI              two axes, Peaceman & Rachford 1955; order 2 in both, stable for every r
// The maximum principle holds for the implicit schemes only for r <= 1: beyond it sharp initial data oscillate.
// `start_steps` therefore replaces the first steps by two backward-Euler half steps each, which damp the
// highest modes and keep second order (Rannacher 1984). They need the same factors as the scheme itself.
// Morton & Mayers, Numerical Solution of Partial Differential Equations (2nd ed.), ch. 2 and 3.
//
// On a rectangle with constant α the two directions commute, so the Peaceman–Rachford step
// (1 + B_y)⁻¹ (1 − B_x) (1 + B_x)⁻¹ (1 − B_y) is one Cayley transform for each direction. Both are a
// tridiagonal solve and no product, see numerics/grid/tridiagonal.
//
// The control volume of an insulated end is half a cell, so every scheme conserves the trapezoidal sum of u.
import {
  allocate,
  allocateF64,
  INFO_NON_FINITE,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
} from '../kernel';
import { factorDiffusion, LANES, padded, solve, solveColumns } from '../numerics/grid/tridiagonal';
import { neumaierSum, pairwiseDot } from '../numerics/sum';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';

export { abi, control } from '../kernel';

/**
 * cellsX and cellsY >= 2; isImplicit and isInsulated 0 | 1; dim 1 | 2, the number of axes; rx and ry > 0;
 * historyEvery and frameEvery >= 1; probeX and probeY are node numbers. One axis ignores cellsY, ry and probeY.
 */
export enum Parameter {
  cellsX,
  cellsY,
  isImplicit,
  isInsulated,
  dim,
  rx,
  ry,
  startSteps,
  steps,
  historyEvery,
  frameEvery,
  probeX,
  probeY,
}

/**
 * In: profileX f64[cellsX + 1] and profileY f64[cellsY + 1]. Out: history f64[rows, 5], see HistoryColumn; frames
 * f64[frames, cellsY + 1, cellsX + 1].
 */
export enum View {
  profileX,
  profileY,
  history,
  frames,
}

export enum HistoryColumn {
  probe,
  heat,
  energy,
  minimum,
  maximum,
}

const HISTORY_COLUMNS: i32 = HistoryColumn.maximum + 1;
const MAX_CELLS: f64 = 1048576;

// Parameters.
let cellsX: i32 = 0;
let cellsY: i32 = 0;
let isImplicit = false;
let isInsulated = false;
let isPlate = false;
let rx: f64 = 0;
let ry: f64 = 0;
let startSteps: f64 = 0;
let steps: f64 = 0;
let historyEvery: f64 = 0;
let frameEvery: f64 = 0;
let probe: usize = 0;

// The unknowns are nodes 1 … N − 1 between fixed ends and 0 … N at insulated ones.
let nx: i32 = 0;
let ny: i32 = 0;
let firstNode: i32 = 0;

// The state with one halo cell around it (two to the left, to keep rows aligned), and a second buffer: the next
// state of FTCS, or the transposed half step of ADI.
let state: usize = 0;
let stride: usize = 0;
let buffer: usize = 0;
let bufferStride: usize = 0;

let factorsX: usize = 0;
let factorsY: usize = 0;
let scratch: usize = 0;

let profileX: usize = 0;
let profileY: usize = 0;
let history: usize = 0;
let historyRows: i32 = 0;
let frames: usize = 0;
let frameCount: i32 = 0;

let done: f64 = 0;
let historyNext: i32 = 0;
let frameNext: i32 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const illegal = readParameters();
  if (illegal !== 0) return illegal;
  return allocateAll() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function readParameters(): i32 {
  isPlate = parameter(Parameter.dim) === 2;
  if (!isIntegerBetween(parameter(Parameter.cellsX), 2, MAX_CELLS)) return illegal(Parameter.cellsX);
  if (isPlate && !isIntegerBetween(parameter(Parameter.cellsY), 2, MAX_CELLS)) return illegal(Parameter.cellsY);
  if (!isFlag(parameter(Parameter.isImplicit))) return illegal(Parameter.isImplicit);
  if (!isFlag(parameter(Parameter.isInsulated))) return illegal(Parameter.isInsulated);
  if (!isIntegerBetween(parameter(Parameter.dim), 1, 2)) return illegal(Parameter.dim);
  if (!isPositive(parameter(Parameter.rx))) return illegal(Parameter.rx);
  if (isPlate && !isPositive(parameter(Parameter.ry))) return illegal(Parameter.ry);
  if (!isCount(parameter(Parameter.startSteps), 0)) return illegal(Parameter.startSteps);
  if (!isCount(parameter(Parameter.steps), 0)) return illegal(Parameter.steps);
  if (!isCount(parameter(Parameter.historyEvery), 1)) return illegal(Parameter.historyEvery);
  if (!isCount(parameter(Parameter.frameEvery), 1)) return illegal(Parameter.frameEvery);
  cellsX = <i32>parameter(Parameter.cellsX);
  cellsY = isPlate ? <i32>parameter(Parameter.cellsY) : 0;
  isImplicit = parameter(Parameter.isImplicit) === 1;
  isInsulated = parameter(Parameter.isInsulated) === 1;
  rx = parameter(Parameter.rx);
  ry = isPlate ? parameter(Parameter.ry) : 0;
  startSteps = parameter(Parameter.startSteps);
  steps = parameter(Parameter.steps);
  historyEvery = parameter(Parameter.historyEvery);
  frameEvery = parameter(Parameter.frameEvery);

  firstNode = isInsulated ? 0 : 1;
  nx = isInsulated ? cellsX + 1 : cellsX - 1;
  ny = !isPlate ? 1 : isInsulated ? cellsY + 1 : cellsY - 1;
  const probeX = parameter(Parameter.probeX) - firstNode;
  const probeY = isPlate ? parameter(Parameter.probeY) - firstNode : 0;
  if (!isIntegerBetween(probeX, 0, nx - 1)) return illegal(Parameter.probeX);
  if (!isIntegerBetween(probeY, 0, ny - 1)) return illegal(Parameter.probeY);
  stride = (<usize>(padded(nx) + 4)) << 3;
  probe = <usize>probeY * stride + ((<usize>probeX) << 3);
  return 0;
}

/** Whether a number of steps is legal: steps are counted in an f64. */
function isCount(value: f64, minimum: f64): bool {
  return isIntegerBetween(value, minimum, f64.MAX_SAFE_INTEGER);
}

/** Number of rows of a history or of frames: the start, every k-th step, and the last step. */
function rowCount(every: f64): i32 {
  return 1 + <i32>Math.ceil(steps / every);
}

/** Allocates padded(rows) rows with a halo row above and below. @returns the address of the first value, or 0 */
function allocateBlock(rows: i32, rowBytes: usize): usize {
  const address = allocate(<usize>(padded(rows) + 2) * rowBytes);
  return address === 0 ? 0 : address + rowBytes + 16;
}

function allocateAll(): bool {
  const isAlternating = isImplicit && isPlate;
  bufferStride = isAlternating ? (<usize>(padded(ny) + 4)) << 3 : stride;
  state = allocateBlock(ny, stride);
  buffer = allocateBlock(isAlternating ? nx : ny, bufferStride);
  factorsX = allocateF64(3 * padded(nx));
  factorsY = allocateF64(3 * padded(ny));
  scratch = allocateF64(LANES * padded(nx > ny ? nx : ny));
  profileX = allocateF64(cellsX + 1);
  profileY = allocateF64(cellsY + 1);
  historyRows = rowCount(historyEvery);
  frameCount = rowCount(frameEvery);
  history = allocateF64(historyRows * HISTORY_COLUMNS);
  const frameNodes: usize = <usize>(cellsX + 1) * <usize>(cellsY + 1);
  frames = allocate(<usize>frameCount * frameNodes * 8);
  return (
    state !== 0 &&
    buffer !== 0 &&
    factorsX !== 0 &&
    factorsY !== 0 &&
    scratch !== 0 &&
    profileX !== 0 &&
    profileY !== 0 &&
    history !== 0 &&
    frames !== 0
  );
}

/** Sets the initial state: the product of the two profiles; for one axis, the profile of x. */
export function start(): i32 {
  for (let j = 0; j < ny; j++) {
    const row = state + <usize>j * stride;
    const scale = isPlate ? get(profileY, firstNode + j) : 1;
    for (let i = 0; i < nx; i++) set(row, i, scale * get(profileX, firstNode + i));
  }
  if (isImplicit) {
    if (factorAxis(factorsX, nx, rx) !== 0) return illegal(Parameter.rx);
    if (isPlate && factorAxis(factorsY, ny, ry) !== 0) return illegal(Parameter.ry);
  }
  done = 0;
  historyNext = 0;
  frameNext = 0;
  return record();
}

/** Factors 1 + B, where B u_i = (r/2) (2 u_i − u_{i−1} − u_{i+1}). */
function factorAxis(factors: usize, n: i32, r: f64): i32 {
  const size = (<usize>padded(n)) << 3;
  const end = isInsulated ? r : 0.5 * r;
  return factorDiffusion(1, 0.5 * r, end, factors, factors + size, factors + 2 * size, n);
}

/** Advances by at most `count` steps. How steps are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && done < steps; k++) {
    if (!isImplicit) {
      explicitStep();
    } else if (done < startSteps) {
      implicitStep(1, 0);
      implicitStep(1, 0);
    } else {
      implicitStep(2, 1);
    }
    done += 1;
    setDone(done);
    const info = record();
    if (info !== INFO_OK) return info;
  }
  return INFO_OK;
}

/** (alpha, beta) = (2, 1): Crank–Nicolson or ADI over Δt. (1, 0): backward Euler over Δt / 2, axis by axis. */
function implicitStep(alpha: f64, beta: f64): void {
  const sizeX = (<usize>padded(nx)) << 3;
  const inverseX = factorsX + sizeX;
  const aboveX = inverseX + sizeX;
  if (!isPlate) {
    solve(factorsX, inverseX, aboveX, state, state, scratch, nx, alpha, beta);
    return;
  }
  const sizeY = (<usize>padded(ny)) << 3;
  const inverseY = factorsY + sizeY;
  const aboveY = inverseY + sizeY;
  solveColumns(factorsY, inverseY, aboveY, state, stride, buffer, bufferStride, scratch, ny, nx, alpha, beta);
  solveColumns(factorsX, inverseX, aboveX, buffer, bufferStride, state, stride, scratch, nx, ny, alpha, beta);
}

/** Writes u + r_x δ²_x u + r_y δ²_y u into `buffer`, then swaps the two. */
function explicitStep(): void {
  fillHalo();
  const weightX = f64x2.splat(rx);
  const weightY = f64x2.splat(ry);
  const weightCentre = f64x2.splat(1 - 2 * (rx + ry));
  const width = (<usize>nx) << 3;
  for (let j = 0; j < ny; j++) {
    const row = state + <usize>j * stride;
    const target = buffer + <usize>j * stride;
    for (let i: usize = 0; i < width; i += 16) {
      const at = row + i;
      const neighboursX = f64x2.add(v128.load(at - 8), v128.load(at + 8));
      const neighboursY = f64x2.add(v128.load(at - stride), v128.load(at + stride));
      const neighbours = f64x2.add(f64x2.mul(weightX, neighboursX), f64x2.mul(weightY, neighboursY));
      v128.store(target + i, f64x2.add(f64x2.mul(weightCentre, v128.load(at)), neighbours));
    }
  }
  const previous = state;
  state = buffer;
  buffer = previous;
}

/** Fills the halo of FTCS: zero at fixed ends, the mirror image of the first inner node at insulated ones. */
function fillHalo(): void {
  for (let j = 0; j < ny; j++) {
    const row = state + <usize>j * stride;
    set(row, -1, isInsulated ? get(row, 1) : 0);
    set(row, nx, isInsulated ? get(row, nx - 2) : 0);
  }
  if (!isPlate || !isInsulated) return; // the rows are already zero
  const width = (<usize>nx) << 3;
  const last = state + <usize>(ny - 1) * stride;
  memory.copy(state - stride, state + stride, width);
  memory.copy(last + stride, last - stride, width);
}

/** Records the frame and the history row that are due after this step. */
function record(): i32 {
  const isLast = done === steps;
  if (isLast || done % frameEvery === 0) recordFrame();
  return isLast || done % historyEvery === 0 ? recordHistory() : INFO_OK;
}

/** Copies all nodes into the next frame; fixed ends are zeros. */
function recordFrame(): void {
  const rowNodes: usize = <usize>(cellsX + 1);
  const nodes: usize = rowNodes * <usize>(cellsY + 1);
  const frame = frames + ((<usize>frameNext * nodes) << 3);
  const offset: usize = isPlate ? <usize>firstNode * rowNodes : 0;
  for (let j = 0; j < ny; j++) {
    const target = frame + ((offset + <usize>j * rowNodes + <usize>firstNode) << 3);
    memory.copy(target, state + <usize>j * stride, (<usize>nx) << 3);
  }
  frameNext++;
}

/**
 * Records probe, Σ w u, Σ w u² / 2, minimum and maximum of u. The weights w are those of the trapezoidal rule: 1,
 * halved at each insulated end, in both directions.
 */
function recordHistory(): i32 {
  let minimum: f64 = Infinity;
  let maximum: f64 = -Infinity;
  let energy: f64 = 0;
  const rowHeat = scratch;
  for (let j = 0; j < ny; j++) {
    const row = state + <usize>j * stride;
    const weight: f64 = isPlate && isInsulated && (j === 0 || j === ny - 1) ? 0.5 : 1;
    const a: f64 = isInsulated ? get(row, 0) : 0;
    const b: f64 = isInsulated ? get(row, nx - 1) : 0;
    set(rowHeat, j, weight * (neumaierSum(row, nx) - 0.5 * (a + b)));
    energy += 0.5 * weight * (pairwiseDot(row, row, nx) - 0.5 * (a * a + b * b));
    for (let i = 0; i < nx; i++) {
      const value = get(row, i);
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  const sample = history + ((<usize>(historyNext * HISTORY_COLUMNS)) << 3);
  set(sample, HistoryColumn.probe, load<f64>(state + probe));
  set(sample, HistoryColumn.heat, neumaierSum(rowHeat, ny));
  set(sample, HistoryColumn.energy, energy);
  set(sample, HistoryColumn.minimum, minimum);
  set(sample, HistoryColumn.maximum, maximum);
  historyNext++;
  return isFinite(energy) ? INFO_OK : INFO_NON_FINITE;
}

export function view(i: i32): usize {
  if (i === View.profileX) return profileX;
  if (i === View.profileY) return profileY;
  if (i === View.history) return history;
  return i === View.frames ? frames : 0;
}

export function extent(i: i32): i32 {
  if (i === View.profileX) return cellsX + 1;
  if (i === View.profileY) return cellsY + 1;
  if (i === View.history) return historyRows * HISTORY_COLUMNS;
  return i === View.frames ? frameCount * (cellsX + 1) * (cellsY + 1) : 0;
}
