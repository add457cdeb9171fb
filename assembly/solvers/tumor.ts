// Fronts of cells that move and divide: u_t = ∇·(D ∇u) + (ρ − k(t)) u − ρ u², u in parts of the capacity.
//
// Finite volumes about the symmetry plane or the centre, closed at both ends. Volumes and areas are exact, so the 1/r
// term needs no care at the centre. Strang splitting: half a step of the reaction in closed form, Crank–Nicolson for
// the diffusion, half a step of the reaction. Order 2 in time and space; stable for every step. Steps that the schedule
// marks as damped are two backward Euler half steps (Rannacher 1984), which damp the shortest waves of a jump.
// On a map of tissue the reaction comes in halves about the motion along y (tumor/map.ts).
// Nothing is clamped: a small u that is set to 0 slows a pulled front (Brunet & Derrida 1997).
// For D Δt / h² > 1 a jump without damping rings below 0; the statistics lowest and highest show it.
//
// Calls in inner loops: a record on a map measures the part of each cell above a level.
// The schedule gives each step its length and what happens before it, so that therapies fall on whole steps.
// The factors are of Grassmann, Taksar & Heyman's kind (no subtraction), which keeps the mass to roundings.
// LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations (2007), chapters 9 and 11.
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
import { solve } from '../numerics/grid/tridiagonal';
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import {
  keepMap,
  mapExtreme,
  mapMass,
  mapSize,
  mapState,
  moveAlongX,
  moveAlongY,
  radiusOnMap,
  removeFromMap,
  reserveMap,
  startMap,
} from './tumor/map';

export { abi, control } from '../kernel';

/**
 * cells >= 4; steps >= 1; width > 0 of a cell; isRadial 0 or 1; levels > 0, as parts of the capacity, whose outermost
 * places are recorded; historyRows and frameRows: marks of the schedule plus 1. rows: 0, or those of a map of
 * `cells` columns, whose cuts are about (centerX, centerY) from its lower left corner.
 */
export enum Parameter {
  cells,
  steps,
  width,
  isRadial,
  level,
  inner,
  outer,
  historyRows,
  frameRows,
  rows,
  centerX,
  centerY,
}

/**
 * initial f64[cells]; diffusivity f64[cells + 1] at faces, the ends unused; schedule f64[steps, ScheduleColumn];
 * history f64[historyRows, HistoryColumn]; frames f64[frameRows, cells]. On a map both initial and diffusivity are
 * f64[rows, cells], with 0 for the diffusivity outside, and a frame is too.
 */
export enum View {
  initial,
  diffusivity,
  schedule,
  history,
  frames,
}

/** imbalance: sum of the relative changes of mass by diffusion; lowest and highest u of any recorded state. */
export enum Statistic {
  imbalance,
  lowest,
  highest,
}

/**
 * growth = exp(a dt/2) and crowding = ρ (growth − 1) / a with a = ρ − k of the step; before it u is multiplied by
 * `survival` and removed within `cut`; isDamped, and marks to record the state behind it.
 */
export enum ScheduleColumn {
  dt,
  growth,
  crowding,
  survival,
  cut,
  isDamped,
  isRecorded,
  isFrame,
}

/**
 * Places are −1 where u is nowhere above the level; on a map they are radii of discs of equal area. mass is ∫u dV of a
 * unit area, of the whole ball, or of a unit thickness.
 */
export enum HistoryColumn {
  mass,
  level,
  inner,
  outer,
  peak,
}

const MAX_CELLS: f64 = 100_000;
const MAX_ROWS: f64 = 10_000;
const MAX_STEPS: f64 = 1e6;
const SCHEDULE_COLUMNS: i32 = ScheduleColumn.isFrame + 1;
const HISTORY_COLUMNS: i32 = HistoryColumn.peak + 1;
const MAX_SECANTS: i32 = 60;
const PLACE_TOLERANCE: f64 = 1e-15;
const FULL_ANGLE: f64 = 4 * Math.PI;

let cells: i32 = 0;
let steps: i32 = 0;
let done: i32 = 0;
let historyRows: i32 = 0;
let frameRows: i32 = 0;
let rows: i32 = 0;
/** Of the state. */
let size: i32 = 0;
let recorded: i32 = 0;
let framed: i32 = 0;
let width: f64 = 0;
let isRadial: bool = false;
let factoredFor: f64 = 0;
/** Whether the second half of the reaction of the last step is still to come. */
let isOwed: bool = false;
let owedGrowth: f64 = 1;
let owedCrowding: f64 = 0;
/** Step whose second half of the motion along x is still to come; 0 for none. */
let owedMotion: f64 = 0;
let imbalance: f64 = 0;
let lowest: f64 = 0;
let highest: f64 = 0;

