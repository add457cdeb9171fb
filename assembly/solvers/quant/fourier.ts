// European options under Heston's stochastic variance by the characteristic function, for several strikes at once.
//
// dS / S = √v dW, dv = κ (θ − v) dt + σ √v dZ, correlation ρ (Heston, Review of Financial Studies 6 (1993) 327). With
// m = u² + ¼ and k = ln(F / K), the price of Black with the mean variance w less √(F K) J is the undiscounted price, where
// J = 1/π ∫₀^∞ Re[exp(i u k) (φ(u − i/2) − exp(−m w / 2))] / m du (Lewis, Option Valuation under Stochastic Volatility
// (2000), chapter 2; the control of Andersen & Andreasen, Derivatives Week, 2002). The integrand is analytic, so the
// trapezoidal rule errs by what prices differ 2π / h away from the money: exponentially small in 1 / h.
//
// φ = exp(A + B v₀) in the form whose logarithm needs no branch (Lord & Kahl, Mathematical Finance 20 (2010) 671), written
// without differences of like numbers, so that σ → 0 keeps its digits: d² = β² + σ² m, q = (1 − exp(−d T)) / (2 d),
// z = −σ² m q / (β + d), B = −m q / (1 + z), A = κ θ (−m T / (β + d) − 2 ln(1 + z) / σ²).
import '../../numerics/trigonometric';
import { allocateF64 } from '../../kernel';

/** Nodes of a step. */
export const NODES: i32 = 32;
/** Below it, φ and what is subtracted end the sum. */
const NEGLIGIBLE: f64 = 1e-18;

/** Weights of the integrals: 1 / m, (½ + i u) / m, 1, and the derivatives by v₀ and T over m. */
export const KINDS: i32 = 5;
/** Of each strike: the integrals with step h, then with step 2 h. */
export const TRANSFORM_COLUMNS: i32 = 2 * KINDS;

export namespace Heston {
  export let v0: f64 = 0;
  export let kappa: f64 = 0;
  export let theta: f64 = 0;
  /** Volatility of the variance. */
  export let sigma: f64 = 0;
  export let rho: f64 = 0;
  export let maturity: f64 = 0;
}

export namespace Fourier {
  /** Largest number of nodes; 0 without this method. */
  export let nodes: i32 = 0;
  export let spacing: f64 = 0;
  export let strikes: i32 = 0;
  /** f64[strikes]: ln(F / K) */
  export let table: usize = 0;
  /** f64[strikes][TRANSFORM_COLUMNS] */
  export let transforms: usize = 0;
  /** f64[KINDS]: integrals of the moduli, times what rounding multiplies. */
  export let magnitudes: usize = 0;
  export let node: i32 = 0;
  /** The integrand has become negligible. */
  export let isOver: bool = false;
}

/** Mean variance until T, and its derivatives by v₀ and T. */
let meanVariance: f64 = 0;
let ofStart: f64 = 0;
let ofTime: f64 = 0;

// Of a node: φ less the control, the same with the weights of `variance` and `time`.
let plainRe: f64 = 0;
let plainIm: f64 = 0;
let startRe: f64 = 0;
let startIm: f64 = 0;
let timeRe: f64 = 0;
let timeIm: f64 = 0;

export function allocateFourier(): bool {
  Fourier.table = allocateF64(Fourier.strikes);
  Fourier.transforms = allocateF64(Fourier.strikes * TRANSFORM_COLUMNS);
  Fourier.magnitudes = allocateF64(KINDS);
  return Fourier.table !== 0 && Fourier.transforms !== 0 && Fourier.magnitudes !== 0;
}

export function startFourier(): void {
  const t = Heston.maturity;
  const decay = Math.exp(-Heston.kappa * t);
  ofStart = Heston.kappa > 0 ? -Math.expm1(-Heston.kappa * t) / Heston.kappa : t;
  ofTime = Heston.theta + (Heston.v0 - Heston.theta) * decay;
  meanVariance = Heston.theta * t + (Heston.v0 - Heston.theta) * ofStart;
  Fourier.node = 0;
  Fourier.isOver = Heston.sigma === 0;
}

/** The next nodes; nothing beyond the last. */
export function stepFourier(): void {
  let largest: f64 = 0;
  const end = min(Fourier.node + NODES, Fourier.nodes);
  for (; Fourier.node < end; Fourier.node++) {
    const u = <f64>Fourier.node * Fourier.spacing;
    largest = max(largest, evaluate(u));
    addNode(Fourier.node, u);
  }
  if (largest < NEGLIGIBLE) Fourier.isOver = true;
}

