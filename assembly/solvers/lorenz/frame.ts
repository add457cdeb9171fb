// The frame of tangent vectors, made orthonormal again and again, and the growth that this shows, block by block.
//
// Benettin, Galgani, Giorgilli & Strelcyn, Meccanica 15 (1980) 9: the logarithms of the diagonal of R add up to the
// exponents times the time, for almost every frame at the start.
import { orthonormalize } from '../../numerics/orthonormal';
import { copyValues, get, set } from '../../numerics/vector';
import { n, slopes } from './system';

/** Logarithms that are summed in one product of lengths at most: their product stays far from the largest numbers. */
const LONGEST: f64 = 1e100;
const SHORTEST: f64 = 1e-100;

/** f64[n], logarithms so far, beginning with the end of the transient. */
let logarithms: usize = 0;
/** f64[n], lengths whose logarithms are not yet in the sum. */
let products: usize = 0;
let diagonal: usize = 0;
let speed: usize = 0;

/** The largest slope of any state in the block. */
let fastest: f64 = 0;

/** Number of f64 of a row: time, n logarithms, the integral of the trace, the largest slope. */
export function blockWidth(states: i32): i32 {
  return states + 3;
}

/** @param memoryAddress  f64[4 n] */
export function initFrame(memoryAddress: usize): void {
  const bytes = (<usize>n) << 3;
  logarithms = memoryAddress;
  products = logarithms + bytes;
  diagonal = products + bytes;
  speed = diagonal + bytes;
}

/**
 * The unit vectors; or, for a witness, their reflections at the plane that halves the way from the first to (1, 2, …, n),
 * none of which is along an axis.
 */
export function startFrame(y: usize, isReflected: bool): void {
  const vectors = y + ((<usize>n) << 3);
  let square: f64 = 0;
  for (let i = 0; i < n; i++) square += <f64>((i + 1) * (i + 1));
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      const part = isReflected ? (2 * <f64>((i + 1) * (k + 1))) / square : 0;
      set(vectors, k * n + i, (i === k ? 1 : 0) - part);
    }
  }
  resetGrowth(y);
}

/** From here on the growth counts. */
export function resetGrowth(y: usize): void {
  for (let i = 0; i < n; i++) {
    set(logarithms, i, 0);
    set(products, i, 1);
  }
  set(y, n + n * n, 0);
  fastest = 0;
}

/** @returns whether all is finite and the vectors are independent */
export function renewFrame(y: usize): bool {
  for (let i = 0; i < n; i++) if (!isFinite(get(y, i))) return false;
  if (!orthonormalize(y + ((<usize>n) << 3), n, n, diagonal)) return false;
  for (let i = 0; i < n; i++) {
    const product = get(products, i) * get(diagonal, i);
    set(products, i, product);
    if (product > LONGEST || product < SHORTEST) addLogarithm(i);
  }
  return true;
}

function addLogarithm(i: i32): void {
  set(logarithms, i, get(logarithms, i) + Math.log(get(products, i)));
  set(products, i, 1);
}

/** Notes the slope of the states. */
export function noteSpeed(stateSlopes: usize): void {
  for (let i = 0; i < n; i++) fastest = Math.max(fastest, Math.abs(get(stateSlopes, i)));
}

export function noteSpeedAt(y: usize): void {
  slopes(0, y, speed);
  noteSpeed(speed);
}

/** Writes a row: the growth from the end of the transient to time t. */
export function writeBlock(t: f64, y: usize, out: usize): void {
  for (let i = 0; i < n; i++) addLogarithm(i);
  set(out, 0, t);
  copyValues(out + 8, logarithms, n);
  set(out, n + 1, get(y, n + n * n));
  set(out, n + 2, fastest);
  fastest = 0;
}
