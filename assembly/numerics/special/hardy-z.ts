// Hardy's function Z(t) = exp(iθ(t)) ζ(1/2 + it), real for real t, which has the zeros of ζ on the critical line.
//
// By the Riemann–Siegel formula, two terms a vector; below `eulerBelow` by Euler–Maclaurin summation. The angles
// θ(t) − t ln n are reduced to a turn before they are rounded, so that Z keeps its digits to t = 10^7.
// `hardyZError` bounds the error: the remainder by Gabcke, and rounding. Edwards, Riemann's Zeta Function (1974), §6.4, §7.
import { allocate } from '../../kernel';
import { Low, logarithm, product, upperHalf } from '../double-double';
import { laneSum } from '../simd';
import { correction, remainderBound } from './riemann-siegel';
import { thetaPhase } from './riemann-siegel-theta';

const TURN: f64 = 0.15915494309189535; // 1 / 2π
const TURN_LOW: f64 = -9.839338337591243e-18;

/** The longest sum: √(10^7 / 2π) of Riemann–Siegel, t/2 + 12 of Euler–Maclaurin below 2400. */
const MAX_TERMS: i32 = 1_264;
/** Below this t the bounds of the Riemann–Siegel remainder are not proved. */
export const EULER_BELOW: f64 = 200;
/** The least t from which Riemann–Siegel is always taken. */
export const MAX_EULER_BELOW: f64 = 2_400;

/** Error of Euler–Maclaurin summation, almost all of it rounding. */
const EULER_ERROR: f64 = 2e-13;
/** Rounding of the Riemann–Siegel sum, over (t/2π)^(1/4). */
const ROUNDING: f64 = 4e-15;

/** sin(2πu) = u P(u²) for |u| <= 1/4, to 2e-18: Chebyshev fit in u², the highest power first. */
// biome-ignore format: a table
const SINE: usize = memory.data<f64>([
  0.10089695501646812, -0.7177337921413454, 3.8199280942271643, -15.0946416761179, 42.058693925428685,
  -76.70585975282492, 81.60524927607362, -41.341702240399755, 6.283185307179586,
], 16);

/** B_2j / (2j)! from j = 1 on. */
// biome-ignore format: a table
const BERNOULLI: usize = memory.data<f64>([
  0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05, -8.267195767195768e-07, 2.08767569878681e-08,
  -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
  -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19, 3.534707039629467e-21,
  -8.953517427037546e-23, 2.267952452337683e-24, -5.744790668872202e-26, 1.455172475614865e-27,
  -3.6859949406653103e-29, 9.336734257095045e-31, -2.36502241570063e-32,
]);
const BERNOULLI_TERMS: i32 = 20;

/** By n from 0: ln(n + 1)/2π in 26 bits, the rest of it, and 2 / √(n + 1). */
let coarse: usize = 0;
let fine: usize = 0;
let weights: usize = 0;

/** Reserves the tables of logarithms. @returns whether there is room */
export function reserveHardyZ(): bool {
  const bytes: usize = (<usize>MAX_TERMS) << 3;
  coarse = allocate(bytes);
  fine = allocate(bytes);
  weights = allocate(bytes);
  if (!coarse || !fine || !weights) return false;
  for (let n = 1; n <= MAX_TERMS; n++) {
    const at = (<usize>(n - 1)) << 3;
    const ln = logarithm(<f64>n);
    const turns = product(ln, Low.part, TURN, TURN_LOW);
    const upper = upperHalf(turns);
    store<f64>(coarse + at, upper);
    store<f64>(fine + at, turns - upper + Low.part);
    store<f64>(weights + at, 2 / Math.sqrt(<f64>n));
  }
  return true;
}

/**
 * Z(t) for 0 <= t <= 10^7.
 * @param corrections  1 … 5 of the Riemann–Siegel formula
 * @param eulerBelow  from 200 to 2400: below it Euler–Maclaurin
 */
export function hardyZ(t: f64, corrections: i32, eulerBelow: f64): f64 {
  return t < eulerBelow ? byEulerMaclaurin(t) : byRiemannSiegel(t, corrections);
}

/** A bound of the error of `hardyZ`, also against a t that is rounded. */
export function hardyZError(t: f64, corrections: i32, eulerBelow: f64): f64 {
  return t < eulerBelow ? EULER_ERROR : remainderBound(t, corrections) + ROUNDING * Math.sqrt(Math.sqrt(t * TURN));
}

function byRiemannSiegel(t: f64, corrections: i32): f64 {
  const a = Math.sqrt(t * TURN);
  const terms = <i32>a;
  const last = correction(a - <f64>terms, a, corrections) / Math.sqrt(a);
  return mainSum(t, terms) + (terms & 1 ? last : -last);
}

