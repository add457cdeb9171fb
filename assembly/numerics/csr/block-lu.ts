// Sparse linear systems of 2 × 2 blocks with a symmetric pattern: A = L U in the order and pattern of `Ordering`, L with
// unit blocks on its diagonal.
//
// Block by block from the left, as the symmetric one in sparse-ldl.ts; blocks are not exchanged, but the diagonal ones are
// inverted whole, which suits the Jacobians of networks with two unknowns a node. Duff, Erisman & Reid, Direct Methods for
// Sparse Matrices (2nd ed., 2017), chapters 3 and 10.
import { allocateF64 } from '../../kernel';
import { get, set } from '../vector';
import { allocateIndices, getIndex, setIndex } from './indices';
import { Ordering } from './minimum-degree';

/** A determinant below this part of its largest product is taken as 0. */
const SINGULAR: f64 = 1e-14;

let links: usize = 0;
let cursors: usize = 0;
let lists: usize = 0;
/** f64[n, 4]: the column of L and the row of U in work. */
let below: usize = 0;
let right: usize = 0;
/** f64[n, 2] by positions. */
let permuted: usize = 0;

/** @returns whether there was memory. @param n  nodes of the ordering */
export function allocateBlockLu(n: i32): bool {
  links = allocateIndices(n);
  cursors = allocateIndices(n);
  lists = allocateIndices(n);
  below = allocateF64(4 * n + 4);
  right = allocateF64(4 * n + 4);
  permuted = allocateF64(2 * n + 2);
  return permuted !== 0;
}

function block(values: usize, i: i32): usize {
  return values + ((<usize>i) << 5);
}

function copyBlock(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}

/** C −= A B, blocks row by row. */
function subtractProduct(c: usize, a: usize, b: usize): void {
  const top = v128.load(b);
  const bottom = v128.load(b, 16);
  const first = f64x2.add(f64x2.mul(v128.load64_splat(a), top), f64x2.mul(v128.load64_splat(a, 8), bottom));
  const second = f64x2.add(f64x2.mul(v128.load64_splat(a, 16), top), f64x2.mul(v128.load64_splat(a, 24), bottom));
  v128.store(c, f64x2.sub(v128.load(c), first));
  v128.store(c, f64x2.sub(v128.load(c, 16), second), 16);
}

function link(k: i32, at: i32): void {
  if (at === getIndex(Ordering.columns, k + 1)) return;
  const row = getIndex(Ordering.rows, at);
  setIndex(cursors, k, at);
  setIndex(links, k, getIndex(lists, row));
  setIndex(lists, row, k);
}

/** Replaces a block by its inverse. @returns false if it is singular */
function invert(a: usize): bool {
  const p = get(a, 0);
  const q = get(a, 1);
  const r = get(a, 2);
  const s = get(a, 3);
  const determinant = p * s - q * r;
  const scale = Math.abs(p * s) + Math.abs(q * r);
  if (!(Math.abs(determinant) > SINGULAR * scale) || !isFinite(determinant)) return false;
  set(a, 0, s / determinant);
  set(a, 1, -q / determinant);
  set(a, 2, -r / determinant);
  set(a, 3, p / determinant);
  return true;
}

/**
 * Factors in place. Blocks are f64[4], row by row.
 *
 * @param lower     by entries of the pattern: A below the diagonal, then L
 * @param upper     A at the mirrored places, then U
 * @param diagonal  by positions: that of A, then the inverses of U's
 * @returns 0, or j + 1 if the pivot at position j is singular
 */
