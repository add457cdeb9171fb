// One zero in its bracket, by Chandrupatla's method, and an interval about it that is proved to hold a zero.
//
// Inverse quadratic interpolation where it is safe, else bisection: Chandrupatla, Advances in Engineering Software 28
// (1997) 145. The proof: at both ends of the interval the sign of Z is certain, and they are opposite.
import { highOf, lowOf, refined, refinedError, setBracket } from './window';

const MAX_STEPS: i32 = 80;
const MAX_WIDENINGS: i32 = 40;
/** Spacing of numbers near 1, twice. */
const RESOLUTION: f64 = 4.440892098500626e-16;

/** Narrows bracket i to `tolerance`. */
export function locate(i: i32, tolerance: f64): void {
  let a = highOf(i);
  let b = lowOf(i);
  let fa = refined(a);
  let fb = refined(b);
  const low = b;
  const high = a;
  const slope = steepest(fa, fb, high - low);
  let c = a;
  let fc = fa;
  let share: f64 = 0.5;
  let best = 0.5 * (a + b);
  let near = slope;
  for (let k = 0; k < MAX_STEPS; k++) {
    const t = a + share * (b - a);
    const ft = refined(t);
    if (ft > 0 === fa > 0) {
      c = a;
      fc = fa;
    } else {
      c = b;
      b = a;
      fc = fb;
      fb = fa;
    }
    a = t;
    fa = ft;
    best = abs(fa) < abs(fb) ? a : b;
    near = steepest(fa, fb, abs(b - a));
    const limit = 0.5 * tolerance + RESOLUTION * best;
    if (abs(b - a) <= limit || abs(ft) <= refinedError(t)) break;
    const xi = (a - b) / (c - b);
    const phi = (fa - fb) / (fc - fb);
    const isSmooth = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    share = isSmooth
      ? (fa / (fb - fa)) * (fc / (fb - fc)) + ((c - a) / (b - a)) * (fa / (fc - fa)) * (fb / (fc - fb))
      : 0.5;
    const least = min(0.5, (0.25 * limit) / abs(b - a));
    share = min(1 - least, max(least, share));
  }
  let half = max((2 * refinedError(best)) / max(near, 0.01 * slope), RESOLUTION * best);
  const isRising = refined(high) > 0;
  for (let k = 0; k < MAX_WIDENINGS && best - half > low && best + half < high; k++) {
    if (hasSign(best - half, !isRising) && hasSign(best + half, isRising)) {
      setBracket(i, best - half, best, best + half);
      return;
    }
    half *= 2;
  }
  setBracket(i, low, best, high);
}

function steepest(fa: f64, fb: f64, width: f64): f64 {
  return abs(fa - fb) / max(width, f64.MIN_NORMAL_VALUE);
}

function hasSign(t: f64, isPositive: bool): bool {
  const z = refined(t);
  return isPositive ? z > refinedError(t) : z < -refinedError(t);
}
