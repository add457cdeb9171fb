// The nested meshes of a run, and the operator of each: element by element, without a matrix.
//
// Nodes of a finer mesh are those of the coarser one, then the middles of its edges, then those of its elements. A vector
// has two numbers a node. What is fixed is masked: the operator acts on free displacements and gives 0 elsewhere.
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';
import { stiffness } from './element';

export const MAX_LEVELS: i32 = 3;

export namespace Mesh {
  export let levels: i32 = 0;
}

// By level: counts, first node and element among those of all levels, and addresses.
export const nodeCount: StaticArray<i32> = [0, 0, 0];
export const elementCount: StaticArray<i32> = [0, 0, 0];
export const edgeCount: StaticArray<i32> = [0, 0, 0];
export const nodeStart: StaticArray<i32> = [0, 0, 0];
export const elementStart: StaticArray<i32> = [0, 0, 0];
const edgeStart: StaticArray<i32> = [0, 0, 0];

// Inputs, all levels one after the other (entry: View).
export let points: usize = 0;
export let quads: usize = 0;
export let edges: usize = 0;
export let fixed: usize = 0;
export let prescribed: usize = 0;
export let force: usize = 0;
export let heat: usize = 0;
export let u: usize = 0;
export let stress: usize = 0;
let matrices: usize = 0;
/** f64[nodes, 3]: the inverse of the diagonal block of each node; 0 where fixed. */
let inverses: usize = 0;

/** The level that `apply` and `scale` act on. */
let current: i32 = 0;

export function setLevel(l: i32): void {
  current = l;
}

export function totalNodes(): i32 {
  return nodeStart[Mesh.levels - 1] + nodeCount[Mesh.levels - 1];
}

export function totalElements(): i32 {
  return elementStart[Mesh.levels - 1] + elementCount[Mesh.levels - 1];
}

export function totalEdges(): i32 {
  return edgeStart[Mesh.levels - 1] + edgeCount[Mesh.levels - 1];
}

/** Sets the starts from the counts and allocates. @returns whether there is room */
export function allocateLevels(): bool {
  for (let l = 1; l < Mesh.levels; l++) {
    nodeStart[l] = nodeStart[l - 1] + nodeCount[l - 1];
    elementStart[l] = elementStart[l - 1] + elementCount[l - 1];
    edgeStart[l] = edgeStart[l - 1] + edgeCount[l - 1];
  }
  const n = totalNodes();
  const m = totalElements();
  points = allocateF64(2 * n);
  quads = allocate((<usize>(4 * m)) << 2);
  edges = allocate((<usize>(2 * totalEdges())) << 2);
  fixed = allocate((<usize>(2 * n)) << 2);
  prescribed = allocateF64(2 * n);
  force = allocateF64(2 * n);
  heat = allocateF64(n);
  u = allocateF64(2 * n);
  stress = allocateF64(16 * m);
  matrices = allocateF64(64 * m);
  inverses = allocateF64(3 * n);
  return inverses !== 0 && matrices !== 0 && stress !== 0 && u !== 0;
}

/** A vector of all levels, at level l. */
export function at(vector: usize, l: i32): usize {
  return vector + ((<usize>(2 * nodeStart[l])) << 3);
}

export function nodeOf(e: i32, corner: i32): i32 {
  return load<i32>(quads + ((<usize>(4 * e + corner)) << 2));
}

export function isFixed(l: i32, dof: i32): bool {
  return load<i32>(fixed + ((<usize>(2 * nodeStart[l] + dof)) << 2)) !== 0;
}

/** Whether all nodes of elements and edges are nodes of their level. */
export function areIndicesLegal(): bool {
  for (let l = 0; l < Mesh.levels; l++) {
    for (let i = 4 * elementStart[l]; i < 4 * (elementStart[l] + elementCount[l]); i++) {
      const node = load<i32>(quads + ((<usize>i) << 2));
      if (node < 0 || node >= nodeCount[l]) return false;
    }
    for (let i = 2 * edgeStart[l]; i < 2 * (edgeStart[l] + edgeCount[l]); i++) {
      const node = load<i32>(edges + ((<usize>i) << 2));
      if (l === 0 || node < 0 || node >= nodeCount[l - 1]) return false;
    }
  }
  return true;
}

const XY: usize = memory.data(8 * 8, 16);
const HEAT: usize = memory.data(4 * 8, 16);
const LOAD: usize = memory.data(8 * 8, 16);

