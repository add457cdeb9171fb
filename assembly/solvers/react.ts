// Reaction and diffusion of two species on a line or a rectangle: u_t = D_u ∇²u + f(u, v), v_t = D_v ∇²v + g(u, v), on
// the centers of even cells, periodic or with no flow through the sides.
//
//   forward Euler    differences of order 2; order 1 in time; stable for 2 D dt (1/hx² + 1/hy²) <= 1
//   Runge–Kutta 4    differences of order 4; order 4 in time; stable for (16/3) D dt (1/hx² + 1/hy²) <= 2.785
//
// Rates of reaction shorten the stable step where they are faster than diffusion. Gray–Scott with forward Euler has a
// loop of its own, in which a cell costs one pass. A record after a step also checks the first stage that follows: the
// differences sum to nothing over all cells, so the sum of a field changes by the sum of its rates alone.
// LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations (2007), chapters 5, 7 and 9.
//
// Compressed size: at most 30 kB, because the expression machine with its functions is part of it.
//
// Calls in inner loops: none for the models, the machine for expressions.
export { link } from '../expression/compiled';
export * from '../expression/elementary';
export { abi, control } from '../kernel';

import { unlink } from '../expression/compiled';
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
  setStatistic,
} from '../kernel';
import { eulerRow, stageRow } from '../numerics/grid/diffusion';
import { allocateField, fillHalo, HALO, haloStride } from '../numerics/grid/halo';
import { neumaierSum } from '../numerics/sum';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import * as kinetics from './react/kinetics';
import { lastCrossing, lineAt, maximum, mean, measure, minimum, STENCIL, valueAt } from './react/measure';

/**
 * columns and rows, cells along x and y, rows 1 for a line; model 0 Gray–Scott, 1 FitzHugh–Nagumo, 2 expressions;
 * isPeriodic and isFourthOrder 0 | 1; widthX and widthY > 0, of a cell; samples, points along an axis that
 * weight initial expressions; historyEvery and frameEvery >= 1; level, of u at the front.
 */
export enum Parameter {
  columns,
  rows,
  model,
  isPeriodic,
  isFourthOrder,
  widthX,
  widthY,
  dt,
  steps,
  diffusionU,
  diffusionV,
  feed,
  removal,
  epsilon,
  a,
  b,
  current,
  level,
  samples,
  historyEvery,
  frameEvery,
  codeWords,
  poolValues,
}

/**
 * In: initialU and initialV f64[rows, columns], unless they are expressions; programs i32[4, 2], code and pool (see
 * react/kinetics.ts); probeCells f64[2], the first of the four cells about the probe along x and y, from −2 on;
 * probeWeights f64[2, 4]. Out: history f64[samples, 9], see HistoryColumn; frames f64[frames, 2, rows, columns], u and v.
 */
export enum View {
  initialU,
  initialV,
  programs,
  code,
  pool,
  probeCells,
  probeWeights,
  history,
  frames,
}

/**
 * fault…: where an expression has no value, its number from 1, and the place; 0 if all have. imbalance: largest deviation
 * of a change of a sum from its rates, relative to the size of both.
 */
export enum Statistic {
  faultProgram,
  faultX,
  faultY,
  faultT,
  imbalance,
}

/** front: last place on the line through the probe along x at which u crosses the level, or −1. */
export enum HistoryColumn {
  meanU,
  meanV,
  minU,
  maxU,
  minV,
  maxV,
  probeU,
  probeV,
  front,
}

const HISTORY_COLUMNS: i32 = HistoryColumn.front + 1;
const MAX_CELLS: f64 = 1048576;
const MAX_ROWS: f64 = 65536;
const MAX_WORDS: f64 = 65536;
const MAX_SAMPLES: f64 = 64;

// Parameters.
let columns: i32 = 0;
let rows: i32 = 0;
let model: i32 = 0;
let isPeriodic = false;
let isFourthOrder = false;
let widthX: f64 = 0;
let dt: f64 = 0;
let steps: f64 = 0;
let historyEvery: f64 = 0;
let frameEvery: f64 = 0;
let samples: i32 = 1;

