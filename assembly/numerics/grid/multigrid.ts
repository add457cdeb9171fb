// Multigrid for −∇·(a ∇u) = f on the nodes of a grid, as a preconditioner of conjugate gradients.
//
// The operator is a network: node (i, j) is joined to its four neighbours by couplings ≥ 0, and may be held. A side
// without held nodes is insulated (Neumann), one of held nodes has given values (Dirichlet); held nodes may lie inside as
// well. Interpolation follows the operator: a node between two coarse ones takes the mean that its couplings give, and falls
// to zero towards held nodes. Coarse networks are those of the interpolated energy (Galerkin) and have eight neighbours.
// So neither jumps of the coefficient nor held nodes between coarse ones slow the V-cycle down. It takes one Gauss–Seidel
// sweep down, of two colours on the finest grid and four below, and the reverse one up; where couplings along one axis are
// much larger, lines along it are solved instead. The coarsest grid is solved. So it is symmetric and positive definite.
// Alcouffe, Brandt, Dendy & Painter, SIAM J. Sci. Stat. Comput. 2 (1981); Dendy, J. Comput. Phys. 48 (1982); Trottenberg,
// Oosterlee & Schüller, Multigrid (2001), chapters 5 and 7.
//
// Layout of a level: rows of `width` = columns + 1 or + 2 entries (even), a row and two zeros before, two rows' worth behind;
// the entry behind the last column stands for both ends of a row, so no stencil needs a branch.
import { allocateF64 } from '../../kernel';
import { get, set } from '../vector';
import { entry, factorRow, solveBand } from './banded-cholesky';

export const MAX_LEVELS: i32 = 12;
/** Mean couplings along one axis over those along the other from which lines are solved. */
const ANISOTROPY: f64 = 3;

/** Addresses of a level: f64[size] each. */
enum Part {
  right,
  up,
  /** Couplings of (i, j) to (i + 1, j + 1), and of (i + 1, j) to (i, j + 1); none on the finest grid. */
  rising,
  falling,
  diagonal,
  inverse,
  /** Inverse pivots of lines. */
  pivot,
  /** Weights by which the next finer level interpolates: of the coarse neighbours, for the node to the right, */
  rightOwn,
  rightNext,
  /** above, */
  upOwn,
  upNext,
  /** and on the diagonal, by the corners of the cell. */
  corner00,
  corner10,
  corner01,
  corner11,
  x,
  b,
  residual,
  count,
}

const PARTS: usize = memory.data(12 * 18 * 8, 16);
const COLUMNS: usize = memory.data(12 * 4, 16);
const ROWS: usize = memory.data(12 * 4, 16);
/** 0: points, 1: lines along x, 2: lines along y. */
const LINES: usize = memory.data(12 * 4, 16);

/** Of the coarsest grid: rows of its matrix, f64[band + 1] each, and a vector. */
let matrix: usize = 0;
let vector: usize = 0;

export namespace Multigrid {
  export let levels: i32 = 0;
}

function part(level: i32, which: i32): usize {
  return load<usize>(PARTS + ((<usize>(level * Part.count + which)) << 3));
}

function columnsOf(level: i32): i32 {
  return load<i32>(COLUMNS + ((<usize>level) << 2));
}

function rowsOf(level: i32): i32 {
  return load<i32>(ROWS + ((<usize>level) << 2));
}

function linesOf(level: i32): i32 {
  return load<i32>(LINES + ((<usize>level) << 2));
}

/** Zeros before all rows: the first node looks at the entry before its lower neighbour. Even. */
const LEAD: i32 = 2;

/** Entries from a row to the next. */
export function gridWidth(columns: i32): i32 {
  return (columns + 2) & ~1;
}

/** Entries of a vector of a grid; even. */
export function gridSize(columns: i32, rows: i32): i32 {
  return gridWidth(columns) * (rows + 3) + LEAD;
}

/** The entry of node (i, j). */
export function gridEntry(columns: i32, i: i32, j: i32): i32 {
  return (j + 1) * gridWidth(columns) + i + LEAD;
}

/** Couplings of the finest grid to the right-hand and the upper neighbour, which the caller writes. */
export function couplingsRight(): usize {
  return part(0, Part.right);
}

