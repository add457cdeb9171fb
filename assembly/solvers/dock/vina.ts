// The scoring function of AutoDock Vina between two rigid bodies: Trott & Olson, J. Comput. Chem. 31 (2010) 455.
//
// Of each pair of heavy atoms within 8 Å, by the distance d between their surfaces (r less both radii): two Gaussians, a
// squared repulsion for d < 0, and ramps for two hydrophobic atoms and for a donor with an acceptor. The energy jumps at 8 Å
// (by up to 0.005 a pair) and has kinks where the ramps begin and end. So gradients lead through a smooth neighbour of it,
// whose ramps are rounded and which fades out from 7.7 Å; what they find is refined on the sharp energy without gradients.
//
// The Gaussians come from a table in d with their exact slopes at the nodes: a cubic between two nodes is right to 7e-11.
// `vinaTerms` evaluates them exactly.
import { allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';
import { ACCEPTOR, ATOM_COLUMNS, Bodies, DONOR, HYDROPHOBIC } from './bodies';
import { Cells, cellAlong } from './cells';

export const GAUSS_1: f64 = -0.035579;
export const GAUSS_2: f64 = -0.005156;
export const REPULSION: f64 = 0.840245;
export const HYDROPHOBIC_WEIGHT: f64 = -0.035069;
export const HYDROGEN_BOND: f64 = -0.587439;

const CUTOFF: f64 = 8;
/** Of the sharp energy: no minimum lies so close to the jump that rounding decides. */
const SHARP_CUTOFF: f64 = 8 - 1e-7;
const FADE: f64 = 0.3;
/** Part of a ramp that is rounded at each end. */
const ROUND: f64 = 0.1;
/** The table reaches from the surfaces of the two largest atoms in one place to the cut-off without radii. */
const TABLE_FROM: f64 = -8;
const NODES_PER_UNIT: f64 = 128;
const NODES: i32 = 2049;

let table: usize = 0;
/** f64[5]: sums of the terms without their weights. */
export const TERMS: usize = memory.data(40, 16);

export function allocateVina(): bool {
  table = allocateF64(2 * NODES);
  return table !== 0;
}

/** Values and slopes (times the spacing) of the weighted Gaussians. */
export function fillVina(): void {
  for (let k = 0; k < NODES; k++) {
    const d = TABLE_FROM + <f64>k / NODES_PER_UNIT;
    const narrow = GAUSS_1 * Math.exp(-4 * d * d);
    const wide = GAUSS_2 * Math.exp(-0.25 * (d - 3) * (d - 3));
    set(table, 2 * k, narrow + wide);
    set(table, 2 * k + 1, (-8 * d * narrow - 0.5 * (d - 3) * wide) / NODES_PER_UNIT);
  }
}

/** The smooth energy of the ligand as placed, in kcal/mol before the division by its rotors; writes its slopes. */
export function smoothVina(): f64 {
  isSharp = false;
  return sumOfAtoms();
}

/** The sharp energy; its slopes are not to be used. */
export function sharpVina(): f64 {
  isSharp = true;
  return sumOfAtoms();
}

let isSharp: bool = false;

function sumOfAtoms(): f64 {
  let energy: f64 = 0;
  for (let i = 0; i < Bodies.ligandAtoms; i++) energy += atomEnergy(i);
  return energy;
}

let gx: f64 = 0;
let gy: f64 = 0;
let gz: f64 = 0;

function atomEnergy(i: i32): f64 {
  const place = Bodies.placed + <usize>i * 24;
  const x = load<f64>(place);
  const y = load<f64>(place, 8);
  const z = load<f64>(place, 16);
  const kx0 = cellAlong(x - CUTOFF - Cells.x, Cells.nx);
  const kx1 = cellAlong(x + CUTOFF - Cells.x, Cells.nx);
  const ky0 = cellAlong(y - CUTOFF - Cells.y, Cells.ny);
  const ky1 = cellAlong(y + CUTOFF - Cells.y, Cells.ny);
  const kz0 = cellAlong(z - CUTOFF - Cells.z, Cells.nz);
  const kz1 = cellAlong(z + CUTOFF - Cells.z, Cells.nz);
  let energy: f64 = 0;
  gx = 0;
  gy = 0;
  gz = 0;
  for (let kz = kz0; kz <= kz1; kz++) {
    const offZ = outside(z - Cells.z, kz);
    for (let ky = ky0; ky <= ky1; ky++) {
      const offY = outside(y - Cells.y, ky);
      if (offZ * offZ + offY * offY > CUTOFF * CUTOFF) continue;
      const row = Cells.starts + ((<usize>((kz * Cells.ny + ky) * Cells.nx)) << 2);
      const from = load<i32>(row + ((<usize>kx0) << 2));
      const to = load<i32>(row + ((<usize>(kx1 + 1)) << 2));
      energy += runEnergy(i, x, y, z, from, to);
    }
  }
  const slope = Bodies.slopes + <usize>i * 24;
  store<f64>(slope, gx);
  store<f64>(slope, gy, 8);
  store<f64>(slope, gz, 16);
  return energy;
}

/** Distance of a place from a layer of cells. The outer layers hold all atoms, so nothing lies beyond them. */
function outside(offset: f64, k: i32): f64 {
  const low = <f64>k * Cells.edge;
  return offset < low ? low - offset : offset > low + Cells.edge ? offset - low - Cells.edge : 0;
}

function runEnergy(i: i32, x: f64, y: f64, z: f64, from: i32, to: i32): f64 {
  const own = i * ATOM_COLUMNS;
  const reach = isSharp ? SHARP_CUTOFF * SHARP_CUTOFF : CUTOFF * CUTOFF;
  const radius = get(Bodies.ligand, own + 3);
  const bits = <i32>get(Bodies.ligand, own + 4);
  let energy: f64 = 0;
  let sx: f64 = 0;
  let sy: f64 = 0;
  let sz: f64 = 0;
  let atom = Cells.atoms + ((<usize>(from * ATOM_COLUMNS)) << 3);
  for (let j = from; j < to; j++) {
    const dx = x - load<f64>(atom);
    const dy = y - load<f64>(atom, 8);
    const dz = z - load<f64>(atom, 16);
    const r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < reach) {
      const r = Math.sqrt(r2);
      const d = r - (radius + load<f64>(atom, 24));
      const other = <i32>load<f64>(atom, 32);
      // The cubic of the Gaussians.
      const position = (d - TABLE_FROM) * NODES_PER_UNIT;
      const node = <i32>position;
      const t = position - <f64>node;
      const entry = table + ((<usize>node) << 4);
      const a = load<f64>(entry);
      const b = load<f64>(entry, 8);
      const rise = load<f64>(entry, 16) - a;
      const c2 = 3 * rise - 2 * b - load<f64>(entry, 24);
      const c3 = b + load<f64>(entry, 24) - 2 * rise;
      let e = a + t * (b + t * (c2 + t * c3));
      let f = (b + t * (2 * c2 + 3 * t * c3)) * NODES_PER_UNIT;
      if (d < 0) {
        e += REPULSION * d * d;
        f += 2 * REPULSION * d;
      }
      if ((bits & other & HYDROPHOBIC) !== 0) {
        e += HYDROPHOBIC_WEIGHT * anyRamp(1.5 - d);
        f -= HYDROPHOBIC_WEIGHT * rampSlope;
      }
      if (bonds(bits, other)) {
        e += HYDROGEN_BOND * anyRamp(d * (-1 / 0.7));
        f -= (HYDROGEN_BOND / 0.7) * rampSlope;
      }
      if (!isSharp && r > CUTOFF - FADE) {
        const t = (CUTOFF - r) / FADE;
        f = f * t * t * (3 - 2 * t) - (e * 6 * t * (1 - t)) / FADE;
        e *= t * t * (3 - 2 * t);
      }
      energy += e;
      f /= Math.max(r, 1e-9);
      sx += f * dx;
      sy += f * dy;
      sz += f * dz;
    }
    atom += (<usize>ATOM_COLUMNS) << 3;
  }
  gx += sx;
  gy += sy;
  gz += sz;
  return energy;
}

