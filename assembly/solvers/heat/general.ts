// Heat conduction with data of one's own: c u_t = ∇·(k ∇u) + s, every side fixed, with a heat flux, or convective.
//
// Control volumes about all nodes of the grid, half as wide at the sides: conductances between neighbours, capacities at
// nodes. In time the scheme of Douglas (1962, Numerische Mathematik 4, 41–63) in its form for differences,
//
//   (C − τ/2 A_x) d* = τ (A u + F),   (C − τ/2 A_y) d = C d*,   u ← u + d,
//
// second order in both; on a rod it is Crank–Nicolson. F is taken in the middle of the step, and a fixed node changes by
// the change of its value. Sources and values that change with time keep the order. The first steps are two backward
// Euler half steps each, with the same matrices (Rannacher 1984), so that data that do not fit together are damped. The
// steady state solves A u + F = 0 directly.
//
// Calls in inner loops: expressions, at every node of every step if the source changes with time.
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from '../../expression/machine';
import { allocate, allocateF64 } from '../../kernel';
import { entry, factorRow, solveBand } from '../../numerics/grid/banded-cholesky';
import { factor, solve } from '../../numerics/grid/tridiagonal';
import { neumaierSum } from '../../numerics/sum';
import { get, set } from '../../numerics/vector';

/** Kinds of sides. A side with a flux is insulated but for its value. */
export const FLUX: i32 = 0;
export const FIXED: i32 = 1;
export const CONVECTIVE: i32 = 2;

/** Expressions by number; four sides follow from LEFT on: left, right, bottom, top. */
const INITIAL: i32 = 0;
const CONDUCTIVITY: i32 = 1;
const CAPACITY: i32 = 2;
const SOURCE: i32 = 3;
const LEFT: i32 = 4;
export const EXPRESSIONS: i32 = 8;

let columns: i32 = 0;
let rows: i32 = 0;
let hx: f64 = 0;
let hy: f64 = 0;
let isSteady = false;

// By side, in the order above: its kind, and its coefficient of heat transfer.
const kinds = memory.data(16);
const transfer = memory.data(32, 8);

/** i32[8, 2]: where each expression begins in code and pool; −1 where there is none. */
export let programs: usize = 0;
export let code: usize = 0;
export let pool: usize = 0;
let slots: usize = 0;
let stack: usize = 0;

/** Along x: effective conductivity of each cell; conductivity and capacity of the control volume of each node. */
export let faceK: usize = 0;
export let nodeK: usize = 0;
export let nodeC: usize = 0;
/** f64[rows, columns], unless there is an expression. */
export let initial: usize = 0;

/** f64[rows, columns] */
export let u: usize = 0;
let delta: usize = 0;
let capacity: usize = 0;
let alongX: usize = 0;
let alongY: usize = 0;
let factorsX: usize = 0;
let factorsY: usize = 0;
let line: usize = 0;
let band: usize = 0;
let bandwidth: i32 = 0;

/** Heat that came in through sides and from sources so far; of a steady state that per time, which is zero. */
export let supplied: f64 = 0;

/** Where an expression had no value: its number, from 1, and the place; 0 if all have. */
export let faultProgram: f64 = 0;
export let faultX: f64 = 0;
export let faultY: f64 = 0;
export let faultT: f64 = 0;

export function configure(cellsX: i32, cellsY: i32, lengthX: f64, lengthY: f64, steady: bool): void {
  columns = cellsX + 1;
  rows = cellsY === 0 ? 1 : cellsY + 1;
  hx = lengthX / <f64>cellsX;
  hy = cellsY === 0 ? 1 : lengthY / <f64>cellsY;
  isSteady = steady;
}

/** @param side  0 left, 1 right, 2 bottom, 3 top */
export function configureSide(side: i32, kind: i32, coefficient: f64): void {
  store<i32>(kinds + ((<usize>side) << 2), kind);
  set(transfer, side, coefficient);
}

function kindOf(side: i32): i32 {
  return load<i32>(kinds + ((<usize>side) << 2));
}

