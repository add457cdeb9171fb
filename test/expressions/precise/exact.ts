// Numbers as exact multiples of 2^-1074, to compare double-double arithmetic with.

import type { DoubleDouble } from '../../../src/expressions/precise/double-double.ts';

const bits = new DataView(new ArrayBuffer(8));

/** x · 2^1074, which is whole for every finite double. */
export function units(x: number): bigint {
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = (word >> 52n) & 0x7ffn;
  const fraction = word & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return word >> 63n === 1n ? -size : size;
}

export const unitsOf = ({ high, low }: DoubleDouble) => units(high) + units(low);

export const absolute = (n: bigint) => (n < 0n ? -n : n);

/** -log2 of |found - exact| / |exact|, whole and not above 2,000; both in the same units. */
export function goodBits(found: bigint, exact: bigint): number {
  const error = absolute(found - exact);
  if (error === 0n) return 2_000;
  return absolute(exact).toString(2).length - error.toString(2).length;
}
