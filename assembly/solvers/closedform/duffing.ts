// φ'' + a φ + b φ³ = 0 from any start, with b ≠ 0, by Jacobi's functions.
//
// With the energy E and h = b E, let S be the solution of S'² = 1 − a S² − h S⁴ with S(0) = 0, S'(0) = 1. Every bounded
// way is (φ₀ S' + v₀ S) / (1 + ½ b φ₀² S²), the addition theorem of the quartic; every
// way that escapes, which takes b < 0, is ± √(−2/b) / S(time to its pole). So no amplitude, phase or sign has
// to be found. S is sd, sn, sc or tan(am / 2) by the signs of a, h and a² + 4 h (NIST Digital Library of Mathematical
// Functions, §22.13, §22.15); the time to the pole is a symmetric integral (§19.29).
//
// Relative error: a few roundings times the condition of the problem, which grows with the time as the phase does, and
// exponentially near an unstable equilibrium.
import { carlsonPair, carlsonRF } from '../../numerics/special/carlson';
import { Jacobi, jacobi, levels, setParameter } from '../../numerics/special/jacobi';

const SD: i32 = 0;
const SN: i32 = 1;
const SC: i32 = 2;
const HALF_TANGENT: i32 = 3;
/** S = t, for a = h = 0. */
const IDENTITY: i32 = 4;

/** The state at the last time, and the size of the terms whose rounding φ and φ' have, by how often they are rounded. */
export namespace Duffing {
  export let phi: f64 = 0;
  export let dphi: f64 = 0;
  export let size: f64 = 0;
  export let slopeSize: f64 = 0;
}

let kind: i32 = SD;
/** Of the argument of Jacobi's functions: rate w, and r of S = r tan(am / 2). */
let w: f64 = 0;
let r: f64 = 0;
let m: f64 = 0;
let phi0: f64 = 0;
let dphi0: f64 = 0;
let b: f64 = 0;
let isStatic = false;
let isBounded = false;
/** ½ b φ₀² / w², and 1 plus it without a difference where b < 0. */
let ratio: f64 = 0;
let remainder: f64 = 0;
/** Of a way that escapes: time between the start and the pole, whether that lies ahead, and ± √(−2/b). */
let polar: f64 = 0;
let isOutward = false;
let strength: f64 = 0;
let inverse: f64 = 0;
let rate: f64 = 0;

export function setDuffing(a: f64, cubic: f64, x: f64, v: f64): void {
  b = cubic;
  phi0 = x;
  dphi0 = v;
  const square = x * x;
  const force = a + b * square;
  const discriminant = force * force + 2 * b * v * v;
  const h = b * (0.5 * v * v + square * (0.5 * a + 0.25 * b * square));
  isStatic = v === 0 && (x === 0 || force === 0);
  if (isStatic) return;
  isBounded = b > 0 || (a > 0 && discriminant >= 0 && force >= 0);
  setCurve(a, h, discriminant);
  if (isBounded) {
    ratio = (0.5 * b * square) / (w * w);
    remainder = b < 0 ? (force + Math.sqrt(discriminant)) / (2 * w * w) : 1 + ratio;
    return;
  }
  const distance = -Math.sqrt(Math.abs(discriminant)) / b;
  const middle = force / b;
  const far = middle + distance;
  // The product of the last two arguments is −2 v² / b; so the smaller needs no difference.
  const integral =
    discriminant < 0
      ? carlsonPair(square, middle, distance)
      : carlsonRF(square, far, far > 0 ? (-2 * v * v) / b / far : 0);
  const root = Math.sqrt(-2 / b);
  polar = root * integral;
  isOutward = x === 0 || v === 0 || x > 0 === v > 0;
  strength = (x === 0 ? v > 0 : x > 0) ? root : -root;
}

function setCurve(a: f64, h: f64, discriminant: f64): void {
  let complement: f64 = 0;
  if (discriminant < 0) {
    kind = HALF_TANGENT;
    const g = Math.sqrt(Math.abs(h));
    r = 1 / Math.sqrt(g);
    w = 2 * Math.sqrt(g);
    // The larger of m and 1 − m; the other from their product.
    const larger = 0.5 + Math.min(0.5, (0.25 * Math.abs(a)) / g);
    const smaller = -discriminant / (16 * Math.abs(h)) / larger;
    m = a > 0 ? larger : smaller;
    complement = a > 0 ? smaller : larger;
    setParameter(m, complement);
    return;
  }
  const q = Math.sqrt(discriminant);
  const sum = Math.abs(a) + q;
  if (h > 0) {
    kind = SD;
    w = Math.sqrt(q);
    const larger = sum / (2 * q);
    const smaller = (2 * h) / (q * sum);
    m = a >= 0 ? smaller : larger;
    complement = a >= 0 ? larger : smaller;
  } else if (a === 0) {
    kind = IDENTITY;
    w = 1;
    m = 0;
    complement = 1;
  } else {
    kind = a > 0 ? SN : SC;
    w = Math.sqrt(0.5 * sum);
    const part = (-4 * h) / (sum * sum);
    m = a > 0 ? part : (2 * q) / sum;
    complement = a > 0 ? (2 * q) / sum : part;
  }
  setParameter(m, complement);
}

