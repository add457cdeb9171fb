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
//
// Data of one's own (heat/general.ts) have a scheme of their own: any initial state, sources, sides, conductivity.
//
// Compressed size: at most 30 kB, because the expression machine with its functions is part of it.
//
// Calls in inner loops: the expressions of general data, at the nodes of every step; the standard schemes make none.
import {
  allocate,
  allocateF64,
  INFO_CAPACITY,
  INFO_NON_FINITE,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { factorDiffusion, LANES, padded, solve, solveColumns } from '../numerics/grid/tridiagonal';
import { neumaierSum, pairwiseDot } from '../numerics/sum';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';
import * as general from './heat/general';

export { abi, control } from '../kernel';

/**
 * cellsX and cellsY >= 2; isImplicit and isInsulated 0 | 1; dim 1 | 2, the number of axes; rx and ry > 0;
 * historyEvery and frameEvery >= 1; probes >= 1. One axis ignores cellsY and ry.
 *
 * data: 0 the schemes above; 1 those of heat/general.ts, which ignore rx and ry but take dt, the lengths, the kinds of
 * the sides (0 flux, 1 fixed, 2 convective) with their coefficients of heat transfer, and the size of the expressions;
 * 2 the steady state, whose steps are the number of nodes and one.
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
  probes,
  data,
  dt,
  lengthX,
  lengthY,
  leftKind,
  rightKind,
  bottomKind,
  topKind,
  leftTransfer,
  rightTransfer,
  bottomTransfer,
  topTransfer,
  codeWords,
  poolValues,
}

/**
 * In: profileX f64[cellsX + 1] and profileY f64[cellsY + 1]; probeNodes f64[probes, 2], the first of the four nodes along
 * x and y about each probe, and probeWeights f64[probes, 8], their weights; for general data those of heat/general.ts.
 * Out: history f64[rows, 6], see HistoryColumn; probeHistory f64[rows, probes]; frames f64[frames, cellsY + 1, cellsX + 1].
 */
export enum View {
  profileX,
  profileY,
  probeNodes,
  probeWeights,
  programs,
  code,
  pool,
  faceK,
  nodeK,
  nodeC,
  initial,
  history,
  probeHistory,
  frames,
}

/** Where an expression has no value: its number, from 1 (heat/general.ts), and the place; 0 if all have. */
export enum Statistic {
  faultProgram,
  faultX,
  faultY,
  faultT,
}

export enum HistoryColumn {
  probe,
  heat,
  energy,
  minimum,
  maximum,
  supplied,
}

const HISTORY_COLUMNS: i32 = HistoryColumn.supplied + 1;
const MAX_CELLS: f64 = 1048576;
const MAX_PROBES: f64 = 64;
const MAX_WORDS: f64 = 65536;
/** Nodes about a probe along an axis: cubic interpolation. */
const STENCIL: i32 = 4;

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
let probes: i32 = 0;
let data: i32 = 0;
let dt: f64 = 0;

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
let probeNodes: usize = 0;
let probeWeights: usize = 0;
let probeHistory: usize = 0;
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
  const hasOwn = data === 0 ? allocateStandard() : allocateGeneral();
  return hasOwn && allocateRecords() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function readParameters(): i32 {
  isPlate = parameter(Parameter.dim) === 2;
  if (!isIntegerBetween(parameter(Parameter.cellsX), 2, MAX_CELLS)) return illegal(Parameter.cellsX);
  if (isPlate && !isIntegerBetween(parameter(Parameter.cellsY), 2, MAX_CELLS)) return illegal(Parameter.cellsY);
  if (!isFlag(parameter(Parameter.isImplicit))) return illegal(Parameter.isImplicit);
  if (!isFlag(parameter(Parameter.isInsulated))) return illegal(Parameter.isInsulated);
  if (!isIntegerBetween(parameter(Parameter.dim), 1, 2)) return illegal(Parameter.dim);
  if (!isIntegerBetween(parameter(Parameter.data), 0, 2)) return illegal(Parameter.data);
  data = <i32>parameter(Parameter.data);
  if (data === 0 && !isPositive(parameter(Parameter.rx))) return illegal(Parameter.rx);
  if (data === 0 && isPlate && !isPositive(parameter(Parameter.ry))) return illegal(Parameter.ry);
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
  stride = (<usize>(padded(nx) + 4)) << 3;
  if (!isIntegerBetween(parameter(Parameter.probes), 1, MAX_PROBES)) return illegal(Parameter.probes);
  probes = <i32>parameter(Parameter.probes);
  return data === 0 ? 0 : readGeneral();
}

function readGeneral(): i32 {
  if (data === 1 && !isPositive(parameter(Parameter.dt))) return illegal(Parameter.dt);
  if (!isPositive(parameter(Parameter.lengthX))) return illegal(Parameter.lengthX);
  if (isPlate && !isPositive(parameter(Parameter.lengthY))) return illegal(Parameter.lengthY);
  if (!isIntegerBetween(parameter(Parameter.codeWords), 0, MAX_WORDS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_WORDS)) return illegal(Parameter.poolValues);
  dt = parameter(Parameter.dt);
  general.configure(cellsX, cellsY, parameter(Parameter.lengthX), parameter(Parameter.lengthY), data === 2);
  for (let side = 0; side < 4; side++) {
    const kind = parameter(Parameter.leftKind + side);
    const transfer = parameter(Parameter.leftTransfer + side);
    if (!isIntegerBetween(kind, 0, general.CONVECTIVE)) return illegal(Parameter.leftKind + side);
    if (!(transfer >= 0 && isFinite(transfer))) return illegal(Parameter.leftTransfer + side);
    general.configureSide(side, <i32>kind, transfer);
  }
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

function allocateGeneral(): bool {
  scratch = allocateF64(max(cellsX, cellsY) + 1);
  return (
    scratch !== 0 && general.allocateGeneral(<i32>parameter(Parameter.codeWords), <i32>parameter(Parameter.poolValues))
  );
}

function allocateStandard(): bool {
  const isAlternating = isImplicit && isPlate;
  bufferStride = isAlternating ? (<usize>(padded(ny) + 4)) << 3 : stride;
  state = allocateBlock(ny, stride);
  buffer = allocateBlock(isAlternating ? nx : ny, bufferStride);
  factorsX = allocateF64(3 * padded(nx));
  factorsY = allocateF64(3 * padded(ny));
  scratch = allocateF64(LANES * padded(nx > ny ? nx : ny));
  profileX = allocateF64(cellsX + 1);
  profileY = allocateF64(cellsY + 1);
  return (
    state !== 0 && buffer !== 0 && factorsX !== 0 && factorsY !== 0 && scratch !== 0 && profileX !== 0 && profileY !== 0
  );
}

function allocateRecords(): bool {
  historyRows = rowCount(historyEvery);
  frameCount = rowCount(frameEvery);
  history = allocateF64(historyRows * HISTORY_COLUMNS);
  const frameNodes: usize = <usize>(cellsX + 1) * <usize>(cellsY + 1);
  frames = allocate(<usize>frameCount * frameNodes * 8);
  probeNodes = allocateF64(2 * probes);
  probeWeights = allocateF64(2 * STENCIL * probes);
  probeHistory = allocateF64(historyRows * probes);
  return history !== 0 && frames !== 0 && probeNodes !== 0 && probeWeights !== 0 && probeHistory !== 0;
}

/** Sets the initial state: the product of the two profiles; for one axis, the profile of x. */
export function start(): i32 {
  done = 0;
  historyNext = 0;
  frameNext = 0;
  if (data !== 0) return general.startGeneral(dt) ? record() : fault();
  for (let j = 0; j < ny; j++) {
    const row = state + <usize>j * stride;
    const scale = isPlate ? get(profileY, firstNode + j) : 1;
    for (let i = 0; i < nx; i++) set(row, i, scale * get(profileX, firstNode + i));
  }
  if (isImplicit) {
    if (factorAxis(factorsX, nx, rx) !== 0) return illegal(Parameter.rx);
    if (isPlate && factorAxis(factorsY, ny, ry) !== 0) return illegal(Parameter.ry);
  }
  return record();
}

/** Publishes where an expression has no value. */
function fault(): i32 {
  setStatistic(Statistic.faultProgram, general.faultProgram);
  setStatistic(Statistic.faultX, general.faultX);
  setStatistic(Statistic.faultY, general.faultY);
  setStatistic(Statistic.faultT, general.faultT);
  return general.faultProgram === 0 ? INFO_CAPACITY : INFO_NON_FINITE;
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
    if (data !== 0) {
      if (!generalStep()) return fault();
    } else if (!isImplicit) {
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

function generalStep(): bool {
  if (data === 2) return general.steadyStep(<i32>done);
  const t = done * dt;
  return done < startSteps ? general.dampedStep(t, dt) : general.stepGeneral(t, dt);
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
  frameNext++;
  if (data !== 0) {
    memory.copy(frame, general.u, nodes << 3);
    return;
  }
  const offset: usize = isPlate ? <usize>firstNode * rowNodes : 0;
  for (let j = 0; j < ny; j++) {
    const target = frame + ((offset + <usize>j * rowNodes + <usize>firstNode) << 3);
    memory.copy(target, state + <usize>j * stride, (<usize>nx) << 3);
  }
}

/** The temperature of a node, the fixed ends included. */
function nodeValue(i: i32, j: i32): f64 {
  if (data !== 0) return get(general.u, j * (cellsX + 1) + i);
  const x = i - firstNode;
  const y = isPlate ? j - firstNode : 0;
  return x < 0 || x >= nx || y < 0 || y >= ny ? 0 : get(state + <usize>y * stride, x);
}

/** The temperature at a probe, interpolated: four nodes along each axis. */
function probeValue(p: i32): f64 {
  const firstX = <i32>get(probeNodes, 2 * p);
  const firstY = <i32>get(probeNodes, 2 * p + 1);
  const weights = probeWeights + ((<usize>(2 * STENCIL * p)) << 3);
  let sum: f64 = 0;
  for (let j = 0; j < STENCIL; j++) {
    const weightY = get(weights, STENCIL + j);
    if (weightY === 0) continue;
    for (let i = 0; i < STENCIL; i++) {
      const weight = get(weights, i) * weightY;
      if (weight !== 0) sum += weight * nodeValue(firstX + i, firstY + j);
    }
  }
  return sum;
}

/**
 * Records probe, Σ w u, Σ w u² / 2, minimum and maximum of u. The weights w are those of the trapezoidal rule: 1,
 * halved at each insulated end, in both directions.
 */
function recordHistory(): i32 {
  minimum = Infinity;
  maximum = -Infinity;
  energy = 0;
  if (data === 0) measureStandard();
  else measureGeneral();
  const sample = history + ((<usize>(historyNext * HISTORY_COLUMNS)) << 3);
  for (let p = 0; p < probes; p++) set(probeHistory, historyNext * probes + p, probeValue(p));
  set(sample, HistoryColumn.probe, get(probeHistory, historyNext * probes));
  set(sample, HistoryColumn.heat, neumaierSum(scratch, data === 0 ? ny : cellsY + 1));
  set(sample, HistoryColumn.energy, energy);
  set(sample, HistoryColumn.minimum, minimum);
  set(sample, HistoryColumn.maximum, maximum);
  set(sample, HistoryColumn.supplied, data === 0 ? 0 : general.supplied);
  historyNext++;
  return isFinite(energy) ? INFO_OK : INFO_NON_FINITE;
}

// Of the row that is being recorded; the heat of each row of nodes is in `scratch`.
let minimum: f64 = 0;
let maximum: f64 = 0;
let energy: f64 = 0;

function spread(row: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const value = get(row, i);
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
}

function measureGeneral(): void {
  for (let j = 0; j <= cellsY; j++) {
    set(scratch, j, general.rowHeat(j));
    energy += general.rowEnergy(j);
    spread(general.u + ((<usize>(j * (cellsX + 1))) << 3), cellsX + 1);
  }
}

function measureStandard(): void {
  for (let j = 0; j < ny; j++) {
    const row = state + <usize>j * stride;
    const weight: f64 = isPlate && isInsulated && (j === 0 || j === ny - 1) ? 0.5 : 1;
    const a: f64 = isInsulated ? get(row, 0) : 0;
    const b: f64 = isInsulated ? get(row, nx - 1) : 0;
    set(scratch, j, weight * (neumaierSum(row, nx) - 0.5 * (a + b)));
    energy += 0.5 * weight * (pairwiseDot(row, row, nx) - 0.5 * (a * a + b * b));
    spread(row, nx);
  }
}

export function view(i: i32): usize {
  switch (i) {
    case View.profileX:
      return profileX;
    case View.profileY:
      return profileY;
    case View.probeNodes:
      return probeNodes;
    case View.probeWeights:
      return probeWeights;
    case View.programs:
      return general.programs;
    case View.code:
      return general.code;
    case View.pool:
      return general.pool;
    case View.faceK:
      return general.faceK;
    case View.nodeK:
      return general.nodeK;
    case View.nodeC:
      return general.nodeC;
    case View.initial:
      return general.initial;
    case View.history:
      return history;
    case View.probeHistory:
      return probeHistory;
    case View.frames:
      return frames;
    default:
      return 0;
  }
}

export function extent(i: i32): i32 {
  const nodes = (cellsX + 1) * (cellsY + 1);
  switch (i) {
    case View.profileX:
      return data === 0 ? cellsX + 1 : 0;
    case View.profileY:
      return data === 0 ? cellsY + 1 : 0;
    case View.probeNodes:
      return 2 * probes;
    case View.probeWeights:
      return 2 * STENCIL * probes;
    case View.programs:
      return data === 0 ? 0 : 2 * general.EXPRESSIONS;
    case View.code:
      return data === 0 ? 0 : <i32>parameter(Parameter.codeWords);
    case View.pool:
      return data === 0 ? 0 : <i32>parameter(Parameter.poolValues);
    case View.faceK:
      return data === 0 ? 0 : cellsX;
    case View.nodeK:
    case View.nodeC:
      return data === 0 ? 0 : cellsX + 1;
    case View.initial:
      return data === 0 ? 0 : nodes;
    case View.history:
      return historyRows * HISTORY_COLUMNS;
    case View.probeHistory:
      return historyRows * probes;
    case View.frames:
      return frameCount * nodes;
    default:
      return 0;
  }
}
