// Heston's stochastic variance: its parameters, its mean, its characteristic function, and how far its densities reach.
//
// dS / S = (r − q) dt + √v dW, dv = κ (θ − v) dt + σ_v √v dZ, correlation ρ (Heston, Review of Financial Studies 6 (1993)
// 327). The logarithm of the characteristic function is A + B v₀ with B' = c − β B + σ_v² B² / 2, A' = κ θ B. Here the
// equations are solved by Taylor series of their own lengths of step, so no logarithm or root of a complex number occurs:
// it shares nothing with the closed form of the kernel.

import { exp, expm1 } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import type { QuantInput } from './inputs.ts';

export interface Heston {
  readonly v0: number;
  readonly kappa: number;
  readonly theta: number;
  readonly sigmaV: number;
  readonly rho: number;
}

/** Below these, neither the volatility of the variance nor its reversion changes a digit of a price. */
const CERTAIN = 1e-12;
const CONSTANT = 1e-15;

/** @throws DomainError VALIDATION_FAILED: inputs that have no meaning with this model */
export function hestonOf(input: QuantInput): Heston | undefined {
  const { model, style, vols, price, variance, sigma_v, v0, kappa, theta, rho } = input;
  if (model === 'lognormal') return undefined;
  if (style !== 'european' && style !== 'digital')
    throw validationError('style', `style is ${style}; model ${model} allows european and digital.`, 'NOT_ALLOWED');
  if ((vols ?? []).length > 0)
    throw validationError('vols', `vols are given; the variance of model ${model} follows from v0, kappa and theta.`);
  if (price !== undefined) {
    const message = `price is given; with model ${model} the implied volatility is that of the answer.`;
    throw validationError('price', message);
  }
  if (model === 'heston-paths') {
    if (variance === 'importance')
      throw validationError('variance', 'variance is importance; model heston-paths allows the other ones.');
    if (sigma_v < CERTAIN) {
      const message = `sigma_v is ${sigma_v}, so the variance is certain; use model heston or lognormal.`;
      throw validationError('sigma_v', message);
    }
  }
  return { v0, kappa: kappa < CONSTANT ? 0 : kappa, theta, sigmaV: sigma_v < CERTAIN ? 0 : sigma_v, rho };
}

/** Mean of ∫ v dt to a time, and its derivative by v₀. */
export function meanVariance({ v0, kappa, theta }: Heston, t: number): readonly [number, number] {
  const ofStart = kappa > 0 ? -expm1(-kappa * t) / kappa : t;
  return [theta * t + (v0 - theta) * ofStart, ofStart];
}

/** 2 κ θ / σ_v²: below 1, the variance reaches 0 (Feller 1951). Infinite without volatility of the variance. */
export const fellerRatio = ({ kappa, theta, sigmaV }: Heston): number => (2 * kappa * theta) / (sigmaV * sigmaV);

interface Complex {
  readonly re: number;
  readonly im: number;
}

/** Math.hypot may differ between engines. */
const modulusOf = (re: number, im: number): number => Math.sqrt(re * re + im * im);

const ORDER = 22;
/** A step ends where the last terms of the series are this small beside the solution. */
const TERM = 1e-16;
/** More than this is an infinite moment. */
const EXPLODED = 1e5;
/** Beside its parts, a slope below it is rounding. */
const RESTS = 5e-16;
const MAX_STEPS = 4000;

/**
 * ln E exp(i ξ ln(S_T / F)) for ξ = re + i im.
 *
 * @returns re Infinity where the moment is infinite
 */
