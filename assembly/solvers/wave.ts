// Waves on a line or a rectangle: a field w on nodes and its flux q on the faces between them,
//
//   ρ ∂w/∂t = ∇·q − r w + s(t) f(x, y)        ∂q/∂t = τ ∇w
//
// For strings and membranes w = ∂u/∂t and q = τ ∇u, with u and q at whole steps and w at halves. For a plane of
// Maxwell's equations w = E_z and q = (H_y, −H_x), ρ = ε, τ = 1/μ (TM), or w = H_z and q = (−E_y, E_x), ρ = μ, τ = 1/ε
// (TE), with w at whole steps and q at halves: Yee's scheme.
//
// Leapfrog, of order 2 in time and space, explicit; stable for dt² τ/ρ (1/hx² + 1/hy²) <= 1. The energy
// ½ Σ ρ w² + ½ Σ q·q′ / τ, with q and q′ a step apart, changes by work and loss alone. In a uniform medium a wave of
// angular frequency ω obeys sin²(ω dt/2) = (c dt)² (sin²(kx hx/2)/hx² + sin²(ky hy/2)/hy²). Beyond open sides lie layers
// that damp each direction by itself, without reflection in the limit of small spacing.
// Courant, Friedrichs & Lewy, Math. Ann. 100 (1928); Yee, IEEE Trans. Antennas Propag. 14 (1966) 302; Berenger, J.
// Comput. Phys. 114 (1994) 185.
//
// Calls in inner loops: none in uniform media.
export { abi, control } from '../kernel';

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
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';
import * as grid from './wave/grid';
import { configureMeasure, copyDomain, faceEnergy, largest, nodeEnergy, STENCIL, valueAt } from './wave/measure';
import { advanceField, advanceFluxes, configureStep, loss, resetSums, work } from './wave/step';

/**
 * columns and rows, nodes along x and y with those of layers, rows 1 for a line; isYee 0 | 1, w at whole steps;
 * isGeneral 0 | 1, media by maps, else uniform; hasLayers 0 | 1, of a general medium only; spacingX and spacingY > 0;
 * density ρ and stiffness τ of a uniform medium; west, east, south, north: 0 fixed, 1 free, 2 periodic, in pairs;
 * inset…, nodes of the layers; historyEvery and frameEvery >= 1.
 */
export enum Parameter {
  columns,
  rows,
  isYee,
  isGeneral,
  hasLayers,
  spacingX,
  spacingY,
  dt,
  steps,
  density,
  stiffness,
  west,
  east,
  south,
  north,
  insetWest,
  insetEast,
  insetSouth,
  insetNorth,
  historyEvery,
  frameEvery,
}

/**
 * In: initialU and initialW f64[rows, columns], displacement and w at the start; nodes f64[3, rows, columns], of a general
 * medium: r dt / 2ρ, ρ and f; facesX and facesY f64[rows, columns], τ of the face behind each node; layerX f64[4, columns]
 * and layerY f64[4, rows], decay and gain of nodes, then of faces; source f64[steps + 1], s of each step; probeNodes
 * f64[2], the first of four nodes about the probe along x and y; probeWeights f64[2, 4]. Out: history f64[samples, 6], see
 * HistoryColumn; frames f64[frames, rows', columns'], the domain without layers: u, or w of Yee's scheme.
 */
export enum View {
  initialU,
  initialW,
  nodes,
  facesX,
  facesY,
  layerX,
  layerY,
  source,
  probeNodes,
  probeWeights,
  history,
  frames,
}

/**
 * energy: of the domain at the sample. closed: the conserved form, half a step before the sample, or at it (Yee). work and
 * loss: of the source and of damping until then. probe and largest: of u, or of w of Yee's scheme.
 */
export enum HistoryColumn {
  energy,
  closed,
  work,
  loss,
  probe,
  largest,
}

const HISTORY_COLUMNS: i32 = HistoryColumn.largest + 1;
const MAX_NODES: f64 = 65536;

let isYee = false;
let dt: f64 = 0;
let steps: f64 = 0;
let historyEvery: f64 = 0;
let frameEvery: f64 = 0;
/** Volume of a cell; its length on a line. */
let cell: f64 = 0;

let initialU: usize = 0;
let initialW: usize = 0;
let source: usize = 0;
let probeNodes: usize = 0;
let probeWeights: usize = 0;
let history: usize = 0;
let historyRows: i32 = 0;
let frames: usize = 0;
let frameNumbers: i32 = 0;
let frameAddress: usize = 0;

