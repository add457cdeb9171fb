// Electrostatics of devices: the nonlinear Poisson–Boltzmann equation on a line, and Poisson's equation on a rectangle.
//
// Line: −(ε u')' = n − p weights with n = exp(s + u), p = exp(s − u) on the control volumes of an uneven grid. Second order.
// The equation is the gradient of a convex function, so its tridiagonal Jacobian is an M-matrix. Changes d of Newton's
// method up to 1/2 are taken whole: the next one is at most exp(d) (exp(d) − 1 − d) < d/2. Larger ones are taken whole if
// that halves the residual, else node by node as 1 + log d if that lowers it, else all by one factor that does, which exists
// (Bank & Rose, Numer. Math. 37, 1981). Fails only where rounding hides the charge. Weights of 0 make an insulator. Afterwards the same Jacobian gives
// derivatives: by the bias of a junction, or by a gate at the left end and by the Fermi level of the minority.
// Selberherr, Analysis and Simulation of Semiconductor Devices (1984), chapters 5 to 7.
// Rectangle: five-point couplings, conjugate gradients with a multigrid V-cycle (numerics/grid/multigrid.ts), until the
// residual is below `tolerance` of the first one. Second order; a source and held values that vanish need no iteration.
// Calls in inner loops: exp, twice a node of a line.
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
import {
  applyGrid,
  buildLevel,
  couplingsRight,
  couplingsUp,
  cycleGrid,
  gridEntry,
  gridSize,
  gridWidth,
  Multigrid,
  reserveMultigrid,
} from '../numerics/grid/multigrid';
import { factor, solve } from '../numerics/grid/tridiagonal';
import { Cg, startCg, stepCg } from '../numerics/krylov/conjugate-gradient';
import { pairwiseDot } from '../numerics/sum';
import { get, set } from '../numerics/vector';
import { illegal, isIntegerBetween } from '../parameters';

export { abi, control } from '../kernel';

/**
 * columns, rows >= 2 nodes, rows 1 for a line; logDensity: s; maxSteps 1 … 10000; tolerance 1e-15 … 0.1; minority of a line
 * under a gate: 1 electrons, −1 holes; 0 of a junction.
 */
export enum Parameter {
  columns,
  rows,
  logDensity,
  maxSteps,
  tolerance,
  minority,
}

/**
 * In: right f64[rows, columns], up f64[rows, columns]: couplings >= 0 to the next node, the last of a row or column unused; source
 * f64[rows, columns], integrated; held f64[rows, columns]: 1 where the potential is given; start f64[rows, columns]; weights
 * f64[columns] of a line: what multiplies n − p. Out: potential f64[rows, columns]; slope f64[columns]: du/ds of a line,
 * or its derivative by the gate, with its ends following `slopeEnds` f64[2]; shift f64[columns]: that by the minority's
 * Fermi level, with ends at rest; residuals f64[maxSteps + 1], NaN behind the last.
 */
export enum View {
  right,
  up,
  source,
  held,
  start,
  weights,
  slopeEnds,
  potential,
  slope,
  shift,
  residuals,
}

export enum Statistic {
  isComplete,
  iterations,
}

/** Changes that Newton's method may take whole. */
const WHOLE: f64 = 0.5;
const MAX_HALVINGS: i32 = 60;

let columns: i32 = 0;
let rows: i32 = 0;
let s: f64 = 0;
let maxSteps: i32 = 0;
let tolerance: f64 = 0;
let minority: f64 = 0;
let isLine: bool = false;
let isDone: bool = false;
let done: i32 = 0;
let first: f64 = 0;

let right: usize = 0;
let up: usize = 0;
let source: usize = 0;
let held: usize = 0;
let initial: usize = 0;
let weights: usize = 0;
let slopeEnds: usize = 0;
let potential: usize = 0;
let slope: usize = 0;
let shift: usize = 0;
let residuals: usize = 0;
let heldGrid: usize = 0;
let lower: usize = 0;
let diagonal: usize = 0;
let upper: usize = 0;
let below: usize = 0;
let inverse: usize = 0;
let above: usize = 0;
let rhs: usize = 0;
let scratch: usize = 0;
let change: usize = 0;
let trial: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.columns), 3, 65537)) return illegal(Parameter.columns);
  if (!isIntegerBetween(parameter(Parameter.rows), 1, 1025)) return illegal(Parameter.rows);
  s = parameter(Parameter.logDensity);
  if (!(s >= -1e6 && s <= 700)) return illegal(Parameter.logDensity);
  if (!isIntegerBetween(parameter(Parameter.maxSteps), 1, 10000)) return illegal(Parameter.maxSteps);
  tolerance = parameter(Parameter.tolerance);
  if (!(tolerance >= 1e-15 && tolerance <= 0.1)) return illegal(Parameter.tolerance);
  if (!isIntegerBetween(parameter(Parameter.minority), -1, 1)) return illegal(Parameter.minority);
  minority = parameter(Parameter.minority);
  columns = <i32>parameter(Parameter.columns);
  rows = <i32>parameter(Parameter.rows);
  maxSteps = <i32>parameter(Parameter.maxSteps);
  isLine = rows === 1;
  if (!isLine && columns > 1025) return illegal(Parameter.columns);
  if (rows === 2) return illegal(Parameter.rows);
  const n = columns * rows;
  right = allocateF64(n);
  up = allocateF64(n);
  source = allocateF64(n);
  held = allocateF64(n);
  initial = allocateF64(n);
  weights = allocateF64(columns);
  slopeEnds = allocateF64(2);
  potential = allocateF64(n);
  slope = allocateF64(columns);
  shift = allocateF64(columns);
  residuals = allocateF64(maxSteps + 1);
  if (!(right && up && source && held && initial && weights && slopeEnds && potential && slope && shift && residuals))
    return INFO_OUT_OF_MEMORY;
  return (isLine ? reserveLine() : reserveGrid()) ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function reserveLine(): bool {
  lower = allocateF64(columns);
  diagonal = allocateF64(columns);
  upper = allocateF64(columns);
  below = allocateF64(columns);
  inverse = allocateF64(columns);
  above = allocateF64(columns);
  rhs = allocateF64(columns);
  scratch = allocateF64(columns);
  change = allocateF64(columns);
  trial = allocateF64(columns);
  return (lower && diagonal && upper && below && inverse && above && rhs && scratch && change && trial) !== 0;
}

