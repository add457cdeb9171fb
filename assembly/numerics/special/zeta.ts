// Riemann's zeta function on the real axis.
//
// For s >= 0 Euler-Maclaurin summation from N = 10 on, with ten Bernoulli terms, with a remainder below
// 1e-17; for s < 0 the reflection formula (NIST Digital Library of Mathematical Functions, §25.2.9, §25.4.1),
// which keeps the zeros at -2, -4, … exact. Relative error below 1e-14, most of it near 0, where the sum and
// its continuation cancel. ζ(1) = ∞; beyond s = -260 the value overflows.
import { gamma, stirlingPower, stirlingSeries } from './gamma';
import { sinePi } from './sine-pi';

/** B_2j / (2j)! from j = 10 down to 1. */
const BERNOULLI: usize = memory.data<f64>([
  -2.1748686985580618e-16, 8.586062056277844e-15, -3.389680296322583e-13, 1.3382536530684679e-11,
  -5.284190138687493e-10, 2.08767569878681e-8, -8.267195767195767e-7, 3.306878306878307e-5, -0.001388888888888889,
  0.08333333333333333,
]);
const TERMS: i32 = 10;

/** First term of the Euler-Maclaurin tail. */
const N: f64 = 10;

const TWO_PI: f64 = 6.283185307179586;
const TWO_PI_REST: f64 = 3.8981718325193755e-17; // 2π = TWO_PI (1 + TWO_PI_REST)
const STIRLING: f64 = 2.5066282746310007; // √(2π)

export function zeta(s: f64): f64 {
  if (s >= 0) return eulerMaclaurin(s, s - 1);
  if (!(s > -Infinity)) return NaN;
  return s > -100 ? reflected(-s) : reflectedLarge(-s);
}

/** @param fromPole  s - 1, which the caller may know more accurately than s */
function eulerMaclaurin(s: f64, fromPole: f64): f64 {
  if (fromPole === 0) return Infinity;
  if (s > 54) return 1; // 2^-54 is less than half a unit in the last place
  let sum: f64 = 0;
  for (let k = N - 1; k > 1; k--) sum += k ** -s;
  // Σ c_j s (s + 1) … (s + 2j - 2) / N^(2j-1), by Horner from the last term.
  let corrections: f64 = 0;
  for (let j = TERMS; j > 0; j--) {
    const c = load<f64>(BERNOULLI + ((<usize>(TERMS - j)) << 3));
    const step = j === 1 ? s / N : ((s + <f64>(2 * j - 3)) * (s + <f64>(2 * j - 2))) / (N * N);
    corrections = step * (c + corrections);
  }
  return 1 + (sum + N ** -s * (N / fromPole + 0.5 + corrections));
}

/** ζ(-y) = -2 (2π)^(-y-1) sin(πy/2) Γ(y + 1) ζ(y + 1) */
function reflected(y: f64): f64 {
  const factorial = y < 1 ? gamma(y + 1) : y * gamma(y); // y + 1 would round for large y
  const power = TWO_PI ** -y * (1 - TWO_PI_REST * y);
  return (-sinePi(0.5 * y) * factorial * power * eulerMaclaurin(y + 1, y)) / Math.PI;
}

/** The same for y >= 100, with the growing and the decreasing power combined by their fourth roots; ζ(y + 1) = 1. */
function reflectedLarge(y: f64): f64 {
  const sine = sinePi(0.5 * y);
  if (sine === 0 || y > 300) return sine === 0 ? 0 : -sine * Infinity;
  const root = stirlingPower(y, 0.25) * TWO_PI ** (-0.25 * y) * (1 - 0.25 * TWO_PI_REST * y);
  const square = root * root;
  return ((-sine * y * STIRLING * Math.exp(stirlingSeries(y))) / Math.PI) * square * square;
}
