// A V-cycle over the nested meshes, the preconditioner: Chebyshev smoothing with the diagonal blocks of the nodes, and
// Cholesky's method on the coarsest mesh. Symmetric and positive definite. Briggs, Henson & McCormick, A Multigrid Tutorial
// (2nd ed., 2000), chapters 3 and 10; Adams, Brezina, Hu & Tuminaro 2003, J. Comput. Phys. 188, 593–610, for the smoother.
import { allocate, allocateF64 } from '../../kernel';
import { factorProfileRow, firstColumn, profileEntry, solveProfile } from '../../numerics/csr/profile-cholesky';
import { axpy, smoothChebyshev } from '../../numerics/krylov/conjugate-gradient';
import { pairwiseDot } from '../../numerics/sum';
import { get, set } from '../../numerics/vector';
import * as levels from './levels';

/** Smoothing steps before and after the coarse correction, and the part of the spectrum that they damp. */
const ORDER: i32 = 3;
const DAMPED: f64 = 8;
const POWER_STEPS: i32 = 16;
/** The power method is below the largest eigenvalue. */
const MARGIN: f64 = 1.15;

/** i32[2 nodes + 1], of the coarsest mesh: an input. */
export let starts: usize = 0;
let profile: usize = 0;
let entries: i32 = 0;
// Vectors of all levels.
let z: usize = 0;
let r: usize = 0;
let d: usize = 0;
let t: usize = 0;
const high: StaticArray<f64> = [0, 0, 0];

export function allocateMultigrid(profileEntries: i32): bool {
  const n = 2 * levels.totalNodes();
  entries = profileEntries;
  starts = allocate((<usize>(2 * levels.nodeCount[0] + 1)) << 2);
  profile = allocateF64(entries);
  z = allocateF64(n);
  r = allocateF64(n);
  d = allocateF64(n);
  t = allocateF64(n);
  return t !== 0 && profile !== 0;
}

/** Whether the profile is one, and holds all entries of the elements. */
export function isProfileLegal(): bool {
  const n = 2 * levels.nodeCount[0];
  if (load<i32>(starts) !== 0 || load<i32>(starts + ((<usize>n) << 2)) !== entries) return false;
  for (let k = 0; k < n; k++) {
    const from = load<i32>(starts + ((<usize>k) << 2));
    const to = load<i32>(starts + ((<usize>(k + 1)) << 2));
    if (to <= from || to > entries || to - from > k + 1) return false;
  }
  for (let e = 0; e < levels.elementCount[0]; e++) {
    for (let i = 0; i < 4; i++)
      for (let j = 0; j < 4; j++) {
        const row = 2 * levels.nodeOf(e, i);
        const column = 2 * levels.nodeOf(e, j);
        if (column <= row && (firstColumn(starts, row) > column || firstColumn(starts, row + 1) > column)) return false;
      }
  }
  return true;
}

export function assembleCoarsest(): void {
  memory.fill(profile, 0, (<usize>entries) << 3);
  for (let e = 0; e < levels.elementCount[0]; e++) {
    const k = levels.matrixOf(e);
    for (let i = 0; i < 8; i++) {
      const row = 2 * levels.nodeOf(e, i >> 1) + (i & 1);
      if (levels.isFixed(0, row)) continue;
      for (let j = 0; j < 8; j++) {
        const column = 2 * levels.nodeOf(e, j >> 1) + (j & 1);
        if (column > row || levels.isFixed(0, column)) continue;
        const entry = profileEntry(profile, starts, row, column);
        store<f64>(entry, load<f64>(entry) + get(k, 8 * i + j));
      }
    }
  }
  for (let k = 0; k < 2 * levels.nodeCount[0]; k++)
    if (levels.isFixed(0, k)) store<f64>(profileEntry(profile, starts, k, k), 1);
}

/** @returns the relative pivot of row k */
export function factorCoarsest(k: i32): f64 {
  return factorProfileRow(profile, starts, k);
}