let rampSlope: f64 = 0;

/** s between 0 and 1, of the smooth energy rounded at both; leaves its slope. */
function anyRamp(s: f64): f64 {
  const width = isSharp ? 0 : ROUND;
  rampSlope = 0;
  if (s <= -width) return 0;
  if (s >= 1 + width) return 1;
  rampSlope = 1;
  if (s < width) {
    rampSlope = (s + width) / (2 * width);
    return 0.5 * (s + width) * rampSlope;
  }
  if (s > 1 - width) {
    rampSlope = (1 + width - s) / (2 * width);
    return 1 - 0.5 * (1 + width - s) * rampSlope;
  }
  return s;
}

/** 1 up to `good`, 0 from `bad`, linear between them. */
function ramp(d: f64, good: f64, bad: f64): f64 {
  return d <= good ? 1 : d >= bad ? 0 : (bad - d) / (bad - good);
}

function bonds(bits: i32, other: i32): bool {
  return ((bits & DONOR) !== 0 && (other & ACCEPTOR) !== 0) || ((bits & ACCEPTOR) !== 0 && (other & DONOR) !== 0);
}

/** The sums of the five terms of the ligand as placed, without weights and without the table, over all pairs. */
export function vinaTerms(): void {
  for (let k = 0; k < 5; k++) set(TERMS, k, 0);
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    const own = i * ATOM_COLUMNS;
    const place = 3 * i;
    const bits = <i32>get(Bodies.ligand, own + 4);
    for (let j = 0; j < Bodies.receptorAtoms; j++) {
      const row = j * ATOM_COLUMNS;
      const dx = get(Bodies.placed, place) - get(Bodies.receptor, row);
      const dy = get(Bodies.placed, place + 1) - get(Bodies.receptor, row + 1);
      const dz = get(Bodies.placed, place + 2) - get(Bodies.receptor, row + 2);
      const r2 = dx * dx + dy * dy + dz * dz;
      if (!(r2 < CUTOFF * CUTOFF)) continue;
      const d = Math.sqrt(r2) - (get(Bodies.ligand, own + 3) + get(Bodies.receptor, row + 3));
      const other = <i32>get(Bodies.receptor, row + 4);
      add(0, Math.exp(-4 * d * d));
      add(1, Math.exp(-0.25 * (d - 3) * (d - 3)));
      if (d < 0) add(2, d * d);
      if ((bits & other & HYDROPHOBIC) !== 0) add(3, ramp(d, 0.5, 1.5));
      if (bonds(bits, other)) add(4, ramp(d, -0.7, 0));
    }
  }
}

function add(term: i32, value: f64): void {
  set(TERMS, term, get(TERMS, term) + value);
}
