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

/** Bits of the quotient below, of which a remainder of half a unit in the last place leaves 70. */
const QUOTIENT_BITS = 128;
const TWO_64 = 18446744073709551616;

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
  const quotient = ((stated - rounded) << BigInt(QUOTIENT_BITS)) / rounded;
  return (Number(quotient) / TWO_64 / TWO_64) * value;
}

const MIN_NORMAL = 2.2250738585072014e-308;
