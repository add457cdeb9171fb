// Paths of Heston's stochastic variance by the quadratic–exponential scheme, with the mean of the underlying kept.
//
// Andersen, Simple and efficient simulation of the Heston stochastic volatility model, Journal of Computational Finance 11
// (2008) no. 3, 1: the next variance is a squared normal or, where it scatters much, 0 or an exponential number, with
// the exact mean and variance; ψ = 1.5 separates them. ln S takes the integrals of the variance by the trapezoidal rule.
// The error of a step falls faster than its length, and has no certain order.
import { allocateF64 } from '../../kernel';
import { expPair } from '../../numerics/exponential';
import { logPair } from '../../numerics/logarithm';
import { normalQuantileRow } from '../../numerics/special/normal-row';
import { uniformDraws } from './draws';
import { Heston } from './fourier';
import { Option } from './paths';
import { BLOCK, estimateRow, ROW, Samples } from './samples';

const SEPARATION: f64 = 1.5;

export namespace HestonPaths {
  /** Steps in time; 0 without this method. */
  export let steps: i32 = 0;
  /** Steps whose mean could not be kept. */
  export let uncorrected: i32 = 0;
}

// Rows: the uniform and the normal number of the variance, the normal number of the price; variance and ln(S / F) of
// the paths and of their mirror images.
let draws: usize = 0;
let states: usize = 0;

// Of a step: exp(−κ Δ), coefficients of the mean and variance, and K₁ … K₄ of Andersen.
let decay: f64 = 0;
let meanAdd: f64 = 0;
let scatterFactor: f64 = 0;
let scatterAdd: f64 = 0;
let k1: f64 = 0;
let k2: f64 = 0;
let k3: f64 = 0;

export function allocateHestonPaths(): bool {
  draws = allocateF64(3 * BLOCK);
  states = allocateF64(4 * BLOCK);
  return draws !== 0 && states !== 0;
}

export function startHestonPaths(): void {
  const dt = Heston.maturity / <f64>HestonPaths.steps;
  const sigma = Heston.sigma;
  decay = Math.exp(-Heston.kappa * dt);
  const gone = Heston.kappa > 0 ? -Math.expm1(-Heston.kappa * dt) / Heston.kappa : dt;
  meanAdd = Heston.theta * Heston.kappa * gone;
  scatterFactor = sigma * sigma * decay * gone;
  scatterAdd = 0.5 * sigma * sigma * meanAdd * gone;
  const slope = Heston.rho / sigma;
  k1 = 0.5 * dt * (Heston.kappa * slope - 0.5) - slope;
  k2 = 0.5 * dt * (Heston.kappa * slope - 0.5) + slope;
  k3 = 0.5 * dt * (1 - Heston.rho * Heston.rho);
  HestonPaths.uncorrected = 0;
}

/** Fills the estimates and the control of a block. */
export function sampleHestonPaths(block: i32, inGroup: i32): void {
  const v0 = f64x2.splat(Heston.v0);
  memory.fill(states, 0, 4 * ROW);
  for (let at: usize = 0; at < ROW; at += 16) {
    v128.store(states + at, v0);
    v128.store(states + 2 * ROW + at, v0);
  }
  for (let i = 0; i < HestonPaths.steps; i++) {
    uniformDraws(draws, 2 * i, block, inGroup);
    memory.copy(draws + ROW, draws, ROW);
    normalQuantileRow(draws + ROW, BLOCK);
    uniformDraws(draws + 2 * ROW, 2 * i + 1, block, inGroup);
    normalQuantileRow(draws + 2 * ROW, BLOCK);
    stepPaths(states, false);
    if (Option.isAntithetic) stepPaths(states + 2 * ROW, true);
  }
  evaluateEnd(states + ROW, false);
  if (Option.isAntithetic) evaluateEnd(states + 3 * ROW, true);
}

