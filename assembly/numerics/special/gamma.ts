// The gamma function and the logarithm of its absolute value on the whole real axis.
//
// Between 1/2 and 3, ln Γ(x) is (x - 1)(x - 2) times a rational function, so its zeros keep their relative
// accuracy. Γ(x + 1) = x Γ(x) reduces |x| < 10 to that interval; from 10 on, Stirling's series with seven
// terms; below -10, the reflection formula (NIST Digital Library of Mathematical Functions, §5.5, §5.11).
//
// Relative error: gamma below 2e-15 up to the overflow at 171.62; lgamma below 1e-15 for x > 0. For x < 0 the
// error of lgamma is that of ln|Γ| in absolute terms where Γ crosses ±1: about 1e-15 max(1, |x| ln|x|).
// At its poles 0, -1, -2, … either is +∞.
import { quotient } from './rational';
import { sinePi } from './sine-pi';

// ln Γ(x) / ((x - 1)(x - 2)) for 1/2 <= x <= 3/2; relative error 7.8e-18.
// biome-ignore format: one coefficient of P and one of Q per line
const AROUND_ONE: usize = memory.data<f64>([
  0.13733288920707068, 11.565962487009191,
  40.47396462368301, 380.8830309053541,
  756.8011781851742, 3163.710539828391,
  3849.973910162971, 9515.149114471487,
  7093.110177195256, 11700.274702028324,
  5157.438874230318, 5991.979793766048,
  1459.840185516296, 1205.5924041267524,
  138.87742055632648, 79.35321849277952,
  2.8254688362324343, 1.0,
], 16);

// The same for 3/2 <= x <= 3; relative error 5.3e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const AROUND_TWO: usize = memory.data<f64>([
  0.0002432793092195538, 0.03485938974763185,
  0.1397034638394434, 1.9061364203623499,
  4.5593439958558015, 25.433501591021322,
  38.312018513080716, 117.30872371641625,
  108.46510426783534, 206.50359132285743,
  108.53319518801051, 134.90558125732588,
  34.550325885456004, 27.205034183966337,
  2.300597194431547, 1.0,
], 16);

/** ln √(2π) - 1/2, and √(2π). */
const STIRLING_LOG: f64 = 0.4189385332046727;
const STIRLING: f64 = 2.5066282746310007;

/** From here on Stirling's series is accurate to the last bit. */
const LARGE: f64 = 10;

/** Largest n whose n! is exact in f64; up to here Γ(n + 1) by recurrence is exact. */
const EXACT_FACTORIAL: f64 = 22;

export function gamma(x: f64): f64 {
  if (!isFinite(x)) return x > 0 ? x : NaN;
  const isWhole = Math.floor(x) === x;
  if (isWhole && x <= 0) return Infinity;
  if (Math.abs(x) < LARGE || (isWhole && x > 0 && x <= EXACT_FACTORIAL + 1)) return gammaByRecurrence(x);
  if (x > 172) return Infinity;
  if (x < -185) return 0;
  const y = Math.abs(x);
  const root = stirlingPower(y, 0.5);
  const rest = STIRLING * Math.exp(stirlingSeries(y));
  // Two factors, because Γ(y) alone would overflow below -170.
  if (x > 0) return root * (root * rest);
  return -Math.PI / (y * sinePi(y)) / root / (root * rest);
}

/** ln |Γ(x)| */
export function logGamma(x: f64): f64 {
  if (isNaN(x)) return x;
  if (x >= LARGE) return logGammaByStirling(x);
  if (x >= 3) return logGammaByRecurrence(x);
  if (x >= 0.5) return logGammaAroundTwo(x);
  if (Math.floor(x) === x) return Infinity;
  if (x > 0) return logGammaAroundTwo(x + 1) - Math.log(x);
  if (x > -1e-16) return -Math.log(-x);
  if (x > -LARGE) return Math.log(Math.abs(gammaByRecurrence(x)));
  const sine = Math.abs(sinePi(x));
  return Math.log(Math.PI / (-x * sine)) - logGammaByStirling(-x);
}

/** n! for integer n >= 0; exact up to 22!, infinite from 171 on. */
export function factorial(n: f64): f64 {
  return n >= 0 && Math.floor(n) === n ? gamma(n + 1) : NaN;
}

/**
 * x^(part (x - 1/2)) e^(-part x) for x >= 10: the growing factor of Γ, taken to a power that does not overflow.
 *
 * @param part  1/2 or 1/4, so that both exponents are exact
 */
export function stirlingPower(x: f64, part: f64): f64 {
  return x ** (part * x - part * 0.5) * Math.exp(-part * x);
}

/** ln Γ(x) - (x - 1/2) ln x + x - ln √(2π) for x >= 10: B_2k / (2k (2k - 1) x^(2k-1)) for k = 1 … 7. */
export function stirlingSeries(x: f64): f64 {
  const t = 1 / (x * x);
  let sum: f64 = 1.0 / 156.0;
  sum = sum * t - 691.0 / 360360.0;
  sum = sum * t + 1.0 / 1188.0;
  sum = sum * t - 1.0 / 1680.0;
  sum = sum * t + 1.0 / 1260.0;
  sum = sum * t - 1.0 / 360.0;
  sum = sum * t + 1.0 / 12.0;
  return sum / x;
}

/** For |x| < 10 and small integer x. The steps are exact or harmless: x + k next to a pole loses no digits. */
function gammaByRecurrence(x: f64): f64 {
  let above: f64 = 1;
  let below: f64 = 1;
  while (x >= 3) {
    x -= 1;
    above *= x;
  }
  while (x < 0.5) {
    below *= x;
    x += 1;
  }
  return (above * Math.exp(logGammaAroundTwo(x))) / below;
}

/** For 1/2 <= x <= 3. */
function logGammaAroundTwo(x: f64): f64 {
  const factor = x < 1.5 ? quotient(AROUND_ONE, 8, x) : quotient(AROUND_TWO, 7, x);
  return (x - 1) * (x - 2) * factor;
}

/** For 3 <= x < 10. */
function logGammaByRecurrence(x: f64): f64 {
  let product: f64 = 1;
  while (x >= 3) {
    x -= 1;
    product *= x;
  }
  return Math.log(product) + logGammaAroundTwo(x);
}

/** For x >= 10. */
function logGammaByStirling(x: f64): f64 {
  return (x - 0.5) * (Math.log(x) - 1) + (STIRLING_LOG + stirlingSeries(x));
}