export function characteristicExponent({ v0, kappa, theta, sigmaV, rho }: Heston, T: number, xi: Complex): Complex {
  // −(ξ² + i ξ) / 2 and β = κ − i ρ σ ξ
  const constant = {
    re: -0.5 * (xi.re * xi.re - xi.im * xi.im - xi.im),
    im: -0.5 * (2 * xi.re * xi.im + xi.re),
  };
  const beta = { re: kappa + rho * sigmaV * xi.im, im: -rho * sigmaV * xi.re };
  const half = 0.5 * sigmaV * sigmaV;
  const re = new Float64Array(ORDER + 1);
  const im = new Float64Array(ORDER + 1);
  let [aRe, aIm, t] = [0, 0, 0];
  for (let step = 0; t < T; step++) {
    if (step === MAX_STEPS || Math.abs(re[0] ?? 0) > EXPLODED * (1 + xi.re * xi.re))
      return { re: Number.POSITIVE_INFINITY, im: 0 };
    series(re, im, constant, beta, half);
    const own = modulusOf(re[0] ?? 0, im[0] ?? 0);
    const parts = modulusOf(constant.re, constant.im) + modulusOf(beta.re, beta.im) * own + half * own * own;
    if (modulusOf(re[1] ?? 0, im[1] ?? 0) < RESTS * parts) {
      // B has come to rest: what is left of its slope is rounding.
      aRe += (re[0] ?? 0) * (T - t);
      aIm += (im[0] ?? 0) * (T - t);
      break;
    }
    const dt = Math.min(T - t, stepLength(re, im));
    // B at the end of the step, and its integral, by Horner's scheme.
    let [bRe, bIm, sRe, sIm] = [0, 0, 0, 0];
    for (let n = ORDER; n >= 0; n--) {
      bRe = bRe * dt + (re[n] ?? 0);
      bIm = bIm * dt + (im[n] ?? 0);
      sRe = sRe * dt + (re[n] ?? 0) / (n + 1);
      sIm = sIm * dt + (im[n] ?? 0) / (n + 1);
    }
    aRe += sRe * dt;
    aIm += sIm * dt;
    re[0] = bRe;
    im[0] = bIm;
    t = dt === T - t ? T : t + dt;
  }
  const pull = kappa * theta;
  return { re: pull * aRe + v0 * (re[0] ?? 0), im: pull * aIm + v0 * (im[0] ?? 0) };
}

/** Coefficients of B about the present time, from the first one. */
function series(re: Float64Array, im: Float64Array, constant: Complex, beta: Complex, half: number): void {
  for (let n = 0; n < ORDER; n++) {
    let [squareRe, squareIm] = [0, 0];
    for (let k = 0; k <= n; k++) {
      const [a, b, c, d] = [re[k] ?? 0, im[k] ?? 0, re[n - k] ?? 0, im[n - k] ?? 0];
      squareRe += a * c - b * d;
      squareIm += a * d + b * c;
    }
    const [bRe, bIm] = [re[n] ?? 0, im[n] ?? 0];
    const share = 1 / (n + 1);
    const isFirst = n === 0;
    re[n + 1] = share * (half * squareRe - (beta.re * bRe - beta.im * bIm) + (isFirst ? constant.re : 0));
    im[n + 1] = share * (half * squareIm - (beta.re * bIm + beta.im * bRe) + (isFirst ? constant.im : 0));
  }
}

/** Half of where the last two terms reach `TERM` times the change of the first order, or of B itself. */
function stepLength(re: Float64Array, im: Float64Array): number {
  const size = (n: number) => Math.max(Math.abs(re[n] ?? 0), Math.abs(im[n] ?? 0));
  let longest = Number.POSITIVE_INFINITY;
  for (const n of [ORDER - 1, ORDER]) {
    const last = size(n);
    if (last === 0) continue;
    // Terms grow like 1 / radius^n: halving the root of the ratio stays inside of the radius.
    let length = 1;
    const scale = Math.max(size(0), TERM);
    while (length < 1e6 && power(length, n) * last < TERM * Math.max(scale, length * size(1))) length *= 2;
    while (length > 1e-12 && power(length, n) * last > TERM * Math.max(scale, length * size(1))) length *= 0.8;
    longest = Math.min(longest, length);
  }
  return longest;
}

function power(x: number, n: number): number {
  let [product, base] = [1, x];
  for (let k = n; k > 0; k >>= 1) {
    if (k & 1) product *= base;
    base *= base;
  }
  return product;
}

/** Relative to √(F K): prices that far from the money do not count. */
const LOG_NEGLIGIBLE = 34;
/** Moments that are tried: they end where they are infinite. */
const MAX_MOMENT = 1e9;

/**
 * Distance of ln K from ln F beyond which the time value is below exp(−34) √(F K), by Chebyshev's inequality with the
 * best finite moments on both sides.
 */
export function reachOf(heston: Heston, T: number): number {
  const [w] = meanVariance(heston, T);
  const side = (sign: number): number => {
    // With the moments 0 and 1 alone, exp(−reach / 2) is negligible.
    let nearest = 2 * LOG_NEGLIGIBLE;
    for (let distance = 0.6; distance < MAX_MOMENT; distance *= 1.25) {
      const p = 0.5 + sign * distance;
      const { re: own } = characteristicExponent(heston, T, { re: 0, im: -p });
      const log = Math.max(own, 0.5 * w * p * (p - 1));
      if (!(log < 700)) break;
      nearest = Math.min(nearest, (log + LOG_NEGLIGIBLE) / distance);
    }
    return nearest;
  };
  return Math.max(side(1), side(-1));
}

/** |φ| at u − i/2. */
export function modulus(heston: Heston, T: number, u: number): number {
  return exp(characteristicExponent(heston, T, { re: u, im: -0.5 }).re);
}
