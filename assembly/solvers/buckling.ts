// Buckling of columns and plane frames: the smallest positive P with (K − P G) x = 0.
//
// Hermite beam elements with consistent geometric stiffness (buckling/element.ts): order 4 in the length of the elements, from
// above. K holds bending, stretching, springs, foundation and the part of the compression that is held; G is the
// part that grows with P. Block Lanczos finds the loads (numerics/eigen/block-krylov), the inertia of K − σ G counts those
// below σ, so that none is missed, and the loads are Rayleigh quotients of energies summed over elements. Timoshenko &
// Gere, Theory of Elastic Stability (2nd ed., 1961), chapter 2.
//
// Fails, and says where, if K is not positive definite: a mechanism, or the held compression alone buckles it. Rounding
// grows with the fourth power of the number of elements along a member: about 1e-12 of a load at 64 of them.
//
// Calls in inner loops: those over elements, and those over rows of the profile.
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
import { factorProfileRow, firstColumn, profileEntry, solveProfile } from '../numerics/csr/profile-cholesky';
import { factorInertiaRow } from '../numerics/csr/profile-inertia';
import { expand, inject, Krylov, krylovRow, ritz, startKrylov } from '../numerics/eigen/block-krylov';
import { get, set } from '../numerics/vector';
import { illegal, isIntegerBetween } from '../parameters';
import { addEnergy, Energy, elementMatrices, MATRICES, RECORD } from './buckling/element';

export { abi, control } from '../kernel';

/**
 * elements >= 1; unknowns >= 1; springs >= 0; profile: entries of the matrix, at least unknowns; modes 1 … 24;
 * tolerance 1e-14 … 1e-2 of the iteration, relative.
 */
export enum Parameter {
  elements,
  unknowns,
  springs,
  profile,
  modes,
  tolerance,
}

/**
 * In: elements f64[elements, 20], see buckling/element.ts; freedoms i32[elements, 6]: the unknown of u, v and rotation at both
 * ends, −1 where it is held; springFreedoms i32[springs] and springs f64[springs], stiffnesses to the ground; starts
 * i32[unknowns + 1] of the profile's rows. Out: loads f64[modes], rising, NaN behind the last; bounds f64[modes]: the
 * relative distance of an eigenvalue of the matrices; shapes f64[modes, unknowns].
 */
export enum View {
  elements,
  freedoms,
  springFreedoms,
  springs,
  starts,
  loads,
  bounds,
  shapes,
}

/**
 * found: number of loads; failedRow: 1 + the unknown where K is not positive definite; counted: eigenvalues between 0 and
 * `shift` by the inertia, `expected` those found there.
 */
export enum Statistic {
  isComplete,
  found,
  failedRow,
  smallestPivot,
  restarts,
  counted,
  expected,
  shift,
}

const MAX_ELEMENTS: f64 = 16384;
const MAX_UNKNOWNS: f64 = 32768;
const MAX_PROFILE: f64 = 8000000;
const MAX_SPRINGS: f64 = 4096;
const MAX_MODES: f64 = 24;
/** Restarts of the iteration, and of its check. */
const MAX_RESTARTS: i32 = 60;
/** Elements or rows in one step. */
const BATCH: i32 = 64;
/** Vectors of a block: loads are rarely equal, and the check by inertia finds those that are. */
const BLOCK: i32 = 1;
/** Vectors of the basis beyond two of each load. */
const SPARE: i32 = 9;
/** A pivot below this part of its diagonal is rounding. */
const SINGULAR: f64 = 1e-14;

/** What the next step does. */
enum Phase {
  assemble,
  factor,
  expand,
  prepareCheck,
  check,
  finish,
  done,
}

let elementCount: i32 = 0;
let n: i32 = 0;
let springCount: i32 = 0;
let profileCount: i32 = 0;
let modes: i32 = 0;
let tolerance: f64 = 0;

let elements: usize = 0;
let freedoms: usize = 0;
let springFreedoms: usize = 0;
let springs: usize = 0;
let starts: usize = 0;
let loads: usize = 0;
let bounds: usize = 0;
let shapes: usize = 0;
let matrices: usize = 0;
let stiffness: usize = 0;
let shifted: usize = 0;
let ends: usize = 0;

