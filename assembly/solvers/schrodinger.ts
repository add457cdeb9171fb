// Bound states of −(ħ²/2m) ψ'' + V ψ = E ψ between two hard walls: the lowest k of them.
//
// Linear finite elements with lumped masses: on a uniform grid the three-point difference
// (−ψ_{i−1} + 2 ψ_i − ψ_{i+1}) ħ²/2mh², second order in h, energies with an error series in h² for smooth
// V; on the graded grid x_i = x_max (i/(n+1))² for the Coulomb potential the same in 1/(n+1), because a
// radial function is a power series in x and so an even one in the grid's variable. Eigenvalues by Sturm
// counts and sectioning, vectors by inverse iteration (numerics/symmetric-tridiagonal, inverse-iteration).
//
// Fails where V varies within one cell: the caller compares grids. Walls that cut off a tail raise the energy by
// about (ħ²/2m) ψ'² / 2κ; the kernel reports the slopes ψ' at the walls for this estimate.
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
} from '../numerics/inverse-iteration';
import { initialIntervals, lowerBound, NARROW_SCRATCH, narrow } from '../numerics/symmetric-tridiagonal';
import { get, set } from '../numerics/vector';
import { COULOMB, EXPRESSION, potential } from './schrodinger/potential';

export { abi, control } from '../kernel';

/** Nodes sampled in one step. */
const SAMPLES: i32 = 64;
const MAX_NODES: f64 = 1048576;
const MAX_WORDS: f64 = 65536;

/** Columns of the moments of a state: <x>, <x²>, <T>, <V>, <x V'>, ψ'² at the left and the right wall, nodes. */
const MOMENTS: i32 = 8;

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

// The chain of numerics/symmetric-tridiagonal, with v the potential and m the lengths of the cells.
let x: usize = 0;
let a: usize = 0;
let v: usize = 0;
let m: usize = 0;

let lo: usize = 0;
let hi: usize = 0;
let energies: usize = 0;
let strain: usize = 0;
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

function isIntegerBetween(value: f64, minimum: f64, maximum: f64): bool {
  return value >= minimum && value <= maximum && Math.floor(value) === value;
}

/**
 * Parameters, counted from 1: potential 0 … 8, nodes (>= 2, without the walls), states (1 … 64, <= nodes),
 * xmin < xmax, kinetic = ħ²/2m > 0, c1, c2 (potential.ts), tol (0 … 1e-3), vectors 0 | 1, code_words,
 * pool_values, slots (for an expression; slots >= 1).
 *
 * @returns −i if parameter i is illegal, INFO_OUT_OF_MEMORY, or 0
 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(1), 0, EXPRESSION)) return -1;
  if (!isIntegerBetween(parameter(2), 2, MAX_NODES)) return -2;
  if (!isIntegerBetween(parameter(3), 1, Math.min(64, parameter(2)))) return -3;
  if (!isFinite(parameter(4))) return -4;
  if (!(parameter(5) > parameter(4) && isFinite(parameter(5)))) return -5;
  if (!(parameter(6) > 0 && isFinite(parameter(6)))) return -6;
  if (!isFinite(parameter(7))) return -7;
  if (!isFinite(parameter(8))) return -8;
  if (!(parameter(9) >= 0 && parameter(9) <= 1e-3)) return -9;
  if (!isIntegerBetween(parameter(10), 0, 1)) return -10;
  kind = <i32>parameter(1);
  const minimum: f64 = kind === EXPRESSION ? 1 : 0;
  if (!isIntegerBetween(parameter(11), minimum, MAX_WORDS)) return -11;
  if (!isIntegerBetween(parameter(12), 0, MAX_WORDS)) return -12;
  if (!isIntegerBetween(parameter(13), minimum, 64)) return -13;
  n = <i32>parameter(2);
  k = <i32>parameter(3);
  xmin = parameter(4);
  xmax = parameter(5);
  kinetic = parameter(6);
  c1 = parameter(7);
  c2 = parameter(8);
  tol = parameter(9);
  needsVectors = parameter(10) === 1;
  codeWords = <i32>parameter(11);
  poolValues = <i32>parameter(12);
  slotCount = <i32>parameter(13);

  x = allocateF64(n);
  a = allocateF64(n + 1);
  v = allocateF64(n);
  m = allocateF64(n);
  lo = allocateF64(k);
  hi = allocateF64(k);
  energies = allocateF64(k);
  strain = allocateF64(k);
  moments = allocateF64(k * MOMENTS);
  psi = allocateF64(needsVectors ? k * n : 1);
  scratch = allocateF64(3 * n);
  narrowScratch = allocate(NARROW_SCRATCH);
  code = allocate((<usize>codeWords) << 2);
  pool = allocateF64(poolValues);
  slots = allocateF64(slotCount);
  stack = allocateF64(STACK_VALUES);
  const isComplete = x && a && v && m && lo && hi && energies && strain && moments && psi && scratch && narrowScratch;
  return isComplete && code && pool && slots && stack ? INFO_OK : INFO_OUT_OF_MEMORY;
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
 * A finished run takes no more steps, and statistic 0 is 1.
 */