/** One step of the variances of a row and of the ln(S / F) in the next. */
function stepPaths(row: usize, isMirror: bool): void {
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const two = f64x2.splat(2);
  const tiny = f64x2.splat(1e-300);
  const sign = f64x2.splat(isMirror ? -1 : 1);
  const decays = f64x2.splat(decay);
  const adds = f64x2.splat(meanAdd);
  const factors = f64x2.splat(scatterFactor);
  const scatterAdds = f64x2.splat(scatterAdd);
  const separation = f64x2.splat(SEPARATION);
  const first = f64x2.splat(k1);
  const second = f64x2.splat(k2);
  const third = f64x2.splat(k3);
  const tilt = f64x2.splat(k2 + 0.5 * k3);
  const before = f64x2.splat(-k1 - 0.5 * k3);
  for (let at: usize = 0; at < ROW; at += 16) {
    const v = v128.load(row + at);
    const u0 = v128.load(draws + at);
    const u = isMirror ? f64x2.sub(one, u0) : u0;
    const z = f64x2.mul(sign, v128.load(draws + ROW + at));
    const noise = f64x2.mul(sign, v128.load(draws + 2 * ROW + at));
    const mean = f64x2.pmax(tiny, f64x2.add(f64x2.mul(decays, v), adds));
    const scatter = f64x2.add(f64x2.mul(factors, v), scatterAdds);
    // Below 1e-300, 2 / ψ has no meaning; such a variance does not scatter.
    const psi = f64x2.pmax(f64x2.splat(1e-30), f64x2.div(f64x2.div(scatter, mean), mean));
    const isQuadratic = f64x2.le(psi, separation);
    const quadratic = i64x2.bitmask(isQuadratic);
    let next = zero;
    let correction = zero;
    let isKept = isQuadratic;
    if (quadratic !== 0) {
      const inverse = f64x2.div(two, f64x2.pmin(psi, separation));
      const root = f64x2.sqrt(f64x2.mul(inverse, f64x2.sub(inverse, one)));
      const square = f64x2.add(f64x2.sub(inverse, one), root);
      const a = f64x2.div(mean, f64x2.add(one, square));
      const shifted = f64x2.add(f64x2.sqrt(square), z);
      next = f64x2.mul(a, f64x2.mul(shifted, shifted));
      const ta = f64x2.mul(tilt, a);
      const room = f64x2.sub(one, f64x2.mul(two, ta));
      isKept = f64x2.gt(room, tiny);
      const safe = f64x2.pmax(tiny, room);
      correction = f64x2.sub(f64x2.mul(f64x2.splat(0.5), logPair(safe)), f64x2.div(f64x2.mul(ta, square), safe));
    }
    if (quadratic !== 3) {
      const p = f64x2.div(f64x2.sub(psi, one), f64x2.add(psi, one));
      const rest = f64x2.sub(one, p);
      const beta = f64x2.div(rest, mean);
      const isZero = f64x2.le(u, p);
      const grown = f64x2.div(logPair(f64x2.div(rest, f64x2.sub(one, f64x2.pmin(u, f64x2.splat(1 - 1e-16))))), beta);
      const exponential = v128.andnot(f64x2.pmax(zero, grown), isZero);
      const room = f64x2.sub(beta, tilt);
      const isRoom = f64x2.gt(room, tiny);
      const moment = f64x2.add(p, f64x2.div(f64x2.mul(beta, rest), f64x2.pmax(tiny, room)));
      const tail = f64x2.neg(logPair(f64x2.pmax(tiny, f64x2.pmin(f64x2.splat(1e300), moment))));
      next = v128.bitselect(next, exponential, isQuadratic);
      correction = v128.bitselect(correction, tail, isQuadratic);
      isKept = v128.bitselect(isKept, isRoom, isQuadratic);
    }
    HestonPaths.uncorrected += 2 - popcnt<i32>(i64x2.bitmask(isKept));
    correction = v128.and(correction, isKept);
    const drift = f64x2.add(correction, f64x2.mul(before, v));
    const carried = f64x2.add(f64x2.mul(first, v), f64x2.mul(second, next));
    const deviation = f64x2.sqrt(f64x2.mul(third, f64x2.add(v, next)));
    const move = f64x2.add(f64x2.add(drift, carried), f64x2.mul(deviation, noise));
    v128.store(row + at, next);
    v128.store(row + ROW + at, f64x2.add(v128.load(row + ROW + at), move));
  }
}

/** Payoff and control at the end. @param isMirror  averages with what the rows hold */
function evaluateEnd(row: usize, isMirror: bool): void {
  const forward = f64x2.splat(Option.spot);
  const strike = f64x2.splat(Option.strike);
  const discount = f64x2.splat(Option.discount);
  const phi = f64x2.splat(Option.phi);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const half = f64x2.splat(0.5);
  const isDigital = Option.payoff !== 0;
  const prices = estimateRow(0);
  const controls = Samples.controls;
  for (let at: usize = 0; at < ROW; at += 16) {
    const x = f64x2.mul(forward, expPair(v128.load(row + at)));
    const gain = f64x2.mul(phi, f64x2.sub(x, strike));
    let price = f64x2.mul(discount, isDigital ? v128.and(one, f64x2.gt(gain, zero)) : f64x2.pmax(zero, gain));
    let control = f64x2.mul(discount, x);
    if (isMirror) {
      price = f64x2.mul(half, f64x2.add(price, v128.load(prices + at)));
      control = f64x2.mul(half, f64x2.add(control, v128.load(controls + at)));
    }
    v128.store(prices + at, price);
    v128.store(controls + at, control);
  }
}