let phase: i32 = Phase.assemble;
let position: i32 = 0;
let restarts: i32 = 0;
let negative: i32 = 0;
let expected: i32 = 0;
let shift: f64 = 0;
let smallestPivot: f64 = 1;
let done: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.elements), 1, MAX_ELEMENTS)) return illegal(Parameter.elements);
  if (!isIntegerBetween(parameter(Parameter.unknowns), 1, MAX_UNKNOWNS)) return illegal(Parameter.unknowns);
  if (!isIntegerBetween(parameter(Parameter.springs), 0, MAX_SPRINGS)) return illegal(Parameter.springs);
  const minimum = parameter(Parameter.unknowns);
  if (!isIntegerBetween(parameter(Parameter.profile), minimum, MAX_PROFILE)) return illegal(Parameter.profile);
  if (!isIntegerBetween(parameter(Parameter.modes), 1, MAX_MODES)) return illegal(Parameter.modes);
  tolerance = parameter(Parameter.tolerance);
  if (!(tolerance >= 1e-14 && tolerance <= 1e-2)) return illegal(Parameter.tolerance);
  elementCount = <i32>parameter(Parameter.elements);
  n = <i32>parameter(Parameter.unknowns);
  springCount = <i32>parameter(Parameter.springs);
  profileCount = <i32>parameter(Parameter.profile);
  modes = <i32>parameter(Parameter.modes);

  Krylov.n = n;
  Krylov.stride = (n + 1) & ~1;
  Krylov.block = min(BLOCK, n);
  Krylov.wanted = min(modes, n);
  Krylov.capacity = min(n, 2 * Krylov.wanted + SPARE);
  const row = Krylov.stride;
  elements = allocateF64(elementCount * RECORD);
  freedoms = allocate((<usize>elementCount * 6) << 2);
  springFreedoms = allocate((<usize>springCount) << 2);
  springs = allocateF64(springCount);
  starts = allocate((<usize>(n + 1)) << 2);
  loads = allocateF64(modes);
  bounds = allocateF64(modes);
  shapes = allocateF64(modes * n);
  matrices = allocateF64(elementCount * MATRICES);
  stiffness = allocateF64(profileCount);
  shifted = allocateF64(profileCount);
  ends = allocateF64(12);
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
  const hasMatrices = elements && freedoms && springFreedoms && springs && starts && matrices && stiffness && shifted;
  const hasBasis = Krylov.q && Krylov.p && Krylov.g && Krylov.mixed && Krylov.values && Krylov.bounds;
  const hasRest = loads && bounds && shapes && ends && Krylov.h && Krylov.s && Krylov.z && Krylov.kz;
  return hasMatrices && hasBasis && hasRest ? INFO_OK : INFO_OUT_OF_MEMORY;
}

/** Checks that the arrays fit together: a wrong position must not reach memory. */
export function start(): i32 {
  if (load<i32>(starts) !== 0 || load<i32>(starts + ((<usize>n) << 2)) !== profileCount)
    return illegal(Parameter.profile);
  for (let k = 0; k < n; k++) {
    const width = load<i32>(starts + ((<usize>(k + 1)) << 2)) - load<i32>(starts + ((<usize>k) << 2));
    if (width < 1 || width > k + 1) return illegal(Parameter.profile);
  }
  for (let e = 0; e < elementCount; e++) {
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 6; j++) {
        const a = freedom(e, i);
        const b = freedom(e, j);
        if (a < -1 || a >= n) return illegal(Parameter.unknowns);
        if (b >= 0 && b < a && firstColumn(starts, a) > b) return illegal(Parameter.profile);
      }
    }
  }
  for (let i = 0; i < springCount; i++) {
    const a = load<i32>(springFreedoms + ((<usize>i) << 2));
    if (a < 0 || a >= n) return illegal(Parameter.springs);
  }
  for (let i = 0; i < modes; i++) {
    set(loads, i, NaN);
    set(bounds, i, NaN);
  }
  phase = Phase.assemble;
  position = 0;
  restarts = 0;
  smallestPivot = 1;
  done = 0;
  return INFO_OK;
}

function freedom(e: i32, i: i32): i32 {
  return load<i32>(freedoms + ((<usize>(6 * e + i)) << 2));
}

function matrixOf(e: i32): usize {
  return matrices + ((<usize>(e * MATRICES)) << 3);
}

/** values += factor times the stiffness (which 0) or the geometric stiffness (1) of element e. */
function addElement(values: usize, e: i32, which: i32, factor: f64): void {
  const matrix = matrixOf(e) + ((<usize>(36 * which)) << 3);
  for (let i = 0; i < 6; i++) {
    const a = freedom(e, i);
    if (a < 0) continue;
    for (let j = 0; j < 6; j++) {
      const b = freedom(e, j);
      if (b < 0 || b > a) continue;
      const address = profileEntry(values, starts, a, b);
      store<f64>(address, load<f64>(address) + factor * get(matrix, 6 * i + j));
    }
  }
}

function addSprings(values: usize): void {
  for (let i = 0; i < springCount; i++) {
    const a = load<i32>(springFreedoms + ((<usize>i) << 2));
    const address = profileEntry(values, starts, a, a);
    store<f64>(address, load<f64>(address) + get(springs, i));
  }
}

