// Stateless normal deviates: Philox4x32-10 keyed by a seed, and Box & Muller (assembly/numerics/random.ts).
//
// Salmon, Moraes, Dror & Shaw, Parallel random numbers: as easy as 1, 2, 3 (SC11), doi:10.1145/2063384.2063405.

import { cos, log } from './elementary.ts';

const MULTIPLIERS = [0xd2511f53, 0xcd9e8d57] as const;
/** Increments of the key schedule: the golden ratio and √3 − 1, as 32-bit fractions. */
const WEYL = [0x9e3779b9, 0xbb67ae85] as const;
const ROUNDS = 10;

/** The upper word of a product of two words, by halves, all of whose sums are below 2^32. */
function upperWord(a: number, b: number): number {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  return aHigh * bHigh + (middle >>> 16) + (((middle & 0xffff) + aLow * bHigh) >>> 16);
}

/** Four words of 32 bits. @param counter  four words. @param key  two words */
export function philox(counter: readonly number[], key: readonly number[]): readonly number[] {
  let [c0 = 0, c1 = 0, c2 = 0, c3 = 0] = counter;
  let [k0 = 0, k1 = 0] = key;
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = [c0, c2];
    c0 = (upperWord(MULTIPLIERS[1], second) ^ c1 ^ k0) >>> 0;
    c1 = Math.imul(MULTIPLIERS[1], second) >>> 0;
    c2 = (upperWord(MULTIPLIERS[0], first) ^ c3 ^ k1) >>> 0;
    c3 = Math.imul(MULTIPLIERS[0], first) >>> 0;
    k0 = (k0 + WEYL[0]) >>> 0;
    k1 = (k1 + WEYL[1]) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** 52 bits of two words as a number in (0, 1). */
const fraction = (high = 0, low = 0) => (high * 2 ** 20 + (low >>> 12) + 0.5) * 2 ** -52;

/**
 * A standard normal deviate: number `index` of stream `stream`, a pure function of the seed.
 *
 * @param seed  a whole number from 0 to 2^53 − 1
 */
export function normalDeviate(seed: number, stream: number, index: number): number {
  const key = [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0];
  const [a, b, c, d] = philox([index >>> 0, 0, stream, 0], key);
  return Math.sqrt(-2 * log(fraction(a, b))) * cos(2 * Math.PI * fraction(c, d));
}