/** Estimates the largest eigenvalue of D⁻¹ K on level l, from signs that change at random: `continueLevel` until it is true. */
export function prepareLevel(l: i32): void {
  levels.setLevel(l);
  levels.invertBlocks(l);
  const n = 2 * levels.nodeCount[l];
  const x = levels.at(d, l);
  for (let i = 0; i < n; i++) set(x, i, sign(i));
  levels.mask(x);
  powers = 0;
  high[l] = 0;
}

let powers: i32 = 0;

/** A step of the power method. @returns whether it was the last */
export function continueLevel(l: i32): bool {
  const n = 2 * levels.nodeCount[l];
  const x = levels.at(d, l);
  const y = levels.at(t, l);
  levels.setLevel(l);
  levels.apply(x, y);
  const energy = pairwiseDot(x, y, n);
  levels.scale(y, x);
  // xᵀ K x over xᵀ D x of the next x, which is D⁻¹ K x.
  const norm = pairwiseDot(x, y, n);
  if (!(norm > 0)) return true;
  high[l] = MARGIN * (norm / energy);
  const factor = 1 / Math.sqrt(norm);
  for (let i = 0; i < n; i++) set(x, i, get(x, i) * factor);
  powers++;
  return powers === POWER_STEPS;
}

/** ±1 by a hash of i. */
export function sign(i: i32): f64 {
  let h = i * 0x9e3779b1;
  h ^= h >>> 15;
  h *= 0x85ebca6b;
  return (h >>> 13) & 1 ? 1 : -1;
}

function cycle(l: i32): void {
  descend(l);
  ascend(l);
}

/** Solves the coarsest mesh, or smooths and leaves the residual to the next coarser one. */
function descend(l: i32): void {
  const n = 2 * levels.nodeCount[l];
  const zl = levels.at(z, l);
  const rl = levels.at(r, l);
  const dl = levels.at(d, l);
  const tl = levels.at(t, l);
  if (l === 0) {
    memory.copy(zl, rl, (<usize>n) << 3);
    solveProfile(profile, starts, n, zl);
    return;
  }
  memory.fill(zl, 0, (<usize>n) << 3);
  if (!(high[l] > 0)) return;
  levels.setLevel(l);
  smoothChebyshev(levels.apply, levels.scale, high[l] / DAMPED, high[l], ORDER, n, zl, rl, dl, tl);
  levels.apply(dl, tl);
  axpy(-1, tl, rl, n);
  levels.restrict(l, rl, levels.at(r, l - 1));
  levels.setLevel(l - 1);
  levels.mask(levels.at(r, l - 1));
}

/** The correction of the coarser meshes, and the same smoothing again. */
function ascend(l: i32): void {
  if (l === 0 || !(high[l] > 0)) return;
  const n = 2 * levels.nodeCount[l];
  const zl = levels.at(z, l);
  const rl = levels.at(r, l);
  const dl = levels.at(d, l);
  const tl = levels.at(t, l);
  cycle(l - 1);
  levels.setLevel(l);
  levels.prolong(l, levels.at(z, l - 1), tl);
  levels.mask(tl);
  axpy(1, tl, zl, n);
  levels.apply(tl, dl);
  axpy(-1, dl, rl, n);
  smoothChebyshev(levels.apply, levels.scale, high[l] / DAMPED, high[l], ORDER, n, zl, rl, dl, tl);
}

let top: i32 = 0;

/** The level that `precondition` begins on. */
export function setTop(l: i32): void {
  top = l;
}

export function precondition(from: usize, to: usize): void {
  startPrecondition(from);
  finishPrecondition(to);
}

/** The first half of `precondition`. */
export function startPrecondition(from: usize): void {
  const bytes = (<usize>(2 * levels.nodeCount[top])) << 3;
  memory.copy(levels.at(r, top), from, bytes);
  descend(top);
}

/** The second half of `precondition`. */
export function finishPrecondition(to: usize): void {
  const bytes = (<usize>(2 * levels.nodeCount[top])) << 3;
  ascend(top);
  levels.setLevel(top);
  memory.copy(to, levels.at(z, top), bytes);
}