/** to = the sum of the element matrices times from. */
function multiply(from: usize, to: usize, which: i32): void {
  memory.fill(to, 0, (<usize>Krylov.stride) << 3);
  // Addresses move along, as this loop takes most of a run.
  let matrix = matrices + ((<usize>(36 * which)) << 3);
  let own = freedoms;
  for (let e = 0; e < elementCount; e++) {
    const a0 = load<i32>(own);
    const a1 = load<i32>(own, 4);
    const a2 = load<i32>(own, 8);
    const a3 = load<i32>(own, 12);
    const a4 = load<i32>(own, 16);
    const a5 = load<i32>(own, 20);
    const x0: f64 = a0 < 0 ? 0 : get(from, a0);
    const x1: f64 = a1 < 0 ? 0 : get(from, a1);
    const x2: f64 = a2 < 0 ? 0 : get(from, a2);
    const x3: f64 = a3 < 0 ? 0 : get(from, a3);
    const x4: f64 = a4 < 0 ? 0 : get(from, a4);
    const x5: f64 = a5 < 0 ? 0 : get(from, a5);
    if (a0 < 0 && a3 < 0) {
      // Of a column: nothing along it.
      if (a1 >= 0) addRow(to, a1, matrix + 48, x1, x2, x4, x5);
      if (a2 >= 0) addRow(to, a2, matrix + 96, x1, x2, x4, x5);
      if (a4 >= 0) addRow(to, a4, matrix + 192, x1, x2, x4, x5);
      if (a5 >= 0) addRow(to, a5, matrix + 240, x1, x2, x4, x5);
      matrix += (<usize>MATRICES) << 3;
      own += 24;
      continue;
    }
    for (let i = 0; i < 6; i++) {
      const a = load<i32>(own + ((<usize>i) << 2));
      if (a < 0) continue;
      const row = matrix + ((<usize>(6 * i)) << 3);
      const left = load<f64>(row) * x0 + load<f64>(row, 8) * x1 + load<f64>(row, 16) * x2;
      const right = load<f64>(row, 24) * x3 + load<f64>(row, 32) * x4 + load<f64>(row, 40) * x5;
      set(to, a, get(to, a) + (left + right));
    }
    matrix += (<usize>MATRICES) << 3;
    own += 24;
  }
}

/** A row of an element without its axial columns. */
function addRow(to: usize, a: i32, row: usize, x1: f64, x2: f64, x4: f64, x5: f64): void {
  const left = load<f64>(row, 8) * x1 + load<f64>(row, 16) * x2;
  const right = load<f64>(row, 32) * x4 + load<f64>(row, 40) * x5;
  set(to, a, get(to, a) + (left + right));
}

function multiplyK(from: usize, to: usize): void {
  multiply(from, to, 0);
  for (let i = 0; i < springCount; i++) {
    const a = load<i32>(springFreedoms + ((<usize>i) << 2));
    set(to, a, get(to, a) + get(springs, i) * get(from, a));
  }
}

function multiplyG(from: usize, to: usize): void {
  multiply(from, to, 1);
}

function solveK(from: usize, to: usize): void {
  memory.copy(to, from, (<usize>Krylov.stride) << 3);
  solveProfile(stiffness, starts, n, to);
}

/** Does at most `count` units of work. A finished run takes no more, and `isComplete` is 1. */
export function advance(count: i32): i32 {
  for (let i = 0; i < count && phase !== Phase.done; i++) {
    const info = step();
    if (info !== INFO_OK) return info;
    done += 1;
    setDone(done);
  }
  if (phase === Phase.done) setStatistic(Statistic.isComplete, 1);
  return INFO_OK;
}

function step(): i32 {
  if (phase === Phase.assemble) return assemble();
  if (phase === Phase.factor) return factor();
  if (phase === Phase.expand) return iterate();
  if (phase === Phase.prepareCheck) return prepareCheck();
  if (phase === Phase.check) return check();
  return finish();
}

function assemble(): i32 {
  const end = min(elementCount, position + BATCH);
  for (; position < end; position++) {
    elementMatrices(elements + ((<usize>(position * RECORD)) << 3), matrixOf(position));
    addElement(stiffness, position, 0, 1);
  }
  if (position < elementCount) return INFO_OK;
  addSprings(stiffness);
  position = 0;
  phase = Phase.factor;
  return INFO_OK;
}

