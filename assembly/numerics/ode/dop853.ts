// Dormand & Prince's method of order 8 with twelve stages, errors of orders 5 and 3, and dense output of order 7.
//
// For smooth problems that are not stiff, at tolerances below 1e-6: eight digits cost about a third of the evaluations
// of the pair 5(4). Stable on the negative real axis for h |λ| < 5. Coefficients: Hairer, Nørsett & Wanner, Solving
// Ordinary Differential Equations I (2nd ed.), §II.5 and §II.6, and their program DOP853.
import { splat } from '../simd';
import { get, set } from '../vector';
import { SplitRightSide } from './right-side';

/** Weights in the arguments of stages 2 … 12, of the result, and of the three stages of the interpolant: of k₁, then of a range. */
const WEIGHTS: usize = memory.data<f64>([
  0.05260015195876773, 0.0197250569845379, 0.0591751709536137, 0.02958758547680685, 0.08876275643042054,
  0.2413651341592667, -0.8845494793282861, 0.924834003261792, 0.037037037037037035, 0.17082860872947386,
  0.12546768756682242, 0.037109375, 0.17025221101954405, 0.06021653898045596, -0.017578125, 0.03709200011850479,
  0.17038392571223998, 0.10726203044637328, -0.015319437748624402, 0.008273789163814023, 0.6241109587160757,
  -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894, -43.48988418106996,
  0.47766253643826434, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
  -33.28821096898486, -0.020331201708508627, -0.9371424300859873, 5.186372428844064, 1.0914373489967295,
  -8.149787010746927, -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196,
  2.273310147516538, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996, -2.8589982771350235,
  -8.87285693353063, 12.360567175794303, 0.6433927460157636, 0.054293734116568765, 4.450312892752409,
  1.8915178993145003, -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034,
  0.04471061572777259, 0.056167502283047954, 0.25350021021662483, -0.2462390374708025, -0.12419142326381637,
  0.15329179827876568, 0.00820105229563469, 0.007567897660545699, -0.008298, 0.03183464816350214, 0.028300909672366776,
  0.053541988307438566, -0.05492374857139099, 0.0, 0.0, -0.00010834732869724932, 0.0003825710908356584,
  -0.00034046500868740456, 0.1413124436746325, -0.42889630158379194, -4.697621415361164, 7.683421196062599,
  4.06898981839711, 0.3567271874552811, 0.0, 0.0, 0.0, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987,
]);

/** First and last stage of the range of each row, from 0. */
const RANGES: usize = memory.data<i32>([
  1, 0, 1, 1, 2, 2, 2, 3, 3, 4, 3, 5, 3, 6, 3, 7, 3, 8, 3, 9, 3, 10, 5, 11, 6, 12, 5, 13, 5, 14,
]);

/** Nodes of stages 2 … 12, of the result and of the interpolant, as fractions of the step. */
const NODES: usize = memory.data<f64>([
  0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25,
  0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0, 0.1, 0.2, 0.7777777777777778,
]);

/** Weights of the errors of orders 5 and 3: of k₁, then of k₆ … k₁₂. */
const ERROR_WEIGHTS: usize = memory.data<f64>([
  0.01312004499419488, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864, -0.35032884874997366,
  0.3341791187130175, 0.08192320648511571, -0.022355307863886294, -0.18980075407240762, 4.450312892752409,
  1.8915178993145003, -5.801203960010585, -0.4226823213237919, -0.1521609496625161, 0.20136540080403034,
  0.02265179219836082,
]);

/** Weights of the last four vectors of the interpolant: of k₁, then of k₆ … k₁₆. */
const DENSE_WEIGHTS: usize = memory.data<f64>([
  -8.428938276109013, 0.5667149535193777, -3.0689499459498917, 2.38466765651207, 2.117034582445028, -0.871391583777973,
  2.2404374302607883, 0.6315787787694688, -0.08899033645133331, 18.148505520854727, -9.194632392478356,
  -4.436036387594894, 10.427508642579134, 242.28349177525817, 165.20045171727028, -374.5467547226902,
  -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229, 15.697238121770845,
  -31.139403219565178, -9.35292435884448, 35.81684148639408, 19.985053242002433, -387.0373087493518,
  -189.17813819516758, 527.8081592054236, -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443,
  -2.778205752353508, -60.19669523126412, 84.32040550667716, 11.99229113618279, -25.69393346270375, -154.18974869023643,
  -231.5293791760455, 357.6391179106141, 93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605,
  -43.53345659001114, 96.32455395918828, -39.17726167561544, -149.72683625798564,
]);

