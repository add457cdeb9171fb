// Lognormal paths at given dates, and the payoff of each path with its derivatives.
//
// A path is X_i = F_i exp(B(w_i) − w_i / 2), B a Brownian motion that runs in total variance w; the underlying is S_i = X_i + c_i, c_i
// the value of the dividends still to come. Both are exact at the dates, so there is no error of a step. B is made by a
// bridge from the last date inwards, so that the first deviates matter most (Caflisch, Morokoff & Owen 1997). Derivatives
// along the path and by the score function: Glasserman, Monte Carlo Methods in Financial Engineering (2003), §7.2 and §7.3.
// Between dates a continuous barrier is crossed with the probability of a Brownian bridge, which is exact (ibid., §6.4).
import { allocateF64 } from '../../kernel';
import { expPair, expRow } from '../../numerics/exponential';
import { normalRow } from './draws';
import { BLOCK, estimateRow, ROW, Samples } from './samples';

export enum Payoff {
  vanilla,
  digital,
  asian,
  barrier,
}

export enum Control {
  none,
  underlying,
  vanilla,
  geometric,
}

export namespace Option {
  export let payoff: i32 = 0;
  export let phi: f64 = 1;
  export let strike: f64 = 0;
  export let discount: f64 = 1;
  export let maturity: f64 = 0;
  export let spot: f64 = 0;
  export let sigma: f64 = 0;
  export let dates: i32 = 0;
  export let barrier: f64 = 0;
  export let isUp: bool = false;
  export let isKnockIn: bool = false;
  export let isContinuous: bool = false;
  export let control: i32 = 0;
  export let shift: f64 = 0;
  export let isAntithetic: bool = false;
  export let isLikelihood: bool = false;
}

/** Of each date: F_i, w_i, c_i, its weight in the average, t_i. */
export enum DateColumn {
  forward,
  variance,
  dividends,
  weight,
  time,
}
export const DATE_COLUMNS: i32 = 5;

// Columns of the bridge of each date in its order: the date, its neighbours (-1 for the start), their weights, deviation.
const BRIDGE_COLUMNS: i32 = 6;

// Sums along the paths of a block, a row each.
enum Sum {
  average,
  growth,
  vega,
  rho,
  squares,
  score,
  logAverage,
  alive,
  first,
  last,
  likelihood,
}
const SUMS: i32 = 11;

export let dateTable: usize = 0;
let bridge: usize = 0;
let motion: usize = 0;
let sums: usize = 0;

export function allocatePaths(): bool {
  dateTable = allocateF64(Option.dates * DATE_COLUMNS);
  bridge = allocateF64(Option.dates * BRIDGE_COLUMNS);
  motion = allocateF64(Option.dates * BLOCK);
  sums = allocateF64(SUMS * BLOCK);
  return dateTable !== 0 && bridge !== 0 && motion !== 0 && sums !== 0;
}

function date(i: i32, column: DateColumn): f64 {
  return load<f64>(dateTable + ((<usize>(i * DATE_COLUMNS + column)) << 3));
}

/** Mean of ln X. */
function logMean(i: i32): f64 {
  return Math.log(date(i, DateColumn.forward)) - 0.5 * date(i, DateColumn.variance);
}

function motionRow(i: i32): usize {
  return motion + <usize>i * ROW;
}

function sumRow(sum: Sum): usize {
  return sums + <usize>sum * ROW;
}

/** The order of the bridge: the last date, then the middle of each gap, level by level. */
export function startPaths(): void {
  let count = addNode(0, Option.dates - 1, -1, -1);
  while (count < Option.dates) {
    const before = count;
    for (let left = -1; left < Option.dates - 1; ) {
      let right = left + 1;
      while (!isPlaced(right, before)) right++;
      if (right - left > 1) count = addNode(count, left + ((right - left) >> 1), left, right);
      left = right;
    }
  }
}

function isPlaced(i: i32, count: i32): bool {
  for (let k = 0; k < count; k++) if (load<f64>(bridge + ((<usize>(k * BRIDGE_COLUMNS)) << 3)) === <f64>i) return true;
  return false;
}

