// Reference energies: closed forms, and the exact energies of the difference equations for the infinite well.
//
// Landau & Lifshitz, Quantum Mechanics, §§22–24 and 36; Morse, Physical Review 34 (1929) 57; NIST Digital
// Library of Mathematical Functions §9.9 for the zeros of the Airy function.

import { cos, exp, log, sin } from '../../core/elementary.ts';
import { KIND, type Potential } from './potential.ts';

/** −a_1 … −a_20: the zeros of Ai, computed with mpmath.airyaizero to 30 digits. The first ten are DLMF Table 9.9.1. */
const AIRY_ZEROS = [
  2.338107410459767, 4.08794944413097, 5.520559828095551, 6.786708090071759, 7.944133587120853, 9.02265085334098,
  10.040174341558085, 11.008524303733262, 11.936015563236262, 12.828776752865757, 13.691489035210719,
  14.527829951775335, 15.340755135977997, 16.132685156945772, 16.90563399742994, 17.66130010569706, 18.401132599207116,
  19.126380474246954, 19.8381298917215, 20.537332907677566,
];

/**
 * Exact energies of the lowest bound states.
 *
 * @returns at most `states` energies, fewer if the potential has fewer; undefined without a closed form
 */
export function closedFormLevels(potential: Potential, states: number): readonly number[] | undefined {
  const { kind, kinetic, c1, c2, l, lambda } = potential;
  const levels = (count: number, energy: (n: number) => number) =>
    Array.from({ length: Math.min(states, Math.max(0, count)) }, (_, n) => energy(n));
  switch (kind) {
    case KIND.box:
      return levels(states, (n) => kinetic * ((Math.PI * (n + 1)) / c1) * ((Math.PI * (n + 1)) / c1));
    case KIND.polynomial:
      return c2 === 0 ? levels(states, (n) => (2 * n + 1) * Math.sqrt(kinetic * c1)) : undefined;
    case KIND.finiteWell: {
      const z0 = c2 * Math.sqrt(c1 / kinetic);
      return levels(Math.ceil(z0 / (Math.PI / 2)), (n) => finiteWellLevel(c1, z0, n));
    }
    case KIND.morse: {
      const depth = Math.sqrt(c1 / kinetic) / c2; // sqrt(2 m D) / ħ α
      return levels(Math.ceil(depth - 0.5), (n) => {
        const fraction = (n + 0.5) / depth;
        return c1 * fraction * (2 - fraction);
      });
    }
    case KIND.coulomb:
      return levels(states, (n) => -(c1 * c1) / (4 * kinetic * (n + l + 1) * (n + l + 1)));
    case KIND.linear:
      return levels(states, (n) => cubeRoot(kinetic * c1 * c1) * (AIRY_ZEROS[n] ?? Number.NaN));
    case KIND.poschlTeller:
      return levels(Math.ceil(lambda), (n) => -kinetic * c2 * c2 * (lambda - n) * (lambda - n));
    default:
      return undefined;
  }
}

/** Energies of −ψ_{i−1} + 2ψ_i − ψ_{i+1} on `nodes` inner nodes: (2/h²) (1 − cos θ) without cancellation. */
export function discreteWellLevel(kinetic: number, L: number, nodes: number, n: number): number {
  const h = L / (nodes + 1);
  const half = sin((Math.PI * (n + 1)) / (2 * (nodes + 1)));
  return ((4 * kinetic) / (h * h)) * half * half;
}

/**
 * State n of the well of depth V0: with z = k a and z0 = a sqrt(2 m V0)/ħ, the even and the odd condition are both
 * cos(z − nπ/2) = z/z0 for z between nπ/2 and (n + 1)π/2, where the left side decreases and the right side increases.
 */
function finiteWellLevel(V0: number, z0: number, n: number): number {
  let low = (n * Math.PI) / 2;
  let high = Math.min(((n + 1) * Math.PI) / 2, z0);
  for (let i = 0; i < 100; i++) {
    const z = 0.5 * (low + high);
    if (cos(z - (n * Math.PI) / 2) > z / z0) low = z;
    else high = z;
  }
  return -V0 * (1 - low / z0) * (1 + low / z0);
}

/** Cube root by exp and log, then one step of Newton's method. */
export function cubeRoot(x: number): number {
  const root = exp(log(x) / 3);
  return root - (root - x / (root * root)) / 3;
}
