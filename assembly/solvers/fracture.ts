// Bond-based peridynamics of a plate with notches, or of a bar: in equilibrium, pulled in equal steps of the mean strain, or
// in motion (fracture/motion.ts). The lattice is that of fracture/lattice.ts.
//
// In equilibrium displacements are small. A bond keeps its stiffness up to the stretch s0, loses force linearly up to sf,
// and does not heal. Rows of grips beyond both ends follow the mean strain.
//
// Equilibrium by conjugate gradients; then the bonds with the largest excess soften, and again, until none does. Stress and
// stretch are linear in the load between two losses, so the peak is taken where the next bond reaches its limit, not at
// the ends of steps. A step that spends maxIterations is counted as open. First order in the spacing at sides.
// Silling, J. Mech. Phys. Solids 48 (2000) 175; Silling & Askari, Comput. Struct. 83 (2005) 1526.
//
// Calls in inner loops: none.
import {
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
import { get, set } from '../numerics/vector';
import { illegal, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import {
  columns,
  damageOf,
  grips,
  initial,
  isGrip,
  makeBonds,
  offsets,
  points,
  reach,
  reserveLattice,
  rows,
  stencil,
  stiffest,
  u,
  weights,
} from './fracture/lattice';
import {
  CRACKED,
  Load,
  MOTION_COLUMNS,
  Motion,
  profile,
  recordMotion,
  reserveMotion,
  startMotion,
  stepMotion,
} from './fracture/motion';

export { abi, control } from '../kernel';
export { MotionColumn } from './fracture/motion';

/**
 * columns and rows of cells without grips; horizon and notch in cells; strain at the end; s0 <= sf; frameEvery >= 1.
 * load: 0 equilibrium, else a member of Load, with steps of dt (motion.ts); ramp in units of time; stress over E.
 */
export enum Parameter {
  columns,
  rows,
  horizon,
  notch,
  strain,
  s0,
  sf,
  loadSteps,
  maxIterations,
  frameEvery,
  notches,
  load,
  dt,
  steps,
  ramp,
  stress,
  historyEvery,
}

/**
 * In: segments f64[notches, 4], ends of notches in cells; profile f64[rows], displacement of a ring for strain 1.
 * Out: history f64[1 + loadSteps, 6], see HistoryColumn; frames f64[frames, rows, columns], damage 0..1 of points;
 * damage f64[rows, columns], after the last step that was recorded; motion, see MotionColumn.
 */
export enum View {
  history,
  frames,
  damage,
  motion,
  segments,
  profile,
}

/**
 * peak stress and the strain there; steps without equilibrium; rounds and iterations in all; of motion the step of the
 * peak, the step and the height of the first loss, and the largest sum of stiffnesses of a point.
 */
export enum Statistic {
  peak,
  peakStrain,
  open,
  rounds,
  iterations,
  peakStep,
  firstStep,
  firstY,
  stiffest,
}

/** strain; stress through the upper and the lower end; energy; force of the grips by the strain; x of the tip. */
export enum HistoryColumn {
  strain,
  stress,
  lower,
  energy,
  conjugate,
  tip,
}

const COLUMNS: i32 = HistoryColumn.tip + 1;
const TOLERANCE: f64 = 1e-8;
/** Bonds with this part of the largest excess soften at once. */
const TOGETHER: f64 = 0.8;
const SLACK: f64 = 1e-7;

let largest: usize = 0;
let residual: usize = 0;
let direction: usize = 0;
let product: usize = 0;
let history: usize = 0;
let frames: usize = 0;
let damage: usize = 0;
let motion: usize = 0;
let segments: usize = 0;
let segmentCount: i32 = 0;
let historyRows: i32 = 0;
let isMoving = false;
/** Of a release: whether the equilibrium is still sought. */
let isWaiting = false;
let stiffness: f64 = 0;
let frameCount: i32 = 0;
let frame: i32 = 0;

let loadSteps: i32 = 0;
let load: i32 = 0;
let spent: f64 = 0;
let square: f64 = 0;
let scale: f64 = 0;
let isFresh = false;
let peak: f64 = 0;
let peakStrain: f64 = 0;
let open: f64 = 0;
let rounds: f64 = 0;
let iterations: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.columns), 1, 256)) return illegal(Parameter.columns);
  if (!isIntegerBetween(parameter(Parameter.rows), 2, 1024)) return illegal(Parameter.rows);
  const horizon = parameter(Parameter.horizon);
  if (!(horizon >= 1 && horizon <= 8)) return illegal(Parameter.horizon);
  if (!isNonNegative(parameter(Parameter.notch))) return illegal(Parameter.notch);
  if (!isPositive(parameter(Parameter.strain))) return illegal(Parameter.strain);
  if (!isPositive(parameter(Parameter.s0))) return illegal(Parameter.s0);
  if (!(parameter(Parameter.sf) >= parameter(Parameter.s0))) return illegal(Parameter.sf);
  if (!isIntegerBetween(parameter(Parameter.loadSteps), 1, 1000)) return illegal(Parameter.loadSteps);
  if (!isIntegerBetween(parameter(Parameter.maxIterations), 1, 1e6)) return illegal(Parameter.maxIterations);
  if (!isIntegerBetween(parameter(Parameter.frameEvery), 1, 1e6)) return illegal(Parameter.frameEvery);
  if (!isIntegerBetween(parameter(Parameter.notches), 0, 64)) return illegal(Parameter.notches);
  if (!isIntegerBetween(parameter(Parameter.load), 0, Load.ring)) return illegal(Parameter.load);
  const kind = <i32>parameter(Parameter.load);
  isMoving = kind !== Load.none;
  const hasGrips = kind !== Load.stress;
  if (!reserveLattice(<i32>parameter(Parameter.columns), <i32>parameter(Parameter.rows), horizon, hasGrips))
    return INFO_OUT_OF_MEMORY;
  if (kind === Load.ring && (columns !== 1 || rows < reach)) return illegal(Parameter.load);
  loadSteps = <i32>parameter(Parameter.loadSteps);
  segmentCount = <i32>parameter(Parameter.notches);
  const frameEvery = <i32>parameter(Parameter.frameEvery);
  if (isMoving) {
    const info = readMotion();
    if (info !== INFO_OK) return info;
  }
  const last = isMoving ? Motion.steps : loadSteps;
  frameCount = 1 + (last + frameEvery - 1) / frameEvery;
  segments = allocateF64(4 * segmentCount + 1);
  frames = allocateF64(frameCount * rows * columns);
  damage = allocateF64(rows * columns);
  const isRoom = segments && frames && damage && (isMoving ? reserveMoving() : true);
  if (!isRoom) return INFO_OUT_OF_MEMORY;
  if (isMoving && kind !== Load.release) return INFO_OK;
  residual = allocateF64(2 * points);
  direction = allocateF64(2 * points);
  product = allocateF64(2 * points);
  if (!(residual && direction && product)) return INFO_OUT_OF_MEMORY;
  if (isMoving) return INFO_OK;
  largest = allocateF64(points * offsets);
  history = allocateF64((1 + loadSteps) * COLUMNS);
  return largest && history ? INFO_OK : INFO_OUT_OF_MEMORY;
}

