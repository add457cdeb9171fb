// Failure of the same bodies by laws that know no lattice: Hooke's law of a bar, and linear fracture mechanics of an edge crack.

import { exp, log } from '../../core/elementary.ts';

/** Largest stress of a bar whose bonds fail at a stretch, pulled to a strain. */
export const barStrength = (E: number, strain: number, s0: number): number => E * Math.min(strain, s0);

/**
 * Stress at which an edge crack of length a in a strip of width W grows, with free ends: K = F(a/W) σ √(π a), K² = E G.
 * Tada, Paris & Irwin, The Stress Analysis of Cracks Handbook.
 */
export function edgeCrackStrength(E: number, G: number, a: number, W: number): number {
  const r = a / W;
  const factor = 1.12 + r * (-0.231 + r * (10.55 + r * (-21.72 + r * 30.39)));
  return Math.sqrt((E * G) / (Math.PI * a)) / factor;
}

/** Mean strain at which a long crack grows in a strip of some height between clamped ends, G = E′ ε² h / 2, ν = 1/3. */
export function stripStrain(E: number, G: number, height: number): number {
  return Math.sqrt((16 * G) / (9 * E * height));
}

/**
 * Speed of Rayleigh waves on a plate in plane stress with ν = 1/3: the root of
 * (2 − c²/s²)² = 4 √(1 − c²/p²) √(1 − c²/s²), s and p the speeds of shear and of plate waves. By bisection.
 */
export function rayleighSpeed(E: number, rho: number): number {
  const shear2 = 3 / 8;
  const plate2 = 9 / 8;
  let [low, high] = [0.1, 1];
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    const s = middle * middle;
    const rest = (2 - s) * (2 - s) - 4 * Math.sqrt(1 - (s * shear2) / plate2) * Math.sqrt(1 - s);
    if (rest < 0) low = middle;
    else high = middle;
  }
  return low * Math.sqrt((shear2 * E) / rho);
}

const MAX_TERMS = 200;

/**
 * Phase speed of a wave in an endless peridynamic bar over √(E/ρ), bonds ~ 1/|ξ|: 2 √(γ + ln x − Ci x) / x, x = k δ.
 * The sum Σ (−1)ⁿ⁺¹ x²ⁿ / (2n (2n)!) is what stands under the root; for x up to 10.
 */
export function phaseSpeed(x: number): number {
  let [sum, term] = [0, 1];
  for (let n = 1; n < MAX_TERMS; n++) {
    term *= (-x * x) / ((2 * n - 1) * (2 * n));
    sum -= term / (2 * n);
  }
  return (2 * Math.sqrt(sum)) / x;
}

export interface BarPull {
  readonly load: 'grips' | 'stress';
  /** Strain at the end, or stress over E. */
  readonly amount: number;
  readonly ramp: number;
  readonly tEnd: number;
  /** L / √(E/ρ). */
  readonly passage: number;
}

/** Rises to 1 within the ramp. */
const risen = (t: number, ramp: number): number => (t <= 0 ? 0 : t < ramp ? t / ramp : 1);

/** Strain in the middle (or beside the ends) of a local bar by the waves from both ends, d'Alembert. */
function barStrain({ load, amount, ramp, tEnd, passage }: BarPull, t: number, isMiddle: boolean): number {
  // Speed of the grips over √(E/ρ), and the sign of what the other end sends back.
  const step = load === 'grips' ? (0.5 * amount * passage) / (tEnd - 0.5 * ramp) : amount;
  const sign = load === 'grips' ? 1 : -1;
  let sum = isMiddle ? 0 : risen(t, ramp);
  for (let k = 0; k * passage < t; k++) {
    const arrival = isMiddle ? (k + 0.5) * passage : (k + 1) * passage;
    sum += 2 * (sign === 1 || k % 2 === 0 ? 1 : -1) * risen(t - arrival, ramp) * (isMiddle || sign === 1 ? 1 : 0);
  }
  return step * sum;
}

/** Ends this near to s0 may break first. */
const NEAR = 0.9;

/**
 * Largest strain in the middle of a local bar, which breaks at s0 there if it breaks; NaN if its ends come close to s0 first.
 * The strain is piecewise linear, so its corners are all that matters.
 */
export function barPeak(pull: BarPull, s0: number): number {
  const { passage, ramp, tEnd } = pull;
  const corners = [tEnd];
  for (let k = 0; (k + 0.5) * passage < tEnd; k++)
    corners.push((k + 0.5) * passage, Math.min((k + 0.5) * passage + ramp, tEnd), Math.min((k + 1.5) * passage, tEnd));
  corners.sort((a, b) => a - b);
  let most = 0;
  for (const t of corners) {
    most = Math.max(most, barStrain(pull, t, true));
    const atEnds = barStrain(pull, t, false);
    if (atEnds >= NEAR * s0) return Number.NaN;
    if (most >= s0) return s0;
  }
  return most;
}

/** Largest overshoot of the integral of Airy's function, and of its second integral beside a ramp, over the width. */
const STEP_OVERSHOOT = 0.28;
const RAMP_OVERSHOOT = 0.3;

/**
 * Relative overshoot of a front behind its ramp. Long waves of a peridynamic bar have ω = c k (1 − (kδ)²/48), so a front
 * that has run a way has the shape of Airy's integral and the width (way δ² / 16)^⅓.
 *
 * @param rise  way that waves run within the rise time
 */
export function frontOvershoot(horizon: number, way: number, rise: number): number {
  const width = cbrt((way * horizon * horizon) / 16);
  return Math.min(STEP_OVERSHOOT, (RAMP_OVERSHOOT * width) / Math.max(rise, Number.MIN_VALUE));
}

/** By logarithm and exponential of the house. */
const cbrt = (value: number): number => exp(log(value) / 3);
