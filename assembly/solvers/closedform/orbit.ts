// φ'' + c φ' + a φ + b φ³ = G + X cos ωt − Y sin ωt at any time: linear with b = 0, else Duffing's with c = G = X = Y = 0.
//
// Linear: the answers to a push, to a constant and to a drive are divided differences of the exponential at the roots of
// s² + c s + a and at 0 or iω; so free fall, critical damping and resonance are no special cases.
import { Difference, differenceOfThree, differenceOfTwo } from '../../numerics/special/exponential-differences';
import { Duffing, duffingAt, setDuffing } from './duffing';

/** The state at the last time, and the size of the terms whose rounding φ and φ' have. */
export namespace Orbit {
  export let phi: f64 = 0;
  export let dphi: f64 = 0;
  export let size: f64 = 0;
  export let slopeSize: f64 = 0;
}

let a: f64 = 0;
let b: f64 = 0;
let c: f64 = 0;
let constant: f64 = 0;
let cosine: f64 = 0;
let sine: f64 = 0;
let omega: f64 = 0;
let phi0: f64 = 0;
let dphi0: f64 = 0;
/** Roots of s² + c s + a: real parts, and ± the imaginary part. */
let first: f64 = 0;
let second: f64 = 0;
let imaginary: f64 = 0;

/** Numbers that define an orbit. */
export const ORBIT_NUMBERS: i32 = 9;

/** @param numbers  f64[9]: a, b, c, G, X, Y, ω, φ₀, φ₀' */
export function setOrbit(numbers: usize): void {
  a = load<f64>(numbers);
  b = load<f64>(numbers, 8);
  c = load<f64>(numbers, 16);
  constant = load<f64>(numbers, 24);
  cosine = load<f64>(numbers, 32);
  sine = load<f64>(numbers, 40);
  omega = load<f64>(numbers, 48);
  phi0 = load<f64>(numbers, 56);
  dphi0 = load<f64>(numbers, 64);
  if (b !== 0) {
    setDuffing(a, b, phi0, dphi0);
    return;
  }
  const half = 0.5 * c;
  const square = half * half - a;
  imaginary = square < 0 ? Math.sqrt(-square) : 0;
  first = -half;
  second = -half;
  if (square > 0) {
    // The root without a difference, and the other from their product.
    const large = half + (half >= 0 ? Math.sqrt(square) : -Math.sqrt(square));
    first = -large;
    second = -a / large;
  }
}

/** φ'' */
export function acceleration(t: f64, phi: f64, dphi: f64): f64 {
  const isDriven = cosine !== 0 || sine !== 0;
  const driven = isDriven ? cosine * Math.cos(omega * t) - sine * Math.sin(omega * t) : 0;
  return constant + driven - c * dphi - phi * (a + b * phi * phi);
}

export function orbitAt(t: f64): void {
  if (t === 0) {
    Orbit.phi = phi0;
    Orbit.dphi = dphi0;
    Orbit.size = 0;
    Orbit.slopeSize = 0;
    return;
  }
  if (b !== 0) {
    duffingAt(t);
    Orbit.phi = Duffing.phi;
    Orbit.dphi = Duffing.dphi;
    Orbit.size = Duffing.size;
    Orbit.slopeSize = Duffing.slopeSize;
    return;
  }
  differenceOfTwo(first, imaginary, second, -imaginary, t);
  const push = Difference.re;
  const pushSize = Difference.size;
  // Half the sum of the exponentials, and half of c times the push: the answer to a displacement.
  const swing =
    imaginary > 0 ? Math.exp(first * t) * Math.cos(imaginary * t) : 0.5 * (Math.exp(first * t) + Math.exp(second * t));
  const stay = swing + 0.5 * c * push;
  let phi = phi0 * stay + dphi0 * push;
  let dphi = dphi0 * (stay - c * push) - phi0 * a * push;
  let size = Math.abs(phi0) * (Math.abs(swing) + 0.5 * Math.abs(c) * pushSize) + Math.abs(dphi0) * pushSize;
  let slopeSize = Math.abs(dphi0) * (Math.abs(swing) + 0.5 * Math.abs(c) * pushSize) + Math.abs(phi0 * a) * pushSize;
  if (constant !== 0) {
    differenceOfThree(first, imaginary, second, -imaginary, 0, 0, t);
    phi += constant * Difference.re;
    dphi += constant * push;
    size += Math.abs(constant) * Difference.size;
    slopeSize += Math.abs(constant) * pushSize;
  }
  if (cosine !== 0 || sine !== 0) {
    differenceOfThree(first, imaginary, second, -imaginary, 0, omega, t);
    phi += cosine * Difference.re - sine * Difference.im;
    dphi += cosine * (push - omega * Difference.im) - sine * omega * Difference.re;
    size += (Math.abs(cosine) + Math.abs(sine)) * Difference.size;
    slopeSize += (Math.abs(cosine) + Math.abs(sine)) * (pushSize + omega * Difference.size);
  }
  Orbit.phi = phi;
  Orbit.dphi = dphi;
  Orbit.size = size;
  Orbit.slopeSize = slopeSize;
}
