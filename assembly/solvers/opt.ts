// Minimisation: steepest descent, conjugate gradients, BFGS with and without a limited memory, the simplex of Nelder and
// Mead, Newton's and Levenberg and Marquardt's methods, on sums of programs of the expression machine.
//
// From one start or several, inside bounds; then a certificate at the best point by exact derivatives, and a second run
// of a method of another family from beside it. A run ends in a local minimum, if in any: nothing here looks for the
// smallest. Fails where f has kinks at its minimum, and where rounding hides the descent. Nocedal & Wright, Numerical
// Optimization (2nd ed., 2006).
//
// Compressed size: at most 36 kB, because the expression machine with its functions is a part, and seven methods.
//
// Calls in inner loops: each element is a program that the machine runs, and programs call sin, exp and similar functions.

import { INFO_OK, INFO_OUT_OF_MEMORY, parameter, resetArena, resetControl, setDone, setStatistic } from '../kernel';
import { seedRandom, uniformPair } from '../numerics/random';
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import {
  certify,
  decrement,
  definite,
  freeCount,
  inverseDiagonal,
  largest,
  leastDirection,
  MAX_EIGEN,
  reserveCertificate,
  smallest,
} from './opt/certificate';
import { beginDamped, curvature, iterateDamped, reserveDamped } from './opt/damped';
import { beginDescent, iterateDescent, LBFGS, reserveDirections } from './opt/directions';
import { beginMemory, hasMemory, takeF64 } from './opt/memory';
import {
  addWork,
  code,
  constants,
  elements,
  evaluations,
  gradient,
  gradients,
  hessian,
  hessianDiagonal,
  indices,
  isBroken,
  kinds,
  pool,
  programs,
  reserveObjective,
  residuals,
  setCentral,
  slopeScale,
  startObjective,
  table,
  value,
  work,
} from './opt/objective';
import { beginSimplex, iterateSimplex, reserveSimplex } from './opt/simplex';
import { beginSquares, iterateSquares, reserveSquares, triangle, triangulate } from './opt/squares';
import {
  BUDGET,
  f,
  g,
  iteration,
  lower,
  MAX_ITERATIONS,
  RUNNING,
  reserveState,
  setStatus,
  setTolerances,
  slopeNorm,
  status,
  upper,
  x,
} from './opt/state';

export { abi, control } from '../kernel';

/**
 * Lengths: n variables, rows, elements, programs, tableRows, codeWords, poolValues, indices, constants, locals and slots at
 * most. method and witness 0 gd | 1 cg | 2 bfgs | 3 lbfgs | 4 nelder-mead | 5 newton | 6 lm; isCentral, slopes by differences;
 * isSquares, whether every row is a square; isBounded; tolG, tolF; maxIterations of a run; memory of lbfgs; restarts,
 * seed and spread of the starts; fixedStep of gd, 0 for a search; maxWork, operations of all programs; steps, what
 * `done` says at the end; contour, points along an edge of a map.
 */
export enum Parameter {
  n,
  rows,
  elements,
  programs,
  tableRows,
  codeWords,
  poolValues,
  indices,
  constants,
  locals,
  slots,
  method,
  witness,
  isCentral,
  isSquares,
  isBounded,
  tolG,
  tolF,
  maxIterations,
  memory,
  restarts,
  seed,
  spread,
  fixedStep,
  maxWork,
  steps,
  contour,
}

/**
 * In: programs i32[programs, 3], table i32[tableRows, 3], code, pool, elements i32[elements, 4], indices, constants, kinds
 * i32[rows] (opt/objective.ts); x0, lower, upper f64[n]. Out: point and slopes f64[n]; residuals f64[rows]; trace
 * f64[1000, 5], of which traced rows count; starts f64[restarts, 4 + n]; triangle f64[n, n] of the slopes of squares; map
 * f64[contour²]; inverse f64[n], the diagonal of the inverse of the second slopes.
 */
export enum View {
  programs,
  table,
  code,
  pool,
  elements,
  indices,
  constants,
  kinds,
  x0,
  lower,
  upper,
  point,
  slopes,
  residuals,
  trace,
  starts,
  triangle,
  map,
  inverse,
}

export enum Statistic {
  f,
  slope,
  firstF,
  iterations,
  evaluations,
  gradients,
  status,
  bestStart,
  finishedStarts,
  traced,
  decrement,
  definite,
  smallest,
  largest,
  free,
  witnessF,
  witnessStatus,
  witnessIterations,
  witnessDistance,
  lowest,
  slopeScale,
  isBroken,
  work,
  left,
  right,
  bottom,
  top,
}