export function allocateGeneral(codeWords: i32, poolValues: i32): bool {
  const nodes = columns * rows;
  programs = allocate(EXPRESSIONS * 8);
  code = allocate((<usize>codeWords) << 2);
  pool = allocateF64(poolValues);
  slots = allocateF64(3);
  stack = allocateF64(STACK_VALUES);
  faceK = allocateF64(columns - 1);
  nodeK = allocateF64(columns);
  nodeC = allocateF64(columns);
  initial = allocateF64(nodes);
  u = allocateF64(nodes);
  delta = allocateF64(nodes);
  capacity = allocateF64(nodes);
  alongX = allocateF64((columns - 1) * rows);
  alongY = allocateF64(columns * (rows > 1 ? rows - 1 : 1));
  bandwidth = min(columns, rows);
  factorsX = allocateF64(isSteady ? 1 : 3 * nodes);
  factorsY = allocateF64(isSteady ? 1 : 3 * nodes);
  band = allocateF64(isSteady ? nodes * (bandwidth + 1) : 1);
  line = allocateF64(5 * max(columns, rows));
  const hasPrograms = programs && code && pool && slots && stack;
  const hasData = faceK && nodeK && nodeC && initial && u && delta && capacity && alongX && alongY;
  return !!(hasPrograms && hasData && factorsX && factorsY && band && line);
}

function isGiven(program: i32): bool {
  return load<i32>(programs + ((<usize>program) << 3)) >= 0;
}

/** The value of an expression; notes the first place where it has none. */
function evaluateAt(program: i32, x: f64, y: f64, t: f64): f64 {
  const at = programs + ((<usize>program) << 3);
  set(slots, 0, x);
  set(slots, 1, y);
  set(slots, 2, t);
  const value = evaluate(code + ((<usize>load<i32>(at)) << 2), pool + ((<usize>load<i32>(at, 4)) << 3), slots, stack);
  const isPositive = program !== CONDUCTIVITY && program !== CAPACITY ? true : value > 0;
  if (faultProgram === 0 && !(isFinite(value) && failure() === FAILURE_NONE && isPositive)) {
    faultProgram = <f64>(program + 1);
    faultX = x;
    faultY = y;
    faultT = t;
  }
  return value;
}

function sideValue(side: i32, t: f64): f64 {
  return isGiven(LEFT + side) ? evaluateAt(LEFT + side, 0, 0, t) : 0;
}

function xOf(i: i32): f64 {
  return <f64>i * hx;
}
function yOf(j: i32): f64 {
  return rows === 1 ? 0 : <f64>j * hy;
}
/** Width of the control volume of a node. */
function widthX(i: i32): f64 {
  return i === 0 || i === columns - 1 ? 0.5 * hx : hx;
}
function widthY(j: i32): f64 {
  return rows === 1 ? 1 : j === 0 || j === rows - 1 ? 0.5 * hy : hy;
}

function isFixedRow(j: i32): bool {
  return rows > 1 && ((j === 0 && kindOf(2) === FIXED) || (j === rows - 1 && kindOf(3) === FIXED));
}
function isFixedColumn(i: i32): bool {
  return (i === 0 && kindOf(0) === FIXED) || (i === columns - 1 && kindOf(1) === FIXED);
}

/** The value of a fixed node; at a corner that of the side along y. */
function fixedValue(i: i32, j: i32, t: f64): f64 {
  if (i === 0 && kindOf(0) === FIXED) return sideValue(0, t);
  if (i === columns - 1 && kindOf(1) === FIXED) return sideValue(1, t);
  return sideValue(j === 0 ? 2 : 3, t);
}

/** Coefficient of heat transfer through the sides of a node that lie across x, times their length. */
function transferX(i: i32, j: i32): f64 {
  return widthY(j) * ((i === 0 ? transferOf(0) : 0) + (i === columns - 1 ? transferOf(1) : 0));
}
function transferY(i: i32, j: i32): f64 {
  return rows === 1 ? 0 : widthX(i) * ((j === 0 ? transferOf(2) : 0) + (j === rows - 1 ? transferOf(3) : 0));
}
function transferOf(side: i32): f64 {
  return kindOf(side) === CONVECTIVE ? get(transfer, side) : 0;
}