// D / h² of each species along each axis.
let ux: f64 = 0;
let uy: f64 = 0;
let vx: f64 = 0;
let vy: f64 = 0;

let stride: usize = 0;
/** The state, two more states for stages, and the weighted sum of slopes; each a pair of fields. */
let stateU: usize = 0;
let stateV: usize = 0;
let stageU: usize = 0;
let stageV: usize = 0;
let otherU: usize = 0;
let otherV: usize = 0;
let sumU: usize = 0;
let sumV: usize = 0;

let initialU: usize = 0;
let initialV: usize = 0;
let probeCells: usize = 0;
let probeWeights: usize = 0;
let history: usize = 0;
let historyRows: i32 = 0;
let frames: usize = 0;
let frameCount: i32 = 0;
let sums: usize = 0;
let line: usize = 0;

let done: f64 = 0;
let historyNext: i32 = 0;
let frameNext: i32 = 0;
let imbalance: f64 = 0;
/** Whether the next first stage is checked, and the sums of the rates over its cells. */
let isChecked = false;
let rateSumU: f64 = 0;
let rateSumV: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  unlink();
  const illegal = readParameters();
  if (illegal !== 0) return illegal;
  return allocateState() && allocateRecords() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function readParameters(): i32 {
  if (!isIntegerBetween(parameter(Parameter.columns), 4, MAX_CELLS)) return illegal(Parameter.columns);
  if (!isIntegerBetween(parameter(Parameter.rows), 1, MAX_ROWS)) return illegal(Parameter.rows);
  if (parameter(Parameter.rows) !== 1 && parameter(Parameter.rows) < 4) return illegal(Parameter.rows);
  if (!isIntegerBetween(parameter(Parameter.model), 0, 2)) return illegal(Parameter.model);
  if (!isFlag(parameter(Parameter.isPeriodic))) return illegal(Parameter.isPeriodic);
  if (!isFlag(parameter(Parameter.isFourthOrder))) return illegal(Parameter.isFourthOrder);
  for (let i: i32 = Parameter.widthX; i <= Parameter.dt; i++) if (!isPositive(parameter(i))) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.steps), 0, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.steps);
  if (!isNonNegative(parameter(Parameter.diffusionU))) return illegal(Parameter.diffusionU);
  if (!isNonNegative(parameter(Parameter.diffusionV))) return illegal(Parameter.diffusionV);
  for (let i: i32 = Parameter.feed; i <= Parameter.level; i++) if (!isFinite(parameter(i))) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.samples), 1, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.historyEvery), 1, f64.MAX_SAFE_INTEGER))
    return illegal(Parameter.historyEvery);
  if (!isIntegerBetween(parameter(Parameter.frameEvery), 1, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.frameEvery);
  if (!isIntegerBetween(parameter(Parameter.codeWords), 0, MAX_WORDS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_WORDS)) return illegal(Parameter.poolValues);
  columns = <i32>parameter(Parameter.columns);
  rows = <i32>parameter(Parameter.rows);
  model = <i32>parameter(Parameter.model);
  isPeriodic = parameter(Parameter.isPeriodic) === 1;
  isFourthOrder = parameter(Parameter.isFourthOrder) === 1;
  widthX = parameter(Parameter.widthX);
  dt = parameter(Parameter.dt);
  steps = parameter(Parameter.steps);
  historyEvery = parameter(Parameter.historyEvery);
  frameEvery = parameter(Parameter.frameEvery);
  samples = <i32>parameter(Parameter.samples);
  readCoefficients();
  return 0;
}

