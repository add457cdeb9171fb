// Lambert's W: the real solutions of w e^w = x. Branch 0 has w >= -1 (x >= -1/e), branch -1 has w <= -1
// (-1/e <= x < 0). Outside, NaN; branch -1 goes to -∞ at 0.
//
// At -1/e both branches meet in a square-root singularity: W = -1 + p R(p) with p = ±√(2(1 + e x)), and R is analytic
// there, one rational function for both. 1 + e x uses 1/e to 32 digits, so W is accurate to a few
// roundings even for the next f64 after -1/e. Elsewhere an initial value (branch 0: Iacono & Boyd 2017, Adv. Comput.
// Math. 43, 1403-1436, eq. 17; branch -1: the asymptotic series, Corless et al. 1996, Adv. Comput. Math. 5, 329-359) is
// refined by a step of fourth order (Fritsch, Shafer & Crowley 1973, Comm. ACM 16, 123-124).
// Relative error below 2e-15.
import { quotient } from './rational';

// (W + 1) / p for |p| <= 5/8; relative error 3.0e-16.
// biome-ignore format: one coefficient of P and one of Q per line
const BRANCH_POINT: usize = memory.data<f64>([
  2.2339652233194876e-6, 0.00011449673873053354,
  0.0007758746585680884, 0.005102386169990688,
  0.02172238599449663, 0.07178870619570417,
  0.20996003018457518, 0.46203367249661814,
  0.9361731616471488, 1.5562645222100888,
  2.1063962538712, 2.839573898209388,
  2.324532933014563, 2.6578662663478965,
  1.0, 1.0,
], 16);

/** 1/e as the sum of two f64. */
const INVERSE_E: f64 = 0.36787944117144233;
const INVERSE_E_REST: f64 = -1.2428753672788363e-17;

/** Below this x, |p| < 5/8. */
const NEAR_BRANCH_POINT: f64 = -0.3;

/**
 * @param branch  0 or -1; NaN for any other
 * @param x       the f64 nearest to -1/e counts as -1/e
 */
export function lambertW(branch: f64, x: f64): f64 {
  if (branch === 0) return x < NEAR_BRANCH_POINT ? aroundBranchPoint(x, 1) : upperBranch(x);
  if (branch !== -1) return NaN;
  return x < NEAR_BRANCH_POINT ? aroundBranchPoint(x, -1) : lowerBranch(x);
}

function aroundBranchPoint(x: f64, side: f64): f64 {
  const distance = x + INVERSE_E; // exact
  if (distance < 0) return NaN;
  const p = side * Math.sqrt(2 * Math.E * Math.max(distance + INVERSE_E_REST, 0));
  return -1 + p * quotient(BRANCH_POINT, 7, p);
}

function upperBranch(x: f64): f64 {
  if (x === 0 || !(x < Infinity)) return x;
  const l = Math.log1p(x);
  let w = l * (1 - Math.log1p(l) / (2 + l)); // error within 2 %
  for (let i = 0; i < 2; i++) w = refined(w, Math.log(x / w) - w);
  return w;
}

function lowerBranch(x: f64): f64 {
  if (!(x < 0)) return x === 0 ? -Infinity : NaN;
  const l = Math.log(-x);
  const ll = Math.log(-l);
  let w = l - ll + ll / l; // error within 15 %
  for (let i = 0; i < 3; i++) w = refined(w, l - Math.log(-w) - w);
  return w;
}

/** @param z  ln(x/w) - w, which the solution brings to 0 */
function refined(w: f64, z: f64): f64 {
  const q = 2 * (1 + w) * (1 + w + (2.0 / 3.0) * z);
  return w * (1 + (z / (1 + w)) * ((q - z) / (q - 2 * z)));
}