/** The stages of a step, the slope at its end, and three more of the interpolant. */
export const DOP853_STAGES: i32 = 16;
/** Vectors of the interpolant: y, its change, and six more. */
export const DOP853_INTERPOLANT: i32 = 8;
const ORDER_STAGES: i32 = 12;

/** out = base + h (w₀ k₁ + Σ w k over the stages from … to, from 0). */
function combineRange(base: usize, h: f64, w: usize, k: usize, from: i32, to: i32, n: i32, out: usize): void {
  const stride = (<usize>n) << 3;
  const step = f64x2.splat(h);
  const first = splat(w);
  const start = k + <usize>from * stride;
  let i = 0;
  // Sums of eight values side by side: each alone waits for its last addition.
  for (; i + 7 < n; i += 8) {
    const offset = (<usize>i) << 3;
    let s0 = f64x2.mul(first, v128.load(k + offset));
    let s1 = f64x2.mul(first, v128.load(k + offset, 16));
    let s2 = f64x2.mul(first, v128.load(k + offset, 32));
    let s3 = f64x2.mul(first, v128.load(k + offset, 48));
    let weight = w;
    let at = start + offset;
    for (let s = from; s <= to; s++) {
      weight += 8;
      const factor = splat(weight);
      s0 = f64x2.add(s0, f64x2.mul(factor, v128.load(at)));
      s1 = f64x2.add(s1, f64x2.mul(factor, v128.load(at, 16)));
      s2 = f64x2.add(s2, f64x2.mul(factor, v128.load(at, 32)));
      s3 = f64x2.add(s3, f64x2.mul(factor, v128.load(at, 48)));
      at += stride;
    }
    v128.store(out + offset, f64x2.add(v128.load(base + offset), f64x2.mul(step, s0)));
    v128.store(out + offset, f64x2.add(v128.load(base + offset, 16), f64x2.mul(step, s1)), 16);
    v128.store(out + offset, f64x2.add(v128.load(base + offset, 32), f64x2.mul(step, s2)), 32);
    v128.store(out + offset, f64x2.add(v128.load(base + offset, 48), f64x2.mul(step, s3)), 48);
  }
  for (; i + 1 < n; i += 2) {
    const offset = (<usize>i) << 3;
    let sum = f64x2.mul(first, v128.load(k + offset));
    let weight = w;
    let at = start + offset;
    for (let s = from; s <= to; s++) {
      weight += 8;
      sum = f64x2.add(sum, f64x2.mul(splat(weight), v128.load(at)));
      at += stride;
    }
    v128.store(out + offset, f64x2.add(v128.load(base + offset), f64x2.mul(step, sum)));
  }
  if ((n & 1) === 0) return;
  const last = (<usize>(n - 1)) << 3;
  let sum = load<f64>(w) * load<f64>(k + last);
  let weight = w;
  let at = start + last;
  for (let s = from; s <= to; s++) {
    weight += 8;
    sum += load<f64>(weight) * load<f64>(at);
    at += stride;
  }
  store<f64>(out + last, load<f64>(base + last) + h * sum);
}

/** The row of weights of stage s, counted from 1; 12 is the result. */
function rowOf(s: i32): usize {
  let row = WEIGHTS;
  for (let r = 0; r < s - 1; r++) row += (<usize>(2 + rangeEnd(r) - rangeStart(r))) << 3;
  return row;
}

function rangeStart(row: i32): i32 {
  return load<i32>(RANGES + ((<usize>row) << 3));
}

function rangeEnd(row: i32): i32 {
  return load<i32>(RANGES + ((<usize>row) << 3) + 4);
}

/**
 * Stages 2 … 12 of a step from (t, origin + y).
 *
 * @param k         f64[16, n]; k₁ = f(t, origin + y) is read
 * @param argument  f64[n], scratch
 */
