// Parses numbers that come as text, in decimal notation only. Number() would also take '', ' 12 ', 0x10 and Infinity.

/** Digits without sign, point and exponent; NaN for anything else. */
export function parseWhole(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A decimal number with optional sign, point and exponent; NaN for anything else and beyond the range of doubles. */
export function parseReal(text: string): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
