// Sums doubles without rounding, so that a window rebuilt from its log has exactly the sum of the live one.
//
// Every finite double is a whole number of units of 2^-1074. The sum is stored as such a whole number: adding and
// removing are exact in any order. It is rounded to a double once, when it is read: to nearest, ties to even.

import { bitsOf, fromBits } from '../core/bits.ts';

const FRACTION_BITS = 52n;
const FRACTION_MASK = (1n << FRACTION_BITS) - 1n;
const IMPLICIT = 1n << FRACTION_BITS;
const EXPONENT_MASK = 0x7ffn;
const SIGN_SHIFT = 63n;

/** A finite double in units of 2^-1074. */
function unitsOf(x: number): bigint {
  const bits = bitsOf(x);
  const exponent = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  const fraction = bits & FRACTION_MASK;
  const magnitude = exponent === 0n ? fraction : (fraction | IMPLICIT) << (exponent - 1n);
  return bits >> SIGN_SHIFT === 1n ? -magnitude : magnitude;
}

/** The nearest double; infinite beyond the largest. */
function fromUnits(units: bigint): number {
  const magnitude = units < 0n ? -units : units;
  const length = BigInt(magnitude.toString(2).length);
  const dropped = length - FRACTION_BITS - 1n;
  if (dropped <= 0n) return signed(units, fromBits(magnitude));
  const half = 1n << (dropped - 1n);
  const rest = magnitude & ((1n << dropped) - 1n);
  let kept = magnitude >> dropped;
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
  // A carry out of the fraction increments the exponent, as it must.
  const bits = ((dropped + 1n) << FRACTION_BITS) + (kept - IMPLICIT);
  return signed(units, bits >> FRACTION_BITS >= EXPONENT_MASK ? Number.POSITIVE_INFINITY : fromBits(bits));
}

const signed = (units: bigint, magnitude: number) => (units < 0n ? -magnitude : magnitude);

export class ExactSum {
  #units = 0n;

  add(x: number): void {
    this.#units += unitsOf(x);
  }

  remove(x: number): void {
    this.#units -= unitsOf(x);
  }

  clear(): void {
    this.#units = 0n;
  }

  get value(): number {
    return fromUnits(this.#units);
  }
}