/** Corners and temperatures of element e, counted over all levels, which is on level l. */
export function gather(l: i32, e: i32, xy: usize, rise: usize): void {
  for (let i = 0; i < 4; i++) {
    const node = nodeStart[l] + nodeOf(e, i);
    set(xy, 2 * i, get(points, 2 * node));
    set(xy, 2 * i + 1, get(points, 2 * node + 1));
    set(rise, i, get(heat, node));
  }
}

export function matrixOf(e: i32): usize {
  return matrices + ((<usize>(64 * e)) << 3);
}

/** Computes the matrix of element e, and adds the load of its heat. @returns false if it is turned over */
export function computeElement(l: i32, e: i32): bool {
  gather(l, e, XY, HEAT);
  if (!stiffness(XY, HEAT, matrixOf(e), LOAD)) return false;
  const target = at(force, l);
  for (let i = 0; i < 8; i++) {
    const dof = 2 * nodeOf(e, i >> 1) + (i & 1);
    set(target, dof, get(target, dof) + get(LOAD, i));
  }
  return true;
}

/** Inverts the diagonal blocks of level l. */
export function invertBlocks(l: i32): void {
  const blocks = inverses + ((<usize>(3 * nodeStart[l])) << 3);
  memory.fill(blocks, 0, (<usize>(3 * nodeCount[l])) << 3);
  for (let e = elementStart[l]; e < elementStart[l] + elementCount[l]; e++) {
    const k = matrixOf(e);
    for (let i = 0; i < 4; i++) {
      const node = 3 * nodeOf(e, i);
      set(blocks, node, get(blocks, node) + get(k, 18 * i));
      set(blocks, node + 1, get(blocks, node + 1) + get(k, 18 * i + 1));
      set(blocks, node + 2, get(blocks, node + 2) + get(k, 18 * i + 9));
    }
  }
  for (let i = 0; i < nodeCount[l]; i++) {
    const a = get(blocks, 3 * i);
    const c = get(blocks, 3 * i + 2);
    const isFree = !isFixed(l, 2 * i) && !isFixed(l, 2 * i + 1);
    const b = isFree ? get(blocks, 3 * i + 1) : 0;
    const det = a * c - b * b;
    set(blocks, 3 * i, isFixed(l, 2 * i) ? 0 : c / det);
    set(blocks, 3 * i + 1, -b / det);
    set(blocks, 3 * i + 2, isFixed(l, 2 * i + 1) ? 0 : a / det);
  }
}

/** 0 at fixed displacements. */
export function mask(v: usize): void {
  const n = 2 * nodeCount[current];
  let flag = fixed + ((<usize>(2 * nodeStart[current])) << 2);
  for (let i = 0; i < n; i++, flag += 4) if (load<i32>(flag) !== 0) set(v, i, 0);
}

/** to = K from, fixed displacements included. */
export function multiply(from: usize, to: usize): void {
  memory.fill(to, 0, (<usize>(2 * nodeCount[current])) << 3);
  let k = matrixOf(elementStart[current]);
  let quad = quads + ((<usize>(4 * elementStart[current])) << 2);
  const end = quad + ((<usize>(4 * elementCount[current])) << 2);
  for (; quad < end; quad += 16, k += 512) {
    let y0 = f64x2.splat(0);
    let y1 = f64x2.splat(0);
    let y2 = f64x2.splat(0);
    let y3 = f64x2.splat(0);
    let row = k;
    for (let i: usize = 0; i < 16; i += 4, row += 128) {
      const pair = v128.load(from + ((<usize>load<i32>(quad + i)) << 4));
      const a = v128.shuffle<f64>(pair, pair, 0, 0);
      const b = v128.shuffle<f64>(pair, pair, 1, 1);
      y0 = f64x2.add(y0, f64x2.add(f64x2.mul(a, v128.load(row)), f64x2.mul(b, v128.load(row, 64))));
      y1 = f64x2.add(y1, f64x2.add(f64x2.mul(a, v128.load(row, 16)), f64x2.mul(b, v128.load(row, 80))));
      y2 = f64x2.add(y2, f64x2.add(f64x2.mul(a, v128.load(row, 32)), f64x2.mul(b, v128.load(row, 96))));
      y3 = f64x2.add(y3, f64x2.add(f64x2.mul(a, v128.load(row, 48)), f64x2.mul(b, v128.load(row, 112))));
    }
    const t0 = to + ((<usize>load<i32>(quad)) << 4);
    v128.store(t0, f64x2.add(v128.load(t0), y0));
    const t1 = to + ((<usize>load<i32>(quad, 4)) << 4);
    v128.store(t1, f64x2.add(v128.load(t1), y1));
    const t2 = to + ((<usize>load<i32>(quad, 8)) << 4);
    v128.store(t2, f64x2.add(v128.load(t2), y2));
    const t3 = to + ((<usize>load<i32>(quad, 12)) << 4);
    v128.store(t3, f64x2.add(v128.load(t3), y3));
  }
}

