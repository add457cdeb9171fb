// The standard normal distribution: density, distribution function and quantile.
//
// The distribution function is erfc(-x/√2)/2 with the exponential of x itself, so that the lower tail
// keeps its relative accuracy (1e-15 down to x = -37.5, where the value leaves the normal range of f64).
// The quantile is Wichura's algorithm AS 241, PPND16 (1988, Appl. Statist. 37, 477-484), with its
// published coefficients: relative error below 1e-15 for every p from the smallest positive f64 up to 1.
import { erf, gaussian, scaledComplement } from './error-function';
import { quotient } from './rational';

/** 1 / √(2π) */
const DENSITY: f64 = 0.3989422804014327;

// x / (p - 1/2) as a function of 0.180625 - (p - 1/2)², for |p - 1/2| <= 0.425.
// biome-ignore format: one coefficient of P and one of Q per line
export const CENTRE: usize = memory.data<f64>([
  2509.0809287301226727, 5226.495278852854561,
  33430.575583588128105, 28729.085735721942674,
  67265.770927008700853, 39307.89580009271061,
  45921.953931549871457, 21213.794301586595867,
  13731.693765509461125, 5394.1960214247511077,
  1971.5909503065514427, 687.1870074920579083,
  133.14166789178437745, 42.313330701600911252,
  3.387132872796366608, 1.0,
], 16);

// -x as a function of √(-ln p) - 1.6, for the tail p down to e^-25.
// biome-ignore format: one coefficient of P and one of Q per line
export const SHOULDER: usize = memory.data<f64>([
  7.7454501427834140764e-4, 1.05075007164441684324e-9,
  0.0227238449892691845833, 5.475938084995344946e-4,
  0.24178072517745061177, 0.0151986665636164571966,
  1.27045825245236838258, 0.14810397642748007459,
  3.64784832476320460504, 0.68976733498510000455,
  5.7694972214606914055, 1.6763848301838038494,
  4.6303378461565452959, 2.05319162663775882187,
  1.42343711074968357734, 1.0,
], 16);

// -x as a function of √(-ln p) - 5, for smaller p.
// biome-ignore format: one coefficient of P and one of Q per line
const TAIL: usize = memory.data<f64>([
  2.01033439929228813265e-7, 2.04426310338993978564e-15,
  2.71155556874348757815e-5, 1.4215117583164458887e-7,
  0.0012426609473880784386, 1.8463183175100546818e-5,
  0.026532189526576123093, 7.868691311456132591e-4,
  0.29656057182850489123, 0.0148753612908506148525,
  1.7848265399172913358, 0.13692988092273580531,
  5.4637849111641143699, 0.59983220655588793769,
  6.6579046435011037772, 1.0,
], 16);

export function normalDensity(x: f64): f64 {
  return isNaN(x) ? x : DENSITY * gaussian(x, 0.5);
}

export function normalDistribution(x: f64): f64 {
  const z = Math.abs(x) * Math.SQRT1_2;
  if (!(z >= 0.5)) return 0.5 + 0.5 * erf(x * Math.SQRT1_2);
  const tail = 0.5 * gaussian(x, 0.5) * scaledComplement(z);
  return x < 0 ? tail : 1 - tail;
}

/** The x with P(X <= x) = p. -∞ at 0, ∞ at 1, NaN outside. */
export function normalQuantile(p: f64): f64 {
  if (!(p >= 0 && p <= 1)) return NaN;
  const offset = p - 0.5;
  if (Math.abs(offset) <= 0.425) return offset * quotient(CENTRE, 7, 0.180625 - offset * offset);
  const tail = offset < 0 ? p : 1 - p; // 1 - p is exact for p >= 1/2
  if (tail === 0) return offset * Infinity;
  const r = Math.sqrt(-Math.log(tail));
  const size = r <= 5 ? quotient(SHOULDER, 7, r - 1.6) : quotient(TAIL, 7, r - 5);
  return offset < 0 ? -size : size;
}