let initial: usize = 0;
let diffusivity: usize = 0;
let schedule: usize = 0;
let history: usize = 0;
let frames: usize = 0;
let u: usize = 0;
let volumes: usize = 0;
let below: usize = 0;
let inverse: usize = 0;
let above: usize = 0;
let scratch: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.cells), 4, MAX_CELLS)) return illegal(Parameter.cells);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_STEPS)) return illegal(Parameter.steps);
  if (!isPositive(parameter(Parameter.width))) return illegal(Parameter.width);
  if (!isFlag(parameter(Parameter.isRadial))) return illegal(Parameter.isRadial);
  for (let i: i32 = Parameter.level; i <= Parameter.outer; i++) if (!isPositive(parameter(i))) return illegal(i);
  const limit = parameter(Parameter.steps) + 1;
  if (!isIntegerBetween(parameter(Parameter.historyRows), 1, limit)) return illegal(Parameter.historyRows);
  if (!isIntegerBetween(parameter(Parameter.frameRows), 1, limit)) return illegal(Parameter.frameRows);
  if (!isIntegerBetween(parameter(Parameter.rows), 0, MAX_ROWS)) return illegal(Parameter.rows);
  if (!isNonNegative(parameter(Parameter.centerX))) return illegal(Parameter.centerX);
  if (!isNonNegative(parameter(Parameter.centerY))) return illegal(Parameter.centerY);
  cells = <i32>parameter(Parameter.cells);
  rows = <i32>parameter(Parameter.rows);
  size = cells * max(rows, 1);
  steps = <i32>parameter(Parameter.steps);
  width = parameter(Parameter.width);
  isRadial = parameter(Parameter.isRadial) === 1;
  historyRows = <i32>parameter(Parameter.historyRows);
  frameRows = <i32>parameter(Parameter.frameRows);
  initial = allocateF64(size);
  diffusivity = allocateF64(rows > 0 ? size : cells + 1);
  schedule = allocateF64(steps * SCHEDULE_COLUMNS);
  history = allocateF64(historyRows * HISTORY_COLUMNS);
  frames = allocateF64(frameRows * size);
  if (!(initial && diffusivity && schedule && history && frames)) return INFO_OUT_OF_MEMORY;
  if (rows > 0) return reserveMap(cells, rows, width) ? INFO_OK : INFO_OUT_OF_MEMORY;
  u = allocateF64(cells);
  volumes = allocateF64(cells);
  below = allocateF64(cells);
  inverse = allocateF64(cells);
  above = allocateF64(cells);
  scratch = allocateF64(cells);
  return u && volumes && below && inverse && above && scratch ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  done = 0;
  recorded = 0;
  framed = 0;
  factoredFor = 0;
  isOwed = false;
  imbalance = 0;
  lowest = Infinity;
  highest = -Infinity;
  owedMotion = 0;
  if (rows > 0) startMap(initial, diffusivity);
  else {
    copyValues(u, initial, cells);
    for (let i = 0; i < cells; i++) set(volumes, i, volumeOf(i));
  }
  record();
  keepFrame();
  return INFO_OK;
}

/** Of cell i: per unit area, or of the whole shell. */
function volumeOf(i: i32): f64 {
  if (!isRadial) return width;
  const a = <f64>i * width;
  const b = <f64>(i + 1) * width;
  return (FULL_ANGLE / 3.0) * width * (a * a + a * b + b * b);
}

/** Of the face before cell i. */
function areaOf(i: i32): f64 {
  const r = <f64>i * width;
  return isRadial ? FULL_ANGLE * r * r : 1;
}

export function advance(count: i32): i32 {
  for (let i = 0; i < count && done < steps; i++) {
    const row = schedule + ((<usize>(done * SCHEDULE_COLUMNS)) << 3);
    if (rows > 0) stepOnMap(row);
    else stepOnLine(row);
    done++;
    if (get(row, ScheduleColumn.isRecorded) !== 0 && recorded < historyRows) record();
    if (get(row, ScheduleColumn.isFrame) !== 0 && framed < frameRows) keepFrame();
  }
  setDone(done);
  setStatistic(Statistic.imbalance, imbalance);
  setStatistic(Statistic.lowest, lowest);
  setStatistic(Statistic.highest, highest);
  return isFinite(get(rows > 0 ? mapState() : u, 0)) && isFinite(imbalance) ? INFO_OK : INFO_NON_FINITE;
}

