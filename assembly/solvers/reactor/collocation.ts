// A step of point kinetics by the Radau IIA method with five stages, order 9, L-stable.
//
// Precursors and temperature are linear in the power, so a step solves for its five values N of the power alone:
//
//   N = n 1 + h A [ diag(ρ/Λ) N − Q N + Σ λ_i c_i R_i 1 + S 1 ]     R_i = (I + h λ_i A)⁻¹     Q = Σ (β_i/Λ) R_i
//
// since β/Λ − Σ (β_i/Λ) h λ_i R_i A = Q. With feedback ρ depends on N, by Newton's method. A and its nodes follow from the
// zeros of the fourth derivative of x⁴ (x − 1)⁵ and collocation. Hairer & Wanner, Solving Ordinary Differential Equations
// II (2nd ed.), §IV.5.
import { factorLu, solveLu } from '../../numerics/ode/lu';
import { get, set } from '../../numerics/vector';
import {
  births,
  coefficient,
  cooling,
  decays,
  GROUPS,
  heating,
  INTEGRAL,
  lifetime,
  reactivityAt,
  reference,
  source,
  THETA,
} from './model';

const STAGES: i32 = 5;
const SQUARE: i32 = 25;
/** Bytes of a row. */
const ROW: usize = 40;
const ROWS: usize = 5;
export const COLLOCATION_ORDER: f64 = 9;

const NODES: usize = memory.data<f64>([
  0.05710419611451768, 0.2768430136381238, 0.5835904323689168, 0.8602401356562195, 1.0,
]);
const A: usize = memory.data<f64>([
  0.07299886431790333, -0.02673533110794557, 0.018676929763984353, -0.01287910609330644, 0.005042839233882015,
  0.15377523147918246, 0.14621486784749352, -0.03644456890512809, 0.02123306311930472, -0.007935579902728777,
  0.14006304568480987, 0.29896712949128346, 0.16758507013524895, -0.03396910168661774, 0.010944288744192253,
  0.14489430810953477, 0.2765000687601592, 0.32579792291042103, 0.12875675325490976, -0.015708917378805327,
  0.14371356079122594, 0.28135601514946207, 0.31182652297574126, 0.22310390108357075, 0.04,
]);

/** Of a step length: h, Q, then R and R 1 of each group and of the temperature. */
export const RESOLVENTS: i32 = 1 + SQUARE + (GROUPS + 1) * (SQUARE + STAGES);
const FIRST: i32 = 1 + SQUARE;
const BLOCK: i32 = SQUARE + STAGES;
const MAX_ITERATIONS: i32 = 12;

/** Number of f64 of `work`. */
export const COLLOCATION_WORK: i32 = 4 * SQUARE + 8 * STAGES;

let matrix: usize = 0;
let pivot: usize = 0;
let power: usize = 0;
let next: usize = 0;
let warmth: usize = 0;
let inner: usize = 0;
let gain: usize = 0;
let inside: usize = 0;
let system: usize = 0;

export function initCollocation(work: usize): void {
  matrix = work;
  gain = matrix + 8 * SQUARE;
  system = gain + 8 * SQUARE;
  pivot = system + 8 * SQUARE;
  power = pivot + 8 * STAGES;
  next = power + 8 * STAGES;
  warmth = next + 8 * STAGES;
  inner = warmth + 8 * STAGES;
  inside = inner + 8 * STAGES;
}

/** R = (I + h λ A)⁻¹ and R 1, by elimination of all columns at once; the pivots of I + h λ A are on its diagonal. */
function resolvent(rate: f64, h: f64, out: usize): void {
  const factor = h * rate;
  for (let i: usize = 0; i < ROW * ROWS; i += 8) {
    store<f64>(matrix + i, factor * load<f64>(A + i));
    store<f64>(out + i, 0);
  }
  for (let i: usize = 0; i < ROW * ROWS; i += ROW + 8) {
    store<f64>(matrix + i, 1 + load<f64>(matrix + i));
    store<f64>(out + i, 1);
  }
  // Gauss and Jordan: row j is scaled and taken from all others.
  for (let j: usize = 0; j < ROWS; j++) {
    const row = matrix + j * ROW;
    const target = out + j * ROW;
    const reciprocal = 1 / load<f64>(row + (j << 3));
    for (let c: usize = 0; c < ROW; c += 8) {
      store<f64>(row + c, reciprocal * load<f64>(row + c));
      store<f64>(target + c, reciprocal * load<f64>(target + c));
    }
    for (let i: usize = 0; i < ROWS; i++) {
      if (i === j) continue;
      const other = matrix + i * ROW;
      const changed = out + i * ROW;
      const share = load<f64>(other + (j << 3));
      for (let c: usize = 0; c < ROW; c += 8) {
        store<f64>(other + c, load<f64>(other + c) - share * load<f64>(row + c));
        store<f64>(changed + c, load<f64>(changed + c) - share * load<f64>(target + c));
      }
    }
  }
  for (let i: usize = 0; i < ROWS; i++) {
    const row = out + i * ROW;
    let sum: f64 = 0;
    for (let c: usize = 0; c < ROW; c += 8) sum += load<f64>(row + c);
    store<f64>(out + ROW * ROWS + (i << 3), sum);
  }
}