/** 2 Σ cos(θ(t) − t ln n) / √n for n from 1 to `terms`. */
function mainSum(t: f64, terms: i32): f64 {
  const phase = thetaPhase(t);
  const upper = upperHalf(t);
  const phases = f64x2.splat(phase);
  const uppers = f64x2.splat(upper);
  const lowers = f64x2.splat(t - upper);
  const whole = f64x2.splat(t);
  const quarter = f64x2.splat(0.25);
  let total = f64x2.splat(0);
  const even = terms & ~1;
  const end = (<usize>even) << 3;
  for (let at: usize = 0; at < end; at += 16) {
    const angle = reduced(v128.load(coarse + at), v128.load(fine + at), phases, uppers, lowers, whole);
    const u = f64x2.sub(quarter, f64x2.abs(angle));
    total = f64x2.add(total, f64x2.mul(v128.load(weights + at), sine(u)));
  }
  let value = laneSum(total);
  if (terms > even) value += load<f64>(weights + end) * Math.cos(angleOf(t, upper, phase, end) * (2 * Math.PI));
  return value;
}

/** The angle of a term in turns, from −1/2 to 1/2. */
function reduced(upperLog: v128, lowerLog: v128, phases: v128, uppers: v128, lowers: v128, whole: v128): v128 {
  const large = f64x2.mul(uppers, upperLog);
  const rest = f64x2.add(f64x2.mul(lowers, upperLog), f64x2.mul(whole, lowerLog));
  const angle = f64x2.sub(f64x2.sub(phases, f64x2.sub(large, f64x2.nearest(large))), rest);
  return f64x2.sub(angle, f64x2.nearest(angle));
}

/** sin(2πu) of both lanes, |u| <= 1/4. */
function sine(u: v128): v128 {
  const s = f64x2.mul(u, u);
  let p = v128.load_splat<f64>(SINE);
  p = f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 8));
  p = f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 16));
  p = f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 24));
  p = f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 32));
  p = f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 40));
  p = f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 48));
  p = f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 56));
  return f64x2.mul(u, f64x2.add(f64x2.mul(p, s), v128.load_splat<f64>(SINE, 64)));
}

function angleOf(t: f64, upper: f64, phase: f64, at: usize): f64 {
  const large = upper * load<f64>(coarse + at);
  const rest = (t - upper) * load<f64>(coarse + at) + t * load<f64>(fine + at);
  const angle = phase - (large - nearest(large)) - rest;
  return angle - nearest(angle);
}

/**
 * Σ n^(−s) below N = t/2 + 12, and N^(−s) (N/(s − 1) + 1/2 + Σ B_2j/(2j)! s (s + 1) … (s + 2j − 2) N^(1 − 2j)); each term
 * of the second sum is at most a tenth of the one before, at first.
 */
function byEulerMaclaurin(t: f64): f64 {
  const phase = thetaPhase(t);
  const upper = upperHalf(t);
  const n = <i32>(0.5 * t) + 12;
  let value: f64 = 0;
  for (let k = n - 2; k >= 0; k--) {
    const at = (<usize>k) << 3;
    value += 0.5 * load<f64>(weights + at) * Math.cos(angleOf(t, upper, phase, at) * (2 * Math.PI));
  }
  // Factors j of s (s + 1) … / N² by Horner: re + i im.
  const inverse = 1 / (<f64>n * <f64>n);
  let re: f64 = 0;
  let im: f64 = 0;
  for (let j = BERNOULLI_TERMS; j > 0; j--) {
    const c = load<f64>(BERNOULLI + ((<usize>(j - 1)) << 3));
    const sumRe = c + re;
    // (s + 2j − 3)(s + 2j − 2) / N² for j > 1, s / N for j = 1.
    let factorRe: f64 = 0.5 / <f64>n;
    let factorIm: f64 = t / <f64>n;
    if (j > 1) {
      const first = <f64>(2 * j) - 2.5;
      const second = first + 1;
      factorRe = (first * second - t * t) * inverse;
      factorIm = t * (first + second) * inverse;
    }
    const nextRe = factorRe * sumRe - factorIm * im;
    im = factorRe * im + factorIm * sumRe;
    re = nextRe;
  }
  // N / (s − 1) + 1/2
  const below = 0.25 + t * t;
  re += 0.5 - (0.5 * <f64>n) / below;
  im -= (t * <f64>n) / below;
  const at = (<usize>(n - 1)) << 3;
  const angle = angleOf(t, upper, phase, at) * (2 * Math.PI);
  return value + 0.5 * load<f64>(weights + at) * (re * Math.cos(angle) - im * Math.sin(angle));
}
