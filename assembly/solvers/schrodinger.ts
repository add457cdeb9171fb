// Bound states of −(ħ²/2m) ψ'' + V ψ = E ψ between two hard walls: the lowest k of them.
//
// Linear finite elements with lumped masses: on a uniform grid the three-point difference
// (−ψ_{i−1} + 2 ψ_i − ψ_{i+1}) ħ²/2mh², second order in h, energies with an error series in h² for smooth
// V; on the graded grid x_i = x_max (i/(n+1))² for the Coulomb potential the same in 1/(n+1), because a
// radial function is a power series in x and so an even one in the grid's variable. Eigenvalues by Sturm
// counts and sectioning, vectors by inverse iteration (numerics/eigen/symmetric-tridiagonal, inverse-iteration).
//
// Fails where V varies within one cell: the caller compares grids. Walls that cut off a tail raise the energy by
// about (ħ²/2m) ψ'² / 2κ; the kernel reports the slopes ψ' at the walls for this estimate.
//
// Compressed size: at most 28 kB, because the expression machine with its functions is part of it.
//
// Calls in inner loops: the potential is evaluated once per node at the start. The Sturm recurrences make no calls.
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from '../expression/machine';
import {
  allocate,
  allocateF64,
  INFO_CAPACITY,
  INFO_NON_FINITE,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import {
  countNodes,
  inversePass,
  isMirrored,
  largest,
  MAX_PASSES,
  scale,
  vectorAt,
} from '../numerics/eigen/inverse-iteration';
import { initialIntervals, lowerBound, NARROW_SCRATCH, narrow } from '../numerics/eigen/symmetric-tridiagonal';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';
import { COULOMB, EXPRESSION, potential } from './schrodinger/potential';

export { abi, control } from '../kernel';

/**
 * potential 0 … 8 and its coefficients c1, c2 (schrodinger/potential.ts); nodes >= 2, without the walls; states
 * 1 … 64, <= nodes; xmin < xmax; kinetic = ħ²/2m > 0; tol 0 … 1e-3; needsVectors 0 | 1; codeWords, poolValues and
 * slots of an expression, slots >= 1.
 */
export enum Parameter {
  potential,
  nodes,
  states,
  xmin,
  xmax,
  kinetic,
  c1,
  c2,
  tol,
  needsVectors,
  codeWords,
  poolValues,
  slots,
}

/**
 * Out: energies f64[states]; moments f64[states, 8], see MomentColumn; x and V f64[nodes]; psi f64[states, nodes].
 * In: the program of an expression, whose slot 0 is x.
 */
export enum View {
  energies,
  moments,
  x,
  V,
  psi,
  code,
  pool,
  slots,
}

/** nonFiniteX: the position of a value of the potential that is not finite. */
export enum Statistic {
  isComplete,
  sweeps,
  isMirrored,
  nonFiniteX,
}

/**
 * Of one state: <x>, <x²>, <T>, <V>, <x V'>, ψ'² at the left and the right wall, number of nodes; residual: an
 * eigenvalue of the matrix is within this distance; gap: the distance to the level below, where V is even.
 */
export enum MomentColumn {
  x,
  xx,
  kinetic,
  potential,
  virial,
  slopeLeft,
  slopeRight,
  nodes,
  residual,
  gap,
}

/** Nodes sampled in one step. */
const SAMPLES: i32 = 64;
const MAX_NODES: f64 = 1048576;
const MAX_WORDS: f64 = 65536;
const MAX_STATES: f64 = 64;
const MAX_SLOTS: f64 = 64;
const MAX_TOL: f64 = 1e-3;

const MOMENTS: i32 = MomentColumn.gap + 1;

/** Components of a cluster's vector below this fraction of its maximum are noise. */
const CLUSTER_NOISE: f64 = 1e-8;

// Parameters.
let kind: i32 = 0;
let n: i32 = 0;
let k: i32 = 0;
let xmin: f64 = 0;
let xmax: f64 = 0;
let kinetic: f64 = 0;
let c1: f64 = 0;
let c2: f64 = 0;
let tol: f64 = 0;
let needsVectors = false;
let codeWords: i32 = 0;
let poolValues: i32 = 0;
let slotCount: i32 = 0;

// The chain of numerics/eigen/symmetric-tridiagonal, with v the potential and m the lengths of the cells.
let x: usize = 0;
let a: usize = 0;
let v: usize = 0;
let m: usize = 0;

let lo: usize = 0;
let hi: usize = 0;
let energies: usize = 0;
let strain: usize = 0;
let residual: usize = 0;
let moments: usize = 0;
let psi: usize = 0;
let scratch: usize = 0;
let narrowScratch: usize = 0;

// The program of an expression: slot 0 is x, the others are constants.
let code: usize = 0;
let pool: usize = 0;
let slots: usize = 0;
let stack: usize = 0;

// Progress of the run: nodes sampled, then intervals narrowed, then vectors computed.
let sampled: i32 = 0;
let isNarrowed = false;
let base: f64 = 0;
let floor: f64 = 0;
let byParity = false;
let state: i32 = 0;
let pass: i32 = 0;
let sweeps: i32 = 0;
let done: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.potential), 0, EXPRESSION)) return illegal(Parameter.potential);
  if (!isIntegerBetween(parameter(Parameter.nodes), 2, MAX_NODES)) return illegal(Parameter.nodes);
  const maxStates = Math.min(MAX_STATES, parameter(Parameter.nodes));
  if (!isIntegerBetween(parameter(Parameter.states), 1, maxStates)) return illegal(Parameter.states);
  if (!isFinite(parameter(Parameter.xmin))) return illegal(Parameter.xmin);
  if (!(parameter(Parameter.xmax) > parameter(Parameter.xmin) && isFinite(parameter(Parameter.xmax)))) {
    return illegal(Parameter.xmax);
  }
  if (!isPositive(parameter(Parameter.kinetic))) return illegal(Parameter.kinetic);
  if (!isFinite(parameter(Parameter.c1))) return illegal(Parameter.c1);
  if (!isFinite(parameter(Parameter.c2))) return illegal(Parameter.c2);
  if (!(parameter(Parameter.tol) >= 0 && parameter(Parameter.tol) <= MAX_TOL)) return illegal(Parameter.tol);
  if (!isFlag(parameter(Parameter.needsVectors))) return illegal(Parameter.needsVectors);
  kind = <i32>parameter(Parameter.potential);
  const minimum: f64 = kind === EXPRESSION ? 1 : 0;
  if (!isIntegerBetween(parameter(Parameter.codeWords), minimum, MAX_WORDS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_WORDS)) return illegal(Parameter.poolValues);
  if (!isIntegerBetween(parameter(Parameter.slots), minimum, MAX_SLOTS)) return illegal(Parameter.slots);
  n = <i32>parameter(Parameter.nodes);
  k = <i32>parameter(Parameter.states);
  xmin = parameter(Parameter.xmin);
  xmax = parameter(Parameter.xmax);
  kinetic = parameter(Parameter.kinetic);
  c1 = parameter(Parameter.c1);
  c2 = parameter(Parameter.c2);
  tol = parameter(Parameter.tol);
  needsVectors = parameter(Parameter.needsVectors) === 1;
  codeWords = <i32>parameter(Parameter.codeWords);
  poolValues = <i32>parameter(Parameter.poolValues);
  slotCount = <i32>parameter(Parameter.slots);

  x = allocateF64(n);
  a = allocateF64(n + 1);
  v = allocateF64(n);
  m = allocateF64(n);
  lo = allocateF64(k);
  hi = allocateF64(k);
  energies = allocateF64(k);
  strain = allocateF64(k);
  residual = allocateF64(k);
  moments = allocateF64(k * MOMENTS);
  psi = allocateF64(needsVectors ? k * n : 1);
  scratch = allocateF64(3 * n);
  narrowScratch = allocate(NARROW_SCRATCH);
  code = allocate((<usize>codeWords) << 2);
  pool = allocateF64(poolValues);
  slots = allocateF64(slotCount);
  stack = allocateF64(STACK_VALUES);
  const hasChain = x && a && v && m && lo && hi && scratch && narrowScratch;
  const hasStates = energies && strain && residual && moments && psi;
  return hasChain && hasStates && code && pool && slots && stack ? INFO_OK : INFO_OUT_OF_MEMORY;
}