/** Sets coefficients and the initial state. @returns whether every expression has a value */
export function startGeneral(tau: f64): bool {
  faultProgram = 0;
  supplied = 0;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const node = j * columns + i;
      const c = isGiven(CAPACITY) ? evaluateAt(CAPACITY, xOf(i), yOf(j), 0) : get(nodeC, i);
      set(capacity, node, c * widthX(i) * widthY(j));
      if (i < columns - 1) {
        const k = isGiven(CONDUCTIVITY) ? evaluateAt(CONDUCTIVITY, xOf(i) + 0.5 * hx, yOf(j), 0) : get(faceK, i);
        set(alongX, j * (columns - 1) + i, (k * widthY(j)) / hx);
      }
      if (j < rows - 1) {
        const k = isGiven(CONDUCTIVITY) ? evaluateAt(CONDUCTIVITY, xOf(i), yOf(j) + 0.5 * hy, 0) : get(nodeK, i);
        set(alongY, node, (k * widthX(i)) / hy);
      }
      set(u, node, isGiven(INITIAL) ? evaluateAt(INITIAL, xOf(i), yOf(j), 0) : get(initial, node));
    }
  }
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++)
      if (isFixedRow(j) || isFixedColumn(i)) set(u, j * columns + i, fixedValue(i, j, 0));
  if (isSteady) assembleBand();
  else factorLines(0.5 * tau);
  return faultProgram === 0;
}

/** Conductances of a node to its neighbours; 0 beyond the sides. */
function west(i: i32, j: i32): f64 {
  return i === 0 ? 0 : get(alongX, j * (columns - 1) + i - 1);
}
function east(i: i32, j: i32): f64 {
  return i === columns - 1 ? 0 : get(alongX, j * (columns - 1) + i);
}
function south(i: i32, j: i32): f64 {
  return j === 0 ? 0 : get(alongY, (j - 1) * columns + i);
}
function north(i: i32, j: i32): f64 {
  return j === rows - 1 ? 0 : get(alongY, j * columns + i);
}

/** Factors C − θ A_x of every row and C − θ A_y of every column, fixed nodes as rows of the unit matrix. */
function factorLines(theta: f64): void {
  const size = (<usize>max(columns, rows)) << 3;
  const lower = line;
  const diagonal = lower + size;
  const upper = diagonal + size;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const isFree = !isFixedColumn(i);
      const sum = west(i, j) + east(i, j) + transferX(i, j);
      set(lower, i, isFree ? -theta * west(i, j) : 0);
      set(upper, i, isFree ? -theta * east(i, j) : 0);
      set(diagonal, i, isFree ? get(capacity, j * columns + i) + theta * sum : 1);
    }
    factorLine(factorsX, j, columns, lower, diagonal, upper);
  }
  if (rows === 1) return;
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const isFree = !isFixedRow(j);
      const sum = south(i, j) + north(i, j) + transferY(i, j);
      set(lower, j, isFree ? -theta * south(i, j) : 0);
      set(upper, j, isFree ? -theta * north(i, j) : 0);
      set(diagonal, j, isFree ? get(capacity, j * columns + i) + theta * sum : 1);
    }
    factorLine(factorsY, i, rows, lower, diagonal, upper);
  }
}

function factorLine(factors: usize, number: i32, n: i32, lower: usize, diagonal: usize, upper: usize): void {
  const size = (<usize>n) << 3;
  const own = factors + 3 * <usize>number * size;
  factor(lower, diagonal, upper, own, own + size, own + 2 * size, n);
}

function solveLine(factors: usize, number: i32, n: i32, vector: usize, scratch: usize): void {
  const size = (<usize>n) << 3;
  const own = factors + 3 * <usize>number * size;
  solve(own, own + size, own + 2 * size, vector, vector, scratch, n, 1, 0);
}