export function couplingsUp(): usize {
  return part(0, Part.up);
}

/** Unknowns of the coarsest grid across its shorter side: the other one is the slow index of its matrix. */
function shortSide(columns: i32, rows: i32): i32 {
  return min(columns, rows);
}

/** Allocates all levels: coarse nodes are the even ones, down to fewer than five a side. @returns whether there was memory */
export function reserveMultigrid(columns: i32, rows: i32): bool {
  let level = 0;
  for (;;) {
    store<i32>(COLUMNS + ((<usize>level) << 2), columns);
    store<i32>(ROWS + ((<usize>level) << 2), rows);
    for (let which = 0; which < Part.count; which++) {
      // The finest grid has four neighbours, interpolates to none, and works on the caller's vectors.
      const isUnused =
        level === 0 && which !== Part.right && which !== Part.up && (which < Part.diagonal || which >= Part.rightOwn);
      const isNeeded = !isUnused || which === Part.residual || which === Part.b;
      const address = isNeeded ? allocateF64(gridSize(columns, rows)) : 0;
      if (isNeeded && address === 0) return false;
      store<usize>(PARTS + ((<usize>(level * Part.count + which)) << 3), address);
    }
    level++;
    if (level === MAX_LEVELS || columns < 5 || rows < 5) break;
    columns = (columns + 1) >> 1;
    rows = (rows + 1) >> 1;
  }
  Multigrid.levels = level;
  const size = columns * rows;
  matrix = allocateF64(size * (shortSide(columns, rows) + 2));
  vector = allocateF64(size);
  return (matrix && vector) !== 0;
}

/**
 * Takes held nodes out of the finest level and builds the coarse ones. Afterwards the couplings of held nodes are zero.
 *
 * @param held  f64[gridSize] of the finest grid: not 0 at held nodes
 */
export function buildMultigrid(held: usize): void {
  for (let level = 0; level < Multigrid.levels; level++) buildLevel(held, level);
}

/** One of the levels that `buildMultigrid` builds at once, from the finest on. */
export function buildLevel(held: usize, level: i32): void {
  if (level > 0) coarsen(level);
  else removeHeld(held);
  chooseSmoother(level);
  if (level === Multigrid.levels - 1) factorCoarsest();
}

/** Couplings to held nodes are kept in the diagonal, and in b, which is scratch until the first cycle. */
function removeHeld(held: usize): void {
  const columns = columnsOf(0);
  const rows = rowsOf(0);
  const width = gridWidth(columns);
  const right = part(0, Part.right);
  const up = part(0, Part.up);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      const isHeld = get(held, at) !== 0;
      const diagonal = get(right, at) + get(right, at - 1) + get(up, at) + get(up, at - width);
      set(part(0, Part.diagonal), at, isHeld ? 0 : diagonal);
      set(part(0, Part.inverse), at, isHeld || diagonal === 0 ? 0 : 1 / diagonal);
      let ground: f64 = 0;
      if (!isHeld) {
        if (get(held, at + 1) !== 0) ground += get(right, at);
        if (get(held, at - 1) !== 0) ground += get(right, at - 1);
        if (get(held, at + width) !== 0) ground += get(up, at);
        if (get(held, at - width) !== 0) ground += get(up, at - width);
      }
      set(part(0, Part.b), at, ground);
    }
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      if (get(held, at) === 0) continue;
      set(right, at, 0);
      set(right, at - 1, 0);
      set(up, at, 0);
      set(up, at - width, 0);
    }
  }
}

function coarsen(level: i32): void {
  const size = (<usize>gridSize(columnsOf(level), rowsOf(level))) << 3;
  for (let which = 0; which < Part.count; which++) memory.fill(part(level, which), 0, size);
  weighEdges(level);
  weighCorners(level);
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) addCell(level, i, j);
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      const diagonal = get(part(level, Part.diagonal), at);
      set(part(level, Part.inverse), at, diagonal === 0 ? 0 : 1 / diagonal);
    }
  }
}

