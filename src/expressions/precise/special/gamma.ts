// The gamma function and the logarithm of its absolute value in double-double.
//
// Between ½ and 3/2, 1/Γ(x) is its power series around 1, whose coefficients follow from zeta values (NIST Digital
// Library of Mathematical Functions, §5.7.1, §5.7.2); the recurrence reduces every other argument to it. Next to its
// zeros at 1 and 2, ln Γ is its own power series (§5.7.3); above 24 it is Stirling's series with sixteen terms. The
// kernel uses rational approximations, reflection, and Stirling's series from 10 on. Relative error below 1e-28; of ln
// |Γ(x)| for x < 0, that part of max(1, |x| ln |x|).

import { EULER, LN_SQRT_2_PI, PI } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { log, log1p } from '../logarithm.ts';
import { sineCosinePi } from '../trigonometric.ts';
import { alternatingZeta } from './zeta-series.ts';

const INFINITE = dd.exactly(Number.POSITIVE_INFINITY);
const OVERFLOW = 172;
const UNDERFLOW = -185;

/** ∞ at the poles 0, -1, -2, … */
export function gamma(x: DoubleDouble): DoubleDouble {
  if (Number.isNaN(x.high) || x.high === Number.NEGATIVE_INFINITY) return dd.NOT_A_NUMBER;
  if (isPole(x) || x.high > OVERFLOW) return INFINITE;
  if (x.high < UNDERFLOW) return dd.ZERO;
  // Γ(x) = (x - 1) … (x - n) Γ(x - n) = Γ(x + n) / (x (x + 1) …), from the small factors on, because a product of the
  // others may overflow where Γ does not.
  const above: DoubleDouble[] = [];
  const below: DoubleDouble[] = [];
  let at = x;
  while (at.high >= 1.5) {
    at = dd.addNumber(at, -1);
    above.push(at);
  }
  for (; at.high < 0.5; at = dd.addNumber(at, 1)) below.push(at);
  const value = dd.reciprocal(inverseGammaAroundOne(dd.addNumber(at, -1)));
  return below.reduceRight(dd.divide, above.reduceRight(dd.multiply, value));
}

const isPole = ({ high, low }: DoubleDouble) => high <= 0 && low === 0 && Math.floor(high) === high;

/** n! for a whole n >= 0, else NaN: exact as long as the digits suffice. */
export function factorial(n: DoubleDouble): DoubleDouble {
  if (!(n.high >= 0 && Math.floor(n.high) === n.high && n.low === 0)) return dd.NOT_A_NUMBER;
  if (n.high > OVERFLOW) return INFINITE;
  let product = dd.ONE;
  for (let k = 2; k <= n.high; k++) product = dd.multiplyByNumber(product, k);
  return product;
}

/** ζ(2) … ζ(40); for larger arguments ζ is 1 to 12 digits, and its factor is below 1e-20. */
const ZETA_VALUES = 40;
let inverseCoefficients: readonly DoubleDouble[] | undefined;
let logarithmCoefficients: readonly DoubleDouble[] | undefined;
let zetaValues: readonly DoubleDouble[] | undefined;

/** ζ(k) for k = 2 … 40, computed once. */
function zetaValue(k: number): DoubleDouble {
  zetaValues ??= Array.from({ length: ZETA_VALUES - 1 }, (_, i) => alternatingZeta(dd.exactly(i + 2)));
  return zetaValues[k - 2] ?? dd.ONE;
}

/** 1/Γ(1 + z) = Σ a_k z^k for |z| <= ½: a_0 = 1 and k a_k = γ a_(k-1) - ζ(2) a_(k-2) + ζ(3) a_(k-3) - … */
function inverseGammaAroundOne(z: DoubleDouble): DoubleDouble {
  inverseCoefficients ??= makeInverseCoefficients(34);
  return dd.polynomial(inverseCoefficients, z);
}