function addNode(count: i32, i: i32, left: i32, right: i32): i32 {
  const at = bridge + ((<usize>(count * BRIDGE_COLUMNS)) << 3);
  const w = date(i, DateColumn.variance);
  const start = left < 0 ? 0 : date(left, DateColumn.variance);
  const end = right < 0 ? 0 : date(right, DateColumn.variance);
  const share = right < 0 || end === start ? 0 : (w - start) / (end - start);
  store<f64>(at, <f64>i);
  store<f64>(at, <f64>left, 8);
  store<f64>(at, <f64>right, 16);
  store<f64>(at, 1 - share, 24);
  store<f64>(at, share, 32);
  store<f64>(at, Math.sqrt(right < 0 ? w : (w - start) * (1 - share)), 40);
  return count + 1;
}

/** Fills the estimates and the control of a block. */
export function samplePaths(block: i32, inGroup: i32): void {
  const dates = Option.dates;
  for (let k = 0; k < dates; k++) {
    const at = bridge + ((<usize>(k * BRIDGE_COLUMNS)) << 3);
    const row = motionRow(<i32>load<f64>(at));
    normalRow(row, k, block, inGroup);
    placeNode(row, <i32>load<f64>(at, 8), <i32>load<f64>(at, 16), at);
  }
  const isPlain = dates === 1 && Samples.used === 1 && Option.payoff <= Payoff.digital;
  for (let mirror = 0; mirror <= i32(Option.isAntithetic); mirror++) {
    if (isPlain) {
      evaluateEnd(mirror === 1);
    } else {
      walk(mirror === 1 ? -1 : 1);
      evaluate(mirror === 1);
    }
  }
}

/** `walk` and `evaluate` of a payoff at one date without derivatives, in one pass. */
function evaluateEnd(isMirror: bool): void {
  const w = date(0, DateColumn.variance);
  const shift = shiftAt(w);
  const signs = f64x2.splat(isMirror ? -1 : 1);
  const offset = f64x2.splat(shift - 0.5 * w);
  const forward = f64x2.splat(date(0, DateColumn.forward));
  const strike = f64x2.splat(Option.strike - date(0, DateColumn.dividends));
  const discount = f64x2.splat(Option.discount);
  const phi = f64x2.splat(Option.phi);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const half = f64x2.splat(0.5);
  const hasShift = Option.shift !== 0 && w > 0;
  const isDigital = Option.payoff === Payoff.digital;
  const isControlled = Option.control === Control.underlying;
  // −μ (b − shift) / √w − μ²/2, and the shift of b is μ √w.
  const slope = f64x2.splat(hasShift ? -Option.shift / Math.sqrt(w) : 0);
  const likelihood = f64x2.splat(-0.5 * Option.shift * Option.shift);
  const row = motionRow(0);
  const prices = estimateRow(0);
  const controls = Samples.controls;
  const ends = sumRow(Sum.last);
  const likelihoods = sumRow(Sum.likelihood);
  for (let at: usize = 0; at < ROW; at += 16) {
    const b = f64x2.mul(signs, v128.load(row + at));
    v128.store(ends + at, f64x2.add(b, offset));
    if (hasShift) v128.store(likelihoods + at, f64x2.add(f64x2.mul(slope, b), likelihood));
  }
  // One row follows the other.
  expRow(ends, hasShift ? 2 * BLOCK : BLOCK);
  for (let at: usize = 0; at < ROW; at += 16) {
    const x = f64x2.mul(forward, v128.load(ends + at));
    const factor = hasShift ? f64x2.mul(discount, v128.load(likelihoods + at)) : discount;
    const gain = f64x2.mul(phi, f64x2.sub(x, strike));
    const payoff = isDigital ? v128.and(one, f64x2.gt(gain, zero)) : f64x2.pmax(zero, gain);
    let price = f64x2.mul(factor, payoff);
    if (isMirror) price = f64x2.mul(half, f64x2.add(price, v128.load(prices + at)));
    v128.store(prices + at, price);
    if (isControlled) {
      let control = f64x2.mul(factor, x);
      if (isMirror) control = f64x2.mul(half, f64x2.add(control, v128.load(controls + at)));
      v128.store(controls + at, control);
    }
  }
}

function placeNode(row: usize, left: i32, right: i32, node: usize): void {
  const deviation = v128.load_splat<f64>(node, 40);
  const leftShare = v128.load_splat<f64>(node, 24);
  const rightShare = v128.load_splat<f64>(node, 32);
  const leftRow = motionRow(left < 0 ? 0 : left);
  const rightRow = motionRow(right < 0 ? 0 : right);
  for (let at: usize = 0; at < ROW; at += 16) {
    let b = f64x2.mul(deviation, v128.load(row + at));
    if (left >= 0) b = f64x2.add(b, f64x2.mul(leftShare, v128.load(leftRow + at)));
    if (right >= 0) b = f64x2.add(b, f64x2.mul(rightShare, v128.load(rightRow + at)));
    v128.store(row + at, b);
  }
}