/** A mean whose weights are `own` and `next` over their sum and what leads elsewhere, along the line. */
function weigh(level: i32, which: i32, at: i32, own: f64, next: f64, total: f64): void {
  const isSound = total > 0;
  set(part(level, which), at, isSound ? own / total : 0);
  set(part(level, which + 1), at, isSound ? next / total : 0);
}

/** Nodes between two coarse ones: the couplings across are collapsed onto the line. */
function weighEdges(level: i32): void {
  const fine = level - 1;
  const columns = columnsOf(fine);
  const rows = rowsOf(fine);
  const width = gridWidth(columns);
  const right = part(fine, Part.right);
  const up = part(fine, Part.up);
  const rising = part(fine, Part.rising);
  const falling = part(fine, Part.falling);
  const hasCorners = fine > 0;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      if (((i ^ j) & 1) === 0) continue;
      const k = gridEntry(columns, i, j);
      if (get(part(fine, Part.inverse), k) === 0) continue;
      const at = gridEntry(columnsOf(level), i >> 1, j >> 1);
      const northEast = hasCorners ? get(rising, k) : 0;
      const southWest = hasCorners ? get(rising, k - width - 1) : 0;
      const northWest = hasCorners ? get(falling, k - 1) : 0;
      const southEast = hasCorners ? get(falling, k - width) : 0;
      const diagonal = get(part(fine, Part.diagonal), k);
      if ((i & 1) !== 0) {
        const total = diagonal - get(up, k) - get(up, k - width);
        const own = get(right, k - 1) + (northWest + southWest);
        weigh(level, Part.rightOwn, at, own, get(right, k) + (northEast + southEast), total);
      } else {
        const total = diagonal - get(right, k) - get(right, k - 1);
        const own = get(up, k - width) + (southWest + southEast);
        weigh(level, Part.upOwn, at, own, get(up, k) + (northWest + northEast), total);
      }
    }
  }
}

/** Nodes within four coarse ones solve their own equation with the neighbours interpolated. */
function weighCorners(level: i32): void {
  const fine = level - 1;
  const columns = columnsOf(fine);
  const rows = rowsOf(fine);
  const width = gridWidth(columns);
  const coarse = gridWidth(columnsOf(level));
  const right = part(fine, Part.right);
  const up = part(fine, Part.up);
  const rising = part(fine, Part.rising);
  const falling = part(fine, Part.falling);
  openWeights(level);
  const hasCorners = fine > 0;
  for (let j = 1; j < rows; j += 2) {
    for (let i = 1; i < columns; i += 2) {
      const k = gridEntry(columns, i, j);
      const inverse = get(part(fine, Part.inverse), k);
      if (inverse === 0) continue;
      const at = gridEntry(columnsOf(level), i >> 1, j >> 1);
      const west = get(right, k - 1);
      const east = get(right, k);
      const south = get(up, k - width);
      const north = get(up, k);
      const a = south * get(rightOwn, at) + west * get(upOwn, at);
      const b = south * get(rightNext, at) + east * get(upOwn, at + 1);
      const c = north * get(rightOwn, at + coarse) + west * get(upNext, at);
      const d = north * get(rightNext, at + coarse) + east * get(upNext, at + 1);
      set(part(level, Part.corner00), at, inverse * (a + (hasCorners ? get(rising, k - width - 1) : 0)));
      set(part(level, Part.corner10), at, inverse * (b + (hasCorners ? get(falling, k - width) : 0)));
      set(part(level, Part.corner01), at, inverse * (c + (hasCorners ? get(falling, k - 1) : 0)));
      set(part(level, Part.corner11), at, inverse * (d + (hasCorners ? get(rising, k) : 0)));
    }
  }
}

/** The energy of a coarse cell as a form of its corners 00, 10, 01 and 11: diagonals, couplings, and couplings to ground. */
let d0: f64 = 0;
let d1: f64 = 0;
let d2: f64 = 0;
let d3: f64 = 0;
let c01: f64 = 0;
let c02: f64 = 0;
let c03: f64 = 0;
let c12: f64 = 0;
let c13: f64 = 0;
let c23: f64 = 0;
let g0: f64 = 0;
let g1: f64 = 0;
let g2: f64 = 0;
let g3: f64 = 0;

