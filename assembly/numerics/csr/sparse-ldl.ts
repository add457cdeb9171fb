// Sparse symmetric linear systems: A = L D Lᵀ with a unit lower triangle, in the order and pattern of `Ordering`.
//
// Column by column from the left; the columns that change column j are linked to it, each by its next row, which is also
// its child in the elimination tree first. Pivots may have either sign, without exchanges: right for definite matrices, and
// for others as long as no pivot vanishes. Davis, Direct Methods for Sparse Linear Systems (2006), chapter 4.
import { allocateF64 } from '../../kernel';
import { get, set } from '../vector';
import { allocateIndices, getIndex, setIndex } from './indices';
import { Ordering } from './minimum-degree';

/** A pivot below this part of its diagonal entry is taken as 0. */
const SINGULAR: f64 = 1e-13;

/** By column: the next column that changes the same one, and the entry of its next row. */
let links: usize = 0;
let cursors: usize = 0;
/** By column: the first column that changes it. */
let lists: usize = 0;
let column: usize = 0;
let permuted: usize = 0;

/** @returns whether there was memory. @param n  nodes of the ordering */
export function allocateLdl(n: i32): bool {
  links = allocateIndices(n);
  cursors = allocateIndices(n);
  lists = allocateIndices(n);
  column = allocateF64(n + 1);
  permuted = allocateF64(n + 1);
  return permuted !== 0;
}

/** Enters column k into the list of the row of its entry `at`. */
function link(k: i32, at: i32): void {
  if (at === getIndex(Ordering.columns, k + 1)) return;
  const row = getIndex(Ordering.rows, at);
  setIndex(cursors, k, at);
  setIndex(links, k, getIndex(lists, row));
  setIndex(lists, row, k);
}

/**
 * Factors in place.
 *
 * @param values    f64[entries of the pattern]: A below the diagonal, then L
 * @param diagonal  f64[n] by positions: that of A, then D
 * @returns 0, or j + 1 if the pivot at position j vanishes
 */
export function factorLdl(values: usize, diagonal: usize): i32 {
  startLdl();
  return advanceLdl(values, diagonal, 0, Ordering.n);
}

/** Forgets all factored columns. */
export function startLdl(): void {
  for (let j = 0; j < Ordering.n; j++) setIndex(lists, j, -1);
}

/** Columns `first` to `end` − 1 of `factorLdl`, which does all at once. @returns as `factorLdl` */
export function advanceLdl(values: usize, diagonal: usize, first: i32, end: i32): i32 {
  for (let j = first; j < end; j++) {
    const from = getIndex(Ordering.columns, j);
    const to = getIndex(Ordering.columns, j + 1);
    for (let m = from; m < to; m++) set(column, getIndex(Ordering.rows, m), get(values, m));
    const given = get(diagonal, j);
    let pivot = given;
    let k = getIndex(lists, j);
    while (k >= 0) {
      const following = getIndex(links, k);
      const at = getIndex(cursors, k);
      const last = getIndex(Ordering.columns, k + 1);
      const factor = get(values, at) * get(diagonal, k);
      pivot -= factor * get(values, at);
      for (let m = at + 1; m < last; m++) {
        const row = getIndex(Ordering.rows, m);
        set(column, row, get(column, row) - get(values, m) * factor);
      }
      link(k, at + 1);
      k = following;
    }
    if (!(Math.abs(pivot) > SINGULAR * Math.abs(given)) || !isFinite(pivot)) return j + 1;
    set(diagonal, j, pivot);
    for (let m = from; m < to; m++) set(values, m, get(column, getIndex(Ordering.rows, m)) / pivot);
    link(j, from);
  }
  return 0;
}

/** Solves A x = x with the factors. @param x  f64[n] by nodes */
export function solveLdl(values: usize, diagonal: usize, x: usize): void {
  const n = Ordering.n;
  for (let j = 0; j < n; j++) set(permuted, j, get(x, getIndex(Ordering.order, j)));
  for (let j = 0; j < n; j++) {
    const value = get(permuted, j);
    if (value === 0) continue;
    const to = getIndex(Ordering.columns, j + 1);
    for (let m = getIndex(Ordering.columns, j); m < to; m++) {
      const row = getIndex(Ordering.rows, m);
      set(permuted, row, get(permuted, row) - get(values, m) * value);
    }
  }
  for (let j = n - 1; j >= 0; j--) {
    let sum = get(permuted, j) / get(diagonal, j);
    const to = getIndex(Ordering.columns, j + 1);
    for (let m = getIndex(Ordering.columns, j); m < to; m++)
      sum -= get(values, m) * get(permuted, getIndex(Ordering.rows, m));
    set(permuted, j, sum);
  }
  for (let j = 0; j < n; j++) set(x, getIndex(Ordering.order, j), get(permuted, j));
}