function readCoefficients(): void {
  const widthY = rows === 1 ? 0 : parameter(Parameter.widthY);
  const inverseX = 1 / (widthX * widthX);
  const inverseY = rows === 1 ? 0 : 1 / (widthY * widthY);
  ux = parameter(Parameter.diffusionU) * inverseX;
  uy = parameter(Parameter.diffusionU) * inverseY;
  vx = parameter(Parameter.diffusionV) * inverseX;
  vy = parameter(Parameter.diffusionV) * inverseY;
  kinetics.configure(model, columns, rows, widthX, widthY, isPeriodic);
  kinetics.configureGrayScott(parameter(Parameter.feed), parameter(Parameter.removal));
  kinetics.configureFitzHughNagumo(
    parameter(Parameter.epsilon),
    parameter(Parameter.a),
    parameter(Parameter.b),
    parameter(Parameter.current),
  );
}

/** Number of rows of a history or of frames: the start, every k-th step, and the last step. */
function rowCount(every: f64): i32 {
  return 1 + <i32>Math.ceil(steps / every);
}

function allocateState(): bool {
  stride = haloStride(columns);
  stateU = allocateField(rows, columns);
  stateV = allocateField(rows, columns);
  stageU = allocateField(rows, columns);
  stageV = allocateField(rows, columns);
  if (!(stateU && stateV && stageU && stageV)) return false;
  if (!isFourthOrder) return true;
  otherU = allocateField(rows, columns);
  otherV = allocateField(rows, columns);
  sumU = allocateField(rows, columns);
  sumV = allocateField(rows, columns);
  return !!(otherU && otherV && sumU && sumV);
}

function allocateRecords(): bool {
  historyRows = rowCount(historyEvery);
  frameCount = rowCount(frameEvery);
  initialU = allocateF64(rows * columns);
  initialV = allocateF64(rows * columns);
  probeCells = allocateF64(2);
  probeWeights = allocateF64(2 * STENCIL);
  history = allocateF64(historyRows * HISTORY_COLUMNS);
  frames = allocate((<usize>frameCount * <usize>(rows * columns)) << 4);
  sums = allocateF64(rows);
  line = allocateF64(columns + 2 * HALO);
  const hasInputs = initialU && initialV && probeCells && probeWeights;
  const hasKinetics = kinetics.allocateKinetics(
    <i32>parameter(Parameter.codeWords),
    <i32>parameter(Parameter.poolValues),
  );
  return !!(hasInputs && history && frames && sums && line && hasKinetics);
}

export function start(): i32 {
  done = 0;
  historyNext = 0;
  frameNext = 0;
  imbalance = 0;
  kinetics.resetFault();
  stageNow = 0;
  rowNow = 0;
  partRows = rowsOfPart(<f64>columns);
  hasStarted = false;
  const isExpression = kinetics.isGiven(kinetics.INITIAL_U) || kinetics.isGiven(kinetics.INITIAL_V);
  return isExpression ? INFO_OK : continueStart();
}

/** What a part of a step may cost: words of byte code. */
const PART_WORDS: f64 = 1e6;
/** Rows of a part of a stage, the stage and the row that come next, and whether the state at the start is complete. */
let partRows: i32 = 0;
let stageNow: i32 = 0;
let rowNow: i32 = 0;
let hasStarted: bool = false;

/** Rows whose byte code stays below PART_WORDS. @param runs  of all byte code in a row */
function rowsOfPart(runs: f64): i32 {
  const words = runs * parameter(Parameter.codeWords);
  return words * <f64>rows <= PART_WORDS ? rows : max(1, <i32>(PART_WORDS / words));
}

/** Some rows of the state at the start; expressions take a while. Before the first step `done` stays below its parts. */
function continueStart(): i32 {
  const isExpression = kinetics.isGiven(kinetics.INITIAL_U) || kinetics.isGiven(kinetics.INITIAL_V);
  const runs = isExpression ? <f64>(columns * samples * samples) : 0;
  const end = min(rows, rowNow + rowsOfPart(runs));
  startField(stateU, initialU, kinetics.INITIAL_U, rowNow, end);
  startField(stateV, initialV, kinetics.INITIAL_V, rowNow, end);
  if (kinetics.faultProgram !== 0) return fault();
  rowNow = end;
  if (rowNow < rows) {
    setDone(<f64>rowNow / (8 * <f64>rows * <f64>rows));
    return INFO_OK;
  }
  rowNow = 0;
  hasStarted = true;
  if (isExpression) setDone(1 / (8 * <f64>rows));
  return record();
}

