// Numbers that come as text, in decimal notation only. Number() would also take '', ' 12 ', 0x10 and Infinity.

import { highWord, lowWord } from './bits.ts';

/** Digits without sign, point and exponent; NaN for anything else. */
export function parseWhole(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A decimal number with optional sign, point and exponent; NaN for anything else and beyond the range of doubles. */
export function parseReal(text: string): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Bits of the quotient below: 3 times 53, of which a remainder of half a unit in the last place leaves 105. */
const QUOTIENT_BITS = 159n;
const TWO_53 = 9_007_199_254_740_992;

/**
 * What rounding left of a decimal number: the number that `text` states minus the double `value` nearest to it, itself
 * rounded to a double. 0 for a number that a double holds exactly, and for one below the normal range.
 *
 * @param text  as `parseReal` takes it, without a sign
 */
export function decimalRemainder(text: string, value: number): number {
  if (!(value >= MIN_NORMAL && value < Number.POSITIVE_INFINITY) || /^\d{1,15}$/.test(text)) return 0;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = Number(exponent) - fraction.length;
  const [high, low] = [highWord(value), lowWord(value)];
  const binaryPower = (high >>> 20) - 1075;
  const significand = (BigInt((high & 0xfffff) | 0x100000) << 32n) | BigInt(low >>> 0);
  // Both as whole multiples of 10^-a 2^-b.
  const scaled = (number: bigint, tens: number, twos: number) =>
    (number * BigInt(`1${'0'.repeat(Math.max(tens, 0))}`)) << BigInt(Math.max(twos, 0));
  const stated = scaled(BigInt(whole + fraction), power, -binaryPower);
  const rounded = scaled(significand, -power, binaryPower);
  const quotient = ((stated - rounded) << QUOTIENT_BITS) / rounded;
  return (Number(quotient) / TWO_53 / TWO_53 / TWO_53) * value;
}

const MIN_NORMAL = 2.2250738585072014e-308;
