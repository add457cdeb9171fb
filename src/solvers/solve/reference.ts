// The Hamiltonian m (φ′²/2 + U(φ)) with U(0) = 0 of what has a potential.

import { exp, expm1 } from '../../core/elementary.ts';
import type { Problem } from './problem.ts';

export interface Energy {
  readonly kinetic: number;
  readonly potential: number;
  readonly total: number;
  /** Sum of the magnitudes of the terms. */
  readonly magnitude: number;
  /** What roundings of the terms and of their factors amount to. */
  readonly rounding: number;
}

/** Each term is rounded a few times, and its factors once each. */
const ROUNDINGS = 6 * Number.EPSILON;

export function energyAt(problem: Problem, phi: number, dphi: number): Energy {
  const { mass, gravity, radius, alpha, beta, kappa, mu } = problem;
  const square = phi * phi;
  const kinetic = 0.5 * mass * dphi * dphi;
  const terms = [
    mass * gravity * (radius > 0 ? phi * (radius / (radius + phi)) : phi),
    0.5 * mass * alpha * square,
    0.25 * mass * beta * square * square,
    kappa === 0 ? 0 : mass * kappa * (mu === 0 ? phi : expm1(mu * phi) / mu),
  ];
  const potential = terms.reduce((sum, one) => sum + one, 0);
  const magnitude = kinetic + terms.reduce((sum, one) => sum + Math.abs(one), 0);
  // The exponent's rounding counts as often as it is large.
  const exponent = 1 + Math.abs(mu * phi);
  const rounding = ROUNDINGS * (magnitude + Math.abs(terms[3] ?? 0) * exponent);
  return { kinetic, potential, total: kinetic + potential, magnitude, rounding };
}

/** −U′(φ), term by term, per unit of mass. */
export function forcesAt(problem: Problem, phi: number): readonly number[] {
  const { gravity, radius, alpha, beta, kappa, mu } = problem;
  const part = radius > 0 ? radius / (radius + phi) : 1;
  return [-gravity * part * part, -alpha * phi, -beta * phi * phi * phi, kappa === 0 ? 0 : -kappa * exp(mu * phi)];
}
