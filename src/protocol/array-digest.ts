// Hashes of numeric arrays: SHA-256 of their little-endian bytes, the only form in which arrays enter a seal.

import { littleEndianBytes } from '../core/bits.ts';
import { EMPTY_SHA256, sha256Hex } from '../core/sha256.ts';

/** An array of a kernel. */
export type NumericArray = Float64Array | Int32Array;

/** A field of a solution is often a view of the kernel itself, which is then hashed once. */
const known = new WeakMap<NumericArray, string>();

/** A shorter array is hashed in less time than the collector takes for its entry in the map. */
const MIN_KNOWN_ELEMENTS = 256;

/**
 * SHA-256 of the little-endian bytes, hex. Every NaN counts as the canonical one, since WebAssembly leaves the other
 * bits of a NaN to the engine. The array must not change afterwards.
 */
export function arraySha256(data: NumericArray): string {
  return (isLong(data) ? known.get(data) : undefined) ?? finiteSha256(data, withCanonicalNaNs(data));
}

/** As `arraySha256`, for an array that is known to hold no NaN. */
export function finiteSha256(data: NumericArray, canonical: NumericArray = data): string {
  if (data.length === 0) return EMPTY_SHA256;
  const cached = isLong(data) ? known.get(data) : undefined;
  if (cached !== undefined) return cached;
  const sha256 = sha256Hex(littleEndianBytes(canonical));
  if (isLong(data)) known.set(data, sha256);
  return sha256;
}

const isLong = ({ length }: NumericArray) => length >= MIN_KNOWN_ELEMENTS;

const CANONICAL_NAN = 0x7ff8_0000_0000_0000n;

/** A copy whose NaNs have the same bits; the array itself if it holds none. */
export function withCanonicalNaNs<Data extends NumericArray>(data: Data): Data {
  if (data instanceof Int32Array || !hasNaN(data)) return data;
  const copy = data.slice();
  const bits = new BigUint64Array(copy.buffer);
  for (let i = 0; i < copy.length; i++) if (Number.isNaN(copy[i])) bits[i] = CANONICAL_NAN;
  return copy as Data;
}

function hasNaN(data: Float64Array): boolean {
  for (let i = 0; i < data.length; i++) if (Number.isNaN(data[i])) return true;
  return false;
}

/**
 * The array with 0 for −0, which JSON does not have; the array itself if it has none.
 *
 * @param refuse  called with the first number that is not finite
 */
export function finiteNumbers(data: Float64Array, refuse: (value: number) => void): Float64Array {
  let hasNegativeZero = false;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    // NaN for NaN and the infinities.
    if (value - value !== 0) refuse(value);
    if (value === 0 && 1 / value < 0) hasNegativeZero = true;
  }
  return hasNegativeZero ? data.map((value) => value + 0) : data;
}
