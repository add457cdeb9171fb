// K_n(x), modified Bessel functions of the second kind and integer order, for x > 0.
//
// K_0 and K_1 come from their series up to 1 (NIST Digital Library of Mathematical Functions, §10.31.2) and beyond
// from √x e^x K as a rational function of 1/x; then K_(n+1) = K_(n-1) + 2n/x K_n, without cancellation. Relative
// error below 3e-14, and 3e-15 for n <= 20. K_n(0) = ∞; below 0, NaN.
import { isOrder } from './bessel';
import { quotient } from './rational';

// √x e^x K_0(x) as a function of 1/x for x >= 1; relative error 8.5e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const ZERO: usize = memory.data<f64>([
  0.017287397340128928, 0.05025470579440768,
  2.1554905934165522, 3.2089646485392254,
  43.03004839642576, 49.39450387983009,
  298.1693346773358, 297.6591507705626,
  934.2858338743883, 857.8252376193939,
  1502.2469409143855, 1308.4947155423738,
  1320.3545359384912, 1111.5323134357097,
  648.3006241798016, 533.69735387267,
  174.51287330456879, 141.55092666346818,
  23.707558797970115, 19.040895139226475,
  1.2533141373155001, 1.0,
], 16);

// √x e^x K_1(x), likewise; relative error 4.5e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const ONE: usize = memory.data<f64>([
  0.1227409800481436, 0.006869081886194532,
  5.962010783358317, 1.0569401215220227,
  76.6508441115134, 23.255256583745503,
  409.70524784491056, 173.44921561000734,
  1095.6358911947784, 578.5547283494782,
  1603.9465429217196, 983.0033247664497,
  1339.3011199700984, 907.5379587969659,
  642.2729361987986, 465.62437270910317,
  171.84247923678427, 130.35110985067558,
  23.452561325835305, 18.337436593166395,
  1.2533141373155003, 1.0,
], 16);

const EULER: f64 = 0.5772156649015329;

/** K_n(x) underflows to 0 above this for every allowed order. */
const UNDERFLOW: f64 = 3000;

/** @param n  integer, |n| <= 1000; otherwise NaN */
export function besselK(n: f64, x: f64): f64 {
  if (!isOrder(n) || !(x >= 0)) return NaN;
  if (x === 0) return Infinity;
  if (x > UNDERFLOW) return 0;
  const order = Math.abs(n);
  return x < 1 ? bySeries(order, x) : byExpansion(order, x);
}

/** For x < 1: Σ over k of (x²/4)^k / (k!)² and the series of K_1, at most 12 terms each. */
function bySeries(n: f64, x: f64): f64 {
  const q = 0.25 * x * x;
  const logarithm = Math.log(0.5 * x) + EULER;
  let harmonic: f64 = 0; // 1 + 1/2 + … + 1/k
  let zeroTerm: f64 = 1; // q^k / (k!)²
  let zero = -logarithm;
  let one = logarithm - 0.5;
  for (let k: f64 = 1; k <= 20; k++) {
    harmonic += 1 / k;
    zeroTerm *= q / (k * k);
    const oneTerm = zeroTerm / (k + 1); // q^k / (k! (k + 1)!)
    zero += zeroTerm * (harmonic - logarithm);
    one += oneTerm * (logarithm - harmonic - 0.5 / (k + 1));
    if (zeroTerm * (harmonic + 1) < 1e-18) break;
  }
  return upwards(n, x, zero, 1 / x + 0.5 * x * one, 1);
}

/** For x >= 1: scaled by e^x. The factor e^-x is applied in four parts, early where the recurrence would overflow. */
function byExpansion(n: f64, x: f64): f64 {
  const t = 1 / x;
  const root = Math.sqrt(t);
  return upwards(n, x, root * quotient(ZERO, 10, t), root * quotient(ONE, 10, t), Math.exp(-0.25 * x));
}

/**
 * K_n from K_0 and K_1.
 *
 * @param decay  a factor to apply to the result four times; 1 for none
 */
function upwards(n: f64, x: f64, zero: f64, one: f64, decay: f64): f64 {
  let previous = zero;
  let current = n === 0 ? zero : one;
  let remaining = 4;
  for (let k: f64 = 1; k < n; k++) {
    const next = previous + ((2 * k) / x) * current;
    previous = current;
    current = next;
    if (current > 1 && remaining > 0) {
      previous *= decay;
      current *= decay;
      remaining--;
    }
  }
  for (; remaining > 0; remaining--) current *= decay;
  return current;
}
