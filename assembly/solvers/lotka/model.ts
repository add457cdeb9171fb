// Prey x and predators y in logarithms, so that both stay positive: the right sides, and which one is present.
//
//   x' = x (α (1 − x/K) − h) − β x y/(1 + x/H)     y' = δ x y/(1 + x/H) − (γ + h) y
//
// About an equilibrium (x*, y*), with p = ln(x/x*), q = ln(y/y*), P = e^p − 1, Q = e^q − 1 and c = x*/H:
//
//   p' = (P (k₁ − k₂ (2 + P)) − k₃ Q)/s     q' = g P/s     s = 1 + c (1 + P)
//
// which loses no digit however small the deviation is. Without one, x* = y* = 1 and terms as they stand. Volterra, Nature
// (1926).
import { get, set } from '../../numerics/vector';

/** About the equilibrium: c, k₁, k₂, k₃, g. Without: 1/H, α − h, α/K, β, γ + h, δ. */
export const COEFFICIENTS: i32 = 6;

let isDeviation = false;
let hasPrey = true;
let hasPredators = true;
let c: f64 = 0;
let k1: f64 = 0;
let k2: f64 = 0;
let k3: f64 = 0;
let g: f64 = 0;
let gain: f64 = 0;

/** @param coefficients  f64[COEFFICIENTS] */
export function setModel(coefficients: usize, deviation: bool, prey: bool, predators: bool): void {
  isDeviation = deviation;
  hasPrey = prey;
  hasPredators = predators;
  c = get(coefficients, 0);
  k1 = get(coefficients, 1);
  k2 = get(coefficients, 2);
  k3 = get(coefficients, 3);
  g = get(coefficients, 4);
  gain = get(coefficients, 5);
}

/** Slopes of Volterra's own equations, k₁ = k₂ = c = 0, apart: for loops of equal steps. */
export function preySlope(q: f64): f64 {
  return -k3 * Math.expm1(q);
}

export function predatorSlope(p: f64): f64 {
  return g * Math.expm1(p);
}

function slopesAt(p: f64, q: f64, out: usize, withMeans: bool): void {
  if (isDeviation) {
    const a = Math.expm1(p);
    const b = Math.expm1(q);
    const r = 1 / (1 + c * (1 + a));
    set(out, 0, (a * (k1 - k2 * (2 + a)) - k3 * b) * r);
    set(out, 1, g * a * r);
    if (withMeans) {
      set(out, 2, a);
      set(out, 3, b);
    }
    return;
  }
  const x = hasPrey ? Math.exp(p) : 0;
  const y = hasPredators ? Math.exp(q) : 0;
  const r = 1 / (1 + c * x);
  set(out, 0, hasPrey ? k1 - k2 * x - k3 * y * r : 0);
  set(out, 1, hasPredators ? gain * x * r - g : 0);
}

/** Slopes of p and q. */
export function pairSlopes(_t: f64, origin: usize, change: usize, out: usize): void {
  slopesAt(get(origin, 0) + get(change, 0), get(origin, 1) + get(change, 1), out, false);
}

/** Slopes of p, q, and of the integrals of P and Q, which give the means. */
export function lapSlopes(_t: f64, origin: usize, change: usize, out: usize): void {
  slopesAt(get(origin, 0) + get(change, 0), get(origin, 1) + get(change, 1), out, true);
}

/** The same for methods that know no origin. */
export function plainLapSlopes(_t: f64, y: usize, out: usize): void {
  slopesAt(get(y, 0), get(y, 1), out, true);
}

export function plainSlopes(_t: f64, y: usize, out: usize): void {
  slopesAt(get(y, 0), get(y, 1), out, false);
}

/**
 * Tolerated errors: of each logarithm for itself, also where the other one is thousands; of small deviations relative to
 * both, so that they keep their digits.
 */
export function pairSizes(y: usize, _slopes: usize, out: usize): void {
  const p = Math.abs(get(y, 0));
  const q = Math.abs(get(y, 1));
  const near = isDeviation ? Math.min(1, p + q) : 1;
  set(out, 0, near * (1 + p));
  set(out, 1, near * (1 + q));
}

/** The integrals follow: they bound no step. */
export function lapSizes(y: usize, slopes: usize, out: usize): void {
  pairSizes(y, slopes, out);
  set(out, 2, 0);
  set(out, 3, 0);
}

/** Below this a logarithm has no effect on the slopes. */
const NO_EFFECT: f64 = -37;
/** Change of one that has, in a step. */
const MAX_CHANGE: f64 = 4;

/**
 * The longest step at the present slopes: that changes a logarithm by MAX_CHANGE, or brings one that has no effect to
 * where it begins to have one. A longer one might jump over a turn and see nothing of it.
 */
export function longestStep(y: usize, slopes: usize): f64 {
  let longest: f64 = Infinity;
  for (let i = 0; i < 2; i++) {
    const here = get(y, i);
    const slope = get(slopes, i);
    if (here < NO_EFFECT - 1) {
      if (slope > 0) longest = Math.min(longest, (NO_EFFECT - here) / slope);
    } else if (slope !== 0) longest = Math.min(longest, MAX_CHANGE / Math.abs(slope));
  }
  return longest;
}