function reserveGrid(): bool {
  const n = gridSize(columns, rows);
  Cg.n = n;
  Cg.x = allocateF64(n);
  Cg.r = allocateF64(n);
  Cg.z = allocateF64(n);
  Cg.p = allocateF64(n);
  Cg.ap = allocateF64(n);
  heldGrid = allocateF64(n);
  return (Cg.x && Cg.r && Cg.z && Cg.p && Cg.ap && heldGrid) !== 0 && reserveMultigrid(columns, rows);
}

export function start(): i32 {
  isDone = false;
  done = 0;
  level = 0;
  first = 0;
  const n = columns * rows;
  for (let k = 0; k < n; k++) {
    if (!(get(right, k) >= 0 && get(up, k) >= 0 && isFinite(get(right, k)) && isFinite(get(up, k))))
      return INFO_NON_FINITE;
    set(potential, k, get(initial, k));
  }
  for (let k = 0; k <= maxSteps; k++) set(residuals, k, NaN);
  if (isLine) return INFO_OK;
  const a = couplingsRight();
  const b = couplingsUp();
  const row = gridWidth(columns);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      const k = j * columns + i;
      set(a, at, i < columns - 1 ? get(right, k) : 0);
      set(b, at, j < rows - 1 ? get(up, k) : 0);
      set(heldGrid, at, get(held, k));
      set(Cg.x, at, get(initial, k));
    }
  }
  // The residual of the start, with what held nodes send to their neighbours.
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      const x = get(Cg.x, at);
      const flow =
        get(a, at) * (x - get(Cg.x, at + 1)) +
        get(a, at - 1) * (x - get(Cg.x, at - 1)) +
        (get(b, at) * (x - get(Cg.x, at + row)) + get(b, at - row) * (x - get(Cg.x, at - row)));
      set(Cg.r, at, get(heldGrid, at) !== 0 ? 0 : get(source, j * columns + i) - flow);
    }
  }
  first = Math.sqrt(pairwiseDot(Cg.r, Cg.r, Cg.n));
  if (!isFinite(first)) return INFO_NON_FINITE;
  set(residuals, 0, first);
  return INFO_OK;
}

/** The level of the multigrid that is built next, before the first iteration. */
let level: i32 = 0;

/** @returns whether all levels are there */
function prepareGrid(): bool {
  if (level === Multigrid.levels) return true;
  buildLevel(heldGrid, level++);
  if (level < Multigrid.levels) return false;
  if (first === 0) isDone = true;
  else startCg(cycleGrid);
  return false;
}

/** At most `count` iterations, or levels before them. A finished run takes no more, and `isComplete` is 1. */
export function advance(count: i32): i32 {
  let info = INFO_OK;
  for (let i = 0; i < count && !isDone; i++) {
    if (!isLine && !prepareGrid()) continue;
    info = isLine ? stepLine() : stepGrid();
    if (info === INFO_NON_FINITE) return info;
  }
  setDone(done > 0 ? <f64>done : <f64>level / <f64>(Multigrid.levels + 1));
  setStatistic(Statistic.iterations, <f64>done);
  if (isDone) setStatistic(Statistic.isComplete, 1);
  return info;
}

function stepGrid(): i32 {
  const isSound = stepCg(applyGrid, cycleGrid);
  done++;
  const norm = Math.sqrt(pairwiseDot(Cg.r, Cg.r, Cg.n));
  set(residuals, done, norm);
  if (!isFinite(norm)) return INFO_NON_FINITE;
  const isSmall = norm <= tolerance * first;
  if (!isSmall && isSound && done < maxSteps) return INFO_OK;
  isDone = true;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) set(potential, j * columns + i, get(Cg.x, gridEntry(columns, i, j)));
  }
  return isSmall ? INFO_OK : INFO_NOT_CONVERGED;
}