/** Adds a (v · corners)². */
function add(a: f64, v0: f64, v1: f64, v2: f64, v3: f64): void {
  if (a === 0) return;
  const a0 = a * v0;
  const a1 = a * v1;
  const a2 = a * v2;
  const a3 = a * v3;
  d0 += a0 * v0;
  d1 += a1 * v1;
  d2 += a2 * v2;
  d3 += a3 * v3;
  c01 -= a0 * v1;
  c02 -= a0 * v2;
  c03 -= a0 * v3;
  c12 -= a1 * v2;
  c13 -= a1 * v3;
  c23 -= a2 * v3;
  const sum = v0 + v1 + (v2 + v3);
  g0 += a0 * sum;
  g1 += a1 * sum;
  g2 += a2 * sum;
  g3 += a3 * sum;
}

function raise(address: usize, at: i32, by: f64): void {
  set(address, at, get(address, at) + by);
}

/** The cell to the right of and above coarse node (i, j), with its lower and left edge. */
function addCell(level: i32, i: i32, j: i32): void {
  const fine = level - 1;
  const columns = columnsOf(fine);
  const width = gridWidth(columns);
  const coarse = columnsOf(level);
  const across = gridWidth(coarse);
  const k = gridEntry(columns, 2 * i, 2 * j);
  const at = gridEntry(coarse, i, j);
  const right = part(fine, Part.right);
  const up = part(fine, Part.up);
  const ground = part(fine, Part.b);
  const active = part(fine, Part.inverse);
  openWeights(level);
  d0 = d1 = d2 = d3 = c01 = c02 = c03 = c12 = c13 = c23 = g0 = g1 = g2 = g3 = 0;
  // Nodes of the fine grid by their place in the cell: 0, 1, 2 along x, then along y.
  const p00: f64 = get(active, k) !== 0 ? 1 : 0;
  const hasRight = i < coarse - 1;
  const hasUp = j < rowsOf(level) - 1;
  const p20: f64 = hasRight && get(active, k + 2) !== 0 ? 1 : 0;
  const p02: f64 = hasUp && get(active, k + 2 * width) !== 0 ? 1 : 0;
  const p22: f64 = hasRight && hasUp && get(active, k + 2 * width + 2) !== 0 ? 1 : 0;
  const a10 = get(rightOwn, at);
  const b10 = get(rightNext, at);
  const a01 = get(upOwn, at);
  const b01 = get(upNext, at);
  const a12 = hasUp ? get(rightOwn, at + across) : 0;
  const b12 = hasUp ? get(rightNext, at + across) : 0;
  const a21 = hasRight ? get(upOwn, at + 1) : 0;
  const b21 = hasRight ? get(upNext, at + 1) : 0;
  const q0 = get(corner00, at);
  const q1 = get(corner10, at);
  const q2 = get(corner01, at);
  const q3 = get(corner11, at);
  add(get(right, k), p00 - a10, -b10, 0, 0);
  add(get(right, k + 1), a10, b10 - p20, 0, 0);
  add(get(up, k), p00 - a01, 0, -b01, 0);
  add(get(up, k + width), a01, 0, b01 - p02, 0);
  add(get(up, k + 1), q0 - a10, q1 - b10, q2, q3);
  add(get(up, k + width + 1), q0, q1, q2 - a12, q3 - b12);
  add(get(right, k + width), q0 - a01, q1, q2 - b01, q3);
  add(get(right, k + width + 1), q0, q1 - a21, q2, q3 - b21);
  add(get(ground, k), p00, 0, 0, 0);
  add(get(ground, k + 1), a10, b10, 0, 0);
  add(get(ground, k + width), a01, 0, b01, 0);
  add(get(ground, k + width + 1), q0, q1, q2, q3);
  if (fine > 0) {
    const rising = part(fine, Part.rising);
    const falling = part(fine, Part.falling);
    add(get(rising, k), p00 - q0, -q1, -q2, -q3);
    add(get(falling, k), a10 - a01, b10, -b01, 0);
    add(get(rising, k + 1), a10, b10 - a21, 0, -b21);
    add(get(falling, k + 1), -q0, p20 - q1, -q2, -q3);
    add(get(rising, k + width), a01, 0, b01 - a12, -b12);
    add(get(falling, k + width), -q0, -q1, p02 - q2, -q3);
    add(get(rising, k + width + 1), -q0, -q1, -q2, p22 - q3);
    add(get(falling, k + width + 1), 0, a21, -a12, b21 - b12);
  }
  const diagonal = part(level, Part.diagonal);
  const b = part(level, Part.b);
  raise(diagonal, at, d0);
  raise(b, at, g0);
  if (hasRight) {
    raise(diagonal, at + 1, d1);
    raise(b, at + 1, g1);
    raise(part(level, Part.right), at, c01);
  }
  if (hasUp) {
    raise(diagonal, at + across, d2);
    raise(b, at + across, g2);
    raise(part(level, Part.up), at, c02);
  }
  if (hasRight && hasUp) {
    raise(diagonal, at + across + 1, d3);
    raise(b, at + across + 1, g3);
    raise(part(level, Part.right), at + across, c23);
    raise(part(level, Part.up), at + 1, c13);
    raise(part(level, Part.rising), at, c03);
    raise(part(level, Part.falling), at, c12);
  }
}