/** Parameters of a motion. @returns info */
function readMotion(): i32 {
  if (!isPositive(parameter(Parameter.dt))) return illegal(Parameter.dt);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, 1e6)) return illegal(Parameter.steps);
  Motion.load = <i32>parameter(Parameter.load);
  Motion.dt = parameter(Parameter.dt);
  Motion.steps = <i32>parameter(Parameter.steps);
  const ramp = parameter(Parameter.ramp);
  if (!(ramp >= 0 && ramp <= Motion.dt * <f64>Motion.steps)) return illegal(Parameter.ramp);
  if (!isNonNegative(parameter(Parameter.stress))) return illegal(Parameter.stress);
  if (!isIntegerBetween(parameter(Parameter.historyEvery), 1, 1e6)) return illegal(Parameter.historyEvery);
  Motion.strain = parameter(Parameter.strain);
  Motion.ramp = ramp;
  Motion.stress = parameter(Parameter.stress);
  Motion.s0 = parameter(Parameter.s0);
  return INFO_OK;
}

function reserveMoving(): bool {
  const every = <i32>parameter(Parameter.historyEvery);
  historyRows = 1 + (Motion.steps + every - 1) / every;
  motion = allocateF64(historyRows * MOTION_COLUMNS);
  return !!(reserveMotion() && motion);
}