/** Shift of B(w): that of importance sampling, which grows with w to `shift` deviations at the end. */
function shiftAt(w: f64): f64 {
  const end = date(Option.dates - 1, DateColumn.variance);
  return end > 0 ? (Option.shift * w) / Math.sqrt(end) : 0;
}

/** Adds up what the payoff needs along the paths. @param sign  −1 for the mirrored paths */
function walk(sign: f64): void {
  memory.fill(sums, 0, <usize>SUMS * ROW);
  fill(sumRow(Sum.alive), 1);
  const hasGreeks = Samples.used > 1;
  const isBarrier = Option.payoff === Payoff.barrier;
  for (let i = 0; i < Option.dates; i++) {
    const w = date(i, DateColumn.variance);
    const before = i === 0 ? 0 : date(i - 1, DateColumn.variance);
    const shift = shiftAt(w);
    walkDate(i, sign, shift);
    if (hasGreeks) walkGreeks(i, sign, w, w - before, shift);
    if (isBarrier && Option.isContinuous) walkContinuous(i, sign, w - before);
    else if (isBarrier) walkDiscrete(i, sign, shift);
    if (Option.control === Control.geometric) walkGeometric(i, sign, shift);
  }
  const end = Option.dates - 1;
  const final = shiftAt(date(end, DateColumn.variance));
  moved(sumRow(Sum.last), end, sign, final);
}

function fill(row: usize, value: f64): void {
  const both = f64x2.splat(value);
  for (let at: usize = 0; at < ROW; at += 16) v128.store(row + at, both);
}

/** B of a date with sign and shift, to a row. */
function moved(out: usize, i: i32, sign: f64, shift: f64): void {
  const row = motionRow(i);
  const signs = f64x2.splat(sign);
  const shifts = f64x2.splat(shift);
  for (let at: usize = 0; at < ROW; at += 16)
    v128.store(out + at, f64x2.add(f64x2.mul(signs, v128.load(row + at)), shifts));
}

function walkDate(i: i32, sign: f64, shift: f64): void {
  const row = motionRow(i);
  const average = sumRow(Sum.average);
  const growth = sumRow(Sum.growth);
  const weight = f64x2.splat(date(i, DateColumn.weight) * date(i, DateColumn.forward));
  const dividends = f64x2.splat(date(i, DateColumn.weight) * date(i, DateColumn.dividends));
  const signs = f64x2.splat(sign);
  const offset = f64x2.splat(shift - 0.5 * date(i, DateColumn.variance));
  for (let at: usize = 0; at < ROW; at += 16) {
    const x = f64x2.mul(weight, expPair(f64x2.add(f64x2.mul(signs, v128.load(row + at)), offset)));
    v128.store(growth + at, f64x2.add(v128.load(growth + at), x));
    v128.store(average + at, f64x2.add(v128.load(average + at), f64x2.add(x, dividends)));
  }
}

/** Derivatives of the weighted X along the path, and the scores. */
function walkGreeks(i: i32, sign: f64, w: f64, step: f64, shift: f64): void {
  const row = motionRow(i);
  const previousRow = motionRow(i === 0 ? 0 : i - 1);
  const first = sumRow(Sum.first);
  if (i === 0) moved(first, 0, sign, shift);
  const signs = f64x2.splat(sign);
  const shifts = f64x2.splat(shift);
  const before = f64x2.splat(i === 0 ? 0 : shiftAt(w - step));
  const hasBefore = f64x2.splat(i === 0 ? 0 : sign);
  const weight = f64x2.splat(date(i, DateColumn.weight) * date(i, DateColumn.forward));
  const offset = f64x2.splat(-0.5 * w);
  const variance = f64x2.splat(w);
  const time = f64x2.splat(date(i, DateColumn.time));
  const rate = f64x2.splat(1 / step);
  const drift = f64x2.splat((date(i, DateColumn.time) - (i === 0 ? 0 : date(i - 1, DateColumn.time))) / step);
  const vega = sumRow(Sum.vega);
  const rho = sumRow(Sum.rho);
  const squares = sumRow(Sum.squares);
  const score = sumRow(Sum.score);
  const isWeighted = date(i, DateColumn.weight) !== 0;
  for (let at: usize = 0; at < ROW; at += 16) {
    const b = f64x2.add(f64x2.mul(signs, v128.load(row + at)), shifts);
    if (isWeighted) {
      const x = f64x2.mul(weight, expPair(f64x2.add(b, offset)));
      v128.store(vega + at, f64x2.add(v128.load(vega + at), f64x2.mul(x, f64x2.sub(b, variance))));
      v128.store(rho + at, f64x2.add(v128.load(rho + at), f64x2.mul(x, time)));
    }
    const change = f64x2.sub(b, f64x2.add(f64x2.mul(hasBefore, v128.load(previousRow + at)), before));
    v128.store(squares + at, f64x2.add(v128.load(squares + at), f64x2.mul(rate, f64x2.mul(change, change))));
    v128.store(score + at, f64x2.add(v128.load(score + at), f64x2.mul(drift, change)));
  }
}