function chooseSmoother(level: i32): void {
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  const right = part(level, Part.right);
  const up = part(level, Part.up);
  let along: f64 = 0;
  let across: f64 = 0;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      along += Math.abs(get(right, at));
      across += Math.abs(get(up, at));
    }
  }
  const lines = along > ANISOTROPY * across ? 1 : across > ANISOTROPY * along ? 2 : 0;
  store<i32>(LINES + ((<usize>level) << 2), lines);
  if (lines === 0) return;
  const step = lines === 1 ? 1 : gridWidth(columns);
  const coupling = lines === 1 ? right : up;
  const pivot = part(level, Part.pivot);
  // Entries before the first of a line are zeros.
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      const before = get(coupling, at - step);
      const rest = get(part(level, Part.diagonal), at) - before * before * get(pivot, at - step);
      set(pivot, at, rest > 0 ? 1 / rest : 0);
    }
  }
}

/** to = A from on the finest grid. */
export function applyGrid(from: usize, to: usize): void {
  const columns = columnsOf(0);
  const rows = rowsOf(0);
  const row = (<usize>gridWidth(columns)) << 3;
  const right = part(0, Part.right);
  const up = part(0, Part.up);
  const diagonal = part(0, Part.diagonal);
  for (let j = 0; j < rows; j++) {
    const first = (<usize>gridEntry(columns, 0, j)) << 3;
    const end = first + ((<usize>columns) << 3);
    for (let k = first; k < end; k += 8) {
      const sum =
        load<f64>(right + k) * load<f64>(from + k, 8) +
        load<f64>(right + k - 8) * load<f64>(from + k - 8) +
        (load<f64>(up + k) * load<f64>(from + k + row) + load<f64>(up + k - row) * load<f64>(from + k - row));
      store<f64>(to + k, load<f64>(diagonal + k) * load<f64>(from + k) - sum);
    }
  }
}

/** One colour of a Gauss–Seidel sweep of the finest grid. */
function relaxFinest(colour: i32, x: usize, b: usize): void {
  const columns = columnsOf(0);
  const rows = rowsOf(0);
  const row = (<usize>gridWidth(columns)) << 3;
  const right = part(0, Part.right);
  const up = part(0, Part.up);
  const inverse = part(0, Part.inverse);
  for (let j = 0; j < rows; j++) {
    const first = (<usize>gridEntry(columns, 0, j)) << 3;
    const end = first + ((<usize>columns) << 3);
    for (let k = first + ((<usize>((j + colour) & 1)) << 3); k < end; k += 16) {
      const sum =
        load<f64>(right + k) * load<f64>(x + k, 8) +
        load<f64>(right + k - 8) * load<f64>(x + k - 8) +
        (load<f64>(up + k) * load<f64>(x + k + row) + load<f64>(up + k - row) * load<f64>(x + k - row));
      store<f64>(x + k, (load<f64>(b + k) + sum) * load<f64>(inverse + k));
    }
  }
}