/** y = K x; x and y are [2, points]. @returns xᵀ K x */
function multiply(x: usize, y: usize): f64 {
  memory.fill(y, 0, (<usize>(2 * points)) << 3);
  const half = (<usize>points) << 3;
  let energy: f64 = 0;
  for (let o = 0; o < offsets; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    const ex = get(at, 0) / get(at, 2);
    const ey = get(at, 1) / get(at, 2);
    const shift = <i32>get(at, 1) * columns + <i32>get(at, 0);
    const bonds = weights + ((<usize>(o * points)) << 3);
    for (let p = 0; p < points - shift; p++) {
      const w = get(bonds, p);
      if (w === 0) continue;
      const q = p + shift;
      const stretch = ex * (get(x, q) - get(x, p)) + ey * (get(x + half, q) - get(x + half, p));
      const force = w * stretch;
      energy += force * stretch;
      set(y, p, get(y, p) - ex * force);
      set(y, q, get(y, q) + ex * force);
      set(y + half, p, get(y + half, p) - ey * force);
      set(y + half, q, get(y + half, q) + ey * force);
    }
  }
  return energy;
}

function clearGrips(v: usize): void {
  const length = (<usize>(reach * columns)) << 3;
  const half = (<usize>points) << 3;
  for (let d: usize = 0; d < 2; d++) {
    memory.fill(v + d * half, 0, length);
    memory.fill(v + (d + 1) * half - length, 0, length);
  }
}

function dot(a: usize, b: usize): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < 2 * points; i++) sum += get(a, i) * get(b, i);
  return sum;
}

function strainAt(step: i32): f64 {
  return (parameter(Parameter.strain) * <f64>step) / <f64>loadSteps;
}

/** Stretches the last state to the load, exactly where nothing breaks. */
function applyLoad(): void {
  const strain = strainAt(load);
  const ratio = load > 1 ? <f64>load / <f64>(load - 1) : 0;
  for (let p = 0; p < points; p++) {
    const row = p / columns;
    const affine = strain * (<f64>row + 0.5 - <f64>reach - 0.5 * <f64>rows);
    set(u, p, load > 1 ? get(u, p) * ratio : 0);
    set(u, points + p, load === 1 || isGrip(row) ? affine : get(u, points + p) * ratio);
  }
  spent = 0;
  isFresh = true;
}

function restart(): void {
  multiply(u, residual);
  clearGrips(residual);
  for (let i = 0; i < 2 * points; i++) set(residual, i, -get(residual, i));
  memory.copy(direction, residual, (<usize>(2 * points)) << 3);
  square = dot(residual, residual);
  isFresh = false;
}

export function start(): i32 {
  makeBonds(parameter(Parameter.notch), segments, segmentCount);
  if (isMoving) return startMoving();
  memory.fill(largest, 0, (<usize>(points * offsets)) << 3);
  memory.fill(history, 0, (<usize>((1 + loadSteps) * COLUMNS)) << 3);
  memory.fill(u, 0, (<usize>(2 * points)) << 3);
  peak = 0;
  peakStrain = 0;
  open = 0;
  rounds = 0;
  iterations = 0;
  load = 0;
  frame = 0;
  record();
  load = 1;
  applyLoad();
  // Forces of the grips on the uniform state, for a strain of 1.
  multiply(u, product);
  scale = Math.sqrt(dot(product, product)) / strainAt(1);
  return INFO_OK;
}

/** A release waits for the equilibrium at its strain; everything else moves at once. @returns info */
function startMoving(): i32 {
  stiffness = stiffest();
  // Longer steps diverge.
  if (!(Motion.dt * Motion.dt * stiffness <= 2 * (1 + 1e-9))) return illegal(Parameter.dt);
  memory.fill(motion, 0, (<usize>(historyRows * MOTION_COLUMNS)) << 3);
  memory.fill(u, 0, (<usize>(2 * points)) << 3);
  peak = 0;
  open = 0;
  rounds = 0;
  iterations = 0;
  frame = 0;
  isWaiting = Motion.load === Load.release;
  if (!isWaiting) return beginMotion();
  loadSteps = 1;
  load = 1;
  applyLoad();
  multiply(u, product);
  scale = Math.sqrt(dot(product, product)) / strainAt(1);
  return INFO_OK;
}