function stepOnLine(row: usize): void {
  if (get(row, ScheduleColumn.cut) > 0) remove(get(row, ScheduleColumn.cut));
  const survival = get(row, ScheduleColumn.survival);
  if (survival !== 1) for (let j = 0; j < cells; j++) set(u, j, survival * get(u, j));
  const growth = get(row, ScheduleColumn.growth);
  const crowding = get(row, ScheduleColumn.crowding);
  // Two halves in a row are one: f₂(f₁(u)) = g₁g₂ u / (1 + (c₁ + g₁c₂) u).
  if (isOwed) react(u, cells, owedGrowth * growth, owedCrowding + owedGrowth * crowding);
  else react(u, cells, growth, crowding);
  diffuse(get(row, ScheduleColumn.dt), get(row, ScheduleColumn.isDamped) !== 0);
  isOwed = !mustFinish(row);
  owedGrowth = growth;
  owedCrowding = crowding;
  if (!isOwed) react(u, cells, growth, crowding);
}

function stepOnMap(row: usize): void {
  const state = mapState();
  if (get(row, ScheduleColumn.cut) > 0)
    removeFromMap(get(row, ScheduleColumn.cut), parameter(Parameter.centerX), parameter(Parameter.centerY));
  const survival = get(row, ScheduleColumn.survival);
  if (survival !== 1) for (let j = 0; j < mapSize(); j++) set(state, j, survival * get(state, j));
  const growth = get(row, ScheduleColumn.growth);
  const crowding = get(row, ScheduleColumn.crowding);
  const dt = get(row, ScheduleColumn.dt);
  const isDamped = get(row, ScheduleColumn.isDamped) !== 0;
  const isWhole = owedMotion === dt && !isDamped;
  if (owedMotion > 0 && !isWhole) imbalance += moveAlongX(owedMotion, false, false);
  imbalance += moveAlongX(dt, isWhole, isDamped);
  react(state, mapSize(), growth, crowding);
  imbalance += moveAlongY(dt, isDamped);
  react(state, mapSize(), growth, crowding);
  owedMotion = isDamped || mustFinish(row) ? 0 : dt;
  if (owedMotion === 0) imbalance += moveAlongX(dt, false, isDamped);
}

/** Whether the state behind a step is seen, or changed by what comes before the next. */
function mustFinish(row: usize): bool {
  if (done + 1 === steps) return true;
  if (get(row, ScheduleColumn.isRecorded) !== 0 || get(row, ScheduleColumn.isFrame) !== 0) return true;
  const next = row + ((<usize>SCHEDULE_COLUMNS) << 3);
  return get(next, ScheduleColumn.cut) > 0 || get(next, ScheduleColumn.survival) !== 1;
}

/** The logistic equation in closed form: u ← growth u / (1 + crowding u). */
function react(state: usize, count: i32, growth: f64, crowding: f64): void {
  const factor = f64x2.splat(growth);
  const slope = f64x2.splat(crowding);
  const one = f64x2.splat(1);
  const pairs = count & -2;
  for (let i = 0; i < pairs; i += 2) {
    const place = state + ((<usize>i) << 3);
    const value = v128.load(place);
    v128.store(place, f64x2.div(f64x2.mul(factor, value), f64x2.add(one, f64x2.mul(slope, value))));
  }
  if (pairs < count) {
    const value = get(state, pairs);
    set(state, pairs, (growth * value) / (1 + crowding * value));
  }
}

function diffuse(dt: f64, isDamped: bool): void {
  if (dt !== factoredFor) factor(dt);
  const before = mass();
  if (isDamped) {
    solve(below, inverse, above, u, u, scratch, cells, 1, 0);
    solve(below, inverse, above, u, u, scratch, cells, 1, 0);
  } else solve(below, inverse, above, u, u, scratch, cells, 2, 1);
  if (before !== 0) imbalance += Math.abs((mass() - before) / before);
}

/** Factors 1 + B, B = −(dt/2) ∇·D∇. Each pivot is its coupling to the right plus the remaining row sum. */
function factor(dt: f64): void {
  factoredFor = dt;
  let ratio: f64 = 0;
  const scale = (0.5 * dt) / width;
  for (let i = 0; i < cells; i++) {
    const unit = scale / get(volumes, i);
    const lower = i === 0 ? 0 : unit * areaOf(i) * get(diffusivity, i);
    const upper = i === cells - 1 ? 0 : unit * areaOf(i + 1) * get(diffusivity, i + 1);
    const sum = 1 + lower * ratio;
    const reciprocal = 1 / (sum + upper);
    ratio = sum * reciprocal;
    set(below, i, -lower * reciprocal);
    set(inverse, i, reciprocal);
    set(above, i, -upper * reciprocal);
  }
}