/** One of the four colours of a sweep of a coarse grid: columns and rows of a parity. */
function relaxCoarse(level: i32, colour: i32, x: usize, b: usize): void {
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  const row = (<usize>gridWidth(columns)) << 3;
  const right = part(level, Part.right);
  const up = part(level, Part.up);
  const rising = part(level, Part.rising);
  const falling = part(level, Part.falling);
  const inverse = part(level, Part.inverse);
  for (let j = colour >> 1; j < rows; j += 2) {
    const first = (<usize>gridEntry(columns, 0, j)) << 3;
    const end = first + ((<usize>columns) << 3);
    for (let k = first + ((<usize>(colour & 1)) << 3); k < end; k += 16) {
      const sum =
        load<f64>(right + k) * load<f64>(x + k, 8) +
        load<f64>(right + k - 8) * load<f64>(x + k - 8) +
        (load<f64>(up + k) * load<f64>(x + k + row) + load<f64>(up + k - row) * load<f64>(x + k - row)) +
        (load<f64>(rising + k) * load<f64>(x + k + row, 8) +
          load<f64>(rising + k - row - 8) * load<f64>(x + k - row - 8) +
          (load<f64>(falling + k - 8) * load<f64>(x + k + row - 8) +
            load<f64>(falling + k - row) * load<f64>(x + k - row, 8)));
      store<f64>(x + k, (load<f64>(b + k) + sum) * load<f64>(inverse + k));
    }
  }
}

/** b and what the neighbours beside the line of a node send. @param beside  entries to the next line */
function sentBeside(level: i32, x: usize, b: usize, k: i32, coupling: usize, beside: i32): f64 {
  let sum = get(b, k) + get(coupling, k) * get(x, k + beside) + get(coupling, k - beside) * get(x, k - beside);
  if (level > 0) {
    const width = gridWidth(columnsOf(level));
    const rising = part(level, Part.rising);
    const falling = part(level, Part.falling);
    sum +=
      get(rising, k) * get(x, k + width + 1) +
      get(rising, k - width - 1) * get(x, k - width - 1) +
      (get(falling, k - 1) * get(x, k + width - 1) + get(falling, k - width) * get(x, k - width + 1));
  }
  return sum;
}

/** Solves every second line along x, or along y. */
function relaxLines(level: i32, colour: i32, x: usize, b: usize): void {
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  const isAlongX = linesOf(level) === 1;
  const width = gridWidth(columns);
  const step = isAlongX ? 1 : width;
  const beside = isAlongX ? width : 1;
  const coupling = part(level, isAlongX ? Part.right : Part.up);
  const other = part(level, isAlongX ? Part.up : Part.right);
  const pivot = part(level, Part.pivot);
  const firstRow = isAlongX ? colour : 0;
  const firstColumn = isAlongX ? 0 : colour;
  const rowStep = isAlongX ? 2 : 1;
  const columnStep = isAlongX ? 1 : 2;
  for (let j = firstRow; j < rows; j += rowStep) {
    for (let i = firstColumn; i < columns; i += columnStep) {
      const k = gridEntry(columns, i, j);
      const sent = sentBeside(level, x, b, k, other, beside);
      // The entry before the first of a line is a zero, as is its coupling.
      set(x, k, (sent + get(coupling, k - step) * get(x, k - step)) * get(pivot, k));
    }
  }
  const lastRow = isAlongX ? firstRow + ((rows - 1 - firstRow) & ~1) : rows - 1;
  const lastColumn = isAlongX ? columns - 1 : firstColumn + ((columns - 1 - firstColumn) & ~1);
  for (let j = lastRow; j >= 0; j -= rowStep) {
    for (let i = lastColumn; i >= 0; i -= columnStep) {
      const k = gridEntry(columns, i, j);
      set(x, k, get(x, k) + get(coupling, k) * get(pivot, k) * get(x, k + step));
    }
  }
}

/** One sweep; the sweep up is the reverse of that down. */
function smooth(level: i32, x: usize, b: usize, isUp: bool): void {
  if (linesOf(level) !== 0) {
    relaxLines(level, isUp ? 1 : 0, x, b);
    relaxLines(level, isUp ? 0 : 1, x, b);
  } else if (level === 0) {
    relaxFinest(isUp ? 1 : 0, x, b);
    relaxFinest(isUp ? 0 : 1, x, b);
  } else {
    for (let colour = 0; colour < 4; colour++) relaxCoarse(level, isUp ? 3 - colour : colour, x, b);
  }
}

