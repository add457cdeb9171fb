// The Riemann–Siegel theta function, θ(t) = Im ln Γ(1/4 + it/2) − t/2 ln π, in turns of 2π.
//
// For t >= 30 the asymptotic series (Edwards, Riemann's Zeta Function, 1974, §6.5), with its large part reduced in
// numbers of twice the precision: the error is below 1e-15 turns up to t = 10^7. Below 30 Stirling's series of Γ, shifted
// by 20, with an error below 1e-14 turns.
import '../trigonometric';
import { Low, logarithm, product, quickSum, sum } from '../double-double';

const TURN: f64 = 0.15915494309189535; // 1 / 2π
const TURN_LOW: f64 = -9.839338337591243e-18;
const LN_PI: f64 = 1.1447298858494002;
const SERIES_FROM: f64 = 30;
const SHIFT: i32 = 20;

/** θ(t)/2π for t >= 0; its low part stays in `Low.part`. */
export function thetaTurns(t: f64): f64 {
  if (t < SERIES_FROM) {
    Low.part = 0;
    return smallTheta(t) * TURN;
  }
  const tau = product(t, 0, TURN, TURN_LOW);
  const tau0 = Low.part;
  const ln = logarithm(tau);
  const ln0 = Low.part + tau0 / tau;
  const factor = sum(ln, ln0, -1, 0);
  const large = product(0.5 * tau, 0.5 * tau0, factor, Low.part);
  const large0 = Low.part;
  return sum(large, large0, inverses(t) - 0.0625, 0);
}

/** θ(t)/2π less the nearest whole number. */
export function thetaPhase(t: f64): f64 {
  const turns = thetaTurns(t);
  const low = Low.part;
  return quickSum(turns - Math.round(turns), low);
}

/** The descending part of the series: 1/(48 t) + 7/(5760 t³) + …, over 2π. */
function inverses(t: f64): f64 {
  const r = 1 / t;
  const s = r * r;
  let tail = 4.6997483660413664e-5 + s * 6.685357474481018e-5;
  tail = 6.118307584137841e-5 + s * tail;
  tail = 0.00019341746556306725 + s * tail;
  return r * (0.003315727981081153 + s * tail);
}

function smallTheta(t: f64): f64 {
  const y = 0.5 * t;
  let angle: f64 = 0;
  for (let j = SHIFT - 1; j >= 0; j--) angle += Math.atan2(y, 0.25 + <f64>j);
  const x = 0.25 + <f64>SHIFT;
  const square = x * x + y * y;
  // The powers of 1/z = (x − iy) / |z|².
  const re = x / square;
  const im = -y / square;
  const re2 = re * re - im * im;
  const im2 = 2 * re * im;
  const re3 = re * re2 - im * im2;
  const im3 = re * im2 + im * re2;
  const re5 = re3 * re2 - im3 * im2;
  const im5 = re3 * im2 + im3 * re2;
  const im7 = re5 * im2 + im5 * re2;
  const stirling = im / 12 - im3 / 360 + im5 / 1260 - im7 / 1680;
  return (x - 0.5) * Math.atan2(y, x) + y * (0.5 * Math.log(square) - 1) + stirling - angle - y * LN_PI;
}