export enum TraceColumn {
  iteration,
  f,
  slope,
  first,
  second,
}

const NELDER_MEAD: i32 = 4;
const NEWTON: i32 = 5;
const LM: i32 = 6;
const MAX_ELEMENTS: f64 = 16_777_216;
const TRACE_ROWS: i32 = 1000;
const TRACE_COLUMNS: i32 = 5;
const START_COLUMNS: i32 = 4;
/** Largest number of variables with second slopes. */
const MAX_DENSE: i32 = 1000;
/** Where the second run starts, relative to each coordinate of the first one's end, and where that is 0. */
const BESIDE: f64 = 1e-3;
const BESIDE_ZERO: f64 = 1e-2;
const WITNESS_ITERATIONS: f64 = 2000;

const SEARCHING: i32 = 0;
const WITNESSING: i32 = 1;
const FINISHED: i32 = 2;

let n: i32 = 0;
let rows: i32 = 0;
let restarts: i32 = 1;
let method: i32 = 0;
let witness: i32 = 0;
let contour: i32 = 0;
let hasTriangle = false;
let x0: usize = 0;
let best: usize = 0;
let bestSlopes: usize = 0;
let bestResiduals: usize = 0;
let trace: usize = 0;
let bestTrace: usize = 0;
let starts: usize = 0;
let map: usize = 0;
let second: usize = 0;
let pair: usize = 0;
let slack: usize = 0;
let phase: i32 = SEARCHING;
let startIndex: i32 = 0;
let bestStart: i32 = -1;
let bestF: f64 = 0;
let firstF: f64 = 0;
let traced: i32 = 0;
let stride: f64 = 1;
let bestTraced: i32 = 0;
let isBegun = false;
let done: f64 = 0;
let retries: i32 = 0;
/** The witness overwrites the triangle of lm. */
let keptTriangle: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  beginMemory();
  for (let i: i32 = Parameter.n; i <= Parameter.tableRows; i++)
    if (!isIntegerBetween(parameter(i), 1, MAX_ELEMENTS)) return illegal(i);
  for (let i: i32 = Parameter.codeWords; i <= Parameter.slots; i++)
    if (!isIntegerBetween(parameter(i), 0, MAX_ELEMENTS)) return illegal(i);
  if (parameter(Parameter.n) > MAX_DENSE) return illegal(Parameter.n);
  if (parameter(Parameter.locals) > MAX_DENSE) return illegal(Parameter.locals);
  if (!isIntegerBetween(parameter(Parameter.method), 0, LM)) return illegal(Parameter.method);
  if (!isIntegerBetween(parameter(Parameter.witness), 0, LM)) return illegal(Parameter.witness);
  for (let i: i32 = Parameter.isCentral; i <= Parameter.isBounded; i++) if (!isFlag(parameter(i))) return illegal(i);
  const info = checkNumbers();
  if (info !== INFO_OK) return info;
  n = <i32>parameter(Parameter.n);
  rows = <i32>parameter(Parameter.rows);
  restarts = <i32>parameter(Parameter.restarts);
  method = <i32>parameter(Parameter.method);
  witness = <i32>parameter(Parameter.witness);
  contour = n === 2 ? <i32>parameter(Parameter.contour) : 0;
  hasTriangle = (parameter(Parameter.isSquares) === 1 && n <= 200) || method === LM || witness === LM;
  return reserveAll() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function checkNumbers(): i32 {
  if (!isNonNegative(parameter(Parameter.tolG))) return illegal(Parameter.tolG);
  if (!isNonNegative(parameter(Parameter.tolF))) return illegal(Parameter.tolF);
  if (!isIntegerBetween(parameter(Parameter.maxIterations), 1, 1e9)) return illegal(Parameter.maxIterations);
  if (!isIntegerBetween(parameter(Parameter.memory), 1, 1000)) return illegal(Parameter.memory);
  if (!isIntegerBetween(parameter(Parameter.restarts), 1, 1e6)) return illegal(Parameter.restarts);
  if (parameter(Parameter.restarts) * parameter(Parameter.n) > MAX_ELEMENTS) return illegal(Parameter.restarts);
  if (!isIntegerBetween(parameter(Parameter.seed), 0, 9007199254740991)) return illegal(Parameter.seed);
  if (!isNonNegative(parameter(Parameter.spread))) return illegal(Parameter.spread);
  if (!isNonNegative(parameter(Parameter.fixedStep))) return illegal(Parameter.fixedStep);
  if (!isPositive(parameter(Parameter.maxWork))) return illegal(Parameter.maxWork);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, 1e15)) return illegal(Parameter.steps);
  return isIntegerBetween(parameter(Parameter.contour), 0, 512) ? INFO_OK : illegal(Parameter.contour);
}