/** to = K from on free displacements; `from` is 0 at the fixed ones. */
export function apply(from: usize, to: usize): void {
  multiply(from, to);
  mask(to);
}

/** to = |K| |from| summed over elements: what rounding of a product is relative to. */
export function multiplyMagnitudes(from: usize, to: usize): void {
  memory.fill(to, 0, (<usize>(2 * nodeCount[current])) << 3);
  for (let e = elementStart[current]; e < elementStart[current] + elementCount[current]; e++) {
    const k = matrixOf(e);
    for (let i = 0; i < 8; i++) {
      let sum: f64 = 0;
      for (let j = 0; j < 8; j++) sum += Math.abs(get(k, 8 * i + j) * get(from, 2 * nodeOf(e, j >> 1) + (j & 1)));
      const dof = 2 * nodeOf(e, i >> 1) + (i & 1);
      set(to, dof, get(to, dof) + sum);
    }
  }
  mask(to);
}

/** to = D⁻¹ from with the diagonal blocks D. */
export function scale(from: usize, to: usize): void {
  const n = nodeCount[current];
  let block = inverses + ((<usize>(3 * nodeStart[current])) << 3);
  for (let i = 0; i < n; i++, block += 24, from += 16, to += 16) {
    const x = load<f64>(from);
    const y = load<f64>(from, 8);
    const b = load<f64>(block, 8);
    store<f64>(to, load<f64>(block) * x + b * y);
    store<f64>(to, b * x + load<f64>(block, 16) * y, 8);
  }
}

/** Values of level l − 1 at the nodes of level l. */
export function prolong(l: i32, coarse: usize, fine: usize): void {
  const n = nodeCount[l - 1];
  memory.copy(fine, coarse, (<usize>n) << 4);
  let target = fine + ((<usize>n) << 4);
  const half = f64x2.splat(0.5);
  let edge = edges + ((<usize>(2 * edgeStart[l])) << 2);
  for (let i = 0; i < edgeCount[l]; i++, edge += 8, target += 16) {
    const a = v128.load(coarse + ((<usize>load<i32>(edge)) << 4));
    const b = v128.load(coarse + ((<usize>load<i32>(edge, 4)) << 4));
    v128.store(target, f64x2.mul(half, f64x2.add(a, b)));
  }
  const quarter = f64x2.splat(0.25);
  let quad = quads + ((<usize>(4 * elementStart[l - 1])) << 2);
  for (let i = 0; i < elementCount[l - 1]; i++, quad += 16, target += 16) {
    const a = v128.load(coarse + ((<usize>load<i32>(quad)) << 4));
    const b = v128.load(coarse + ((<usize>load<i32>(quad, 4)) << 4));
    const c = v128.load(coarse + ((<usize>load<i32>(quad, 8)) << 4));
    const d = v128.load(coarse + ((<usize>load<i32>(quad, 12)) << 4));
    v128.store(target, f64x2.mul(quarter, f64x2.add(f64x2.add(a, b), f64x2.add(c, d))));
  }
}

/** The transpose of `prolong`. */
export function restrict(l: i32, fine: usize, coarse: usize): void {
  const n = nodeCount[l - 1];
  memory.copy(coarse, fine, (<usize>n) << 4);
  let source = fine + ((<usize>n) << 4);
  const half = f64x2.splat(0.5);
  let edge = edges + ((<usize>(2 * edgeStart[l])) << 2);
  for (let i = 0; i < edgeCount[l]; i++, edge += 8, source += 16) {
    const value = f64x2.mul(half, v128.load(source));
    for (let c: usize = 0; c < 8; c += 4) {
      const to = coarse + ((<usize>load<i32>(edge + c)) << 4);
      v128.store(to, f64x2.add(v128.load(to), value));
    }
  }
  const quarter = f64x2.splat(0.25);
  let quad = quads + ((<usize>(4 * elementStart[l - 1])) << 2);
  for (let i = 0; i < elementCount[l - 1]; i++, quad += 16, source += 16) {
    const value = f64x2.mul(quarter, v128.load(source));
    for (let c: usize = 0; c < 16; c += 4) {
      const to = coarse + ((<usize>load<i32>(quad + c)) << 4);
      v128.store(to, f64x2.add(v128.load(to), value));
    }
  }
}