function startField(field: usize, initial: usize, program: i32, from: i32, end: i32): void {
  const isExpression = kinetics.isGiven(program);
  for (let j = from; j < end; j++) {
    const row = field + <usize>j * stride;
    for (let i = 0; i < columns; i++)
      set(row, i, isExpression ? kinetics.initialValue(program, i, j, samples) : get(initial, j * columns + i));
  }
}

/** Publishes where an expression has no value. */
function fault(): i32 {
  setStatistic(Statistic.faultProgram, kinetics.faultProgram);
  setStatistic(Statistic.faultX, kinetics.faultX);
  setStatistic(Statistic.faultY, kinetics.faultY);
  setStatistic(Statistic.faultT, kinetics.faultT);
  return INFO_NON_FINITE;
}

/** Advances by at most `count` steps. How steps are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && done < steps; k++) {
    if (!hasStarted) {
      const info = continueStart();
      if (info !== INFO_OK) return info;
      continue;
    }
    const isDefined = isFourthOrder ? rungeKuttaPart() : eulerPart();
    if (!isDefined) return fault();
    if (stageNow > 0 || rowNow > 0) {
      const stages: f64 = isFourthOrder ? 4 : 1;
      setDone(done + (<f64>stageNow + <f64>rowNow / <f64>rows) / stages);
      continue;
    }
    done += 1;
    setDone(done);
    const info = record();
    if (info !== INFO_OK) return info;
  }
  return INFO_OK;
}

function fillHalos(u: usize, v: usize): void {
  fillHalo(u, rows, columns, isPeriodic);
  fillHalo(v, rows, columns, isPeriodic);
}

/** All rows, or some of them where they take long. @returns whether all rates have values */
function eulerPart(): bool {
  if (rowNow === 0) fillHalos(stateU, stateV);
  if (model === kinetics.GRAY_SCOTT && !isChecked) {
    grayScottStep();
  } else {
    const end = min(rows, rowNow + partRows);
    for (let j = rowNow; j < end; j++) {
      const at = <usize>j * stride;
      if (!rates(stateU + at, stateV + at, j, done * dt)) return false;
      eulerRow(stateU + at, kinetics.rateU, stageU + at, columns, stride, dt * ux, dt * uy, dt);
      eulerRow(stateV + at, kinetics.rateV, stageV + at, columns, stride, dt * vx, dt * vy, dt);
    }
    rowNow = end;
    if (rowNow < rows) return true;
    rowNow = 0;
    checkBalance(stageU, stageV, dt);
  }
  const u = stateU;
  const v = stateV;
  stateU = stageU;
  stateV = stageV;
  stageU = u;
  stageV = v;
  return true;
}

/** The rates of a row, with their sums if the stage is checked. */
function rates(u: usize, v: usize, j: i32, t: f64): bool {
  const isDefined = kinetics.rateRow(u, v, j, t);
  if (isChecked) {
    rateSumU += neumaierSum(kinetics.rateU, columns);
    rateSumV += neumaierSum(kinetics.rateV, columns);
  }
  return isDefined;
}

/** Compares the change of the sums from the state to a stage, which holds state + factor slope, with the rates. */
function checkBalance(u: usize, v: usize, factor: f64): void {
  if (!isChecked) return;
  isChecked = false;
  imbalance = Math.max(
    imbalance,
    Math.max(imbalanceOf(stateU, u, factor, rateSumU), imbalanceOf(stateV, v, factor, rateSumV)),
  );
  setStatistic(Statistic.imbalance, imbalance);
}