export function factorBlocks(lower: usize, upper: usize, diagonal: usize): i32 {
  const n = Ordering.n;
  for (let j = 0; j < n; j++) setIndex(lists, j, -1);
  for (let j = 0; j < n; j++) {
    const from = getIndex(Ordering.columns, j);
    const to = getIndex(Ordering.columns, j + 1);
    for (let m = from; m < to; m++) {
      const row = getIndex(Ordering.rows, m);
      copyBlock(block(below, row), block(lower, m));
      copyBlock(block(right, row), block(upper, m));
    }
    const pivot = block(diagonal, j);
    let k = getIndex(lists, j);
    while (k >= 0) {
      const following = getIndex(links, k);
      const at = getIndex(cursors, k);
      const end = getIndex(Ordering.columns, k + 1);
      const own = block(lower, at);
      const across = block(upper, at);
      subtractProduct(pivot, own, across);
      for (let m = at + 1; m < end; m++) {
        const row = getIndex(Ordering.rows, m);
        subtractProduct(block(below, row), block(lower, m), across);
        subtractProduct(block(right, row), own, block(upper, m));
      }
      link(k, at + 1);
      k = following;
    }
    if (!invert(pivot)) return j + 1;
    for (let m = from; m < to; m++) {
      const row = getIndex(Ordering.rows, m);
      const target = block(lower, m);
      memory.fill(target, 0, 32);
      subtractProduct(target, block(below, row), pivot);
      for (let c = 0; c < 4; c++) set(target, c, -get(target, c));
      copyBlock(block(upper, m), block(right, row));
    }
    link(j, from);
  }
  return 0;
}

/** y −= A x, and with `isTransposed` y −= Aᵀ x. @param y  and x: f64[2] */
function subtractBlock(y: usize, a: usize, x: usize, isTransposed: bool): void {
  const x0 = get(x, 0);
  const x1 = get(x, 1);
  const q = isTransposed ? get(a, 2) : get(a, 1);
  const r = isTransposed ? get(a, 1) : get(a, 2);
  set(y, 0, get(y, 0) - (get(a, 0) * x0 + q * x1));
  set(y, 1, get(y, 1) - (r * x0 + get(a, 3) * x1));
}

/** y = A y, and with `isTransposed` y = Aᵀ y. */
function applyBlock(y: usize, a: usize, isTransposed: bool): void {
  const y0 = get(y, 0);
  const y1 = get(y, 1);
  const q = isTransposed ? get(a, 2) : get(a, 1);
  const r = isTransposed ? get(a, 1) : get(a, 2);
  set(y, 0, get(a, 0) * y0 + q * y1);
  set(y, 1, r * y0 + get(a, 3) * y1);
}

/**
 * Solves A x = x, or Aᵀ x = x, with the factors.
 *
 * @param x  f64[n, 2] by nodes
 */
export function solveBlocks(lower: usize, upper: usize, diagonal: usize, x: usize, isTransposed: bool): void {
  const n = Ordering.n;
  for (let j = 0; j < n; j++) {
    const node = getIndex(Ordering.order, j);
    set(permuted, 2 * j, get(x, 2 * node));
    set(permuted, 2 * j + 1, get(x, 2 * node + 1));
  }
  // Aᵀ = Uᵀ Lᵀ: the triangles change places, and the diagonal of U is in the first sweep.
  const first = isTransposed ? upper : lower;
  const last = isTransposed ? lower : upper;
  for (let j = 0; j < n; j++) {
    const own = permuted + ((<usize>j) << 4);
    if (isTransposed) applyBlock(own, block(diagonal, j), true);
    const to = getIndex(Ordering.columns, j + 1);
    for (let m = getIndex(Ordering.columns, j); m < to; m++)
      subtractBlock(permuted + ((<usize>getIndex(Ordering.rows, m)) << 4), block(first, m), own, isTransposed);
  }
  for (let j = n - 1; j >= 0; j--) {
    const own = permuted + ((<usize>j) << 4);
    const to = getIndex(Ordering.columns, j + 1);
    for (let m = getIndex(Ordering.columns, j); m < to; m++)
      subtractBlock(own, block(last, m), permuted + ((<usize>getIndex(Ordering.rows, m)) << 4), isTransposed);
    if (!isTransposed) applyBlock(own, block(diagonal, j), false);
  }
  for (let j = 0; j < n; j++) {
    const node = getIndex(Ordering.order, j);
    set(x, 2 * node, get(permuted, 2 * j));
    set(x, 2 * node + 1, get(permuted, 2 * j + 1));
  }
}