/** Minus the residual at node i of potential u, which is no end; `carriers` becomes n + p times the weight. */
let carriers: f64 = 0;
function residualOf(potential: usize, i: i32): f64 {
  const u = get(potential, i);
  const w = get(weights, i);
  // An insulator has none, however large the exponential.
  const n = w === 0 ? 0 : w * Math.exp(s + u);
  const p = w === 0 ? 0 : w * Math.exp(s - u);
  carriers = n + p;
  const flow = get(right, i - 1) * (u - get(potential, i - 1)) - get(right, i) * (get(potential, i + 1) - u);
  return get(source, i) + (p - n) - flow;
}

/** The Jacobian at the potential, and minus the residual. @returns the sum of squares of the residual */
function assembleLine(): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < columns; i++) {
    if (i === 0 || i === columns - 1) {
      set(lower, i, 0);
      set(upper, i, 0);
      set(diagonal, i, 1);
      set(rhs, i, 0);
      continue;
    }
    const residual = residualOf(potential, i);
    const a = get(right, i - 1);
    const b = get(right, i);
    set(lower, i, -a);
    set(upper, i, -b);
    set(diagonal, i, a + b + carriers);
    set(rhs, i, residual);
    sum += residual * residual;
  }
  return sum;
}

/** The sum of squares of the residual of the trial potential; it may be infinite. */
function squareOfTrial(): f64 {
  let sum: f64 = 0;
  for (let i = 1; i < columns - 1; i++) {
    const residual = residualOf(trial, i);
    sum += residual * residual;
  }
  return sum;
}

function stepLine(): i32 {
  const square = assembleLine();
  if (factor(lower, diagonal, upper, below, inverse, above, columns) !== 0) return INFO_NON_FINITE;
  solve(below, inverse, above, rhs, change, scratch, columns, 1, 0);
  let largest: f64 = 0;
  for (let i = 0; i < columns; i++) {
    const size = Math.abs(get(change, i));
    if (!isFinite(size)) return INFO_NON_FINITE;
    largest = Math.max(largest, size);
  }
  if (largest <= WHOLE) tryStep(1);
  else dampLine(square);
  memory.copy(potential, trial, (<usize>columns) << 3);
  set(residuals, done, largest);
  done++;
  const isSmall = largest <= tolerance;
  if (!isSmall && done < maxSteps) return INFO_OK;
  isDone = true;
  finishLine();
  return isSmall ? INFO_OK : INFO_NOT_CONVERGED;
}

function tryStep(share: f64): void {
  for (let i = 0; i < columns; i++) set(trial, i, get(potential, i) + share * get(change, i));
}

/** A trial of a lower residual than `square`. */
function dampLine(square: f64): void {
  tryStep(1);
  if (squareOfTrial() < 0.25 * square) return;
  for (let i = 0; i < columns; i++) {
    const d = get(change, i);
    const size = Math.abs(d);
    const damped = size > 1 ? 1 + Math.log(size) : size;
    set(trial, i, get(potential, i) + (d < 0 ? -damped : damped));
  }
  if (squareOfTrial() < square) return;
  // Along Newton's direction the sum of squares falls by 2 of itself at first.
  let share: f64 = 1;
  for (let halving = 0; halving < MAX_HALVINGS; halving++) {
    tryStep(share);
    if (squareOfTrial() <= (1 - 0.5 * share) * square) return;
    share *= 0.5;
  }
}

/** Derivatives at the solution: the Jacobian times one is that of the charge alone. */
function finishLine(): void {
  assembleLine();
  factor(lower, diagonal, upper, below, inverse, above, columns);
  for (let i = 0; i < columns; i++) {
    const u = get(potential, i);
    const w = get(weights, i);
    // By s the charge changes by w (p − n), by the gate not at all.
    set(rhs, i, minority === 0 ? w * (Math.exp(s - u) - Math.exp(s + u)) : 0);
    set(change, i, minority === 0 || w === 0 ? 0 : w * Math.exp(s + minority * u));
  }
  set(rhs, 0, get(slopeEnds, 0));
  set(rhs, columns - 1, get(slopeEnds, 1));
  set(change, 0, 0);
  set(change, columns - 1, 0);
  solve(below, inverse, above, rhs, slope, scratch, columns, 1, 0);
  solve(below, inverse, above, change, shift, scratch, columns, 1, 0);
}

export function view(i: i32): usize {
  if (i === View.right) return right;
  if (i === View.up) return up;
  if (i === View.source) return source;
  if (i === View.held) return held;
  if (i === View.start) return initial;
  if (i === View.weights) return weights;
  if (i === View.slopeEnds) return slopeEnds;
  if (i === View.potential) return potential;
  if (i === View.slope) return slope;
  if (i === View.shift) return shift;
  return i === View.residuals ? residuals : 0;
}

export function extent(i: i32): i32 {
  if (i === View.weights || i === View.slope || i === View.shift) return columns;
  if (i === View.slopeEnds) return 2;
  if (i === View.residuals) return maxSteps + 1;
  return i <= View.residuals && i >= 0 ? columns * rows : 0;
}