/** Heat that flows into a free node per time: from its neighbours, through its sides, from its source. */
function inflow(i: i32, j: i32, t: f64, sides: usize): f64 {
  const node = u + ((<usize>(j * columns + i)) << 3);
  const own = load<f64>(node);
  let sum: f64 = 0;
  if (i > 0) sum += west(i, j) * (get(node, -1) - own);
  if (i < columns - 1) sum += east(i, j) * (get(node, 1) - own);
  if (j > 0) sum += south(i, j) * (get(node, -columns) - own);
  if (j < rows - 1) sum += north(i, j) * (get(node, columns) - own);
  if (i === 0) sum += widthY(j) * throughSide(0, own, sides);
  if (i === columns - 1) sum += widthY(j) * throughSide(1, own, sides);
  if (rows > 1 && j === 0) sum += widthX(i) * throughSide(2, own, sides);
  if (rows > 1 && j === rows - 1) sum += widthX(i) * throughSide(3, own, sides);
  if (isGiven(SOURCE)) {
    const source = widthX(i) * widthY(j) * evaluateAt(SOURCE, xOf(i), yOf(j), t);
    made += source;
    sum += source;
  }
  return sum;
}

/** Through a side of unit length; the node on it has the temperature `own`. */
function throughSide(side: i32, own: f64, sides: usize): f64 {
  const value = get(sides, side);
  return kindOf(side) === CONVECTIVE ? get(transfer, side) * (value - own) : value;
}

/** Values of the four sides, evaluated once a step. */
const sideValues = memory.data(32, 8);

function readSides(t: f64): void {
  for (let side = 0; side < (rows > 1 ? 4 : 2); side++) set(sideValues, side, sideValue(side, t));
}

/**
 * Heat that comes in through the sides in a step of length τ at the temperatures u + θ d; a fixed node takes what its
 * neighbours draw from it, and what its own change needs.
 */
function throughSides(tau: f64, theta: f64): f64 {
  let rate: f64 = 0;
  let change: f64 = 0;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const isOnSide = i === 0 || i === columns - 1 || (rows > 1 && (j === 0 || j === rows - 1));
      if (!isOnSide) continue;
      const own = during(i, j, theta);
      if (isFixedRow(j) || isFixedColumn(i)) {
        change += get(capacity, j * columns + i) * get(delta, j * columns + i);
        if (i > 0) rate += west(i, j) * (own - during(i - 1, j, theta));
        if (i < columns - 1) rate += east(i, j) * (own - during(i + 1, j, theta));
        if (j > 0) rate += south(i, j) * (own - during(i, j - 1, theta));
        if (j < rows - 1) rate += north(i, j) * (own - during(i, j + 1, theta));
        continue;
      }
      if (i === 0) rate += widthY(j) * throughSide(0, own, sideValues);
      if (i === columns - 1) rate += widthY(j) * throughSide(1, own, sideValues);
      if (rows > 1 && j === 0) rate += widthX(i) * throughSide(2, own, sideValues);
      if (rows > 1 && j === rows - 1) rate += widthX(i) * throughSide(3, own, sideValues);
    }
  return tau * rate + change;
}

function during(i: i32, j: i32, theta: f64): f64 {
  const node = j * columns + i;
  return get(u, node) + theta * get(delta, node);
}

/** Heat per time from the source that `inflow` has counted since `made` was 0. */
let made: f64 = 0;

/** One step of Douglas or Crank–Nicolson from t to t + τ. @returns whether every expression has a value */
export function stepGeneral(t: f64, tau: f64): bool {
  advanceBy(t, tau, t + 0.5 * tau, 0.5);
  return faultProgram === 0;
}

/** Two half steps of backward Euler. */
export function dampedStep(t: f64, tau: f64): bool {
  const half = 0.5 * tau;
  advanceBy(t, half, t + half, 1);
  advanceBy(t + half, half, t + tau, 1);
  return faultProgram === 0;
}