function beginMotion(): i32 {
  isWaiting = false;
  startMotion();
  return recordMoving() ? INFO_OK : INFO_NON_FINITE;
}

/** @returns whether the numbers are finite */
function recordMoving(): bool {
  const every = <i32>parameter(Parameter.historyEvery);
  const frameEvery = <i32>parameter(Parameter.frameEvery);
  const isEnd = Motion.step === Motion.steps;
  const isFrame = Motion.step % frameEvery === 0 || isEnd;
  const isRecord = Motion.step % every === 0 || isEnd;
  if (isFrame || isRecord) recordDamage(isFrame);
  if (!isRecord) return true;
  return recordMotion(motion + ((<usize>(((Motion.step + every - 1) / every) * MOTION_COLUMNS)) << 3));
}

/** Damage of the points within the body, and a frame of it. @returns x of the foremost damaged point */
function recordDamage(isFrame: bool): f64 {
  const out = frames + ((<usize>(frame * rows * columns)) << 3);
  let tip: f64 = 0;
  for (let i = 0; i < rows * columns; i++) {
    const lost = damageOf(i + grips * columns);
    set(damage, i, lost);
    if (lost > CRACKED) tip = Math.max(tip, <f64>(i % columns) + 1);
    if (isFrame) set(out, i, lost);
  }
  if (isFrame) frame++;
  return tip;
}

/** Steps of a motion; a release makes iterations first, as many as maxIterations allows. @returns info */
function advanceMoving(count: i32): i32 {
  const most = parameter(Parameter.maxIterations);
  let info = INFO_OK;
  for (let i = 0; i < count && info === INFO_OK; i++) {
    if (isWaiting) {
      iterations += 1;
      if (isFresh) restart();
      const bound = TOLERANCE * scale * strainAt(1);
      const isEnd = square <= bound * bound;
      if (isEnd || iterations >= most) {
        if (!isEnd) open = 1;
        info = beginMotion();
      } else iterate();
      if (!isFinite(square)) info = INFO_NON_FINITE;
    } else if (Motion.step < Motion.steps) {
      stepMotion();
      if (!recordMoving()) info = INFO_NON_FINITE;
    } else break;
  }
  const before = Motion.load === Load.release ? most : 0;
  setDone(isWaiting ? iterations : before + <f64>Motion.step);
  setStatistic(Statistic.peak, Motion.peak);
  setStatistic(Statistic.peakStep, Motion.peakStep);
  setStatistic(Statistic.firstStep, Motion.firstStep);
  setStatistic(Statistic.firstY, Motion.firstY);
  setStatistic(Statistic.rounds, Motion.broken);
  setStatistic(Statistic.open, open);
  setStatistic(Statistic.iterations, iterations);
  setStatistic(Statistic.stiffest, stiffness);
  return info;
}

/** Force through the end beside the upper (or lower) grips over the width. */
function stressAt(isUpper: bool): f64 {
  const half = (<usize>points) << 3;
  const first = isUpper ? (reach + rows) * columns : 0;
  let sum: f64 = 0;
  for (let p = first; p < first + reach * columns; p++) sum += get(product + half, p);
  return (isUpper ? sum : -sum) / <f64>columns;
}

/** Looks for the bonds beyond their limit, and softens the ones with the largest excess. @returns whether any did */
function soften(): bool {
  const s0 = parameter(Parameter.s0);
  const sf = parameter(Parameter.sf);
  const half = (<usize>points) << 3;
  rounds += 1;
  let excess: f64 = 0;
  let limit: f64 = 1 + SLACK;
  for (let pass = 0; pass < 2; pass++) {
    for (let o = 0; o < offsets; o++) {
      const at = stencil + ((<usize>(5 * o)) << 3);
      const ex = get(at, 0) / get(at, 2);
      const ey = get(at, 1) / get(at, 2);
      const shift = <i32>get(at, 1) * columns + <i32>get(at, 0);
      const base = (<usize>(o * points)) << 3;
      for (let p = 0; p < points - shift; p++) {
        if (get(weights + base, p) === 0) continue;
        const q = p + shift;
        const stretch = (ex * (get(u, q) - get(u, p)) + ey * (get(u + half, q) - get(u + half, p))) / get(at, 2);
        const ratio = stretch / Math.max(s0, get(largest + base, p));
        if (pass === 0) excess = Math.max(excess, ratio);
        else if (ratio >= limit) {
          set(largest + base, p, stretch);
          const kept = stretch >= sf ? 0 : (s0 * (sf - stretch)) / (stretch * (sf - s0));
          set(weights + base, p, get(initial + base, p) * kept);
        }
      }
    }
    if (pass === 0) {
      multiply(u, product);
      const factor = Math.max(1, excess);
      const stress = stressAt(true) / factor;
      if (stress > peak) {
        peak = stress;
        peakStrain = strainAt(load) / factor;
      }
      if (excess < limit) return false;
      limit = Math.max(limit, TOGETHER * excess);
    }
  }
  return true;
}

