// Divided differences of x ↦ exp(x t) at two and at three complex numbers, also where these are close or equal.
//
// The difference at the roots λ₁ and λ₂ of s² + c s + a is the answer of a damped oscillator to a push, and that at λ₁,
// λ₂ and iω its answer to exp(iωt): resonance and critical damping are no special cases. Close points: Taylor series
// about their mean, with complete homogeneous polynomials as coefficients; others: quotients of differences. The error
// is a few roundings of the largest term, which `Difference.size` says. de Boor, Surv. Approx. Theory 1 (2005) 46.

/** The last difference, and the size of the terms whose rounding it has. */
export namespace Difference {
  export let re: f64 = 0;
  export let im: f64 = 0;
  export let size: f64 = 0;
}

/** Distance of two points times t below which the series is taken, for two and for three points. */
const CLOSE_TWO: f64 = 0.5;
const CLOSE_THREE: f64 = 1;
const TERMS: i32 = 24;

/** (exp(p t) − exp(q t)) / (p − q) */
export function differenceOfTwo(pRe: f64, pIm: f64, qRe: f64, qIm: f64, t: f64): void {
  const gapRe = pRe - qRe;
  const gapIm = pIm - qIm;
  const square = gapRe * gapRe + gapIm * gapIm;
  if (Math.sqrt(square) * t <= CLOSE_TWO) {
    // t exp(mean t) sinh(z) / z with z half the gap.
    const zRe = 0.5 * gapRe * t;
    const zIm = 0.5 * gapIm * t;
    const sRe = zRe * zRe - zIm * zIm;
    const sIm = 2 * zRe * zIm;
    let re: f64 = 1;
    let im: f64 = 0;
    for (let k = 8; k >= 1; k--) {
      const factor = 1 / <f64>(2 * k * (2 * k + 1));
      const next = 1 + factor * (sRe * re - sIm * im);
      im = factor * (sRe * im + sIm * re);
      re = next;
    }
    const growth = t * Math.exp(0.5 * (pRe + qRe) * t);
    const angle = 0.5 * (pIm + qIm) * t;
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    Difference.re = growth * (cosine * re - sine * im);
    Difference.im = growth * (cosine * im + sine * re);
    Difference.size = growth;
    return;
  }
  const p = Math.exp(pRe * t);
  const q = Math.exp(qRe * t);
  const re = p * Math.cos(pIm * t) - q * Math.cos(qIm * t);
  const im = p * Math.sin(pIm * t) - q * Math.sin(qIm * t);
  Difference.re = (re * gapRe + im * gapIm) / square;
  Difference.im = (im * gapRe - re * gapIm) / square;
  Difference.size = (p + q) / Math.sqrt(square);
}

/** The difference at p, q and r, in any order. */
export function differenceOfThree(pRe: f64, pIm: f64, qRe: f64, qIm: f64, rRe: f64, rIm: f64, t: f64): void {
  const pq = distance(pRe - qRe, pIm - qIm);
  const qr = distance(qRe - rRe, qIm - rIm);
  const pr = distance(pRe - rRe, pIm - rIm);
  if (Math.max(pq, Math.max(qr, pr)) * t <= CLOSE_THREE) closeThree(pRe, pIm, qRe, qIm, rRe, rIm, t);
  else if (pr >= pq && pr >= qr) apartThree(pRe, pIm, qRe, qIm, rRe, rIm, t);
  else if (pq >= qr) apartThree(pRe, pIm, rRe, rIm, qRe, qIm, t);
  else apartThree(qRe, qIm, pRe, pIm, rRe, rIm, t);
}

function distance(re: f64, im: f64): f64 {
  return Math.sqrt(re * re + im * im);
}

/** The first and the last are farthest apart. */
function apartThree(pRe: f64, pIm: f64, qRe: f64, qIm: f64, rRe: f64, rIm: f64, t: f64): void {
  differenceOfTwo(pRe, pIm, qRe, qIm, t);
  const firstRe = Difference.re;
  const firstIm = Difference.im;
  const firstSize = Difference.size;
  differenceOfTwo(qRe, qIm, rRe, rIm, t);
  const re = firstRe - Difference.re;
  const im = firstIm - Difference.im;
  const gapRe = pRe - rRe;
  const gapIm = pIm - rIm;
  const square = gapRe * gapRe + gapIm * gapIm;
  Difference.re = (re * gapRe + im * gapIm) / square;
  Difference.im = (im * gapRe - re * gapIm) / square;
  Difference.size = (firstSize + Difference.size) / Math.sqrt(square);
}

/** t² exp(mean t) Σ h_k / (k + 2)!, h_k = −e₂ h_{k−2} + e₃ h_{k−3} of the deviations from the mean times t. */
function closeThree(pRe: f64, pIm: f64, qRe: f64, qIm: f64, rRe: f64, rIm: f64, t: f64): void {
  const meanRe = (pRe + qRe + rRe) / 3;
  const meanIm = (pIm + qIm + rIm) / 3;
  const aRe = (pRe - meanRe) * t;
  const aIm = (pIm - meanIm) * t;
  const bRe = (qRe - meanRe) * t;
  const bIm = (qIm - meanIm) * t;
  const abRe = aRe * bRe - aIm * bIm;
  const abIm = aRe * bIm + aIm * bRe;
  // The third deviation is −(a + b): e₂ = ab − (a + b)², e₃ = −ab (a + b).
  const sumRe = aRe + bRe;
  const sumIm = aIm + bIm;
  const e2Re = abRe - (sumRe * sumRe - sumIm * sumIm);
  const e2Im = abIm - 2 * sumRe * sumIm;
  const e3Re = -(abRe * sumRe - abIm * sumIm);
  const e3Im = -(abRe * sumIm + abIm * sumRe);
  // h_{k−3}, h_{k−2}, h_{k−1}; h₀ = 1 and h₁ = 0.
  let thirdRe: f64 = 0;
  let thirdIm: f64 = 0;
  let secondRe: f64 = 1;
  let secondIm: f64 = 0;
  let firstRe: f64 = 0;
  let firstIm: f64 = 0;
  let factorial: f64 = 6;
  let re: f64 = 0.5;
  let im: f64 = 0;
  for (let k = 2; k < TERMS; k++) {
    const hRe = -(e2Re * secondRe - e2Im * secondIm) + (e3Re * thirdRe - e3Im * thirdIm);
    const hIm = -(e2Re * secondIm + e2Im * secondRe) + (e3Re * thirdIm + e3Im * thirdRe);
    factorial *= <f64>(k + 2);
    re += hRe / factorial;
    im += hIm / factorial;
    thirdRe = secondRe;
    thirdIm = secondIm;
    secondRe = firstRe;
    secondIm = firstIm;
    firstRe = hRe;
    firstIm = hIm;
  }
  const growth = t * t * Math.exp(meanRe * t);
  const angle = meanIm * t;
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  Difference.re = growth * (cosine * re - sine * im);
  Difference.im = growth * (cosine * im + sine * re);
  Difference.size = growth;
}