function reserveAll(): bool {
  const hasObjective = reserveObjective(
    n,
    rows,
    <i32>parameter(Parameter.elements),
    <i32>parameter(Parameter.programs),
    <i32>parameter(Parameter.tableRows),
    <i32>parameter(Parameter.codeWords),
    <i32>parameter(Parameter.poolValues),
    <i32>parameter(Parameter.indices),
    <i32>parameter(Parameter.constants),
    <i32>parameter(Parameter.locals),
    <i32>parameter(Parameter.slots),
  );
  if (!hasObjective || !reserveState(n)) return false;
  const isDense = method === 2 || witness === 2;
  if (!reserveDirections(isDense, <i32>parameter(Parameter.memory))) return false;
  if (!reserveDamped() || !reserveSquares(hasTriangle)) return false;
  if (!reserveSimplex(method === NELDER_MEAD || witness === NELDER_MEAD)) return false;
  if (!reserveCertificate(true)) return false;
  x0 = takeF64(n);
  best = takeF64(n);
  bestSlopes = takeF64(n);
  bestResiduals = takeF64(rows);
  second = takeF64(n);
  trace = takeF64(TRACE_ROWS * TRACE_COLUMNS);
  bestTrace = takeF64(TRACE_ROWS * TRACE_COLUMNS);
  starts = takeF64(restarts * (START_COLUMNS + n));
  map = takeF64(contour * contour + 1);
  pair = takeF64(2);
  slack = takeF64(n);
  keptTriangle = takeF64(hasTriangle ? n * n : 1);
  return hasMemory();
}

export function start(): i32 {
  startObjective();
  seedRandom(parameter(Parameter.seed));
  phase = SEARCHING;
  startIndex = 0;
  bestStart = -1;
  bestF = Infinity;
  isBegun = false;
  done = 0;
  retries = 0;
  setTolerances(parameter(Parameter.tolG), parameter(Parameter.tolF), parameter(Parameter.isBounded) === 1);
  return INFO_OK;
}

/** Where start i begins: at x0, then between bounds or about x0. */
function place(i: i32): void {
  copyValues(x, x0, n);
  if (i === 0) return;
  for (let j = 0; j < n; j++) {
    uniformPair(pair, <u32>j, <u64>i);
    const u = get(pair, 0);
    const low = get(lower, j);
    const high = get(upper, j);
    const isInside = parameter(Parameter.isBounded) === 1 && low > -1e300 && high < 1e300;
    const about = get(x0, j);
    const drawn = about + parameter(Parameter.spread) * (2 * u - 1) * Math.max(1, Math.abs(about));
    set(x, j, isInside ? low + u * (high - low) : Math.max(low, Math.min(high, drawn)));
  }
}

function begin(which: i32): void {
  if (which === NELDER_MEAD) beginSimplex();
  else if (which === NEWTON) beginDamped();
  else if (which === LM) beginSquares();
  else {
    if (which > 1) {
      value(x);
      hessianDiagonal(x, second);
    }
    beginDescent(which, phase === SEARCHING ? parameter(Parameter.fixedStep) : 0, which > 1 ? second : 0);
  }
}

function iterate(which: i32): void {
  const size = <f64>n;
  addWork(
    which === 2
      ? size * size
      : which === LM
        ? 0.1 * <f64>rows * size * size
        : which >= NELDER_MEAD
          ? size * size
          : size,
  );
  if (which === NELDER_MEAD) iterateSimplex();
  else if (which === NEWTON) iterateDamped();
  else if (which === LM) iterateSquares();
  else if (which <= LBFGS) iterateDescent();
}

/** @returns info: 0 */
export function advance(steps: i32): i32 {
  for (let i = 0; i < steps && phase !== FINISHED; i++) {
    done += 1;
    if (phase === SEARCHING) advanceSearch();
    else advanceWitness();
  }
  setDone(phase === FINISHED ? parameter(Parameter.steps) : Math.min(done, parameter(Parameter.steps) - 1));
  return INFO_OK;
}

function advanceSearch(): void {
  if (!isBegun) {
    setCentral(parameter(Parameter.isCentral) === 1);
    place(startIndex);
    begin(method);
    if (startIndex === 0) firstF = f;
    traced = 0;
    stride = 1;
    record();
    isBegun = true;
  } else {
    iterate(method);
    if (status === RUNNING && iteration >= parameter(Parameter.maxIterations)) setStatus(MAX_ITERATIONS);
    if (status === RUNNING && work > parameter(Parameter.maxWork)) setStatus(BUDGET);
    if (status !== RUNNING || iteration % stride === 0) record();
  }
  if (status !== RUNNING || isBroken) endSearch();
}