export function dop853Stages(
  f: SplitRightSide,
  t: f64,
  origin: usize,
  y: usize,
  k: usize,
  h: f64,
  n: i32,
  argument: usize,
): void {
  const bytes = (<usize>n) << 3;
  let row = WEIGHTS;
  for (let s = 1; s < ORDER_STAGES; s++) {
    const from = rangeStart(s - 1);
    const to = rangeEnd(s - 1);
    combineRange(y, h, row, k, from, to, n, argument);
    row += (<usize>(2 + to - from)) << 3;
    f(t + get(NODES, s - 1) * h, origin, argument, k + <usize>s * bytes);
  }
}

/** out = base + h Σ b k: the increment of order 8 if base is 0. */
export function dop853Result(base: usize, k: usize, h: f64, n: i32, out: usize): void {
  combineRange(base, h, rowOf(ORDER_STAGES), k, 5, 11, n, out);
}

/**
 * Norm of the error relative to `sizes`: accepted up to 1. The errors of orders 5 and 3 together behave as order 7.
 *
 * @param sizes  f64[n], tolerated errors; a component with 0 is skipped
 */
export function dop853Error(k: usize, h: f64, sizes: usize, n: i32): f64 {
  let fifth: f64 = 0;
  let third: f64 = 0;
  const stride = (<usize>n) << 3;
  for (let i = 0; i < n; i++) {
    const size = get(sizes, i);
    if (size === 0) continue;
    let at = k + ((<usize>i) << 3);
    let a = load<f64>(ERROR_WEIGHTS) * load<f64>(at);
    let b = load<f64>(ERROR_WEIGHTS + 64) * load<f64>(at);
    at += 5 * stride;
    for (let s: usize = 8; s < 64; s += 8) {
      const slope = load<f64>(at);
      a += load<f64>(ERROR_WEIGHTS + s) * slope;
      b += load<f64>(ERROR_WEIGHTS + 64 + s) * slope;
      at += stride;
    }
    a /= size;
    b /= size;
    fifth += a * a;
    third += b * b;
  }
  if (fifth === 0 && third === 0) return 0;
  return (Math.abs(h) * fifth) / Math.sqrt((fifth + 0.01 * third) * <f64>n);
}

/**
 * The interpolant of an accepted step: three more stages.
 *
 * @param k    f64[16, n]; k₁₃ = f(t + h, origin + after)
 * @param out  f64[8, n]
 */
export function dop853Interpolant(
  f: SplitRightSide,
  t: f64,
  origin: usize,
  y: usize,
  k: usize,
  h: f64,
  n: i32,
  after: usize,
  argument: usize,
  out: usize,
): void {
  const bytes = (<usize>n) << 3;
  for (let s = 13; s < DOP853_STAGES; s++) {
    combineRange(y, h, rowOf(s), k, rangeStart(s - 1), rangeEnd(s - 1), n, argument);
    f(t + get(NODES, s - 1) * h, origin, argument, k + <usize>s * bytes);
  }
  for (let i = 0; i < n; i++) {
    const change = get(after, i) - get(y, i);
    const bend = h * get(k, i) - change;
    set(out, i, get(y, i));
    set(out, n + i, change);
    set(out, 2 * n + i, bend);
    set(out, 3 * n + i, change - h * get(k, 12 * n + i) - bend);
    for (let j = 0; j < 4; j++) {
      const weights = DENSE_WEIGHTS + ((<usize>(12 * j)) << 3);
      let sum = get(weights, 0) * get(k, i);
      for (let s = 5; s < DOP853_STAGES; s++) sum += get(weights, s - 4) * get(k, s * n + i);
      set(out, (4 + j) * n + i, h * sum);
    }
  }
}

/** @param theta  0 … 1, the position within the step */
export function dop853Interpolate(coefficients: usize, theta: f64, n: i32, out: usize): void {
  const left = 1 - theta;
  for (let i = 0; i < n; i++) {
    let value = get(coefficients, 7 * n + i);
    value = get(coefficients, 6 * n + i) + theta * value;
    value = get(coefficients, 5 * n + i) + left * value;
    value = get(coefficients, 4 * n + i) + theta * value;
    value = get(coefficients, 3 * n + i) + left * value;
    value = get(coefficients, 2 * n + i) + theta * value;
    value = get(coefficients, n + i) + left * value;
    set(out, i, get(coefficients, i) + theta * value);
  }
}
