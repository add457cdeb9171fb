// Incompressible flow in two dimensions, ∂u/∂t + u·∇u = −∇p + ν ∇²u + f, ∇·u = 0, by semi-Lagrangian projection.
//
// Staggered square cells. A step follows each face's trajectory back by one and by two steps (BDF2 along trajectories; the
// first step is backward Euler), takes diffusion implicitly by factors along both axes, and projects with an incremental
// pressure in rotational form. Order 2 in time and space for smooth flow with cubic interpolation or MacCormack's
// correction; linear interpolation has an error of Δx²/Δt, so that it smears the more, the shorter the steps. Stable for
// every step; the accuracy of trajectories wants few cells a step. The lid's corners are singular, and staircases of
// solid cells are of order 1.
// Stam, SIGGRAPH 1999; Xiu & Karniadakis, J. Comput. Phys. 172 (2001) 658; Ferziger, Perić & Street, Computational Methods
// for Fluid Dynamics (4th ed., 2020), ch. 8.
//
// Calls in inner loops: trajectories and interpolation, some fifty operations each; lines of diffusion, a call a line.

import {
  allocateF64,
  INFO_NON_FINITE,
  INFO_NOT_CONVERGED,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { cellCount } from '../numerics/grid/fast-poisson';
import { TABLE_COMPILED } from '../numerics/trigonometric';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { advect, allocateAdvection } from './flow/advect';
import { allocateDiffusion, diffuse, factorDiffusion } from './flow/diffuse';
import * as grid from './flow/grid';
import { fillHalo } from './flow/halo';
import * as measure from './flow/measure';
import { addPressure, allocateProjection, iterationsMax, open, project, startProjection } from './flow/project';

export { abi, control } from '../kernel';

/**
 * columns and rows >= 4, cells; alongX 0 walls | 1 periodic | 2 inflow and outflow; alongY 0 walls | 1 periodic; spacing h > 0;
 * dt > 0; viscosity ν > 0; steps >= 1; scheme 0 linear | 1 cubic | 2 MacCormack; lid, velocity of the upper wall; force along x;
 * hasSolid 0 | 1; maxIterations >= 1 of a projection and tolerance > 0 of h ∇·u, with solids; recordEvery and frameEvery,
 * steps; stride, cells from one number of a frame to the next; probeX and probeY, in cells.
 */
export enum Parameter {
  columns,
  rows,
  alongX,
  alongY,
  spacing,
  dt,
  viscosity,
  steps,
  scheme,
  lid,
  force,
  hasSolid,
  maxIterations,
  tolerance,
  recordEvery,
  frameEvery,
  stride,
  probeX,
  probeY,
}

/**
 * In: initialU f64[rows, columns + 1] and initialV f64[rows + 1, columns] at the start, the first used at unknown faces
 * only; inflow f64[rows]; solid f64[rows, columns]. Out: history f64[records, HistoryColumn]; frames f64[frames, rows /
 * stride, columns / stride] and speed f64[rows, columns], |u| in cells; u f64[rows, columns + 1], v f64[rows + 1, columns] and
 * pressure f64[rows, columns] at the end.
 */
export enum View {
  initialU,
  initialV,
  inflow,
  solid,
  history,
  frames,
  speed,
  u,
  v,
  pressure,
}

/** Largest h ∇·u of a record; most iterations of a projection; steps whose projection ended above the tolerance. */
export enum Statistic {
  divergence,
  iterations,
  open,
}

/** t; mean |u|²/2; largest |h ∇·u|; largest |Δu|/Δt of the last step; velocity at the probe; force on solids. */
export enum HistoryColumn {
  t,
  kinetic,
  divergence,
  rate,
  probeU,
  probeV,
  drag,
  lift,
}

const MAX_CELLS: f64 = 1048576;
const MAX_STEPS: f64 = 1e6;
const COLUMNS: i32 = HistoryColumn.lift + 1;

let done: i32 = 0;
let steps: i32 = 0;
let recorded: i32 = 0;
let framed: i32 = 0;
let h: f64 = 0;
let dt: f64 = 0;
let nu: f64 = 0;
let worst: f64 = 0;

let initialU: usize = 0;
let initialV: usize = 0;
let solid: usize = 0;
let history: usize = 0;
let frames: usize = 0;
let speed: usize = 0;
let finalU: usize = 0;
let finalV: usize = 0;
let pressure: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const wrong = illegalParameter();
  if (wrong !== 0) return wrong;
  steps = <i32>parameter(Parameter.steps);
  h = parameter(Parameter.spacing);
  dt = parameter(Parameter.dt);
  nu = parameter(Parameter.viscosity);
  grid.configure(
    <i32>parameter(Parameter.columns),
    <i32>parameter(Parameter.rows),
    <i32>parameter(Parameter.alongX),
    <i32>parameter(Parameter.alongY),
    parameter(Parameter.hasSolid) === 1,
    parameter(Parameter.lid),
  );
  const ofU = grid.ny * (grid.nx + 1);
  const ofV = (grid.ny + 1) * grid.nx;
  initialU = allocateF64(ofU);
  initialV = allocateF64(ofV);
  solid = allocateF64(grid.nx * grid.ny);
  history = allocateF64(records(Parameter.recordEvery) * COLUMNS);
  frames = allocateF64(records(Parameter.frameEvery) * frameLength());
  speed = allocateF64(grid.nx * grid.ny);
  finalU = allocateF64(ofU);
  finalV = allocateF64(ofV);
  pressure = allocateF64(grid.nx * grid.ny);
  const hasViews = initialU && initialV && solid && history && frames && speed && finalU && finalV && pressure;
  if (!hasViews || !grid.allocateGrid() || !allocateAdvection(<i32>parameter(Parameter.scheme)) || !allocateDiffusion())
    return INFO_OUT_OF_MEMORY;
  return allocateProjection() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function illegalParameter(): i32 {
  const is = (i: i32, low: f64, high: f64): bool => isIntegerBetween(parameter(i), low, high);
  if (!is(Parameter.columns, 4, MAX_CELLS)) return illegal(Parameter.columns);
  if (!is(Parameter.rows, 4, MAX_CELLS / parameter(Parameter.columns))) return illegal(Parameter.rows);
  if (!is(Parameter.alongX, 0, 2)) return illegal(Parameter.alongX);
  if (!is(Parameter.alongY, 0, 1)) return illegal(Parameter.alongY);
  if (!isPositive(parameter(Parameter.spacing))) return illegal(Parameter.spacing);
  if (!isPositive(parameter(Parameter.dt))) return illegal(Parameter.dt);
  if (!isPositive(parameter(Parameter.viscosity))) return illegal(Parameter.viscosity);
  if (!is(Parameter.steps, 1, MAX_STEPS)) return illegal(Parameter.steps);
  if (!is(Parameter.scheme, 0, 2)) return illegal(Parameter.scheme);
  if (!isFinite(parameter(Parameter.lid))) return illegal(Parameter.lid);
  if (!isFinite(parameter(Parameter.force))) return illegal(Parameter.force);
  if (!isFlag(parameter(Parameter.hasSolid))) return illegal(Parameter.hasSolid);
  if (!is(Parameter.maxIterations, 1, 1e5)) return illegal(Parameter.maxIterations);
  if (!isPositive(parameter(Parameter.tolerance))) return illegal(Parameter.tolerance);
  if (!is(Parameter.recordEvery, 1, MAX_STEPS)) return illegal(Parameter.recordEvery);
  if (!is(Parameter.frameEvery, 1, MAX_STEPS)) return illegal(Parameter.frameEvery);
  if (!is(Parameter.stride, 1, MAX_CELLS)) return illegal(Parameter.stride);
  if (!isWithin(Parameter.probeX, parameter(Parameter.columns))) return illegal(Parameter.probeX);
  return isWithin(Parameter.probeY, parameter(Parameter.rows)) ? 0 : illegal(Parameter.probeY);
}

function isWithin(i: i32, length: f64): bool {
  return isNonNegative(parameter(i)) && parameter(i) <= length;
}

/** Records of a run: the start, every k-th step, and the last. */
function records(every: i32): i32 {
  return 1 + <i32>Math.ceil(<f64>steps / parameter(every));
}

function frameLength(): i32 {
  const stride = <i32>parameter(Parameter.stride);
  return ((grid.nx + stride - 1) / stride) * ((grid.ny + stride - 1) / stride);
}

export function start(): i32 {
  done = 0;
  recorded = 0;
  framed = 0;
  worst = TABLE_COMPILED;
  startProjection();
  for (let j = 0; j < grid.ny; j++)
    for (let i = 0; i < grid.nx; i++) set(grid.solid, grid.cell(i, j), get(solid, j * grid.nx + i));
  if (grid.hasSolid) grid.markFaces();
  for (let j = 0; j < grid.ny; j++)
    for (let i = 0; i <= grid.nx; i++) set(grid.u, grid.face(i, j), get(initialU, j * (grid.nx + 1) + i));
  for (let j = 0; j <= grid.ny; j++)
    for (let i = 0; i < grid.nx; i++) set(grid.v, grid.face(i, j), get(initialV, j * grid.nx + i));
  fillHalo(grid.u, grid.v, true);
  part = 0;
  isStarting = grid.hasSolid;
  if (!isStarting) begin();
  return INFO_OK;
}

/** Records the state at the start. */
function begin(): void {
  memory.copy(grid.uBefore, grid.u, (<usize>grid.size) << 3);
  memory.copy(grid.vBefore, grid.v, (<usize>grid.size) << 3);
  factorDiffusion((dt * nu) / (h * h));
  record();
  keepFrame();
}

/** An impulsive start, or a part of it: the flow without friction around what stands in it. */
function startAroundSolids(): void {
  part = projectPart(grid.u, grid.v, 1, 0);
  if (part > 0) return;
  memory.fill(grid.p, 0, (<usize>cellCount(grid.nx, grid.ny)) << 3);
  isStarting = false;
  begin();
}

/** Cells from which a step without solids is done in parts, too. */
const MANY: i32 = 32768;
/** Parts of a step before its projection. */
const BEFORE: i32 = 2;
/** Parts of a step that are done, and whether the start goes on. */
let part: i32 = 0;
let isStarting: bool = false;

function projectPart(u: usize, v: usize, tau: f64, viscosity: f64): i32 {
  return project(u, v, h, tau, viscosity, parameter(Parameter.tolerance), <i32>parameter(Parameter.maxIterations));
}

/** Steps, and the fraction of one; the start counts less than the first part of a step. */
function progress(): f64 {
  const whole = parameter(Parameter.maxIterations) + <f64>(BEFORE + 2);
  if (isStarting) return (0.5 * <f64>part) / (whole * whole);
  return done === 0 && part === 0 && grid.hasSolid ? 0.5 / whole : <f64>done + <f64>part / whole;
}

export function advance(count: i32): i32 {
  for (let i = 0; i < count && done < steps; i++) {
    if (isStarting) {
      startAroundSolids();
      continue;
    }
    step();
    if (part > 0) continue;
    done++;
    const isLast = done === steps;
    if (isLast || done % <i32>parameter(Parameter.recordEvery) === 0) record();
    if (isLast || done % <i32>parameter(Parameter.frameEvery) === 0) keepFrame();
  }
  if (done === steps) keepState();
  setDone(progress());
  setStatistic(Statistic.divergence, worst);
  setStatistic(Statistic.iterations, iterationsMax);
  setStatistic(Statistic.open, open);
  if (!isFinite(worst)) return INFO_NON_FINITE;
  return open > 0 && done === steps ? INFO_NOT_CONVERGED : INFO_OK;
}

/** A step, or a part of it: `part` is 0 at its end. */
function step(): void {
  const isFirst = done === 0;
  // BDF2: u − (2/3) Δt f = (4/3) u₁ − (1/3) u₂.
  const tau = isFirst ? dt : (2.0 / 3.0) * dt;
  const a = (tau * nu) / (h * h);
  const isWhole = !grid.hasSolid && grid.nx * grid.ny < MANY;
  if (part === 0) {
    if (done === 1) factorDiffusion(a);
    advect(
      grid.uNext,
      grid.vNext,
      dt / h,
      isFirst ? 1 : 4.0 / 3.0,
      isFirst ? 0 : -1.0 / 3.0,
      <i32>parameter(Parameter.scheme),
    );
    part = 1;
    if (!isWhole) return;
  }
  if (part === 1) {
    addPressure(grid.uNext, grid.vNext, h, tau, parameter(Parameter.force));
    fillHalo(grid.u, grid.v, true);
    diffuse(grid.uNext, grid.vNext, a);
    part = BEFORE;
    if (!isWhole) return;
  }
  const next = projectPart(grid.uNext, grid.vNext, tau, nu);
  part = next === 0 ? 0 : BEFORE + next;
  if (part === 0) grid.rotate();
}

function record(): void {
  const row = history + ((<usize>(recorded * COLUMNS)) << 3);
  const divergence = measure.divergence();
  if (!(divergence <= worst)) worst = divergence;
  set(row, HistoryColumn.t, <f64>done * dt);
  set(row, HistoryColumn.kinetic, measure.kineticEnergy());
  set(row, HistoryColumn.divergence, divergence);
  set(row, HistoryColumn.rate, measure.change() / dt);
  measure.prepareSamples();
  const x = parameter(Parameter.probeX);
  const y = parameter(Parameter.probeY);
  set(row, HistoryColumn.probeU, measure.velocityAt(true, x, y));
  set(row, HistoryColumn.probeV, measure.velocityAt(false, x, y));
  measure.measureForce(h, nu);
  set(row, HistoryColumn.drag, measure.drag);
  set(row, HistoryColumn.lift, measure.lift);
  measure.keepSpeed(speed, 1);
  recorded++;
}

function keepFrame(): void {
  measure.keepSpeed(frames + ((<usize>(framed * frameLength())) << 3), <i32>parameter(Parameter.stride));
  framed++;
}

function keepState(): void {
  for (let j = 0; j < grid.ny; j++)
    for (let i = 0; i <= grid.nx; i++) set(finalU, j * (grid.nx + 1) + i, get(grid.u, grid.face(i, j)));
  for (let j = 0; j <= grid.ny; j++)
    for (let i = 0; i < grid.nx; i++) set(finalV, j * grid.nx + i, get(grid.v, grid.face(i, j)));
  for (let j = 0; j < grid.ny; j++)
    for (let i = 0; i < grid.nx; i++) set(pressure, j * grid.nx + i, get(grid.p, grid.cell(i, j)));
}

export function view(i: i32): usize {
  switch (i) {
    case View.initialU:
      return initialU;
    case View.initialV:
      return initialV;
    case View.inflow:
      return grid.inflow;
    case View.solid:
      return solid;
    case View.history:
      return history;
    case View.frames:
      return frames;
    case View.speed:
      return speed;
    case View.u:
      return finalU;
    case View.v:
      return finalV;
    case View.pressure:
      return pressure;
    default:
      return 0;
  }
}

export function extent(i: i32): i32 {
  const cells = grid.nx * grid.ny;
  switch (i) {
    case View.initialU:
    case View.u:
      return cells + grid.ny;
    case View.initialV:
    case View.v:
      return cells + grid.nx;
    case View.inflow:
      return grid.ny;
    case View.solid:
    case View.speed:
    case View.pressure:
      return cells;
    case View.history:
      return records(Parameter.recordEvery) * COLUMNS;
    case View.frames:
      return records(Parameter.frameEvery) * frameLength();
    default:
      return 0;
  }
}
