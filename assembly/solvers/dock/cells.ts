// Receptor atoms sorted into cubic cells, x fastest: the atoms near a place are a few runs of neighbours in memory.
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';
import { ATOM_COLUMNS, Bodies } from './bodies';

/** Cells along an axis, at most; a larger receptor has larger cells. */
const MAX_ALONG: i32 = 48;

export class Cells {
  static edge: f64 = 4;
  static nx: i32 = 1;
  static ny: i32 = 1;
  static nz: i32 = 1;
  /** The corner of the first cell. */
  static x: f64 = 0;
  static y: f64 = 0;
  static z: f64 = 0;
  /** i32[cells + 1]: where the atoms of a cell begin. */
  static starts: usize = 0;
  /** f64[receptorAtoms][5], sorted. */
  static atoms: usize = 0;
}

export function allocateCells(): bool {
  Cells.starts = allocate((<usize>(MAX_ALONG * MAX_ALONG * MAX_ALONG) + 2) << 2);
  Cells.atoms = allocateF64(Bodies.receptorAtoms * ATOM_COLUMNS);
  return Cells.starts !== 0 && Cells.atoms !== 0;
}

/** Index of the cell along an axis, inside its range. */
export function cellAlong(offset: f64, n: i32): i32 {
  const k = Math.floor(offset / Cells.edge);
  return k < 0 ? 0 : k >= <f64>n ? n - 1 : <i32>k;
}

function cellOf(atom: i32): i32 {
  const row = atom * ATOM_COLUMNS;
  const kx = cellAlong(get(Bodies.receptor, row) - Cells.x, Cells.nx);
  const ky = cellAlong(get(Bodies.receptor, row + 1) - Cells.y, Cells.ny);
  const kz = cellAlong(get(Bodies.receptor, row + 2) - Cells.z, Cells.nz);
  return (kz * Cells.ny + ky) * Cells.nx + kx;
}

/** A counting sort, which keeps the order of atoms inside a cell. */
export function fillCells(minEdge: f64): void {
  const n = Bodies.receptorAtoms;
  let extent: f64 = 0;
  const sides = StaticExtent.sides;
  for (let d = 0; d < 3; d++) {
    let low = get(Bodies.receptor, d);
    let high = low;
    for (let j = 1; j < n; j++) {
      const x = get(Bodies.receptor, j * ATOM_COLUMNS + d);
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    set(sides, d, low);
    set(sides, 3 + d, high - low);
    extent = Math.max(extent, high - low);
  }
  Cells.x = get(sides, 0);
  Cells.y = get(sides, 1);
  Cells.z = get(sides, 2);
  Cells.edge = Math.max(minEdge, extent / <f64>(MAX_ALONG - 1));
  Cells.nx = 1 + <i32>Math.floor(get(sides, 3) / Cells.edge);
  Cells.ny = 1 + <i32>Math.floor(get(sides, 4) / Cells.edge);
  Cells.nz = 1 + <i32>Math.floor(get(sides, 5) / Cells.edge);
  const cells = Cells.nx * Cells.ny * Cells.nz;
  const starts = Cells.starts;
  memory.fill(starts, 0, (<usize>cells + 2) << 2);
  for (let j = 0; j < n; j++) {
    const at = starts + ((<usize>cellOf(j) + 2) << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  for (let c = 1; c <= cells; c++) {
    const at = starts + ((<usize>c + 1) << 2);
    store<i32>(at, load<i32>(at) + load<i32>(at - 4));
  }
  // starts[c + 1] is where cell c goes on, and ends as where it ends.
  for (let j = 0; j < n; j++) {
    const at = starts + ((<usize>cellOf(j) + 1) << 2);
    const to = load<i32>(at);
    store<i32>(at, to + 1);
    for (let k = 0; k < ATOM_COLUMNS; k++) {
      set(Cells.atoms, to * ATOM_COLUMNS + k, get(Bodies.receptor, j * ATOM_COLUMNS + k));
    }
  }
}

class StaticExtent {
  static sides: usize = memory.data(48, 16);
}
