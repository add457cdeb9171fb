// Points of Sobol's sequence in up to 64 dimensions, scrambled at random.
//
// Primitive polynomials and initial numbers of Joe & Kuo, Constructing Sobol sequences with better two-dimensional
// projections, SIAM J. Sci. Comput. 30 (2008) 2635, doi:10.1137/070709359, set D6. Each replicate has a random linear
// scrambling of the digits and a random shift (Matousek, J. Complexity 14 (1998) 527, doi:10.1006/jcom.1998.0489), so every
// point of it is uniform in the unit cube, means over replicates have no bias, and their scatter is the error.
import { philox } from './random';

export const SOBOL_DIMENSIONS: i32 = 64;
const BITS: i32 = 32;

// For dimensions 2, 3, …: the polynomial with all its bits, and as many initial numbers as its degree.
// biome-ignore format: one dimension per line
const TABLE: usize = memory.data<u16>([
  3, 1,
  7, 1, 3,
  11, 1, 3, 1,
  13, 1, 1, 1,
  19, 1, 1, 3, 3,
  25, 1, 3, 5, 13,
  37, 1, 1, 5, 5, 17,
  41, 1, 1, 5, 5, 5,
  47, 1, 1, 7, 11, 19,
  55, 1, 1, 5, 1, 1,
  59, 1, 1, 1, 3, 11,
  61, 1, 3, 5, 5, 31,
  67, 1, 3, 3, 9, 7, 49,
  91, 1, 1, 1, 15, 21, 21,
  97, 1, 3, 1, 13, 27, 49,
  103, 1, 1, 1, 15, 7, 5,
  109, 1, 3, 1, 15, 13, 25,
  115, 1, 1, 5, 5, 19, 61,
  131, 1, 3, 7, 11, 23, 15, 103,
  137, 1, 3, 7, 13, 13, 15, 69,
  143, 1, 1, 3, 13, 7, 35, 63,
  145, 1, 3, 5, 9, 1, 25, 53,
  157, 1, 3, 1, 13, 9, 35, 107,
  167, 1, 3, 1, 5, 27, 61, 31,
  171, 1, 1, 5, 11, 19, 41, 61,
  185, 1, 3, 5, 3, 3, 13, 69,
  191, 1, 1, 7, 13, 1, 19, 1,
  193, 1, 3, 7, 5, 13, 19, 59,
  203, 1, 1, 3, 9, 25, 29, 41,
  211, 1, 3, 5, 13, 23, 1, 55,
  213, 1, 3, 7, 3, 13, 59, 17,
  229, 1, 3, 1, 3, 5, 53, 69,
  239, 1, 1, 5, 5, 23, 33, 13,
  241, 1, 1, 7, 7, 1, 61, 123,
  247, 1, 1, 7, 9, 13, 61, 49,
  253, 1, 3, 3, 5, 3, 55, 33,
  285, 1, 3, 1, 15, 31, 13, 49, 245,
  299, 1, 3, 5, 15, 31, 59, 63, 97,
  301, 1, 3, 1, 11, 11, 11, 77, 249,
  333, 1, 3, 1, 11, 27, 43, 71, 9,
  351, 1, 1, 7, 15, 21, 11, 81, 45,
  355, 1, 3, 7, 3, 25, 31, 65, 79,
  357, 1, 3, 1, 1, 19, 11, 3, 205,
  361, 1, 1, 5, 9, 19, 21, 29, 157,
  369, 1, 3, 7, 11, 1, 33, 89, 185,
  391, 1, 3, 3, 3, 15, 9, 79, 71,
  397, 1, 3, 7, 11, 15, 39, 119, 27,
  425, 1, 1, 3, 1, 11, 31, 97, 225,
  451, 1, 1, 1, 3, 23, 43, 57, 177,
  463, 1, 3, 7, 7, 17, 17, 37, 71,
  487, 1, 3, 1, 5, 27, 63, 123, 213,
  501, 1, 1, 3, 5, 11, 43, 53, 133,
  529, 1, 3, 5, 5, 29, 17, 47, 173, 479,
  539, 1, 3, 3, 11, 3, 1, 109, 9, 69,
  545, 1, 1, 1, 5, 17, 39, 23, 5, 343,
  557, 1, 3, 1, 5, 25, 15, 31, 103, 499,
  563, 1, 1, 1, 11, 11, 17, 63, 105, 183,
  601, 1, 1, 5, 11, 9, 29, 97, 231, 363,
  607, 1, 1, 5, 15, 19, 45, 41, 7, 383,
  617, 1, 3, 7, 7, 31, 19, 83, 137, 221,
  623, 1, 1, 1, 3, 23, 15, 111, 223, 83,
  631, 1, 1, 5, 13, 31, 15, 55, 25, 161,
  637, 1, 1, 3, 13, 25, 47, 39, 87, 257,
], 16);

