// Stateless random numbers: Philox4x32-10, keyed by a seed, with a stream and an index as the counter.
//
// Number `index` of stream `stream` is a pure function of the seed, so the order in which a kernel
// draws, the size of its chunks and the number of workers do not change a bit. Salmon, Moraes, Dror
// & Shaw, Parallel random numbers: as easy as 1, 2, 3 (SC11), doi:10.1145/2063384.2063405. Passes
// BigCrush there; period 2^128 per key. Not cryptographically secure.

import './trigonometric';

export const MULTIPLIER_0: u64 = 0xd2511f53;
export const MULTIPLIER_1: u64 = 0xcd9e8d57;
// Weyl increments of the key schedule: the golden ratio and sqrt(3) - 1, as 32-bit fractions.
export const WEYL_0: u32 = 0x9e3779b9;
export const WEYL_1: u32 = 0xbb67ae85;
export const ROUNDS = 10;

export let key0: u32 = 0;
export let key1: u32 = 0;

// The last block of four words, or two deviates derived from it.
const BLOCK: usize = memory.data(16, 16);

/** Sets the key of all later draws to `seed`, an integer from 0 to 2^53. */
export function seedRandom(seed: f64): void {
  const bits = <u64>seed;
  key0 = <u32>bits;
  key1 = <u32>(bits >> 32);
}

/** One block of Philox4x32-10: four u32 written to `out`. */
export function philox(out: usize, c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32): void {
  for (let round = 0; round < ROUNDS; round++) {
    const product0 = MULTIPLIER_0 * <u64>c0;
    const product1 = MULTIPLIER_1 * <u64>c2;
    c0 = <u32>(product1 >> 32) ^ c1 ^ k0;
    c1 = <u32>product1;
    c2 = <u32>(product0 >> 32) ^ c3 ^ k1;
    c3 = <u32>product0;
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  store<u32>(out, c0);
  store<u32>(out, c1, 4);
  store<u32>(out, c2, 8);
  store<u32>(out, c3, 12);
}

/** 52 bits of two words as a number in (0, 1): the middle of its cell, so 0 and 1 never occur. */
function fraction(high: u32, low: u32): f64 {
  const bits = ((<u64>high) << 20) | (<u64>low >> 12);
  return (<f64>bits + 0.5) * (1.0 / 4503599627370496.0);
}

/** Two independent uniform deviates in (0, 1), written to `out` as f64[2]. */
export function uniformPair(out: usize, stream: u32, index: u64): void {
  philox(BLOCK, <u32>index, <u32>(index >> 32), stream, 0, key0, key1);
  const u = fraction(load<u32>(BLOCK), load<u32>(BLOCK, 4));
  const v = fraction(load<u32>(BLOCK, 8), load<u32>(BLOCK, 12));
  store<f64>(out, u);
  store<f64>(out, v, 8);
}

/**
 * Two independent standard normal deviates, written to `out` as f64[2].
 *
 * Box & Muller, Ann. Math. Statist. 29 (1958) 610, doi:10.1214/aoms/1177706645: no rejection, so
 * one block of the counter always gives one pair. No deviate exceeds 8.57, for lack of more than 52 bits.
 */
export function normalPair(out: usize, stream: u32, index: u64): void {
  uniformPair(out, stream, index);
  const radius = Math.sqrt(-2 * Math.log(load<f64>(out)));
  const angle = 2 * Math.PI * load<f64>(out, 8);
  store<f64>(out, radius * Math.cos(angle));
  store<f64>(out, radius * Math.sin(angle), 8);
}

// Acceptance is above 0.95 for every shape >= 1; 64 rejections in a row have probability below 1e-83.
const MAX_TRIES: u64 = 64;

/**
 * A Gamma(shape, 1) deviate for shape >= 1, which uses indices 128 `index` … 128 `index` + 127 of its stream.
 *
 * Marsaglia & Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000) 363,
 * doi:10.1145/358407.358414.
 */
export function gamma(shape: f64, stream: u32, index: u64): f64 {
  const d = shape - 1.0 / 3.0;
  const c = 1 / Math.sqrt(9 * d);
  for (let k: u64 = 0; k < MAX_TRIES; k++) {
    const at = (index << 7) + (k << 1);
    normalPair(BLOCK, stream, at);
    const x = load<f64>(BLOCK);
    uniformPair(BLOCK, stream, at + 1);
    const u = load<f64>(BLOCK);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
  return d; // the mode of d v, near the mean
}
