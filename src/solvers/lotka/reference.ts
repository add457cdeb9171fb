// The period of a closed orbit by quadrature, without a step: Waldvogel's integral.
//
// With e^s − 1 − s = z²/2, s = G(z), and the energy E = γ F(p) + α F(q), F(s) = e^s − 1 − s, the orbit is
// p = G(A cos φ), q = G(B sin φ), A = √(2E/γ), B = √(2E/α), and
//
//   T = 1/√(αγ) ∫ G′(A cos φ) G′(B sin φ) dφ   over a turn.
//
// G is −1 − z²/2 − W(−exp(−1 − z²/2)) by the two real branches of Lambert's W; here by Newton's method, which loses no
// digit where the branches meet. Each quarter by the double exponential rule, whose points crowd at both ends, where
// large orbits turn within 1/A. Waldvogel, SIAM J. Numer. Anal. 20 (1983) 1264.

import { exp, expm1, log, sin } from '../../core/elementary.ts';

/** e^s − 1 − s, without cancellation. */
export function excess(s: number): number {
  if (Math.abs(s) > 0.7) return expm1(s) - s;
  let sum = 1;
  for (let k = 18; k >= 3; k--) sum = 1 + (s / k) * sum;
  return 0.5 * s * s * sum;
}

/** G(z): the s of the sign of z with e^s − 1 − s = z²/2. */
export function logOfExcess(z: number): number {
  if (z === 0) return 0;
  const half = 0.5 * z * z;
  let s = z < -1 ? -half - 1 : z > 2 ? log(1 + half + log(1 + half)) : z - (z * z) / 6;
  for (let k = 0; k < 40; k++) {
    const root = Math.sqrt(2 * excess(s));
    const size = s < 0 ? -root : root;
    const slope = expm1(s) / size;
    const next = size === 0 ? z : s - (size - z) / slope;
    if (!(Math.abs(next - s) > 4e-16 * Math.abs(s))) return next;
    s = next;
  }
  return s;
}

/** G′(z). */
function slopeOf(z: number): number {
  return z === 0 ? 1 : z / expm1(logOfExcess(z));
}

export interface Orbit {
  readonly period: number;
  /** Of the period, by the last refinement. */
  readonly error: number;
  /** Logarithms over the equilibrium. */
  readonly preyMax: number;
  readonly preyMin: number;
  readonly predatorMax: number;
  readonly predatorMin: number;
}

/** @param p  logarithm of the prey of the start over the equilibrium; q of the predators */
export function orbitOf(alpha: number, gamma: number, p: number, q: number): Orbit {
  const energy = gamma * excess(p) + alpha * excess(q);
  const [A, B] = [Math.sqrt((2 * energy) / gamma), Math.sqrt((2 * energy) / alpha)];
  const extremes = {
    preyMax: logOfExcess(A),
    preyMin: logOfExcess(-A),
    predatorMax: logOfExcess(B),
    predatorMin: logOfExcess(-B),
  };
  let spacing = 1 / 8;
  let before = turn(A, B, spacing, 0);
  for (let level = 0; level < 9; level++) {
    // The points between those before.
    const sum = 0.5 * (before + turn(A, B, spacing, 0.5));
    const change = Math.abs(sum - before);
    before = sum;
    spacing *= 0.5;
    if (level > 0 && change <= 2e-14 * sum)
      return { period: sum / Math.sqrt(alpha * gamma), error: change / Math.sqrt(alpha * gamma), ...extremes };
  }
  return { period: before / Math.sqrt(alpha * gamma), error: Number.POSITIVE_INFINITY, ...extremes };
}

const REACH = 4.25;
const QUARTER = 0.5 * Math.PI;

/** The integral by points of a spacing, shifted by a part of it. */
function turn(A: number, B: number, spacing: number, shift: number): number {
  let sum = 0;
  const count = Math.floor(REACH / spacing);
  for (let k = -count; k <= count; k++) {
    const t = (k + shift) * spacing;
    const [grow, fall] = [exp(t), exp(-t)];
    const u = QUARTER * (grow - fall);
    // The position from the near end, as a part of the quarter.
    const far = 1 / (1 + exp(-u));
    const near = 1 / (1 + exp(u));
    const weight = QUARTER * (grow + fall) * far * near;
    const [sine, cosine] = [sin(QUARTER * far), sin(QUARTER * near)];
    const prey = slopeOf(A * cosine) + slopeOf(-A * cosine);
    const predators = slopeOf(B * sine) + slopeOf(-B * sine);
    sum += weight * prey * predators;
  }
  return QUARTER * spacing * sum;
}
