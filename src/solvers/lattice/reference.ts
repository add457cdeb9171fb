// The locked state of an open chain in closed form: sin(θ_{i+1} − θ_i) = S_i / K with S_i = Σ_{j ≤ i} (Ω − ω_j).

import { cos, sin } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';

export interface LockedState {
  /** θ of each node, the first 0. */
  readonly phases: readonly number[];
  readonly r: number;
  readonly rUncertainty: number;
  /** Slowest rate of decay towards it, negative, in 1/s; 0 at the critical coupling. */
  readonly slowestRate: number;
  readonly rateUncertainty: number;
}

/** S_i / 1 between neighbours; K_c is the largest magnitude. @param omega  less its mean */
function pulls(omega: readonly number[]): readonly number[] {
  const sums: number[] = [];
  for (const one of omega.slice(0, -1)) sums.push((sums.at(-1) ?? 0) - one);
  return sums;
}

export const criticalCoupling = (omega: readonly number[]): number =>
  pulls(omega).reduce((most, one) => Math.max(most, Math.abs(one)), 0);

/** arcsin by Newton's method on the sine of core, from the square root's side. */
function arcsine(x: number): number {
  let angle = x;
  const isSteep = Math.abs(x) > 0.7;
  // Near ±1 from the complement: 2 arcsin √((1 − |x|)/2) is small there.
  if (isSteep) {
    const small = 2 * arcsine(Math.sqrt(0.5 * (1 - Math.abs(x))));
    return Math.sign(x) * (Math.PI / 2 - small);
  }
  for (let k = 0; k < 8; k++) angle -= (sin(angle) - x) / cos(angle);
  return angle;
}

/** Undefined where the coupling is too weak. @param omega  less its mean */
export function lockedState(omega: readonly number[], K: number): LockedState | undefined {
  const sines = pulls(omega).map((one) => one / K);
  if (K === 0 || sines.some((one) => !(Math.abs(one) < 1))) return undefined;
  const angles = sines.map(arcsine);
  // A negative coupling locks neighbours half a turn apart.
  const differences = K > 0 ? angles : angles.map((one) => Math.PI - one);
  const phases = [0];
  for (const one of differences) phases.push(at(phases, phases.length - 1) + one);
  const [x, z] = [cos, sin].map((f) => phases.reduce((sum, one) => sum + f(one), 0));
  const n = phases.length;
  const r = Math.sqrt((x ?? 0) * (x ?? 0) + (z ?? 0) * (z ?? 0)) / n;
  const weights = angles.map((one) => Math.abs(K) * cos(one));
  const slowestRate = secondRate(weights);
  // What an error of S does to a difference of phases grows as 1/cos towards the critical coupling.
  const steepest = Math.max(...weights.map((one) => Math.abs(K) / one));
  return {
    phases,
    r,
    rUncertainty: 16 * n * Number.EPSILON * steepest,
    slowestRate,
    rateUncertainty: 64 * Math.abs(K) * Number.EPSILON * steepest,
  };
}

/**
 * The largest eigenvalue but one of minus the weighted Laplacian of a path, whose largest is 0: by bisection, with the
 * number of eigenvalues above a place by Sturm's sequence.
 */
function secondRate(weights: readonly number[]): number {
  const above = (place: number): number => {
    let count = 0;
    let pivot = 1;
    for (let i = 0; i <= weights.length; i++) {
      const [left, right] = [weights[i - 1] ?? 0, weights[i] ?? 0];
      pivot = -left - right - place - (i === 0 ? 0 : (left * left) / pivot);
      if (pivot === 0) pivot = -Number.MIN_VALUE;
      if (pivot > 0) count++;
    }
    return count;
  };
  let low = -4 * Math.max(...weights);
  let high = 0;
  for (let k = 0; k < 200; k++) {
    const middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (above(middle) >= 2) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