let done: f64 = 0;
let historyNext: i32 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const illegal = readParameters();
  if (illegal !== 0) return illegal;
  return allocateAll() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function readParameters(): i32 {
  if (!isIntegerBetween(parameter(Parameter.columns), 4, MAX_NODES)) return illegal(Parameter.columns);
  const rows = parameter(Parameter.rows);
  if (rows !== 1 && !isIntegerBetween(rows, 4, MAX_NODES)) return illegal(Parameter.rows);
  for (let i: i32 = Parameter.isYee; i <= Parameter.hasLayers; i++) if (!isFlag(parameter(i))) return illegal(i);
  if (parameter(Parameter.hasLayers) > parameter(Parameter.isGeneral)) return illegal(Parameter.hasLayers);
  for (let i: i32 = Parameter.spacingX; i <= Parameter.dt; i++) if (!isPositive(parameter(i))) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.steps), 0, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.steps);
  if (!isPositive(parameter(Parameter.density))) return illegal(Parameter.density);
  if (!isPositive(parameter(Parameter.stiffness))) return illegal(Parameter.stiffness);
  const sides = illegalSide();
  if (sides !== 0) return sides;
  const insets = illegalInset();
  if (insets !== 0) return insets;
  if (!isIntegerBetween(parameter(Parameter.historyEvery), 1, f64.MAX_SAFE_INTEGER))
    return illegal(Parameter.historyEvery);
  if (!isIntegerBetween(parameter(Parameter.frameEvery), 1, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.frameEvery);
  isYee = parameter(Parameter.isYee) === 1;
  dt = parameter(Parameter.dt);
  steps = parameter(Parameter.steps);
  historyEvery = parameter(Parameter.historyEvery);
  frameEvery = parameter(Parameter.frameEvery);
  cell = parameter(Parameter.spacingX) * (rows === 1 ? 1 : parameter(Parameter.spacingY));
  return 0;
}

/** Periodic sides come in pairs. */
function illegalSide(): i32 {
  for (let i: i32 = Parameter.west; i <= Parameter.north; i++)
    if (!isIntegerBetween(parameter(i), 0, 2)) return illegal(i);
  for (let i: i32 = Parameter.west; i <= Parameter.south; i += 2)
    if ((parameter(i) === grid.PERIODIC) !== (parameter(i + 1) === grid.PERIODIC)) return illegal(i + 1);
  return 0;
}

/** The layers of two opposite sides leave at least four nodes, or the one of a line. */
function illegalInset(): i32 {
  for (let i: i32 = Parameter.insetWest; i <= Parameter.insetNorth; i++) {
    const total = parameter(i <= Parameter.insetEast ? Parameter.columns : Parameter.rows);
    if (!isIntegerBetween(parameter(i), 0, total)) return illegal(i);
    const isSecond = i === Parameter.insetEast || i === Parameter.insetNorth;
    if (isSecond && parameter(i - 1) + parameter(i) > total - (total === 1 ? 1 : 4)) return illegal(i);
  }
  return 0;
}

/** Number of rows of a history or of frames: the start, every k-th step, and the last step. */
function rowCount(every: f64): i32 {
  return 1 + <i32>Math.ceil(steps / every);
}

function allocateAll(): bool {
  grid.configure(
    <i32>parameter(Parameter.columns),
    <i32>parameter(Parameter.rows),
    parameter(Parameter.isGeneral) === 1,
    parameter(Parameter.hasLayers) === 1,
    <i32>parameter(Parameter.west),
    <i32>parameter(Parameter.east),
    <i32>parameter(Parameter.south),
    <i32>parameter(Parameter.north),
  );
  configureStep(
    dt,
    parameter(Parameter.spacingX),
    parameter(Parameter.spacingY),
    parameter(Parameter.density),
    parameter(Parameter.stiffness),
  );
  const sums = allocateF64(grid.rows);
  configureMeasure(
    <i32>parameter(Parameter.insetWest),
    <i32>parameter(Parameter.insetEast),
    <i32>parameter(Parameter.insetSouth),
    <i32>parameter(Parameter.insetNorth),
    parameter(Parameter.density),
    parameter(Parameter.stiffness),
    sums,
  );
  return sums !== 0 && grid.allocateGrid() && allocateRecords();
}

function allocateRecords(): bool {
  const size = grid.rows * grid.columns;
  const width = grid.columns - <i32>(parameter(Parameter.insetWest) + parameter(Parameter.insetEast));
  const height = grid.rows - <i32>(parameter(Parameter.insetSouth) + parameter(Parameter.insetNorth));
  historyRows = rowCount(historyEvery);
  frameNumbers = rowCount(frameEvery) * width * height;
  initialU = allocateF64(size);
  initialW = allocateF64(size);
  source = grid.isGeneral ? allocate((<usize>steps + 1) << 3) : allocateF64(1);
  probeNodes = allocateF64(2);
  probeWeights = allocateF64(2 * STENCIL);
  history = allocateF64(historyRows * HISTORY_COLUMNS);
  frames = allocate((<usize>frameNumbers) << 3);
  return !!(initialU && initialW && source && probeNodes && probeWeights && history && frames);
}

export function start(): i32 {
  done = 0;
  historyNext = 0;
  frameAddress = frames;
  resetSums();
  if (isYee) startYee();
  else startDisplacement();
  return record();
}

function readField(field: usize, values: usize): void {
  const bytes = grid.rowBytes;
  for (let j = 0; j < grid.rows; j++) memory.copy(field + <usize>j * grid.stride, values + <usize>j * bytes, bytes);
}