const WORDS: usize = memory.data(16, 16);
/** u32[BITS]: directions of one dimension before scrambling. */
const PLAIN: usize = memory.data(BITS * 4, 16);

/** Bytes for the directions and shifts of one replicate. */
export function sobolBytes(dimensions: i32): usize {
  return <usize>dimensions * (BITS * 4 + 8);
}

/**
 * Writes the scrambled directions and the shifts of a replicate.
 *
 * @param state       `sobolBytes` bytes
 * @param replicate   a number from 0; with the key it determines all random words
 */
export function scrambleSobol(state: usize, dimensions: i32, replicate: u32, key0: u32, key1: u32): void {
  let entry = TABLE;
  for (let d = 0; d < dimensions; d++) {
    if (d === 0) for (let k = 0; k < BITS; k++) store<u32>(PLAIN + (k << 2), 1 << (31 - k));
    else entry = plainDirections(entry);
    const directions = state + <usize>d * (BITS * 4);
    for (let k = 0; k < BITS; k++) store<u32>(directions + (k << 2), 0);
    // Bit i of the result, from the highest, is the parity of the bits above it that a random row chooses, and bit i.
    for (let i = 0; i < BITS; i++) {
      philox(WORDS, <u32>(i >> 2), <u32>d, replicate, 0x5c7a3b1e, key0, key1);
      const top: u32 = 0x80000000 >> i;
      const row = (load<u32>(WORDS + ((i & 3) << 2)) & ~(top | (top - 1))) | top;
      for (let k = 0; k < BITS; k++) {
        const at = directions + (k << 2);
        if (popcnt(load<u32>(PLAIN + (k << 2)) & row) & 1) store<u32>(at, load<u32>(at) | top);
      }
    }
    philox(WORDS, 99, <u32>d, replicate, 0x5c7a3b1e, key0, key1);
    store<u64>(state + <usize>dimensions * (BITS * 4) + ((<usize>d) << 3), load<u64>(WORDS));
  }
}

/** Directions of the dimension at `entry` of the table, by the recurrence of its polynomial; returns the next entry. */
function plainDirections(entry: usize): usize {
  const polynomial = <u32>load<u16>(entry);
  const degree = 31 - <i32>clz(polynomial);
  entry += 2;
  for (let k = 0; k < degree; k++) {
    store<u32>(PLAIN + (k << 2), (<u32>load<u16>(entry)) << (31 - k));
    entry += 2;
  }
  for (let k = degree; k < BITS; k++) {
    const first = load<u32>(PLAIN + ((k - degree) << 2));
    let direction = first ^ (first >> degree);
    for (let j = 1; j < degree; j++)
      if ((polynomial >> (degree - j)) & 1) direction ^= load<u32>(PLAIN + ((k - j) << 2));
    store<u32>(PLAIN + (k << 2), direction);
  }
  return entry;
}

/** Coordinate `d` of the points `index` … `index` + n − 1 of the replicate, each in (0, 1), to f64[n]. */
export function sobolRow(state: usize, dimensions: i32, d: i32, out: usize, n: i32, index: u32): void {
  const directions = state + <usize>d * (BITS * 4);
  const shift = load<u64>(state + <usize>dimensions * (BITS * 4) + ((<usize>d) << 3));
  const low = <u32>(shift >> 44);
  let point = <u32>shift;
  // Point i of the Gray-code order is the sum of the directions of the bits of i ^ (i >> 1).
  for (let gray = index ^ (index >> 1), k = 0; gray !== 0; gray >>= 1, k++)
    if (gray & 1) point ^= load<u32>(directions + (k << 2));
  for (let i: u32 = 0; i < <u32>n; i++) {
    const bits = ((<u64>point) << 20) | <u64>low;
    store<f64>(out + (i << 3), (<f64>bits + 0.5) * (1.0 / 4503599627370496.0));
    point ^= load<u32>(directions + (ctz(index + i + 1) << 2));
  }
}