export function duffingAt(t: f64): void {
  if (isStatic) {
    Duffing.phi = phi0;
    Duffing.dphi = 0;
    Duffing.size = Math.abs(phi0);
    Duffing.slopeSize = 0;
  } else if (isBounded) bounded(t);
  else escaping(t);
}

/** Numerator and denominator times the square of that of S, and their slopes. */
function bounded(t: f64): void {
  if (kind === IDENTITY) {
    // A field so weak that its squares underflow.
    Duffing.phi = phi0 + dphi0 * t;
    Duffing.dphi = dphi0;
    Duffing.size = Math.abs(phi0) + Math.abs(dphi0 * t);
    Duffing.slopeSize = Math.abs(dphi0);
    return;
  }
  jacobi(w * t);
  const sn = Jacobi.sn;
  const cn = Jacobi.cn;
  const dn = Jacobi.dn;
  const push = dphi0 / w;
  let first: f64 = 0;
  let second: f64 = 0;
  let slope: f64 = 0;
  let slopeTerms: f64 = 0;
  let below: f64 = 1;
  let belowSlope: f64 = 0;
  if (kind === SD) {
    first = phi0 * cn;
    second = push * sn * dn;
    slope = w * (push * cn * (dn * dn - m * sn * sn) - phi0 * sn * dn);
    slopeTerms = Math.abs(push * cn) * (dn * dn + m * sn * sn) + Math.abs(phi0 * sn * dn);
    below = dn * dn + ratio * sn * sn;
    belowSlope = 2 * w * (ratio - m) * sn * cn * dn;
  } else if (kind === SN) {
    first = phi0 * cn * dn;
    second = push * sn;
    slope = w * (push * cn * dn - phi0 * sn * (dn * dn + m * cn * cn));
    slopeTerms = Math.abs(push * cn * dn) + Math.abs(phi0 * sn) * (dn * dn + m * cn * cn);
    below = cn * cn + remainder * sn * sn;
    belowSlope = 2 * w * ratio * sn * cn * dn;
  } else {
    first = phi0 * dn;
    second = push * sn * cn;
    slope = w * (push * dn * (cn * cn - sn * sn) - phi0 * m * sn * cn);
    slopeTerms = Math.abs(push * dn) + Math.abs(phi0 * m * sn * cn);
    below = cn * cn + ratio * sn * sn;
    belowSlope = 2 * w * (ratio - 1) * sn * cn * dn;
  }
  Duffing.phi = (first + second) / below;
  Duffing.dphi = (slope - Duffing.phi * belowSlope) / below;
  const roundings = 1 + 0.5 * <f64>levels;
  Duffing.size = (roundings * (Math.abs(first) + Math.abs(second))) / below;
  Duffing.slopeSize = (roundings * (w * slopeTerms + Math.abs(Duffing.phi * belowSlope))) / below;
}

function escaping(t: f64): void {
  inverseOf(isOutward ? polar - t : polar + t);
  Duffing.phi = strength * inverse;
  Duffing.dphi = isOutward ? strength * rate : -strength * rate;
  const roundings = 1 + 0.5 * <f64>levels;
  Duffing.size = roundings * Math.abs(Duffing.phi);
  Duffing.slopeSize = 2 * roundings * Math.abs(Duffing.dphi);
}

/** 1 / S and S' / S². */
function inverseOf(t: f64): void {
  if (kind === IDENTITY) {
    inverse = 1 / t;
    rate = inverse * inverse;
    return;
  }
  jacobi(w * t);
  const sn = Jacobi.sn;
  const cn = Jacobi.cn;
  const dn = Jacobi.dn;
  if (kind === HALF_TANGENT) {
    // Of two forms the one without a difference of close numbers.
    inverse = cn >= 0 ? (1 + cn) / (r * sn) : sn / (r * (1 - cn));
    rate = cn >= 0 ? (2 * dn * (1 + cn)) / (r * sn) / (r * sn) : (2 * dn) / (r * r * (1 - cn));
    return;
  }
  const over = w / sn;
  inverse = over * (kind === SD ? dn : kind === SC ? cn : 1);
  rate = over * over * (kind === SD ? cn : kind === SC ? dn : cn * dn);
}
