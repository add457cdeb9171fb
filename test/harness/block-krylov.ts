// Exposes assembly/numerics/eigen/block-krylov, dense-symmetric and csr/profile-inertia to their test: diagonal K, dense G.
import { allocate, allocateF64, resetArena } from '../../assembly/kernel';
import { profileEntry } from '../../assembly/numerics/csr/profile-cholesky';
import { factorInertiaRow } from '../../assembly/numerics/csr/profile-inertia';
import { expand, inject, Krylov, ritz, startKrylov } from '../../assembly/numerics/eigen/block-krylov';
import { get, set } from '../../assembly/numerics/vector';

export { symmetricEigen } from '../../assembly/numerics/eigen/dense-symmetric';
export { allocate, allocateF64, resetArena };

let k: usize = 0;
let g: usize = 0;

function multiplyK(from: usize, to: usize): void {
  for (let i = 0; i < Krylov.n; i++) set(to, i, get(k, i) * get(from, i));
}

function solveK(from: usize, to: usize): void {
  for (let i = 0; i < Krylov.n; i++) set(to, i, get(from, i) / get(k, i));
}

function multiplyG(from: usize, to: usize): void {
  for (let i = 0; i < Krylov.n; i++) {
    let sum: f64 = 0;
    for (let j = 0; j < Krylov.n; j++) sum += get(g, i * Krylov.n + j) * get(from, j);
    set(to, i, sum);
  }
}

/** @returns restarts; values and bounds are written behind each other, f64[2 wanted] */
export function solve(diagonal: usize, dense: usize, n: i32, wanted: i32, block: i32, capacity: i32, out: usize): i32 {
  k = diagonal;
  g = dense;
  Krylov.n = n;
  Krylov.stride = (n + 1) & ~1;
  Krylov.wanted = min(wanted, n);
  Krylov.block = min(block, n);
  Krylov.capacity = min(capacity, n);
  const row = Krylov.stride;
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
  startKrylov(multiplyK, multiplyG);
  let restarts = 0;
  // One extra block: what a block smaller than a multiplicity leaves out.
  for (let round = 0; round < 4; round++) {
    while (restarts < 200) {
      while (expand(solveK, multiplyK, multiplyG)) {}
      restarts++;
      if (ritz(solveK, multiplyK, multiplyG, 1e-10)) break;
    }
    if (Krylov.size >= Krylov.n) break;
    if (round < 3) inject(multiplyK, multiplyG, Krylov.block);
  }
  for (let j = 0; j < Krylov.wanted; j++) {
    set(out, j, j < Krylov.found ? get(Krylov.values, j) : NaN);
    set(out, wanted + j, get(Krylov.bounds, j));
  }
  return restarts;
}

/** The number of negative pivots of a matrix in profile storage. */
export function negativePivots(values: usize, starts: usize, n: i32): i32 {
  let negative = 0;
  for (let i = 0; i < n; i++) {
    factorInertiaRow(values, starts, i);
    if (load<f64>(profileEntry(values, starts, i, i)) < 0) negative++;
  }
  return negative;
}