function imbalanceOf(before: usize, after: usize, factor: f64, rateSum: f64): f64 {
  const cells = <f64>rows * <f64>columns;
  measure(before, rows, columns, sums);
  const mean0 = mean;
  const size = Math.max(Math.max(Math.abs(minimum), Math.abs(maximum)), Math.abs((factor * rateSum) / cells));
  measure(after, rows, columns, sums);
  return size === 0 ? 0 : Math.abs(mean - mean0 - (factor * rateSum) / cells) / size;
}

/** Gray–Scott by forward Euler, in one pass. */
function grayScottStep(): void {
  for (let j = 0; j < rows; j++) {
    const at = <usize>j * stride;
    grayScottRow(stateU + at, stateV + at, stageU + at, stageV + at);
  }
}

function grayScottRow(u: usize, v: usize, nextU: usize, nextV: usize): void {
  const feed = parameter(Parameter.feed);
  const removal = feed + parameter(Parameter.removal);
  const alongUX = f64x2.splat(dt * ux);
  const alongUY = f64x2.splat(dt * uy);
  const alongVX = f64x2.splat(dt * vx);
  const alongVY = f64x2.splat(dt * vy);
  const centerU = f64x2.splat(1 - 2 * dt * (ux + uy) - dt * feed);
  const centerV = f64x2.splat(1 - 2 * dt * (vx + vy) - dt * removal);
  const inflow = f64x2.splat(dt * feed);
  const step = f64x2.splat(dt);
  const end = u + ((<usize>columns) << 3);
  while (u < end) {
    const x = v128.load(u);
    const y = v128.load(v);
    const xx = f64x2.add(v128.load(u - 8), v128.load(u + 8));
    const xy = f64x2.add(v128.load(u - stride), v128.load(u + stride));
    const yx = f64x2.add(v128.load(v - 8), v128.load(v + 8));
    const yy = f64x2.add(v128.load(v - stride), v128.load(v + stride));
    const conversion = f64x2.mul(f64x2.mul(step, x), f64x2.mul(y, y));
    const flowU = f64x2.add(f64x2.mul(alongUX, xx), f64x2.mul(alongUY, xy));
    const flowV = f64x2.add(f64x2.mul(alongVX, yx), f64x2.mul(alongVY, yy));
    v128.store(nextU, f64x2.add(f64x2.add(f64x2.mul(centerU, x), flowU), f64x2.sub(inflow, conversion)));
    v128.store(nextV, f64x2.add(f64x2.add(f64x2.mul(centerV, y), flowV), conversion));
    u += 16;
    v += 16;
    nextU += 16;
    nextV += 16;
  }
}

/** A stage of y ← y + dt/6 (k₁ + 2 k₂ + 2 k₃ + k₄), or some rows of one. @returns whether all rates have values */
function rungeKuttaPart(): bool {
  const t = done * dt;
  const half = 0.5 * dt;
  let isDefined = false;
  if (stageNow === 0) isDefined = stage(stateU, stateV, stageU, stageV, stateU, stateV, sumU, sumV, t, half, dt / 6);
  else if (stageNow === 1)
    isDefined = stage(stageU, stageV, otherU, otherV, sumU, sumV, sumU, sumV, t + half, half, dt / 3);
  else if (stageNow === 2)
    isDefined = stage(otherU, otherV, stageU, stageV, sumU, sumV, sumU, sumV, t + half, dt, dt / 3);
  else isDefined = stage(stageU, stageV, otherU, otherV, sumU, sumV, stateU, stateV, t + dt, 0, dt / 6);
  if (rowNow > 0 || !isDefined) return isDefined;
  if (stageNow === 0) checkBalance(stageU, stageV, half);
  stageNow = (stageNow + 1) & 3;
  return true;
}