/** Prepares steps of length h; nothing if they are. @param ready  f64[RESOLVENTS] */
export function prepare(h: f64, ready: usize): void {
  if (get(ready, 0) === h) return;
  set(ready, 0, h);
  for (let i = 0; i < SQUARE; i++) set(ready, 1 + i, 0);
  resolvent(cooling, h, ready + ((<usize>(FIRST + GROUPS * BLOCK)) << 3));
  for (let g = 0; g < GROUPS; g++) {
    const block = ready + ((<usize>(FIRST + g * BLOCK)) << 3);
    resolvent(get(decays, g), h, block);
    for (let i = 0; i < SQUARE; i++) set(ready, 1 + i, get(ready, 1 + i) + get(births, g) * get(block, i));
  }
}

/**
 * One step from (t, y) of the length that `ready` is prepared for.
 *
 * @returns whether the iteration has converged and all is finite
 */
export function collocationStep(t: f64, y: usize, ready: usize, out: usize): bool {
  const h = get(ready, 0);
  const n = get(y, 0);
  const cool = ready + ((<usize>(FIRST + GROUPS * BLOCK)) << 3);
  const hasFeedback = coefficient !== 0;
  for (let j = 0; j < STAGES; j++) {
    let delayed = source;
    for (let g = 0; g < GROUPS; g++) {
      const ones = ready + ((<usize>(FIRST + g * BLOCK + SQUARE)) << 3);
      delayed += get(decays, g) * get(y, 1 + g) * get(ones, j);
    }
    set(inside, j, delayed);
    set(power, j, n);
  }
  // ϑ = R ϑ₀ 1 + G (N − n_r).
  multiply(cool, A, heating * h, gain);
  let isConverged = !hasFeedback;
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    solveStages(t, n, y, h, ready, cool, hasFeedback);
    let change: f64 = 0;
    let size: f64 = 0;
    for (let j = 0; j < STAGES; j++) {
      change = Math.max(change, Math.abs(get(next, j) - get(power, j)));
      size = Math.max(size, Math.abs(get(next, j)));
      set(power, j, get(next, j));
    }
    if (!isFinite(size)) return false;
    if (!hasFeedback) break;
    isConverged = change <= 1e-14 * size;
    if (isConverged) break;
  }
  if (!isConverged) return false;
  finish(y, h, ready, cool, out);
  return true;
}

/** One iteration: `next` from `power`. */
function solveStages(t: f64, n: f64, y: usize, h: f64, ready: usize, cool: usize, hasFeedback: bool): void {
  for (let j = 0; j < STAGES; j++) {
    let theta: f64 = 0;
    if (hasFeedback) {
      theta = get(y, THETA) * get(cool, SQUARE + j);
      for (let l = 0; l < STAGES; l++) theta += get(gain, j * STAGES + l) * (get(power, l) - reference);
    }
    set(warmth, j, (reactivityAt(t + get(NODES, j) * h) + coefficient * theta) / lifetime);
  }
  // The Jacobian of what is integrated, and what it leaves on the right.
  const constant = inner;
  for (let j = 0; j < STAGES; j++) {
    let rest = get(inside, j);
    for (let l = 0; l < STAGES; l++) {
      let entry = (j === l ? get(warmth, j) : 0) - get(ready, 1 + j * STAGES + l);
      if (hasFeedback) {
        const feedback = (coefficient / lifetime) * get(power, j) * get(gain, j * STAGES + l);
        entry += feedback;
        rest -= feedback * get(power, l);
      }
      set(matrix, j * STAGES + l, entry);
    }
    set(constant, j, rest);
  }
  for (let i = 0; i < STAGES; i++) {
    let right: f64 = 0;
    for (let j = 0; j < STAGES; j++) right += get(A, i * STAGES + j) * get(constant, j);
    set(next, i, n + h * right);
    for (let l = 0; l < STAGES; l++) {
      let sum: f64 = 0;
      for (let j = 0; j < STAGES; j++) sum += get(A, i * STAGES + j) * get(matrix, j * STAGES + l);
      set(system, i * STAGES + l, (i === l ? 1 : 0) - h * sum);
    }
  }
  factorLu(system, pivot, STAGES);
  solveLu(system, pivot, STAGES, next);
}

/** Precursors, temperature and the integral from the power. */
function finish(y: usize, h: f64, ready: usize, cool: usize, out: usize): void {
  const last = STAGES - 1;
  for (let i = 0; i < STAGES; i++) {
    let sum: f64 = 0;
    for (let j = 0; j < STAGES; j++) sum += get(A, i * STAGES + j) * get(power, j);
    set(inner, i, sum);
  }
  set(out, 0, get(power, last));
  for (let g = 0; g < GROUPS; g++) {
    const block = ready + ((<usize>(FIRST + g * BLOCK)) << 3);
    let sum: f64 = 0;
    for (let j = 0; j < STAGES; j++) sum += get(block, last * STAGES + j) * get(inner, j);
    set(out, 1 + g, get(y, 1 + g) * get(block, SQUARE + last) + h * get(births, g) * sum);
  }
  let theta = get(y, THETA) * get(cool, SQUARE + last);
  for (let l = 0; l < STAGES; l++) theta += get(gain, last * STAGES + l) * (get(power, l) - reference);
  set(out, THETA, theta);
  set(out, INTEGRAL, get(y, INTEGRAL) + h * get(inner, last));
}

/** out = factor a b. */
function multiply(a: usize, b: usize, factor: f64, out: usize): void {
  for (let i = 0; i < STAGES; i++)
    for (let l = 0; l < STAGES; l++) {
      let sum: f64 = 0;
      for (let j = 0; j < STAGES; j++) sum += get(a, i * STAGES + j) * get(b, j * STAGES + l);
      set(out, i * STAGES + l, factor * sum);
    }
}