function makeInverseCoefficients(count: number): readonly DoubleDouble[] {
  const coefficients: DoubleDouble[] = [dd.ONE];
  for (let k = 1; k < count; k++) {
    let sum = dd.multiply(EULER, coefficients[k - 1] ?? dd.ZERO);
    for (let j = 2; j <= k; j++) {
      const term = dd.multiply(zetaValue(j), coefficients[k - j] ?? dd.ZERO);
      sum = j % 2 === 0 ? dd.subtract(sum, term) : dd.add(sum, term);
    }
    coefficients.push(dd.divideByNumber(sum, k));
  }
  return coefficients;
}

/** ln Γ(2 + z) = (1 - γ) z + Σ (-1)^k (ζ(k) - 1) z^k / k for |z| < ¼. */
function logGammaAroundTwo(z: DoubleDouble): DoubleDouble {
  logarithmCoefficients ??= Array.from({ length: ZETA_VALUES }, (_, i) => {
    if (i === 0) return dd.addNumber(dd.negative(EULER), 1);
    const coefficient = dd.divideByNumber(dd.addNumber(zetaValue(i + 1), -1), i + 1);
    return i % 2 === 1 ? coefficient : dd.negative(coefficient);
  });
  return dd.multiply(z, dd.polynomial(logarithmCoefficients, z));
}

/** ln Γ(1 + z) for |z| < ¼. */
const logGammaNearOne = (z: DoubleDouble) => dd.subtract(logGammaAroundTwo(z), log1p(z));

const STIRLING = 24;

/** ln |Γ(x)|; ∞ at the poles. */
export function logGamma(x: DoubleDouble): DoubleDouble {
  if (Number.isNaN(x.high) || Math.abs(x.high) === Number.POSITIVE_INFINITY) return dd.magnitude(x);
  if (isPole(x)) return INFINITE;
  if (x.high > STIRLING) return logGammaByStirling(x);
  if (x.high < -STIRLING) return logGammaByReflection(x);
  const fromTwo = dd.addNumber(x, -2);
  if (Math.abs(fromTwo.high) < 0.25) return logGammaAroundTwo(fromTwo);
  const fromOne = dd.addNumber(x, -1);
  if (Math.abs(fromOne.high) < 0.25) return logGammaNearOne(fromOne);
  // Next to 0, Γ(x) may overflow where its logarithm does not.
  if (Math.abs(x.high) < 0.25) return dd.subtract(logGammaNearOne(x), log(dd.magnitude(x)));
  return log(dd.magnitude(gamma(x)));
}

/** B_2k, numerators and denominators. */
const BERNOULLI: readonly (readonly [number, number])[] = [
  [1, 6],
  [-1, 30],
  [1, 42],
  [-1, 30],
  [5, 66],
  [-691, 2730],
  [7, 6],
  [-3617, 510],
  [43867, 798],
  [-174611, 330],
  [854513, 138],
  [-236364091, 2730],
  [8553103, 6],
  [-23749461029, 870],
  [8615841276005, 14322],
  [-7709321041217, 510],
];
/** B_2k / (2k (2k - 1)) */
const STIRLING_COEFFICIENTS = BERNOULLI.map(([numerator, denominator], i) =>
  dd.divideByNumber(dd.exactly(numerator), denominator * (2 * i + 2) * (2 * i + 1)),
);

/** For x > 24: (x - ½) ln x - x + ln √(2π) + Σ B_2k / (2k (2k - 1) x^(2k-1)). */
function logGammaByStirling(x: DoubleDouble): DoubleDouble {
  const inverse = dd.reciprocal(x);
  const series = dd.multiply(inverse, dd.polynomial(STIRLING_COEFFICIENTS, dd.square(inverse)));
  const leading = dd.multiply(dd.addNumber(x, -0.5), dd.addNumber(log(x), -1));
  return dd.add(leading, dd.add(dd.addNumber(LN_SQRT_2_PI, -0.5), series));
}

/** Γ(x) Γ(-x) = -π / (x sin πx) */
function logGammaByReflection(x: DoubleDouble): DoubleDouble {
  const { sine } = sineCosinePi(x);
  return dd.subtract(log(dd.magnitude(dd.divide(PI, dd.multiply(x, sine)))), logGammaByStirling(dd.negative(x)));
}