function mass(): f64 {
  let even: f64 = 0;
  let odd: f64 = 0;
  const pairs = cells & -2;
  for (let i = 0; i < pairs; i += 2) {
    even += get(volumes, i) * get(u, i);
    odd += get(volumes, i + 1) * get(u, i + 1);
  }
  return even + odd + (pairs < cells ? get(volumes, pairs) * get(u, pairs) : 0);
}

/** Takes away what is within a distance; the cell that it cuts keeps the part of its volume outside. */
function remove(radius: f64): void {
  for (let i = 0; i < cells; i++) {
    const a = <f64>i * width;
    const b = a + width;
    if (radius <= a) return;
    let kept: f64 = 0;
    if (radius < b) {
      const outside = isRadial ? (b - radius) * (b * b + b * radius + radius * radius) : b - radius;
      kept = outside / (isRadial ? width * (a * a + a * b + b * b) : width);
    }
    set(u, i, kept * get(u, i));
  }
}

function record(): void {
  const row = history + ((<usize>(recorded * HISTORY_COLUMNS)) << 3);
  let most = rows > 0 ? mapExtreme(true) : -Infinity;
  let least = rows > 0 ? mapExtreme(false) : Infinity;
  if (rows === 0) {
    for (let i = 0; i < cells; i++) {
      most = Math.max(most, get(u, i));
      least = Math.min(least, get(u, i));
    }
  }
  lowest = Math.min(lowest, least);
  highest = Math.max(highest, most);
  set(row, HistoryColumn.mass, rows > 0 ? mapMass() : mass());
  set(row, HistoryColumn.level, placeOf(parameter(Parameter.level)));
  set(row, HistoryColumn.inner, placeOf(parameter(Parameter.inner)));
  set(row, HistoryColumn.outer, placeOf(parameter(Parameter.outer)));
  set(row, HistoryColumn.peak, most);
  recorded++;
}

function keepFrame(): void {
  const frame = frames + ((<usize>(framed * size)) << 3);
  if (rows > 0) keepMap(frame);
  else copyValues(frame, u, cells);
  framed++;
}

/** The outermost place where u falls through the level, by interpolation of order 6; the end if it is above there. */
function placeOf(level: f64): f64 {
  if (rows > 0) return radiusOnMap(level);
  let i = cells - 1;
  while (i >= 0 && !(get(u, i) >= level)) i--;
  if (i < 0) return -1;
  if (i === cells - 1) return <f64>cells * width;
  // The secant, held between two ends of which the one that stays counts half (Illinois).
  let low: f64 = 0;
  let high: f64 = 1;
  let excessLow = between(i, low) - level;
  let excessHigh = between(i, high) - level;
  let place: f64 = 0;
  let last: f64 = 0;
  let wasAbove = false;
  for (let k = 0; k < MAX_SECANTS && high - low > PLACE_TOLERANCE; k++) {
    place = low + ((high - low) * excessLow) / (excessLow - excessHigh);
    const excess = between(i, place) - level;
    if (excess === 0) break;
    const isSame = k > 0 && excess > 0 === wasAbove;
    if (excess > 0) {
      low = place;
      excessLow = excess;
      if (isSame) excessHigh *= 0.5;
    } else {
      high = place;
      excessHigh = excess;
      if (isSame) excessLow *= 0.5;
    }
    const moved = Math.abs(place - last);
    last = place;
    wasAbove = excess > 0;
    if (k > 0 && moved <= PLACE_TOLERANCE) break;
  }
  return (<f64>i + 0.5 + place) * width;
}

/** u at s cells behind the centre of cell i, 0 <= s <= 1, of order 6; the ends mirror. */
function between(i: i32, s: f64): f64 {
  let sum: f64 = 0;
  for (let k = -2; k <= 3; k++) {
    let weight: f64 = 1;
    for (let m = -2; m <= 3; m++) if (m !== k) weight *= (s - <f64>m) / <f64>(k - m);
    sum += weight * get(u, mirrored(i + k));
  }
  return sum;
}

function mirrored(i: i32): i32 {
  return i < 0 ? -1 - i : i < cells ? i : 2 * cells - 1 - i;
}

export function view(i: i32): usize {
  switch (i) {
    case View.initial:
      return initial;
    case View.diffusivity:
      return diffusivity;
    case View.schedule:
      return schedule;
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
    case View.initial:
      return size;
    case View.diffusivity:
      return rows > 0 ? size : cells + 1;
    case View.schedule:
      return steps * SCHEDULE_COLUMNS;
    case View.history:
      return historyRows * HISTORY_COLUMNS;
    case View.frames:
      return frameRows * size;
    default:
      return 0;
  }
}