/** Evaluates φ at u − i/2, adds to the magnitudes. @returns the moduli of φ and of the control */
function evaluate(u: f64): f64 {
  const m = u * u + 0.25;
  const variance = Heston.sigma * Heston.sigma;
  const betaRe = Heston.kappa - 0.5 * Heston.rho * Heston.sigma;
  const betaIm = -Heston.rho * Heston.sigma * u;
  // d, the root with a positive real part.
  const squareRe = betaRe * betaRe - betaIm * betaIm + variance * m;
  const squareIm = 2 * betaRe * betaIm;
  const modulus = Math.sqrt(squareRe * squareRe + squareIm * squareIm);
  let dRe: f64;
  let dIm: f64;
  if (squareRe >= 0) {
    dRe = Math.sqrt(0.5 * (modulus + squareRe));
    dIm = dRe > 0 ? (0.5 * squareIm) / dRe : 0;
  } else {
    dIm = Math.sqrt(0.5 * (modulus - squareRe));
    if (squareIm < 0) dIm = -dIm;
    dRe = (0.5 * squareIm) / dIm;
  }
  // 1 − exp(−d T)
  const t = Heston.maturity;
  const decay = Math.exp(-dRe * t);
  const half = Math.sin(0.5 * dIm * t);
  const fallRe = -Math.expm1(-dRe * t) * Math.cos(dIm * t) + 2 * half * half;
  const fallIm = decay * Math.sin(dIm * t);
  const perD = 0.5 / (dRe * dRe + dIm * dIm);
  const qRe = (fallRe * dRe + fallIm * dIm) * perD;
  const qIm = (fallIm * dRe - fallRe * dIm) * perD;
  const sumRe = betaRe + dRe;
  const sumIm = betaIm + dIm;
  const perSum = 1 / (sumRe * sumRe + sumIm * sumIm);
  const zRe = -variance * m * (qRe * sumRe + qIm * sumIm) * perSum;
  const zIm = -variance * m * (qIm * sumRe - qRe * sumIm) * perSum;
  const oneRe = 1 + zRe;
  const perOne = 1 / (oneRe * oneRe + zIm * zIm);
  const bRe = -m * (qRe * oneRe + qIm * zIm) * perOne;
  const bIm = -m * (qIm * oneRe - qRe * zIm) * perOne;
  const logRe = 0.5 * Math.log1p(2 * zRe + zRe * zRe + zIm * zIm);
  const logIm = Math.atan2(zIm, oneRe);
  const pull = Heston.kappa * Heston.theta;
  const aRe = pull * (-m * t * sumRe * perSum - (2 * logRe) / variance);
  const aIm = pull * (m * t * sumIm * perSum - (2 * logIm) / variance);
  const exponentRe = aRe + bRe * Heston.v0;
  const exponentIm = aIm + bIm * Heston.v0;
  const size = Math.exp(exponentRe);
  const phiRe = size * Math.cos(exponentIm);
  const phiIm = size * Math.sin(exponentIm);
  // B' = −m / 2 − β B + σ² B² / 2, A' = κ θ B.
  const rateRe = -0.5 * m - (betaRe * bRe - betaIm * bIm) + 0.5 * variance * (bRe * bRe - bIm * bIm);
  const rateIm = -(betaRe * bIm + betaIm * bRe) + variance * bRe * bIm;
  const slopeRe = pull * bRe + rateRe * Heston.v0;
  const slopeIm = pull * bIm + rateIm * Heston.v0;
  const control = Math.exp(-0.5 * m * meanVariance);
  plainRe = phiRe - control;
  plainIm = phiIm;
  startRe = phiRe * bRe - phiIm * bIm + 0.5 * m * ofStart * control;
  startIm = phiRe * bIm + phiIm * bRe;
  timeRe = phiRe * slopeRe - phiIm * slopeIm + 0.5 * m * ofTime * control;
  timeIm = phiRe * slopeIm + phiIm * slopeRe;
  // Rounding of an exponent is relative to its parts.
  const parts = pull * (m * t * Math.sqrt(perSum) + (2 * Math.sqrt(logRe * logRe + logIm * logIm)) / variance);
  const steep = 1 + parts + Math.sqrt(bRe * bRe + bIm * bIm) * Heston.v0;
  const both = (size * steep + control * (1 + 0.5 * m * meanVariance)) * Fourier.spacing;
  const start = Math.sqrt(bRe * bRe + bIm * bIm) + 0.5 * m * ofStart;
  const time = 0.5 * m * (Heston.v0 + ofTime) + (pull + Heston.v0 * Math.sqrt(modulus)) * start;
  addMagnitude(0, both / m);
  addMagnitude(1, both / Math.sqrt(m));
  addMagnitude(2, both);
  addMagnitude(3, (both * start) / m);
  addMagnitude(4, (both * time) / m);
  return size + control;
}

function addMagnitude(kind: i32, value: f64): void {
  const at = Fourier.magnitudes + ((<usize>kind) << 3);
  store<f64>(at, load<f64>(at) + value);
}

/** Adds the node to the integrals of every strike. */
function addNode(node: i32, u: f64): void {
  const m = u * u + 0.25;
  const weight = (Fourier.spacing / Math.PI) * (node === 0 ? 0.5 : 1);
  const perM = weight / m;
  const isCoarse = (node & 1) === 0;
  for (let j = 0; j < Fourier.strikes; j++) {
    const angle = u * load<f64>(Fourier.table + ((<usize>j) << 3));
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    const re = c * plainRe - s * plainIm;
    const im = s * plainRe + c * plainIm;
    const row = Fourier.transforms + ((<usize>(j * TRANSFORM_COLUMNS)) << 3);
    add(row, 0, perM * re, isCoarse);
    add(row, 1, perM * (0.5 * re - u * im), isCoarse);
    add(row, 2, weight * re, isCoarse);
    add(row, 3, perM * (c * startRe - s * startIm), isCoarse);
    add(row, 4, perM * (c * timeRe - s * timeIm), isCoarse);
  }
}

function add(row: usize, kind: i32, value: f64, isCoarse: bool): void {
  const at = row + ((<usize>kind) << 3);
  store<f64>(at, load<f64>(at) + value);
  if (!isCoarse) return;
  const coarse = at + ((<usize>KINDS) << 3);
  store<f64>(coarse, load<f64>(coarse) + 2 * value);
}