/** q′ = factor q, with its halo. */
function scaleFluxes(factor: f64): void {
  for (let j = 0; j < grid.rows; j++)
    for (let i = 0; i < grid.columns; i++) {
      const at = <usize>j * grid.stride;
      set(grid.qx + at, i, factor * get(grid.qx + at, i));
      set(grid.qy + at, i, factor * get(grid.qy + at, i));
    }
  grid.fillFluxes();
}

/** q at the start from u, and w half a step before it, so that the mean of both halves is the given w. */
function startDisplacement(): void {
  readField(grid.u, initialU);
  readField(grid.w, initialU);
  advanceFluxes();
  scaleFluxes(1 / dt);
  for (let j = 0; j < grid.rows; j++) memory.fill(grid.w + <usize>j * grid.stride, 0, grid.rowBytes);
  advanceField(grid.next, sourceAt(0), false);
  for (let j = 0; j < grid.rows; j++)
    for (let i = 0; i < grid.columns; i++) {
      const at = <usize>j * grid.stride;
      const half = grid.isGeneral ? get(grid.nodes, j * grid.columns + i) : 0;
      const value = 0.5 * (1 + half) * (2 * get(initialW, j * grid.columns + i) - get(grid.next + at, i));
      set(grid.w + at, i, value);
      if (grid.hasLayers) set(grid.partX + at, i, value);
    }
}

/** w at the start, and q half a step before it, so that q vanishes at the start. */
function startYee(): void {
  readField(grid.w, initialW);
  if (grid.hasLayers) readField(grid.partX, initialW);
  advanceFluxes();
  scaleFluxes(-0.5);
}

function sourceAt(step: f64): f64 {
  return grid.isGeneral ? load<f64>(source + ((<usize>step) << 3)) : 0;
}

/** Advances by at most `count` steps. How steps are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && done < steps; k++) {
    if (isYee) {
      advanceFluxes();
      advanceField(grid.w, sourceAt(done), true);
    } else {
      advanceField(grid.w, sourceAt(done), true);
      advanceFluxes();
    }
    done += 1;
    setDone(done);
    const info = record();
    if (info !== INFO_OK) return info;
  }
  return INFO_OK;
}

/** Records the frame and the history row that are due after this step. */
function record(): i32 {
  const isLast = done === steps;
  if (isLast || done % frameEvery === 0) frameAddress = copyDomain(shown(), frameAddress);
  return isLast || done % historyEvery === 0 ? recordHistory() : INFO_OK;
}

function shown(): usize {
  return isYee ? grid.w : grid.u;
}

function recordHistory(): i32 {
  const sample = history + ((<usize>(historyNext * HISTORY_COLUMNS)) << 3);
  historyNext++;
  const closed = cell * (nodeEnergy(grid.w) + faceEnergy(grid.w, isYee ? 1 : -1));
  set(sample, HistoryColumn.closed, closed);
  set(sample, HistoryColumn.energy, isYee ? closed : 0.5 * (closed + energyAhead()));
  set(sample, HistoryColumn.work, cell * work);
  set(sample, HistoryColumn.loss, cell * loss);
  const firstY = grid.rows === 1 ? 0 : <i32>get(probeNodes, 1);
  const value = valueAt(shown(), <i32>get(probeNodes, 0), firstY, probeWeights, probeWeights + STENCIL * 8);
  set(sample, HistoryColumn.probe, value);
  const most = largest(shown());
  set(sample, HistoryColumn.largest, most);
  return isFinite(closed + most) ? INFO_OK : INFO_NON_FINITE;
}

/** The conserved form half a step ahead. */
function energyAhead(): f64 {
  advanceField(grid.next, sourceAt(done), false);
  return cell * (nodeEnergy(grid.next) + faceEnergy(grid.next, 1));
}

export function view(i: i32): usize {
  switch (i) {
    case View.initialU:
      return initialU;
    case View.initialW:
      return initialW;
    case View.nodes:
      return grid.nodes;
    case View.facesX:
      return grid.facesX;
    case View.facesY:
      return grid.facesY;
    case View.layerX:
      return grid.layerX;
    case View.layerY:
      return grid.layerY;
    case View.source:
      return source;
    case View.probeNodes:
      return probeNodes;
    case View.probeWeights:
      return probeWeights;
    case View.history:
      return history;
    case View.frames:
      return frames;
    default:
      return 0;
  }
}

export function extent(i: i32): i32 {
  const size = grid.rows * grid.columns;
  switch (i) {
    case View.initialU:
    case View.initialW:
      return size;
    case View.nodes:
      return grid.isGeneral ? grid.NODE_MAPS * size : 0;
    case View.facesX:
    case View.facesY:
      return grid.isGeneral ? size : 0;
    case View.layerX:
      return grid.isGeneral ? grid.LAYER_ROWS * grid.columns : 0;
    case View.layerY:
      return grid.isGeneral ? grid.LAYER_ROWS * grid.rows : 0;
    case View.source:
      return grid.isGeneral ? <i32>steps + 1 : 1;
    case View.probeNodes:
      return 2;
    case View.probeWeights:
      return 2 * STENCIL;
    case View.history:
      return historyRows * HISTORY_COLUMNS;
    case View.frames:
      return frameNumbers;
    default:
      return 0;
  }
}