function factor(): i32 {
  const end = min(n, position + BATCH);
  for (; position < end; position++) {
    const pivot = factorProfileRow(stiffness, starts, position);
    if (!(pivot > SINGULAR && isFinite(pivot))) {
      setStatistic(Statistic.failedRow, <f64>(position + 1));
      setStatistic(Statistic.smallestPivot, pivot);
      return INFO_NON_FINITE;
    }
    smallestPivot = Math.min(smallestPivot, pivot);
  }
  if (position < n) return INFO_OK;
  setStatistic(Statistic.smallestPivot, smallestPivot);
  startKrylov(multiplyK, multiplyG);
  phase = Phase.expand;
  return INFO_OK;
}

/** A vector more, or a restart. */
function iterate(): i32 {
  if (expand(solveK, multiplyK, multiplyG)) return INFO_OK;
  const isConverged = ritz(solveK, multiplyK, multiplyG, tolerance);
  restarts++;
  setStatistic(Statistic.restarts, <f64>restarts);
  if (isConverged || restarts >= MAX_RESTARTS) phase = Phase.prepareCheck;
  return INFO_OK;
}

/**
 * Chooses a shift between the last load found and the next, or below a close group of them, and assembles K − σ G. The
 * values after those wanted are approximate, and too high.
 */
function prepareCheck(): i32 {
  const found = Krylov.found;
  setStatistic(Statistic.found, <f64>found);
  if (found === 0) {
    phase = Phase.done;
    return INFO_OK;
  }
  const last = 1 / get(Krylov.values, found - 1);
  let gap = 0.05;
  if (found < Krylov.size && get(Krylov.values, found) > 0) {
    gap = Math.min(gap, 0.5 * (1 / (get(Krylov.values, found) * last) - 1));
  }
  shift = gap > 1e-7 ? last * (1 + gap) : last * (1 - 1e-6);
  expected = 0;
  while (expected < found && 1 / get(Krylov.values, expected) < shift) expected++;
  memory.fill(shifted, 0, (<usize>profileCount) << 3);
  for (let e = 0; e < elementCount; e++) {
    addElement(shifted, e, 0, 1);
    addElement(shifted, e, 1, -shift);
  }
  addSprings(shifted);
  position = 0;
  negative = 0;
  phase = Phase.check;
  return INFO_OK;
}

function check(): i32 {
  const end = min(n, position + BATCH);
  for (; position < end; position++) {
    factorInertiaRow(shifted, starts, position);
    const first = firstColumn(starts, position);
    if (get(profileEntry(shifted, starts, position, first), position - first) < 0) negative++;
  }
  if (position < n) return INFO_OK;
  setStatistic(Statistic.counted, <f64>negative);
  setStatistic(Statistic.expected, <f64>expected);
  setStatistic(Statistic.shift, shift);
  position = 0;
  if (negative > expected && restarts < MAX_RESTARTS) {
    // One was missed: a new direction finds it.
    inject(multiplyK, multiplyG, Krylov.block);
    phase = Phase.expand;
    return INFO_OK;
  }
  phase = Phase.finish;
  return INFO_OK;
}

/** The Rayleigh quotient of a shape by its energies, and the shape. */
function finish(): i32 {
  const vector = krylovRow(Krylov.q, position);
  Energy.strain = 0;
  Energy.work = 0;
  for (let e = 0; e < elementCount; e++) {
    for (let i = 0; i < 6; i++) {
      const a = freedom(e, i);
      set(ends, 6 + i, a < 0 ? 0 : get(vector, a));
    }
    addEnergy(elements + ((<usize>(e * RECORD)) << 3), ends + (6 << 3));
  }
  for (let i = 0; i < springCount; i++) {
    const x = get(vector, load<i32>(springFreedoms + ((<usize>i) << 2)));
    Energy.strain += get(springs, i) * x * x;
  }
  const quotient = Energy.strain / Energy.work;
  set(loads, position, quotient);
  set(bounds, position, get(Krylov.bounds, position));
  for (let i = 0; i < n; i++) set(shapes, position * n + i, get(vector, i));
  if (!isFinite(quotient)) return INFO_NON_FINITE;
  position++;
  if (position < Krylov.found) return INFO_OK;
  phase = Phase.done;
  return negative === expected ? INFO_OK : INFO_NOT_CONVERGED;
}

export function view(i: i32): usize {
  if (i === View.elements) return elements;
  if (i === View.freedoms) return freedoms;
  if (i === View.springFreedoms) return springFreedoms;
  if (i === View.springs) return springs;
  if (i === View.starts) return starts;
  if (i === View.loads) return loads;
  if (i === View.bounds) return bounds;
  return i === View.shapes ? shapes : 0;
}

export function extent(i: i32): i32 {
  if (i === View.elements) return elementCount * RECORD;
  if (i === View.freedoms) return elementCount * 6;
  if (i === View.springFreedoms || i === View.springs) return springCount;
  if (i === View.starts) return n + 1;
  if (i === View.loads || i === View.bounds) return modes;
  return i === View.shapes ? modes * n : 0;
}