/** A row of the trace; every second one goes when there is no room. */
function record(): void {
  if (traced === TRACE_ROWS) {
    traced = TRACE_ROWS / 2;
    for (let i = 1; i < traced; i++) {
      const from = trace + ((<usize>(2 * i * TRACE_COLUMNS)) << 3);
      copyValues(trace + ((<usize>(i * TRACE_COLUMNS)) << 3), from, TRACE_COLUMNS);
    }
    stride *= 2;
  }
  if (traced > 0 && get(trace, (traced - 1) * TRACE_COLUMNS) === iteration) traced--;
  const at = traced * TRACE_COLUMNS;
  set(trace, at, iteration);
  set(trace, at + 1, f);
  set(trace, at + 2, method === NELDER_MEAD ? 0 : slopeNorm());
  set(trace, at + 3, get(x, 0));
  set(trace, at + 4, n > 1 ? get(x, 1) : 0);
  traced++;
}

function endSearch(): void {
  const at = startIndex * (START_COLUMNS + n);
  set(starts, at, <f64>status);
  set(starts, at + 1, f);
  set(starts, at + 2, iteration);
  for (let j = 0; j < n; j++) set(starts, at + START_COLUMNS + j, get(x, j));
  if (bestStart < 0 || f < bestF) {
    bestStart = startIndex;
    bestF = f;
    copyValues(best, x, n);
    copyValues(bestTrace, trace, traced * TRACE_COLUMNS);
    bestTraced = traced;
    setStatistic(Statistic.status, <f64>status);
    setStatistic(Statistic.iterations, iteration);
  }
  startIndex++;
  isBegun = false;
  if (startIndex < restarts && work <= parameter(Parameter.maxWork) && !isBroken) return;
  setStatistic(Statistic.finishedStarts, <f64>startIndex);
  setStatistic(Statistic.evaluations, evaluations);
  setStatistic(Statistic.gradients, gradients);
  judge();
}

/** The certificate at the best point, by exact derivatives, and what is read there. */
function judge(): void {
  setCentral(false);
  copyValues(x, best, n);
  bestF = gradient(x, g);
  copyValues(bestSlopes, g, n);
  copyValues(bestResiduals, residuals, rows);
  setStatistic(Statistic.f, bestF);
  setStatistic(Statistic.firstF, firstF);
  setStatistic(Statistic.bestStart, <f64>bestStart);
  setStatistic(Statistic.traced, <f64>bestTraced);
  setStatistic(Statistic.slope, slopeNorm());
  setStatistic(Statistic.slopeScale, slopeScale);
  if (hasTriangle) {
    triangulate(false);
    copyValues(keptTriangle, triangle, n * n);
  }
  hessian(x, curvature);
  certify();
  setStatistic(Statistic.decrement, decrement);
  setStatistic(Statistic.definite, <f64>definite);
  setStatistic(Statistic.smallest, smallest);
  setStatistic(Statistic.largest, largest);
  setStatistic(Statistic.free, <f64>freeCount);
  setStatistic(Statistic.lowest, lowestBeside());
  draw();
  phase = isFinite(bestF) && !isBroken ? WITNESSING : FINISHED;
  isBegun = false;
  if (phase === FINISHED) finish();
}

/** The smallest f at places beside the point: along each variable, and along the direction of least curvature. */
function lowestBeside(): f64 {
  let lowest = bestF;
  if (n > MAX_EIGEN) return lowest;
  const direction = freeCount === n ? leastDirection(slack) : 0;
  for (let i = 0; i <= n; i++) {
    if (i === n && direction === 0) break;
    for (let side = -1; side <= 1; side += 2) {
      for (let j = 0; j < n; j++) {
        const way = i < n ? (i === j ? 1 : 0) : get(slack, j);
        const at = get(best, j) + <f64>side * BESIDE * way * Math.max(1, Math.abs(get(best, j)));
        set(x, j, Math.max(get(lower, j), Math.min(get(upper, j), at)));
      }
      const beside = value(x);
      if (beside < lowest) lowest = beside;
    }
  }
  return lowest;
}