function walkDiscrete(i: i32, sign: f64, shift: f64): void {
  const row = motionRow(i);
  const alive = sumRow(Sum.alive);
  const level = f64x2.splat(Math.log(Option.barrier - date(i, DateColumn.dividends)) - logMean(i) - shift);
  const signs = f64x2.splat(sign);
  for (let at: usize = 0; at < ROW; at += 16) {
    const b = f64x2.mul(signs, v128.load(row + at));
    const isInside = Option.isUp ? f64x2.lt(b, level) : f64x2.gt(b, level);
    v128.store(alive + at, v128.and(v128.load(alive + at), isInside));
  }
}

/** Distance of ln X from the barrier at a date, with the sign of the side at the start. */
function walkContinuous(i: i32, sign: f64, step: f64): void {
  const row = motionRow(i);
  const previousRow = motionRow(i === 0 ? 0 : i - 1);
  const alive = sumRow(Sum.alive);
  const side: f64 = Option.isUp ? -1 : 1;
  const level = Math.log(Option.barrier);
  const signs = f64x2.splat(side * sign);
  const here = f64x2.splat(side * (logMean(i) + shiftAt(date(i, DateColumn.variance)) - level));
  const start = i === 0 ? Math.log(Option.spot) : logMean(i - 1) + shiftAt(date(i - 1, DateColumn.variance));
  const there = f64x2.splat(side * (start - level));
  const hasBefore = f64x2.splat(i === 0 ? 0 : side * sign);
  const rate = f64x2.splat(-2 / step);
  const one = f64x2.splat(1);
  const zero = f64x2.splat(0);
  for (let at: usize = 0; at < ROW; at += 16) {
    const now = f64x2.pmax(zero, f64x2.add(f64x2.mul(signs, v128.load(row + at)), here));
    const then = f64x2.pmax(zero, f64x2.add(f64x2.mul(hasBefore, v128.load(previousRow + at)), there));
    const stays = f64x2.sub(one, expPair(f64x2.mul(rate, f64x2.mul(now, then))));
    v128.store(alive + at, f64x2.mul(v128.load(alive + at), stays));
  }
}

function walkGeometric(i: i32, sign: f64, shift: f64): void {
  const row = motionRow(i);
  const logAverage = sumRow(Sum.logAverage);
  const weight = f64x2.splat(date(i, DateColumn.weight));
  const signs = f64x2.splat(sign);
  const offset = f64x2.splat(logMean(i) + shift);
  for (let at: usize = 0; at < ROW; at += 16) {
    const log = f64x2.add(f64x2.mul(signs, v128.load(row + at)), offset);
    v128.store(logAverage + at, f64x2.add(v128.load(logAverage + at), f64x2.mul(weight, log)));
  }
}