/** Sets nodes and cells. The formula of the uniform grid makes it exactly symmetric if xmin = −xmax. */
export function start(): i32 {
  const cells = <f64>(n + 1);
  const h = (xmax - xmin) / cells;
  const isGraded = kind === COULOMB;
  const unit = (xmax - xmin) / (cells * cells);
  for (let i = 0; i <= n; i++) {
    const length = isGraded ? unit * <f64>(2 * i + 1) : h;
    set(a, i, kinetic / length);
    if (i === n) break;
    const j = <f64>(i + 1);
    set(x, i, isGraded ? xmin + unit * j * j : ((cells - j) * xmin + j * xmax) / cells);
    set(m, i, isGraded ? 2 * unit * j : h);
  }
  sampled = 0;
  isNarrowed = false;
  state = 0;
  pass = 0;
  sweeps = 0;
  done = 0;
  return INFO_OK;
}

/**
 * Does at most `steps` units of work: 64 nodes sampled, one sweep of eight Sturm counts, or one inverse iteration.
 * A finished run takes no more steps, and `isComplete` is 1.
 */
export function advance(steps: i32): i32 {
  for (let i = 0; i < steps && state < k; i++) {
    const info = sampled < n ? sample() : isNarrowed ? vectorStep() : narrowStep();
    if (info !== INFO_OK) return info;
    done += 1;
    setDone(done);
  }
  if (state === k) setStatistic(Statistic.isComplete, 1);
  return INFO_OK;
}

