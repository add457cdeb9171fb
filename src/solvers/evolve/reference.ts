// Reference implementation of the Lennard-Jones energy: every pair, every image; no list, no cells, no ghosts.
//
// For a box of at least twice the cut-off that is the minimum image convention; smaller boxes sum over as many
// images as the cut-off reaches, including an atom's own images. Allen & Tildesley, Computer Simulation of Liquids
// (2nd ed.), §1.6.

import type { Box } from './initial-positions.ts';

export type Cutoff = 'truncated' | 'shifted' | 'force-shifted';

export interface Pair {
  readonly eps: number;
  readonly sig: number;
  readonly rc: number;
  readonly cutoff: Cutoff;
}

export interface Bonds {
  /** Beads per chain, 0 for none. */
  readonly chainLength: number;
  readonly k: number;
  readonly r0: number;
}

export interface Configuration {
  /** The energy that the forces conserve: truncated pairs count relative to phi(rc), like shifted pairs. */
  readonly energy: number;
  /** Σ r · f over pairs and bonds. */
  readonly virial: number;
  /** Pairs inside rc. */
  readonly inside: number;
  readonly forces: Float64Array;
}

/** phi(r) without a cut-off, and the force divided by r. */
export function lennardJones({ eps, sig }: Pick<Pair, 'eps' | 'sig'>, r: number): { energy: number; f: number } {
  const s = sig / r;
  const s6 = s * s * s * s * s * s;
  return { energy: 4 * eps * (s6 * s6 - s6), f: (24 * eps * (2 * s6 * s6 - s6)) / (r * r) };
}

/** Energy, virial and forces of atoms at `positions`, f64[3 N], wrapped or not. */
export function configurationOf(positions: Float64Array, box: Box, pair: Pair, bonds: Bonds): Configuration {
  const atoms = positions.length / 3;
  const edges = [box.x, box.y, box.z];
  const images = edges.map((edge) => (edge >= 2 * pair.rc ? 0 : Math.ceil(pair.rc / edge)));
  const [mx = 0, my = 0, mz = 0] = images;
  const atCutoff = lennardJones(pair, pair.rc);
  const shift = pair.cutoff === 'force-shifted' ? atCutoff.f * pair.rc : 0;
  const forces = new Float64Array(positions.length);
  let energy = 0;
  let virial = 0;
  let inside = 0;

  const difference = (i: number, j: number, d: number): number =>
    (positions[3 * i + d] ?? 0) - (positions[3 * j + d] ?? 0);
  const nearest = (i: number, j: number, d: number): number => {
    const edge = edges[d] ?? 1;
    const x = difference(i, j, d);
    return x - edge * Math.floor(x / edge + 0.5);
  };
  const addForce = (i: number, j: number, f: number, dx: number, dy: number, dz: number): void => {
    const force = [f * dx, f * dy, f * dz];
    for (let d = 0; d < 3; d++) {
      forces[3 * i + d] = (forces[3 * i + d] ?? 0) + (force[d] ?? 0);
      forces[3 * j + d] = (forces[3 * j + d] ?? 0) - (force[d] ?? 0);
    }
  };
  /** One pair at one image; `weight` is 1/2 for an atom and its own image, which are visited twice. */
  const addPair = (i: number, j: number, dx: number, dy: number, dz: number, weight: number): void => {
    const r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= pair.rc * pair.rc) return;
    const r = Math.sqrt(r2);
    const { energy: phi, f } = lennardJones(pair, r);
    const total = f - shift / r;
    energy += weight * (phi - atCutoff.energy + shift * (r - pair.rc));
    virial += weight * total * r2;
    inside += weight;
    if (i !== j) addForce(i, j, total, dx, dy, dz);
  };

  for (let i = 0; i < atoms; i++) {
    for (let j = i; j < atoms; j++) {
      const [x, y, z] = [nearest(i, j, 0), nearest(i, j, 1), nearest(i, j, 2)];
      for (let kx = -mx; kx <= mx; kx++) {
        for (let ky = -my; ky <= my; ky++) {
          for (let kz = -mz; kz <= mz; kz++) {
            if (i === j && kx === 0 && ky === 0 && kz === 0) continue;
            addPair(i, j, x + kx * box.x, y + ky * box.y, z + kz * box.z, i === j ? 0.5 : 1);
          }
        }
      }
    }
  }
  for (let k = 0; bonds.chainLength > 1 && k + 1 < atoms; k++) {
    if ((k + 1) % bonds.chainLength === 0) continue;
    const [dx, dy, dz] = [difference(k, k + 1, 0), difference(k, k + 1, 1), difference(k, k + 1, 2)];
    const r = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const f = (-bonds.k * (r - bonds.r0)) / r;
    energy += 0.5 * bonds.k * (r - bonds.r0) * (r - bonds.r0);
    virial += f * r * r;
    addForce(k, k + 1, f, dx, dy, dz);
  }
  return { energy, virial, inside, forces };
}

/** Σ v² / 2 */
export function kineticOf(velocities: Float64Array): number {
  return 0.5 * velocities.reduce((sum, v) => sum + v * v, 0);
}

/**
 * Tail corrections of a truncated potential: energy per atom and pressure of a uniform fluid beyond rc.
 * Frenkel & Smit, Understanding Molecular Simulation, §3.2.2.
 */
export function tailCorrections(
  { eps, sig, rc }: Pick<Pair, 'eps' | 'sig' | 'rc'>,
  rho: number,
): { U: number; P: number } {
  const s3 = (sig / rc) * (sig / rc) * (sig / rc);
  const s9 = s3 * s3 * s3;
  const volume = Math.PI * sig * sig * sig;
  return {
    U: (8 / 3) * volume * rho * eps * (s9 / 3 - s3),
    P: (16 / 3) * volume * rho * rho * eps * ((2 / 3) * s9 - s3),
  };
}
