// The energy of a pose and its gradient by a step: the chosen scoring, and a spring that pulls atoms back into the box.
import { get, set } from '../../numerics/vector';
import { Bodies } from './bodies';
import { lennardJones } from './lennard-jones';
import { FREEDOM, gatherGradient, movePose, placeLigand } from './pose';
import {
  GAUSS_1,
  GAUSS_2,
  HYDROGEN_BOND,
  HYDROPHOBIC_WEIGHT,
  REPULSION,
  sharpVina,
  smoothVina,
  TERMS,
  vinaTerms,
} from './vina';

/** Of a squared distance outside the box. */
const SPRING: f64 = 100;

export class Energy {
  static isVina: bool = false;
  /** Factor of the sum over pairs: 1, or 1 / (1 + w N) with the rotors of the ligand. */
  static factor: f64 = 1;
  static isBoxed: bool = false;
  /** f64[6]: centre and half sides of the box. */
  static box: usize = memory.data(48, 16);
  static evaluations: f64 = 0;
}

/** @returns the energy with the spring; writes f64[6] to `gradient` */
export function evaluate(pose: usize, gradient: usize): f64 {
  placeLigand(pose);
  let energy = Energy.factor * (Energy.isVina ? smoothVina() : lennardJones());
  if (Energy.factor !== 1) {
    for (let k = 0; k < 3 * Bodies.ligandAtoms; k++) set(Bodies.slopes, k, Energy.factor * get(Bodies.slopes, k));
  }
  if (Energy.isBoxed) energy += springEnergy();
  gatherGradient(pose, gradient);
  Energy.evaluations += 1;
  return energy;
}

function springEnergy(): f64 {
  let energy: f64 = 0;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    for (let d = 0; d < 3; d++) {
      const offset = get(Bodies.placed, 3 * i + d) - get(Energy.box, d);
      const beyond = Math.abs(offset) - get(Energy.box, 3 + d);
      if (!(beyond > 0)) continue;
      energy += SPRING * beyond * beyond;
      const slope = offset < 0 ? -2 * SPRING * beyond : 2 * SPRING * beyond;
      set(Bodies.slopes, 3 * i + d, get(Bodies.slopes, 3 * i + d) + slope);
    }
  }
  return energy;
}

/** The energy of Vina with its kinks and its jump; without a box. */
export function sharpEnergy(pose: usize): f64 {
  placeLigand(pose);
  Energy.evaluations += 1;
  return Energy.factor * sharpVina();
}

/** The largest distance of an atom of the ligand, as placed, outside the box; 0 without one. */
export function outsideBox(): f64 {
  if (!Energy.isBoxed) return 0;
  let largest: f64 = 0;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    for (let d = 0; d < 3; d++) {
      const offset = Math.abs(get(Bodies.placed, 3 * i + d) - get(Energy.box, d));
      largest = Math.max(largest, offset - get(Energy.box, 3 + d));
    }
  }
  return largest;
}

/**
 * The energy of a pose from its terms, without tables, tangents and the spring: f64[5] at TERMS are the sums of r^-12 and
 * r^-6, or Vina's five terms. A pair in one place has no finite energy.
 */
export function exactEnergy(pose: usize): f64 {
  placeLigand(pose);
  if (Energy.isVina) {
    vinaTerms();
    const steric = GAUSS_1 * get(TERMS, 0) + GAUSS_2 * get(TERMS, 1) + REPULSION * get(TERMS, 2);
    return Energy.factor * (steric + HYDROPHOBIC_WEIGHT * get(TERMS, 3) + HYDROGEN_BOND * get(TERMS, 4));
  }
  let twelve: f64 = 0;
  let six: f64 = 0;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    for (let j = 0; j < Bodies.receptorAtoms; j++) {
      const dx = get(Bodies.placed, 3 * i) - get(Bodies.rx, j);
      const dy = get(Bodies.placed, 3 * i + 1) - get(Bodies.ry, j);
      const dz = get(Bodies.placed, 3 * i + 2) - get(Bodies.rz, j);
      const s = 1 / (dx * dx + dy * dy + dz * dz);
      const s3 = s * s * s;
      twelve += s3 * s3;
      six += s3;
    }
  }
  set(TERMS, 0, twelve);
  set(TERMS, 1, six);
  set(TERMS, 2, 0);
  set(TERMS, 3, 0);
  set(TERMS, 4, 0);
  return 4 * (twelve - six);
}

/** Largest difference of the gradient from central differences of the energy, over max(1, |gradient|). */
export function gradientFault(pose: usize, work: usize): f64 {
  const gradient = work;
  const other = work + 48;
  const step = work + 96;
  const moved = work + 144;
  evaluate(pose, gradient);
  let largest: f64 = 1;
  for (let k = 0; k < FREEDOM; k++) largest = Math.max(largest, Math.abs(get(gradient, k)));
  let fault: f64 = 0;
  const h: f64 = 1e-5;
  for (let k = 0; k < FREEDOM; k++) {
    for (let c = 0; c < FREEDOM; c++) set(step, c, c === k ? h : 0);
    movePose(moved, pose, step, 1);
    const above = evaluate(moved, other);
    movePose(moved, pose, step, -1);
    const below = evaluate(moved, other);
    fault = Math.max(fault, Math.abs((above - below) / (2 * h) - get(gradient, k)));
  }
  return fault / largest;
}