export function advance(steps: i32): i32 {
  for (let i = 0; i < steps && state < k; i++) {
    const info = sampled < n ? sample() : isNarrowed ? vectorStep() : narrowStep();
    if (info !== INFO_OK) return info;
    done += 1;
    setDone(done);
  }
  if (state === k) setStatistic(0, 1);
  return INFO_OK;
}

/** Samples V at the next nodes. Statistic 3 is the position of a value that is not finite. */
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
        setStatistic(3, at);
        return INFO_CAPACITY;
      }
    } else {
      value = potential(kind, at, h, c1, c2);
    }
    if (!isFinite(value)) {
      setStatistic(3, at);
      return INFO_NON_FINITE;
    }
    set(v, sampled, value);
  }
  if (sampled === n) {
    floor = initialIntervals(a, v, m, n, lo, hi, k);
    base = lowerBound(v, n);
    byParity = isMirrored(a, v, m, n);
    setStatistic(2, byParity ? 1 : 0);
  }
  return INFO_OK;
}

function narrowStep(): i32 {
  if (narrow(a, v, m, n, lo, hi, k, base, tol, floor, narrowScratch) > 0) {
    sweeps++;
    setStatistic(1, <f64>sweeps);
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
  measure(z, get(strain, state), moments + ((<usize>(state * MOMENTS)) << 3), pass === MAX_PASSES);
  state++;
  pass = 0;
  return isFinite(get(z, 0)) ? INFO_OK : INFO_NON_FINITE;
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
  set(out, 0, meanX);
  set(out, 1, meanXx);
  set(out, 2, kineticEnergy);
  set(out, 3, meanV);
  set(out, 4, -meanV - flux);
  set(out, 5, wallSlope(get(z, 0), get(z, 1), kinetic / get(a, 0)));
  set(out, 6, wallSlope(get(z, n - 1), get(z, n - 2), kinetic / get(a, n)));
  set(out, 7, <f64>countNodes(z, n, isClustered ? CLUSTER_NOISE * largest(z, n) : 0));
}

/** ψ'² at a wall, from the two nodes beside it: ψ'' vanishes there with ψ, so this is right to h⁴. */
function wallSlope(first: f64, second: f64, h: f64): f64 {
  const slope = (8 * first - second) / (6 * h);
  return slope * slope;
}

/** 0 energies, 1 moments[k, 8], 2 x, 3 V, 4 ψ[k, n]; 5 code, 6 pool, 7 slots: written by the host. */
export function view(i: i32): usize {
  if (i === 0) return energies;
  if (i === 1) return moments;
  if (i === 2) return x;
  if (i === 3) return v;
  if (i === 4) return psi;
  if (i === 5) return code;
  return i === 6 ? pool : slots;
}

export function extent(i: i32): i32 {
  if (i === 0) return k;
  if (i === 1) return k * MOMENTS;
  if (i === 2 || i === 3) return n;
  if (i === 4) return needsVectors ? k * n : 0;
  if (i === 5) return codeWords;
  return i === 6 ? poolValues : slotCount;
}