/** Rows of one stage, `rowNow` = 0 after the last: target = state + next k, after = before + weight k, with the slope k of source. */
function stage(
  sourceU: usize,
  sourceV: usize,
  targetU: usize,
  targetV: usize,
  beforeU: usize,
  beforeV: usize,
  afterU: usize,
  afterV: usize,
  t: f64,
  next: f64,
  weight: f64,
): bool {
  if (rowNow === 0) fillHalos(sourceU, sourceV);
  const end = min(rows, rowNow + partRows);
  for (let j = rowNow; j < end; j++) {
    const o = <usize>j * stride;
    const u = sourceU + o;
    const v = sourceV + o;
    if (!rates(u, v, j, t)) return false;
    stageRow(
      u,
      kinetics.rateU,
      stateU + o,
      targetU + o,
      beforeU + o,
      afterU + o,
      columns,
      stride,
      ux,
      uy,
      next,
      weight,
    );
    stageRow(
      v,
      kinetics.rateV,
      stateV + o,
      targetV + o,
      beforeV + o,
      afterV + o,
      columns,
      stride,
      vx,
      vy,
      next,
      weight,
    );
  }
  rowNow = end < rows ? end : 0;
  return true;
}

/** Records the frame and the history row that are due after this step. */
function record(): i32 {
  const isLast = done === steps;
  if (isLast || done % frameEvery === 0) recordFrame();
  return isLast || done % historyEvery === 0 ? recordHistory() : INFO_OK;
}

function recordFrame(): void {
  const bytes = (<usize>columns) << 3;
  let target = frames + ((<usize>frameNext * <usize>(rows * columns)) << 4);
  frameNext++;
  for (let j = 0; j < rows; j++, target += bytes) memory.copy(target, stateU + <usize>j * stride, bytes);
  for (let j = 0; j < rows; j++, target += bytes) memory.copy(target, stateV + <usize>j * stride, bytes);
}

function recordHistory(): i32 {
  fillHalos(stateU, stateV);
  const sample = history + ((<usize>(historyNext * HISTORY_COLUMNS)) << 3);
  historyNext++;
  measure(stateU, rows, columns, sums);
  set(sample, HistoryColumn.meanU, mean);
  set(sample, HistoryColumn.minU, minimum);
  set(sample, HistoryColumn.maxU, maximum);
  const sumOfU = mean;
  measure(stateV, rows, columns, sums);
  set(sample, HistoryColumn.meanV, mean);
  set(sample, HistoryColumn.minV, minimum);
  set(sample, HistoryColumn.maxV, maximum);
  const firstX = <i32>get(probeCells, 0);
  const firstY = <i32>get(probeCells, 1);
  const weightsY = probeWeights + STENCIL * 8;
  set(sample, HistoryColumn.probeU, valueAt(stateU, columns, firstX, firstY, probeWeights, weightsY));
  set(sample, HistoryColumn.probeV, valueAt(stateV, columns, firstX, firstY, probeWeights, weightsY));
  lineAt(stateU, columns, firstY, weightsY, line);
  const crossing = lastCrossing(line, columns, parameter(Parameter.level));
  set(sample, HistoryColumn.front, crossing < 0 ? -1 : (crossing + 0.5) * widthX);
  isChecked = true;
  rateSumU = 0;
  rateSumV = 0;
  return isFinite(sumOfU + mean) ? INFO_OK : INFO_NON_FINITE;
}

export function view(i: i32): usize {
  switch (i) {
    case View.initialU:
      return initialU;
    case View.initialV:
      return initialV;
    case View.programs:
      return kinetics.programs;
    case View.code:
      return kinetics.code;
    case View.pool:
      return kinetics.pool;
    case View.probeCells:
      return probeCells;
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
  switch (i) {
    case View.initialU:
    case View.initialV:
      return rows * columns;
    case View.programs:
      return 2 * kinetics.PROGRAMS;
    case View.code:
      return <i32>parameter(Parameter.codeWords);
    case View.pool:
      return <i32>parameter(Parameter.poolValues);
    case View.probeCells:
      return 2;
    case View.probeWeights:
      return 2 * STENCIL;
    case View.history:
      return historyRows * HISTORY_COLUMNS;
    case View.frames:
      return frameCount * 2 * rows * columns;
    default:
      return 0;
  }
}