/** Payoffs, controls and derivatives of the block. @param isMirror  averages with what the rows hold */
function evaluate(isMirror: bool): void {
  const end = Option.dates - 1;
  const w = date(end, DateColumn.variance);
  const discount = f64x2.splat(Option.discount);
  const strike = f64x2.splat(Option.strike);
  const phi = f64x2.splat(Option.phi);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const hasShift = Option.shift !== 0 && w > 0;
  const slope = f64x2.splat(hasShift ? -Option.shift / Math.sqrt(w) : 0);
  const likelihood = f64x2.splat(hasShift ? 0.5 * Option.shift * Option.shift : 0);
  const endMean = f64x2.splat(logMean(end));
  const isDigital = Option.payoff === Payoff.digital;
  const isBarrier = Option.payoff === Payoff.barrier;
  const hasGreeks = Samples.used > 1;
  const average = sumRow(Sum.average);
  const alive = sumRow(Sum.alive);
  const last = sumRow(Sum.last);
  const logAverage = sumRow(Sum.logAverage);
  const share = f64x2.splat(isMirror ? 0.5 : 1);
  for (let at: usize = 0; at < ROW; at += 16) {
    let factor = discount;
    const b = v128.load(last + at);
    if (hasShift) factor = f64x2.mul(factor, expPair(f64x2.add(f64x2.mul(slope, b), likelihood)));
    const gain = f64x2.mul(phi, f64x2.sub(v128.load(average + at), strike));
    const isPaid = f64x2.gt(gain, zero);
    let payoff = isDigital ? v128.and(one, isPaid) : f64x2.pmax(zero, gain);
    if (isBarrier) {
      const survival = v128.load(alive + at);
      payoff = f64x2.mul(payoff, Option.isKnockIn ? f64x2.sub(one, survival) : survival);
    }
    const price = f64x2.mul(factor, payoff);
    let control = zero;
    if (Option.control === Control.underlying) control = f64x2.mul(factor, expPair(f64x2.add(endMean, b)));
    else if (Option.control === Control.vanilla) control = f64x2.mul(factor, f64x2.pmax(zero, gain));
    else if (Option.control === Control.geometric) {
      const geometric = expPair(v128.load(logAverage + at));
      control = f64x2.mul(factor, f64x2.pmax(zero, f64x2.mul(phi, f64x2.sub(geometric, strike))));
    }
    put(estimateRow(0) + at, price, share, isMirror);
    put(Samples.controls + at, control, share, isMirror);
    if (hasGreeks) greeks(at, price, v128.and(f64x2.mul(factor, phi), isPaid), share, isMirror);
  }
}

function put(address: usize, value: v128, share: v128, isMirror: bool): void {
  v128.store(address, isMirror ? f64x2.mul(share, f64x2.add(v128.load(address), value)) : value);
}

/** @param paid  ± the discount where the option pays, else 0 */
function greeks(at: usize, price: v128, paid: v128, share: v128, isMirror: bool): void {
  const end = Option.dates - 1;
  const firstVariance = f64x2.splat(date(0, DateColumn.variance));
  const perSpot = f64x2.splat(1 / Option.spot);
  const perSigma = f64x2.splat(Option.sigma > 0 ? 1 / Option.sigma : 0);
  const maturity = f64x2.splat(Option.maturity);
  const one = f64x2.splat(1);
  const first = f64x2.div(v128.load(sumRow(Sum.first) + at), firstVariance);
  const growth = v128.load(sumRow(Sum.growth) + at);
  const score = v128.load(sumRow(Sum.score) + at);
  const decay = f64x2.mul(maturity, price);
  let delta: v128;
  let gamma: v128;
  let vega: v128;
  let rho: v128;
  if (Option.isLikelihood) {
    delta = f64x2.mul(price, first);
    const curvature = f64x2.sub(f64x2.sub(f64x2.mul(first, first), f64x2.div(one, firstVariance)), first);
    gamma = f64x2.mul(price, curvature);
    const count = f64x2.splat(<f64>(end + 1));
    const squares = f64x2.sub(v128.load(sumRow(Sum.squares) + at), count);
    vega = f64x2.mul(price, f64x2.sub(squares, v128.load(sumRow(Sum.last) + at)));
    rho = f64x2.sub(f64x2.mul(price, score), decay);
  } else {
    delta = f64x2.mul(paid, growth);
    gamma = f64x2.mul(delta, f64x2.sub(first, one));
    vega = f64x2.mul(paid, v128.load(sumRow(Sum.vega) + at));
    rho = f64x2.sub(f64x2.mul(paid, v128.load(sumRow(Sum.rho) + at)), decay);
  }
  put(estimateRow(1) + at, f64x2.mul(delta, perSpot), share, isMirror);
  put(estimateRow(2) + at, f64x2.mul(gamma, f64x2.mul(perSpot, perSpot)), share, isMirror);
  put(estimateRow(3) + at, f64x2.mul(vega, perSigma), share, isMirror);
  put(estimateRow(4) + at, rho, share, isMirror);
}