/** @param at  the time at which sources and sides are taken; theta: the part of the change at that time */
function advanceBy(t: f64, tau: f64, at: f64, theta: f64): void {
  readSides(at);
  made = 0;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const node = j * columns + i;
      const isFixed = isFixedRow(j) || isFixedColumn(i);
      set(delta, node, isFixed ? fixedValue(i, j, t + tau) - get(u, node) : tau * inflow(i, j, at, sideValues));
    }
  const size = (<usize>max(columns, rows)) << 3;
  const scratch = line + size;
  for (let j = 0; j < rows; j++) {
    if (isFixedRow(j)) continue;
    solveLine(factorsX, j, columns, delta + ((<usize>(j * columns)) << 3), scratch);
  }
  if (rows > 1) {
    for (let i = 0; i < columns; i++) {
      if (isFixedColumn(i)) continue;
      for (let j = 0; j < rows; j++) {
        const node = j * columns + i;
        set(line, j, isFixedRow(j) ? get(delta, node) : get(capacity, node) * get(delta, node));
      }
      solveLine(factorsY, i, rows, line, scratch);
      for (let j = 0; j < rows; j++) set(delta, j * columns + i, get(line, j));
    }
  }
  supplied += tau * made + throughSides(tau, theta);
  for (let node = 0; node < columns * rows; node++) set(u, node, get(u, node) + get(delta, node));
}

/** Number of a node in the banded matrix: the shorter axis varies first. */
function numberOf(i: i32, j: i32): i32 {
  return columns <= rows ? j * columns + i : i * rows + j;
}

/** −A with fixed nodes as rows of the unit matrix, their conductances moved to the right side; that is `delta`. */
function assembleBand(): void {
  readSides(0);
  made = 0;
  const b = bandwidth;
  memory.fill(band, 0, (<usize>(columns * rows * (b + 1))) << 3);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const k = numberOf(i, j);
      if (isFixedRow(j) || isFixedColumn(i)) {
        store<f64>(entry(band, b, k, k), 1);
        set(delta, k, fixedValue(i, j, 0));
        continue;
      }
      const sum = west(i, j) + east(i, j) + south(i, j) + north(i, j);
      store<f64>(entry(band, b, k, k), sum + transferX(i, j) + transferY(i, j));
      // What flows in at temperature zero.
      let right: f64 = isGiven(SOURCE) ? widthX(i) * widthY(j) * evaluateAt(SOURCE, xOf(i), yOf(j), 0) : 0;
      made += right;
      if (i === 0) right += widthY(j) * throughSide(0, 0, sideValues);
      if (i === columns - 1) right += widthY(j) * throughSide(1, 0, sideValues);
      if (rows > 1 && j === 0) right += widthX(i) * throughSide(2, 0, sideValues);
      if (rows > 1 && j === rows - 1) right += widthX(i) * throughSide(3, 0, sideValues);
      if (i > 0) right += couple(k, i - 1, j, west(i, j));
      if (i < columns - 1) right += couple(k, i + 1, j, east(i, j));
      if (j > 0) right += couple(k, i, j - 1, south(i, j));
      if (j < rows - 1) right += couple(k, i, j + 1, north(i, j));
      set(delta, k, right);
    }
}

/** Writes a conductance into the lower half of the band. @returns what a fixed neighbour adds to the right side */
function couple(k: i32, i: i32, j: i32, conductance: f64): f64 {
  if (isFixedRow(j) || isFixedColumn(i)) return conductance * fixedValue(i, j, 0);
  const m = numberOf(i, j);
  if (m < k) store<f64>(entry(band, bandwidth, k, m), -conductance);
  return 0;
}

/** One row of the factorisation, then the solution. @returns whether the matrix is positive definite so far */
export function steadyStep(step: i32): bool {
  const nodes = columns * rows;
  if (step < nodes) return factorRow(band, bandwidth, step);
  solveBand(band, bandwidth, nodes, delta);
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) set(u, j * columns + i, get(delta, numberOf(i, j)));
  memory.fill(delta, 0, (<usize>nodes) << 3);
  supplied = made + throughSides(1, 0);
  return true;
}

/** Σ C u and Σ C u² / 2 of a row, with `line` as scratch. */
export function rowHeat(j: i32): f64 {
  for (let i = 0; i < columns; i++) set(line, i, get(capacity, j * columns + i) * get(u, j * columns + i));
  return neumaierSum(line, columns);
}

export function rowEnergy(j: i32): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < columns; i++) {
    const value = get(u, j * columns + i);
    sum += 0.5 * get(capacity, j * columns + i) * value * value;
  }
  return sum;
}