/** Samples V at the next nodes. */
function sample(): i32 {
  const h = (xmax - xmin) / <f64>(n + 1);
  const end = min(n, sampled + SAMPLES);
  for (; sampled < end; sampled++) {
    const at = get(x, sampled);
    let value: f64 = 0;
    if (kind === EXPRESSION) {
      set(slots, 0, at);
      value = evaluate(code, pool, slots, stack);
      if (failure() !== FAILURE_NONE) {
        setStatistic(Statistic.nonFiniteX, at);
        return INFO_CAPACITY;
      }
    } else {
      value = potential(kind, at, h, c1, c2);
    }
    if (!isFinite(value)) {
      setStatistic(Statistic.nonFiniteX, at);
      return INFO_NON_FINITE;
    }
    set(v, sampled, value);
  }
  if (sampled === n) {
    floor = initialIntervals(a, v, m, n, lo, hi, k);
    base = lowerBound(v, n);
    byParity = isMirrored(a, v, m, n);
    setStatistic(Statistic.isMirrored, byParity ? 1 : 0);
  }
  return INFO_OK;
}

function narrowStep(): i32 {
  if (narrow(a, v, m, n, lo, hi, k, base, tol, floor, narrowScratch) > 0) {
    sweeps++;
    setStatistic(Statistic.sweeps, <f64>sweeps);
    return INFO_OK;
  }
  isNarrowed = true;
  for (let j = 0; j < k; j++) set(energies, j, get(lo, j) + 0.5 * (get(hi, j) - get(lo, j)));
  if (!needsVectors) state = k;
  return INFO_OK;
}

function vectorStep(): i32 {
  const isReady = inversePass(
    a,
    v,
    m,
    n,
    byParity,
    psi,
    energies,
    strain,
    residual,
    scratch,
    state,
    pass,
    get(lo, state),
    get(hi, state),
  );
  pass++;
  if (!isReady) return INFO_OK;
  const z = vectorAt(psi, n, state);
  if (state > 0) set(energies, state, Math.max(get(energies, state), get(energies, state - 1)));
  orient(z);
  const out = moments + ((<usize>(state * MOMENTS)) << 3);
  measure(z, get(strain, state), out, pass === MAX_PASSES);
  set(out, MomentColumn.residual, get(residual, state));
  set(out, MomentColumn.gap, byParity && state > 0 ? gapBetween(vectorAt(psi, n, state - 1), z) : 0);
  state++;
  pass = 0;
  return isFinite(get(z, 0)) ? INFO_OK : INFO_NON_FINITE;
}