/** The residual at all nodes; that of the colour relaxed last is zero and is not computed on the finest grid. */
function computeResidual(level: i32, x: usize, b: usize): void {
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  const row = (<usize>gridWidth(columns)) << 3;
  const right = part(level, Part.right);
  const up = part(level, Part.up);
  const rising = part(level, Part.rising);
  const falling = part(level, Part.falling);
  const diagonal = part(level, Part.diagonal);
  const residual = part(level, Part.residual);
  const isFinest = level === 0;
  const isSparse = isFinest && linesOf(level) === 0;
  const step: usize = isSparse ? 16 : 8;
  for (let j = 0; j < rows; j++) {
    const first = (<usize>gridEntry(columns, 0, j)) << 3;
    const end = first + ((<usize>columns) << 3);
    for (let k = first + (isSparse ? (<usize>(j & 1)) << 3 : 0); k < end; k += step) {
      let sum =
        load<f64>(right + k) * load<f64>(x + k, 8) +
        load<f64>(right + k - 8) * load<f64>(x + k - 8) +
        (load<f64>(up + k) * load<f64>(x + k + row) + load<f64>(up + k - row) * load<f64>(x + k - row));
      if (!isFinest)
        sum +=
          load<f64>(rising + k) * load<f64>(x + k + row, 8) +
          load<f64>(rising + k - row - 8) * load<f64>(x + k - row - 8) +
          (load<f64>(falling + k - 8) * load<f64>(x + k + row - 8) +
            load<f64>(falling + k - row) * load<f64>(x + k - row, 8));
      const own = load<f64>(diagonal + k);
      store<f64>(residual + k, own === 0 ? 0 : load<f64>(b + k) - (own * load<f64>(x + k) - sum));
    }
  }
}

/** The weights of the interpolation at hand, by the names of `Part`. */
let rightOwn: usize = 0;
let rightNext: usize = 0;
let upOwn: usize = 0;
let upNext: usize = 0;
let corner00: usize = 0;
let corner10: usize = 0;
let corner01: usize = 0;
let corner11: usize = 0;

/** Opens the weights by which a level is interpolated to the next finer one. */
function openWeights(level: i32): void {
  rightOwn = part(level, Part.rightOwn);
  rightNext = part(level, Part.rightNext);
  upOwn = part(level, Part.upOwn);
  upNext = part(level, Part.upNext);
  corner00 = part(level, Part.corner00);
  corner10 = part(level, Part.corner10);
  corner01 = part(level, Part.corner01);
  corner11 = part(level, Part.corner11);
}

/** b of the coarse level = the transpose of interpolation, of the residual. */
function restrict(level: i32): void {
  const columns = columnsOf(level);
  const width = gridWidth(columns);
  const next = level + 1;
  const coarse = columnsOf(next);
  const coarseRows = rowsOf(next);
  const across = gridWidth(coarse);
  const r = part(level, Part.residual);
  openWeights(next);
  const target = part(next, Part.b);
  const inverse = part(next, Part.inverse);
  for (let j = 0; j < coarseRows; j++) {
    for (let i = 0; i < coarse; i++) {
      const at = gridEntry(coarse, i, j);
      const k = gridEntry(columns, 2 * i, 2 * j);
      // Weights beyond the sides are zeros.
      const sum =
        get(r, k) +
        (get(corner00, at) * get(r, k + width + 1) + get(corner10, at - 1) * get(r, k + width - 1)) +
        (get(corner01, at - across) * get(r, k - width + 1) + get(corner11, at - across - 1) * get(r, k - width - 1)) +
        (get(rightOwn, at) * get(r, k + 1) + get(rightNext, at - 1) * get(r, k - 1)) +
        (get(upOwn, at) * get(r, k + width) + get(upNext, at - across) * get(r, k - width));
      set(target, at, get(inverse, at) === 0 ? 0 : sum);
    }
  }
}

