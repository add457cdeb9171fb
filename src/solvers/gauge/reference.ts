// Exact means of a plane lattice that closes on itself: sums over the representations of the group.
//
// The weight of a plaquette is a sum of characters with coefficients c_n: powers of tanh beta for Z2, I_n(beta) for U(1),
// 2 I_n(beta) / beta for SU(2). Migdal, Sov. Phys. JETP 42 (1975) 413; Rusakov, Mod. Phys. Lett. A 5 (1990) 693.

import { exp, log } from '../../core/elementary.ts';
import type { GaugeInput } from './inputs.ts';

/** Relative rounding of a sum of powers, for each plaquette. */
export const REFERENCE_ERROR = 2e-15;

/** Coefficients below this fraction of the first count no more. */
const NEGLIGIBLE = 1e-20;
const MAX_TERMS = 4096;

/**
 * Mean of a Wilson loop that encloses `area` plaquettes of the `plaquettes` of a torus; area 1 is the plaquette.
 *
 * @param plaquettes  Infinity for the infinite plane
 */
export function planeLoop(group: GaugeInput['group'], beta: number, area: number, plaquettes: number): number {
  if (group === 'z2') {
    const t = tanh(beta);
    return (power(t, area) + power(t, plaquettes - area)) / (1 + power(t, plaquettes));
  }
  return group === 'u1' ? phaseLoop(beta, area, plaquettes) : quaternionLoop(beta, area, plaquettes);
}

function phaseLoop(beta: number, area: number, plaquettes: number): number {
  const c = besselRatios(beta, 0);
  const at = (n: number) => c[Math.abs(n)] ?? 0;
  let [sum, norm] = [0, 0];
  for (let n = 1 - c.length; n < c.length; n++) {
    norm += power(at(n), plaquettes);
    sum += power(at(n), plaquettes - area) * power(at(n + 1), area);
  }
  return sum / norm;
}

function quaternionLoop(beta: number, area: number, plaquettes: number): number {
  // c[n − 1] belongs to the representation of n dimensions.
  const c = besselRatios(beta, 1);
  const at = (n: number) => c[n - 1] ?? 0;
  let [sum, norm] = [0, 0];
  for (let m = 1; m <= c.length; m++) {
    norm += power(at(m), plaquettes);
    for (const n of [m - 1, m + 1])
      if (n > 0) sum += (n / (2 * m)) * power(at(n), area) * power(at(m), plaquettes - area);
  }
  return sum / norm;
}

/** I_n / I_first for n = first, first + 1, …, from the ratios of neighbours, which are stable downwards. */
function besselRatios(beta: number, first: number): readonly number[] {
  const ratios: number[] = [];
  let ratio = 0;
  const terms = Math.min(MAX_TERMS, Math.ceil(40 + 12 * Math.sqrt(beta) + beta / 8));
  // I_n / I_{n − 1} = 1 / (2 n / beta + I_{n + 1} / I_n)
  for (let n = terms + 60; n > first; n--) {
    ratio = beta === 0 ? 0 : 1 / ((2 * n) / beta + ratio);
    ratios.push(ratio);
  }
  const values = [1];
  let value = 1;
  for (const one of ratios.reverse()) {
    value *= one;
    if (value < NEGLIGIBLE) break;
    values.push(value);
  }
  return values;
}

function power(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1;
  return base === 0 ? 0 : exp(exponent * log(base));
}

function tanh(x: number): number {
  const e = exp(-2 * x);
  return (1 - e) / (1 + e);
}
