// Standing sound waves of a cavity: the smallest λ = (ω/c)² with A x = λ M x, by finite volumes.
//
// A holds the flux p_i − p_j of each pair of neighbours times its conductance (open area over distance) and that to walls
// where p = 0; M holds the volumes of the cells. Cells may be cut by the wall. Order 2 in the spacing. Block Lanczos on
// (A + σ M)⁻¹ M (numerics/eigen/block-krylov) finds equal frequencies together; the inertia of A − s M counts those
// below s, so that none is missed; λ are Rayleigh quotients of sums of squares, so rounding stays near 1e-14. Kuttruff, Room
// Acoustics (5th ed., 2009), chapter 3; Grimes, Lewis & Simon, SIAM J. Matrix Anal. Appl. 15 (1994) 228.
//
// Fails where the factor of A + σ M has no room (three dimensions, many cells), and says so.
//
// With `axes`, damped modes of a box with walls of an impedance instead, one in a step (acoustic/axes).
//
// Calls in inner loops: none beside those of the shared methods.

import {
  allocate,
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
import { allocateIndices, getIndex, setIndex } from '../numerics/csr/indices';
import { advanceOrdering, allocateOrdering, entryOf, Ordering, startOrdering } from '../numerics/csr/minimum-degree';
import { advanceLdl, allocateLdl, solveLdl, startLdl } from '../numerics/csr/sparse-ldl';
import {
  closePart,
  combinePart,
  expand,
  hasClosed,
  hasConverged,
  inject,
  Krylov,
  krylovRow,
  projectKrylov,
  RITZ_PARTS,
  startClosing,
  startKrylov,
} from '../numerics/eigen/block-krylov';
import { get, set } from '../numerics/vector';
import { illegal, isIntegerBetween, isPositive } from '../parameters';
import { Axes, areAxesLegal, followMode, GRIDS, reserveAxes } from './acoustic/axes';

export { abi, control } from '../kernel';

/**
 * cells >= 2; links >= 1; fill: room for the factor; modes 2 … 64, at most half of the cells; shift σ > 0 in 1/m²; tolerance
 * 1e-14 … 1e-2 of the iteration, relative. axes 0 … 3: not 0 for a box with walls of an impedance; then cells are those of all
 * axes, modes up to 128, and the others are not used.
 */
export enum Parameter {
  cells,
  links,
  fill,
  modes,
  shift,
  tolerance,
  axes,
}

/**
 * In: volumes f64[cells]; walls f64[cells], conductances to walls where p = 0; pairs i32[links, 2] of neighbours and
 * conductances f64[links]. Out: eigenvalues f64[modes] in 1/m², rising; bounds f64[modes], relative errors of λ + σ;
 * residuals f64[modes], ‖A x − λ M x‖ over (λ + σ) ‖M x‖, both in the norm of M⁻¹; shapes f64[modes, cells] with xᵀ M x = 1.
 *
 * With axes, in: sizes f64[axes, 8] and starts f64[modes, axes]; out: kappas f64[modes, 3, 2], changes f64[modes, 3], slopes
 * f64[modes, 2], profiles f64[modes, cells, 2], as acoustic/axes says. Meanwhile
 * eigenvalues are those of the last restart, or (Im κ)² of the modes followed.
 */
export enum View {
  volumes,
  walls,
  pairs,
  conductances,
  eigenvalues,
  bounds,
  residuals,
  shapes,
  sizes,
  starts,
  kappas,
  changes,
  slopes,
  profiles,
}

/** counted: eigenvalues below `limit` by the inertia; expected: those found there; entries of the factor. */
export enum Statistic {
  isComplete,
  restarts,
  counted,
  expected,
  limit,
  entries,
}

const MAX_CELLS: f64 = 40000;
const MAX_LINKS: f64 = 120000;
const MAX_FILL: f64 = 6000000;
const MAX_MODES: f64 = 64;
/** With axes. */
const MAX_AXIS_CELLS: f64 = 12288;
const MAX_AXIS_MODES: f64 = 128;
const MAX_RESTARTS: i32 = 40;
/** Nodes of the ordering in one step, and columns of a factor at least. */
const BATCH: i32 = 32;
const COLUMNS: i32 = 32;
/** Numbers of a basis from which a call does one unit of work. */
const LONG: i32 = 200_000;
/** Vectors of a block: the largest group of equal frequencies of a cube that is common. */
const BLOCK: i32 = 6;
/** Modes beyond those asked for, so that the limit of the check lies in a gap that is known. */
const GUARDS: i32 = 6;
/** Vectors of the basis beyond two of each mode. */
const SPARE: i32 = 16;

/** What the next step does. */
enum Phase {
  order,
  factor,
  begin,
  expand,
  combine,
  close,
  limit,
  count,
  finish,
  follow,
  done,
}

let axes: i32 = 0;
let n: i32 = 0;
let links: i32 = 0;
let modes: i32 = 0;
let sigma: f64 = 0;
let tolerance: f64 = 0;

let volumes: usize = 0;
let walls: usize = 0;
let pairs: usize = 0;
let conductances: usize = 0;
let eigenvalues: usize = 0;
let bounds: usize = 0;
let residuals: usize = 0;
let shapes: usize = 0;
let entries: usize = 0;
let values: usize = 0;
let diagonal: usize = 0;
/** The factors of the check. */
let checkValues: usize = 0;
let checkDiagonal: usize = 0;
let fill: i32 = 0;

let phase: i32 = Phase.order;
let position: i32 = 0;
let restarts: i32 = 0;
let counted: i32 = 0;
let expected: i32 = 0;
let done: f64 = 0;
/** A step of many parts has done this part of itself. Sums of powers of two are exact. */
let share: f64 = 1;
const SHARE: f64 = 1 / 64;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.axes), 0, 3)) return illegal(Parameter.axes);
  axes = <i32>parameter(Parameter.axes);
  if (axes > 0) return reserveBox();
  if (!isIntegerBetween(parameter(Parameter.cells), 2, MAX_CELLS)) return illegal(Parameter.cells);
  if (!isIntegerBetween(parameter(Parameter.links), 1, MAX_LINKS)) return illegal(Parameter.links);
  if (!isIntegerBetween(parameter(Parameter.fill), 1, MAX_FILL)) return illegal(Parameter.fill);
  if (!isIntegerBetween(parameter(Parameter.modes), 1, MAX_MODES)) return illegal(Parameter.modes);
  sigma = parameter(Parameter.shift);
  if (!isPositive(sigma)) return illegal(Parameter.shift);
  tolerance = parameter(Parameter.tolerance);
  if (!(tolerance >= 1e-14 && tolerance <= 1e-2)) return illegal(Parameter.tolerance);
  n = <i32>parameter(Parameter.cells);
  links = <i32>parameter(Parameter.links);
  fill = <i32>parameter(Parameter.fill);
  modes = <i32>parameter(Parameter.modes);
  if (2 * modes > n) return illegal(Parameter.modes);

  Krylov.n = n;
  Krylov.stride = (n + 1) & ~1;
  Krylov.block = min(BLOCK, n);
  Krylov.wanted = min(modes + GUARDS, n);
  Krylov.capacity = min(n, 2 * Krylov.wanted + SPARE);
  const row = Krylov.stride;
  volumes = allocateF64(n);
  walls = allocateF64(n);
  pairs = allocate((<usize>links) << 3);
  conductances = allocateF64(links);
  eigenvalues = allocateF64(modes);
  bounds = allocateF64(modes);
  residuals = allocateF64(modes);
  shapes = allocateF64(modes * n);
  entries = allocateIndices(links);
  values = allocateF64(fill);
  diagonal = allocateF64(n);
  checkValues = allocateF64(fill);
  checkDiagonal = allocateF64(n);
  Krylov.q = allocateF64(Krylov.capacity * row);
  Krylov.p = allocateF64(Krylov.capacity * row);
  Krylov.g = allocateF64(Krylov.capacity * row);
  Krylov.mixed = allocateF64(Krylov.capacity * row);
  Krylov.values = allocateF64(Krylov.capacity);
  Krylov.bounds = allocateF64(Krylov.capacity);
  Krylov.h = allocateF64(Krylov.capacity * Krylov.capacity);
  Krylov.s = allocateF64(Krylov.capacity * Krylov.capacity);
  Krylov.z = allocateF64(row);
  Krylov.kz = allocateF64(row);
  const hasMatrices = volumes && walls && pairs && conductances && entries && values && diagonal;
  const hasResults = eigenvalues && bounds && residuals && shapes && checkValues && checkDiagonal;
  const hasBasis = Krylov.q && Krylov.p && Krylov.g && Krylov.mixed && Krylov.values && Krylov.bounds;
  const hasRest =
    Krylov.h && Krylov.s && Krylov.z && Krylov.kz && allocateOrdering(n, 2 * links, fill) && allocateLdl(n);
  return hasMatrices && hasResults && hasBasis && hasRest ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function reserveBox(): i32 {
  if (!isIntegerBetween(parameter(Parameter.cells), 2, MAX_AXIS_CELLS)) return illegal(Parameter.cells);
  if (!isIntegerBetween(parameter(Parameter.modes), 1, MAX_AXIS_MODES)) return illegal(Parameter.modes);
  n = <i32>parameter(Parameter.cells);
  modes = <i32>parameter(Parameter.modes);
  eigenvalues = allocateF64(modes);
  return reserveAxes(axes, modes, n) && eigenvalues ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function firstOf(l: i32): i32 {
  return getIndex(pairs, 2 * l);
}

function secondOf(l: i32): i32 {
  return getIndex(pairs, 2 * l + 1);
}

/** Checks the arrays: a wrong position must not reach memory. */
export function start(): i32 {
  position = 0;
  done = 0;
  if (axes > 0) {
    phase = Phase.follow;
    return areAxesLegal() ? INFO_OK : illegal(Parameter.axes);
  }
  for (let i = 0; i < n; i++) {
    if (!isPositive(get(volumes, i))) return illegal(Parameter.cells);
    const wall = get(walls, i);
    if (!(wall >= 0 && isFinite(wall))) return illegal(Parameter.cells);
  }
  for (let i = 0; i <= n; i++) setIndex(Ordering.starts, i, 0);
  for (let l = 0; l < links; l++) {
    const a = firstOf(l);
    const b = secondOf(l);
    if (a < 0 || a >= b || b >= n || !isPositive(get(conductances, l))) return illegal(Parameter.links);
    setIndex(Ordering.starts, a + 1, getIndex(Ordering.starts, a + 1) + 1);
    setIndex(Ordering.starts, b + 1, getIndex(Ordering.starts, b + 1) + 1);
  }
  for (let i = 0; i < n; i++) {
    setIndex(Ordering.starts, i + 1, getIndex(Ordering.starts, i) + getIndex(Ordering.starts, i + 1));
    setIndex(Ordering.place, i, getIndex(Ordering.starts, i));
  }
  for (let l = 0; l < links; l++) {
    addNeighbour(firstOf(l), secondOf(l));
    addNeighbour(secondOf(l), firstOf(l));
  }
  startOrdering();
  phase = Phase.order;
  restarts = 0;
  counted = 0;
  expected = 0;
  return INFO_OK;
}

/** `place` counts the neighbours of each cell until the ordering uses it. */
function addNeighbour(a: i32, b: i32): void {
  const to = getIndex(Ordering.place, a);
  setIndex(Ordering.neighbours, to, b);
  setIndex(Ordering.place, a, to + 1);
}

/** The lower triangle of A + s M by positions. */
function assemble(into: usize, onDiagonal: usize, s: f64): void {
  memory.fill(into, 0, (<usize>fill) << 3);
  for (let i = 0; i < n; i++) set(onDiagonal, getIndex(Ordering.place, i), get(walls, i) + s * get(volumes, i));
  for (let l = 0; l < links; l++) {
    const value = get(conductances, l);
    const a = getIndex(Ordering.place, firstOf(l));
    const b = getIndex(Ordering.place, secondOf(l));
    set(onDiagonal, a, get(onDiagonal, a) + value);
    set(onDiagonal, b, get(onDiagonal, b) + value);
    const entry = getIndex(entries, l);
    set(into, entry, get(into, entry) - value);
  }
}

/** to = A from + s M from */
function multiplyShifted(from: usize, to: usize, s: f64): void {
  memory.fill(to, 0, (<usize>Krylov.stride) << 3);
  for (let i = 0; i < n; i++) set(to, i, (get(walls, i) + s * get(volumes, i)) * get(from, i));
  let pair = pairs;
  for (let l = 0; l < links; l++) {
    const a = load<i32>(pair);
    const b = load<i32>(pair, 4);
    const flux = get(conductances, l) * (get(from, a) - get(from, b));
    set(to, a, get(to, a) + flux);
    set(to, b, get(to, b) - flux);
    pair += 8;
  }
}

function multiplyK(from: usize, to: usize): void {
  multiplyShifted(from, to, sigma);
}

function multiplyM(from: usize, to: usize): void {
  memory.fill(to, 0, (<usize>Krylov.stride) << 3);
  for (let i = 0; i < n; i++) set(to, i, get(volumes, i) * get(from, i));
}

function solveK(from: usize, to: usize): void {
  memory.copy(to, from, (<usize>Krylov.stride) << 3);
  solveLdl(values, diagonal, to);
}

/**
 * Does at most `count` units of work, fewer where another kind of work begins: what it costs is not known. A finished run
 * takes no more, and `isComplete` is 1.
 */
export function advance(count: i32): i32 {
  const begun = phase;
  // Vectors of a long basis cost more, the more there are before them.
  const end = axes === 0 && n * Krylov.capacity > LONG ? min(1, count) : count;
  for (let i = 0; i < end && phase === begun && phase !== Phase.done; i++) {
    share = 1;
    const info = step();
    if (info !== INFO_OK) return info;
    done += share;
    setDone(done);
  }
  if (phase === Phase.done) setStatistic(Statistic.isComplete, 1);
  return INFO_OK;
}

function step(): i32 {
  if (phase === Phase.order) return order();
  if (phase === Phase.factor) return factor();
  if (phase === Phase.begin) {
    startKrylov(multiplyK, multiplyM);
    phase = Phase.expand;
    return INFO_OK;
  }
  if (phase === Phase.expand) return iterate();
  if (phase === Phase.combine) return combine();
  if (phase === Phase.close) return close();
  if (phase === Phase.limit) return beginCount();
  if (phase === Phase.count) return count();
  if (phase === Phase.follow) {
    followMode(position);
    const rate = get(Axes.kappas, 2 * (position + 1) * GRIDS - 1);
    set(eigenvalues, position++, rate * rate);
    if (position === modes) phase = Phase.done;
    return INFO_OK;
  }
  return finish();
}

function order(): i32 {
  const info = advanceOrdering(BATCH);
  if (info !== INFO_OK) return info;
  if (Ordering.done < n) return INFO_OK;
  setStatistic(Statistic.entries, <f64>getIndex(Ordering.columns, n));
  for (let l = 0; l < links; l++) setIndex(entries, l, entryOf(firstOf(l), secondOf(l)));
  assemble(values, diagonal, sigma);
  startLdl();
  position = 0;
  phase = Phase.factor;
  return INFO_OK;
}

/** Some columns of a factor, in at most 64 parts. @returns as `advanceLdl` */
function factorPart(into: usize, onDiagonal: usize): i32 {
  const from = position;
  position = min(n, from + max(COLUMNS, (n + 63) >> 6));
  share = SHARE;
  return advanceLdl(into, onDiagonal, from, position);
}

function factor(): i32 {
  if (factorPart(values, diagonal) !== 0) return INFO_NON_FINITE;
  if (position === n) phase = Phase.begin;
  return INFO_OK;
}

/** A vector more, or the Ritz values of a full basis. */
function iterate(): i32 {
  if (expand(solveK, multiplyK, multiplyM)) return INFO_OK;
  projectKrylov();
  for (let j = 0; j < modes; j++) {
    const mu = get(Krylov.values, j);
    set(eigenvalues, j, mu > 0 ? 1 / mu - sigma : 0);
  }
  position = 0;
  phase = Phase.combine;
  return INFO_OK;
}

/** A part of a restart: each passes over the whole basis once. */
function combine(): i32 {
  combinePart(position++);
  if (position < RITZ_PARTS) return INFO_OK;
  startClosing();
  phase = Phase.close;
  return INFO_OK;
}

/** A part of the residuals, of which there are at most 64. */
function close(): i32 {
  share = SHARE;
  closePart(solveK, multiplyK, multiplyM, tolerance);
  if (!hasClosed()) return INFO_OK;
  restarts++;
  setStatistic(Statistic.restarts, <f64>restarts);
  phase = hasConverged() || restarts >= MAX_RESTARTS ? Phase.limit : Phase.expand;
  return INFO_OK;
}

/** The limit of the count lies between the last eigenvalue asked for and the next, or below a close group of them. */
function beginCount(): i32 {
  share = SHARE;
  if (Krylov.found < modes) return INFO_NOT_CONVERGED;
  const last = 1 / get(Krylov.values, modes - 1);
  let gap = 0.05;
  if (modes < Krylov.size && get(Krylov.values, modes) > 0)
    gap = Math.min(gap, 0.5 * (1 / (get(Krylov.values, modes) * last) - 1));
  const shifted = gap > 1e-7 ? last * (1 + gap) : last * (1 - 1e-6);
  expected = 0;
  while (expected < modes && 1 / get(Krylov.values, expected) < shifted) expected++;
  setStatistic(Statistic.limit, shifted - sigma);
  assemble(checkValues, checkDiagonal, sigma - shifted);
  startLdl();
  position = 0;
  phase = Phase.count;
  return INFO_OK;
}

/** Counts the eigenvalues below the limit. */
function count(): i32 {
  const failed = factorPart(checkValues, checkDiagonal);
  if (failed === 0 && position < n) return INFO_OK;
  counted = 0;
  for (let i = 0; i < n; i++) if (get(checkDiagonal, i) < 0) counted++;
  setStatistic(Statistic.counted, failed === 0 ? <f64>counted : NaN);
  setStatistic(Statistic.expected, <f64>expected);
  if (failed === 0 && counted > expected && restarts < MAX_RESTARTS) {
    // One was missed: new directions find it.
    inject(multiplyK, multiplyM, Krylov.block);
    phase = Phase.expand;
    return INFO_OK;
  }
  if (failed !== 0) counted = -1;
  position = 0;
  phase = Phase.finish;
  return INFO_OK;
}

/** A mode: its Rayleigh quotient by sums of squares, its residual, and its shape. */
function finish(): i32 {
  const x = krylovRow(Krylov.q, position);
  let mass: f64 = 0;
  let energy: f64 = 0;
  for (let i = 0; i < n; i++) {
    mass += get(volumes, i) * get(x, i) * get(x, i);
    energy += get(walls, i) * get(x, i) * get(x, i);
  }
  for (let l = 0; l < links; l++) {
    const difference = get(x, firstOf(l)) - get(x, secondOf(l));
    energy += get(conductances, l) * difference * difference;
  }
  const lambda = energy / mass;
  multiplyShifted(x, Krylov.z, -lambda);
  let square: f64 = 0;
  for (let i = 0; i < n; i++) square += (get(Krylov.z, i) * get(Krylov.z, i)) / get(volumes, i);
  set(eigenvalues, position, lambda);
  set(bounds, position, get(Krylov.bounds, position));
  set(residuals, position, Math.sqrt(square / mass) / (lambda + sigma));
  const scale = 1 / Math.sqrt(mass);
  for (let i = 0; i < n; i++) set(shapes, position * n + i, scale * get(x, i));
  if (!isFinite(lambda)) return INFO_NON_FINITE;
  position++;
  if (position < modes) return INFO_OK;
  phase = Phase.done;
  return counted === expected ? INFO_OK : INFO_NOT_CONVERGED;
}

export function view(i: i32): usize {
  if (axes > 0) return viewOfBox(i);
  if (i === View.volumes) return volumes;
  if (i === View.walls) return walls;
  if (i === View.pairs) return pairs;
  if (i === View.conductances) return conductances;
  if (i === View.eigenvalues) return eigenvalues;
  if (i === View.bounds) return bounds;
  if (i === View.residuals) return residuals;
  return i === View.shapes ? shapes : 0;
}

function viewOfBox(i: i32): usize {
  if (i === View.eigenvalues) return eigenvalues;
  if (i === View.sizes) return Axes.sizes;
  if (i === View.starts) return Axes.starts;
  if (i === View.kappas) return Axes.kappas;
  if (i === View.changes) return Axes.changes;
  if (i === View.slopes) return Axes.slopes;
  return i === View.profiles ? Axes.profiles : 0;
}

function extentOfBox(i: i32): i32 {
  if (i === View.eigenvalues) return modes;
  if (i === View.sizes) return 8 * axes;
  if (i === View.starts) return modes * axes;
  if (i === View.kappas) return 2 * GRIDS * modes;
  if (i === View.changes) return GRIDS * modes;
  if (i === View.slopes) return 2 * modes;
  return i === View.profiles ? 2 * modes * n : 0;
}

export function extent(i: i32): i32 {
  if (axes > 0) return extentOfBox(i);
  if (i === View.volumes || i === View.walls) return n;
  if (i === View.pairs) return 2 * links;
  if (i === View.conductances) return links;
  if (i === View.eigenvalues || i === View.bounds || i === View.residuals) return modes;
  return i === View.shapes ? modes * n : 0;
}
