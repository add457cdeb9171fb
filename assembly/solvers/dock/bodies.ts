// Two rigid bodies: a receptor that is fixed, and a ligand that a pose places, each a list of atoms.
//
// Columns of the receptor stand one after the other and are padded to a pair of lanes by an atom at 1e60, whose distance
// from everything makes its energy 0. Atoms of the ligand are given about their centroid.
import { allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

/** Columns of an atom in the input views: x, y, z, radius, and bits of its chemistry. */
export const ATOM_COLUMNS: i32 = 5;
/** Bits of an atom. */
export const HYDROPHOBIC: i32 = 1;
export const DONOR: i32 = 2;
export const ACCEPTOR: i32 = 4;

const FAR: f64 = 1e60;

export class Bodies {
  static receptorAtoms: i32 = 0;
  static ligandAtoms: i32 = 0;
  /** Receptor atoms with the padding. */
  static padded: i32 = 0;
  /** Input views: f64[atoms][5]. */
  static receptor: usize = 0;
  static ligand: usize = 0;
  /** f64[padded] each. */
  static rx: usize = 0;
  static ry: usize = 0;
  static rz: usize = 0;
  /** f64[ligandAtoms][3], in place: set by `placeLigand`. */
  static placed: usize = 0;
  /** f64[ligandAtoms][3]: gradient of the energy by the position of each atom. */
  static slopes: usize = 0;
  /** Length that turns an angle into a displacement of the ligand's atoms: their radius of gyration, at least 0.5. */
  static lever: f64 = 1;
  /** Largest distance of an atom from the centroid. */
  static reach: f64 = 0;
}

export function allocateBodies(): bool {
  Bodies.padded = (Bodies.receptorAtoms + 1) & ~1;
  Bodies.receptor = allocateF64(Bodies.receptorAtoms * ATOM_COLUMNS);
  Bodies.ligand = allocateF64(Bodies.ligandAtoms * ATOM_COLUMNS);
  Bodies.rx = allocateF64(Bodies.padded);
  Bodies.ry = allocateF64(Bodies.padded);
  Bodies.rz = allocateF64(Bodies.padded);
  Bodies.placed = allocateF64(3 * Bodies.ligandAtoms);
  Bodies.slopes = allocateF64(3 * Bodies.ligandAtoms);
  return Bodies.receptor !== 0 && Bodies.ligand !== 0 && Bodies.rx !== 0 && Bodies.ry !== 0 && Bodies.rz !== 0
    ? Bodies.placed !== 0 && Bodies.slopes !== 0
    : false;
}

/** Reads the input views. @returns false if a coordinate is not finite */
export function fillBodies(): bool {
  for (let j = 0; j < Bodies.padded; j++) {
    const isAtom = j < Bodies.receptorAtoms;
    set(Bodies.rx, j, isAtom ? get(Bodies.receptor, j * ATOM_COLUMNS) : FAR);
    set(Bodies.ry, j, isAtom ? get(Bodies.receptor, j * ATOM_COLUMNS + 1) : FAR);
    set(Bodies.rz, j, isAtom ? get(Bodies.receptor, j * ATOM_COLUMNS + 2) : FAR);
    if (!isFinite(get(Bodies.rx, j) + get(Bodies.ry, j) + get(Bodies.rz, j))) return false;
  }
  let squares: f64 = 0;
  let largest: f64 = 0;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    let square: f64 = 0;
    for (let d = 0; d < 3; d++) {
      const x = get(Bodies.ligand, i * ATOM_COLUMNS + d);
      square += x * x;
    }
    squares += square;
    largest = Math.max(largest, square);
  }
  if (!isFinite(squares)) return false;
  Bodies.lever = Math.max(0.5, Math.sqrt(squares / <f64>Bodies.ligandAtoms));
  Bodies.reach = Math.sqrt(largest);
  return true;
}