function advanceWitness(): void {
  if (!isBegun) {
    for (let j = 0; j < n; j++) {
      const at = get(best, j);
      const way = retries > 0 ? 0 : BESIDE * Math.max(Math.abs(at), BESIDE_ZERO) * (j % 2 === 0 ? 1 : -1);
      set(x, j, Math.max(get(lower, j), Math.min(get(upper, j), at + way)));
    }
    begin(witness);
    isBegun = true;
  } else {
    iterate(witness);
    if (status === RUNNING && iteration >= WITNESS_ITERATIONS + 10 * <f64>n) setStatus(MAX_ITERATIONS);
    if (status === RUNNING && work > 1.5 * parameter(Parameter.maxWork)) setStatus(BUDGET);
  }
  if (status === RUNNING && !isBroken) return;
  // Beside a narrow valley it may end elsewhere: once more from the point itself.
  const isElsewhere = !(f <= bestF + 1e-6 * Math.max(Math.abs(bestF), 1e-10 * Math.abs(firstF)));
  if (isElsewhere && retries === 0 && !isBroken) {
    retries++;
    isBegun = false;
    return;
  }
  finish();
}

function finish(): void {
  let distance: f64 = 0;
  for (let j = 0; j < n; j++)
    distance = Math.max(distance, Math.abs(get(x, j) - get(best, j)) / Math.max(1, Math.abs(get(best, j))));
  setStatistic(Statistic.witnessF, f);
  setStatistic(Statistic.witnessStatus, <f64>status);
  setStatistic(Statistic.witnessIterations, iteration);
  setStatistic(Statistic.witnessDistance, distance);
  setStatistic(Statistic.isBroken, isBroken ? 1 : 0);
  setStatistic(Statistic.work, work);
  phase = FINISHED;
}

/** f about the path and the point, rows upwards. */
function draw(): void {
  if (contour === 0) return;
  let left = get(best, 0);
  let right = left;
  let bottom = get(best, 1);
  let top = bottom;
  for (let i = 0; i < bestTraced; i++) {
    const a = get(bestTrace, i * TRACE_COLUMNS + 3);
    const b = get(bestTrace, i * TRACE_COLUMNS + 4);
    left = Math.min(left, a);
    right = Math.max(right, a);
    bottom = Math.min(bottom, b);
    top = Math.max(top, b);
  }
  const wide = Math.max(0.2 * (right - left), 1e-3 * Math.max(Math.abs(left), 1e-3));
  const high = Math.max(0.2 * (top - bottom), 1e-3 * Math.max(Math.abs(bottom), 1e-3));
  left -= wide;
  right += wide;
  bottom -= high;
  top += high;
  const edge = <f64>(contour - 1);
  for (let i = 0; i < contour; i++) {
    for (let j = 0; j < contour; j++) {
      set(x, 0, left + ((right - left) * <f64>j) / edge);
      set(x, 1, bottom + ((top - bottom) * <f64>i) / edge);
      set(map, i * contour + j, value(x));
    }
  }
  setStatistic(Statistic.left, left);
  setStatistic(Statistic.right, right);
  setStatistic(Statistic.bottom, bottom);
  setStatistic(Statistic.top, top);
}

export function view(i: i32): usize {
  if (i === View.programs) return programs;
  if (i === View.table) return table;
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.elements) return elements;
  if (i === View.indices) return indices;
  if (i === View.constants) return constants;
  if (i === View.kinds) return kinds;
  if (i === View.x0) return x0;
  if (i === View.lower) return lower;
  if (i === View.upper) return upper;
  if (i === View.point) return best;
  if (i === View.slopes) return bestSlopes;
  if (i === View.residuals) return bestResiduals;
  if (i === View.trace) return bestTrace;
  if (i === View.starts) return starts;
  if (i === View.triangle) return keptTriangle;
  if (i === View.inverse) return inverseDiagonal;
  return i === View.map ? map : 0;
}

export function extent(i: i32): i32 {
  if (i === View.programs) return <i32>parameter(Parameter.programs) * 3;
  if (i === View.table) return <i32>parameter(Parameter.tableRows) * 3;
  if (i === View.code) return <i32>parameter(Parameter.codeWords);
  if (i === View.pool) return <i32>parameter(Parameter.poolValues);
  if (i === View.elements) return <i32>parameter(Parameter.elements) * 4;
  if (i === View.indices) return <i32>parameter(Parameter.indices);
  if (i === View.constants) return <i32>parameter(Parameter.constants);
  if (i === View.kinds || i === View.residuals) return rows;
  if (i === View.trace) return TRACE_ROWS * TRACE_COLUMNS;
  if (i === View.starts) return restarts * (START_COLUMNS + n);
  if (i === View.triangle) return hasTriangle ? n * n : 0;
  if (i === View.map) return contour * contour;
  if (i === View.inverse) return n;
  return i >= View.x0 && i <= View.slopes ? n : 0;
}