/**
 * The distance of two levels of opposite parity. (E' − E) Σ m ψ ψ' over the right half is the flux through the bond at
 * its left end, by Green's identity: products of components that are right to their last digits, however small the
 * distance is. For levels that are no pair the sum may be small, and the distance of the energies is better.
 */
function gapBetween(lower: usize, upper: usize): f64 {
  const c = (n + 1) >> 1;
  let overlap: f64 = 0;
  for (let i = c; i < n; i++) overlap += get(m, i) * get(lower, i) * get(upper, i);
  if (overlap === 0) return 0;
  const flux = get(lower, c - 1) * get(upper, c) - get(upper, c - 1) * get(lower, c);
  return (get(a, c) * flux) / overlap;
}

/** Fixes the sign: the first lobe from the left is positive. */
function orient(z: usize): void {
  const threshold = CLUSTER_NOISE * largest(z, n);
  for (let i = 0; i < n; i++) {
    if (Math.abs(get(z, i)) <= threshold) continue;
    if (get(z, i) < 0) scale(-1, z, n);
    return;
  }
}

/**
 * Expectation values of one state, with the quadrature rule of the scheme itself.
 *
 * <x V'> is −<V> − 2 ∫ V x ψ ψ' by parts: no derivative of V is needed, and a jump or a pole needs no special case.
 */
function measure(z: usize, kineticEnergy: f64, out: usize, isClustered: bool): void {
  let meanX: f64 = 0;
  let meanXx: f64 = 0;
  let meanV: f64 = 0;
  let flux: f64 = 0;
  let before: f64 = 0;
  for (let i = 0; i < n; i++) {
    const here = get(z, i);
    const after = i + 1 < n ? get(z, i + 1) : 0;
    const at = get(x, i);
    const weight = get(m, i) * here * here;
    meanX += at * weight;
    meanXx += at * at * weight;
    meanV += get(v, i) * weight;
    flux += get(v, i) * at * here * (after - before);
    before = here;
  }
  set(out, MomentColumn.x, meanX);
  set(out, MomentColumn.xx, meanXx);
  set(out, MomentColumn.kinetic, kineticEnergy);
  set(out, MomentColumn.potential, meanV);
  set(out, MomentColumn.virial, -meanV - flux);
  set(out, MomentColumn.slopeLeft, wallSlope(get(z, 0), get(z, 1), kinetic / get(a, 0)));
  set(out, MomentColumn.slopeRight, wallSlope(get(z, n - 1), get(z, n - 2), kinetic / get(a, n)));
  const noise: f64 = isClustered ? CLUSTER_NOISE * largest(z, n) : 0;
  set(out, MomentColumn.nodes, <f64>countNodes(z, n, noise));
}

/** ψ'² at a wall, from the two nodes beside it: ψ'' vanishes there with ψ, so this is right to h⁴. */
function wallSlope(first: f64, second: f64, h: f64): f64 {
  const slope = (8 * first - second) / (6 * h);
  return slope * slope;
}

export function view(i: i32): usize {
  if (i === View.energies) return energies;
  if (i === View.moments) return moments;
  if (i === View.x) return x;
  if (i === View.V) return v;
  if (i === View.psi) return psi;
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  return i === View.slots ? slots : 0;
}

export function extent(i: i32): i32 {
  if (i === View.energies) return k;
  if (i === View.moments) return k * MOMENTS;
  if (i === View.x || i === View.V) return n;
  if (i === View.psi) return needsVectors ? k * n : 0;
  if (i === View.code) return codeWords;
  if (i === View.pool) return poolValues;
  return i === View.slots ? slotCount : 0;
}