/** x += the interpolated correction of the coarse level. */
function prolong(level: i32, x: usize): void {
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  const width = gridWidth(columns);
  const next = level + 1;
  const coarse = columnsOf(next);
  const coarseRows = rowsOf(next);
  const across = gridWidth(coarse);
  const from = part(next, Part.x);
  openWeights(next);
  for (let j = 0; j < coarseRows; j++) {
    const hasUp = 2 * j + 1 < rows;
    for (let i = 0; i < coarse; i++) {
      const at = gridEntry(coarse, i, j);
      const k = gridEntry(columns, 2 * i, 2 * j);
      const hasRight = 2 * i + 1 < columns;
      const a = get(from, at);
      const b = get(from, at + 1);
      const c = get(from, at + across);
      raise(x, k, a);
      if (hasRight) raise(x, k + 1, get(rightOwn, at) * a + get(rightNext, at) * b);
      if (!hasUp) continue;
      raise(x, k + width, get(upOwn, at) * a + get(upNext, at) * c);
      if (!hasRight) continue;
      const d = get(from, at + across + 1);
      raise(
        x,
        k + width + 1,
        get(corner00, at) * a + get(corner10, at) * b + (get(corner01, at) * c + get(corner11, at) * d),
      );
    }
  }
}

/** Place of node (i, j) in the matrix of the coarsest grid. */
function placeOf(columns: i32, rows: i32, i: i32, j: i32): i32 {
  return columns <= rows ? j * columns + i : i * rows + j;
}

/** Sets A of two places that are joined. */
function join(band: i32, p: i32, q: i32, value: f64): void {
  store<f64>(entry(matrix, band, max(p, q), min(p, q)), value);
}

function factorCoarsest(): void {
  const level = Multigrid.levels - 1;
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  const band = shortSide(columns, rows) + 1;
  memory.fill(matrix, 0, (<usize>(columns * rows * (band + 1))) << 3);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      const own = placeOf(columns, rows, i, j);
      const diagonal = get(part(level, Part.diagonal), at);
      join(band, own, own, diagonal === 0 ? 1 : diagonal);
      if (i < columns - 1) join(band, own, placeOf(columns, rows, i + 1, j), -get(part(level, Part.right), at));
      if (j < rows - 1) join(band, own, placeOf(columns, rows, i, j + 1), -get(part(level, Part.up), at));
      if (level === 0 || i === columns - 1 || j === rows - 1) continue;
      join(band, own, placeOf(columns, rows, i + 1, j + 1), -get(part(level, Part.rising), at));
      const right = placeOf(columns, rows, i + 1, j);
      join(band, right, placeOf(columns, rows, i, j + 1), -get(part(level, Part.falling), at));
    }
  }
  // A pivot that rounding has made negative is taken out.
  for (let k = 0; k < columns * rows; k++)
    if (!factorRow(matrix, band, k)) store<f64>(entry(matrix, band, k, k), 1e100);
}

function solveCoarsest(x: usize, b: usize): void {
  const level = Multigrid.levels - 1;
  const columns = columnsOf(level);
  const rows = rowsOf(level);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = gridEntry(columns, i, j);
      const isActive = get(part(level, Part.inverse), at) !== 0;
      set(vector, placeOf(columns, rows, i, j), isActive ? get(b, at) : 0);
    }
  }
  solveBand(matrix, shortSide(columns, rows) + 1, columns * rows, vector);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) set(x, gridEntry(columns, i, j), get(vector, placeOf(columns, rows, i, j)));
  }
}

function cycle(level: i32, x: usize, b: usize): void {
  if (level === Multigrid.levels - 1) {
    solveCoarsest(x, b);
    return;
  }
  memory.fill(x, 0, (<usize>gridSize(columnsOf(level), rowsOf(level))) << 3);
  smooth(level, x, b, false);
  computeResidual(level, x, b);
  restrict(level);
  cycle(level + 1, part(level + 1, Part.x), part(level + 1, Part.b));
  prolong(level, x);
  smooth(level, x, b, true);
}

/** to = M⁻¹ from: one V-cycle from zero. */
export function cycleGrid(from: usize, to: usize): void {
  cycle(0, to, from);
}