function record(): void {
  const row = history + ((<usize>(load * COLUMNS)) << 3);
  const half = (<usize>points) << 3;
  const energy = 0.5 * multiply(u, product);
  let conjugate: f64 = 0;
  for (let p = 0; p < points; p++) {
    const line = p / columns;
    if (isGrip(line)) conjugate += get(product + half, p) * (<f64>line + 0.5 - <f64>reach - 0.5 * <f64>rows);
  }
  set(row, HistoryColumn.strain, strainAt(load));
  set(row, HistoryColumn.stress, stressAt(true));
  set(row, HistoryColumn.lower, stressAt(false));
  set(row, HistoryColumn.energy, energy);
  set(row, HistoryColumn.conjugate, conjugate);
  const every = <i32>parameter(Parameter.frameEvery);
  const isFrame = load % every === 0 || load === loadSteps;
  set(row, HistoryColumn.tip, recordDamage(isFrame));
}

function endLoad(): void {
  record();
  load++;
  if (load <= loadSteps) applyLoad();
}

/** One iteration of conjugate gradients. */
function iterate(): void {
  multiply(direction, product);
  clearGrips(product);
  const alpha = square / dot(direction, product);
  for (let k = 0; k < 2 * points; k++) {
    set(u, k, get(u, k) + alpha * get(direction, k));
    set(residual, k, get(residual, k) - alpha * get(product, k));
  }
  const next = dot(residual, residual);
  const beta = next / square;
  for (let k = 0; k < 2 * points; k++) set(direction, k, get(residual, k) + beta * get(direction, k));
  square = next;
}

/** Makes at most `count` iterations of conjugate gradients, or steps of a motion. @returns info: 0, or 2 if the numbers are not finite */
export function advance(count: i32): i32 {
  if (isMoving) return advanceMoving(count);
  const most = parameter(Parameter.maxIterations);
  for (let i = 0; i < count && load <= loadSteps; i++) {
    spent += 1;
    iterations += 1;
    if (isFresh) restart();
    const bound = TOLERANCE * scale * strainAt(load);
    if (square <= bound * bound) {
      if (soften()) isFresh = true;
      else endLoad();
    } else {
      iterate();
    }
    if (!isFinite(square)) return INFO_NON_FINITE;
    if (spent >= most && load <= loadSteps) {
      open += 1;
      endLoad();
    }
  }
  const total = <f64>loadSteps * most;
  setDone(load > loadSteps ? total : Math.min(iterations, total - 1));
  setStatistic(Statistic.peak, peak);
  setStatistic(Statistic.peakStrain, peakStrain);
  setStatistic(Statistic.open, open);
  setStatistic(Statistic.rounds, rounds);
  setStatistic(Statistic.iterations, iterations);
  return INFO_OK;
}

export function view(i: i32): usize {
  if (i === View.history) return isMoving ? 0 : history;
  if (i === View.frames) return frames;
  if (i === View.damage) return damage;
  if (i === View.segments) return segments;
  if (i === View.profile) return isMoving ? profile : 0;
  return i === View.motion && isMoving ? motion : 0;
}

export function extent(i: i32): i32 {
  if (i === View.history) return isMoving ? 0 : (1 + loadSteps) * COLUMNS;
  if (i === View.frames) return frameCount * rows * columns;
  if (i === View.damage) return rows * columns;
  if (i === View.segments) return 4 * segmentCount;
  if (i === View.profile) return isMoving ? rows : 0;
  return i === View.motion && isMoving ? historyRows * MOTION_COLUMNS : 0;
}
