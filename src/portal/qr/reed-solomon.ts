// Reed–Solomon check bytes over GF(2⁸) with x⁸ + x⁴ + x³ + x² + 1, as ISO/IEC 18004:2015 §7.5.2 asks.

const POLYNOMIAL = 0x11d;

/** Powers of α = 2, twice over, so that sums of two logarithms need no reduction. */
const POWERS = new Uint8Array(510);
const LOGARITHMS = new Uint8Array(256);
for (let exponent = 0, power = 1; exponent < 255; exponent++) {
  POWERS[exponent] = power;
  POWERS[exponent + 255] = power;
  LOGARITHMS[power] = exponent;
  power <<= 1;
  if (power > 255) power ^= POLYNOMIAL;
}

function product(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return POWERS[(LOGARITHMS[a] ?? 0) + (LOGARITHMS[b] ?? 0)] ?? 0;
}

/** Coefficients of (x − α⁰)(x − α¹)…(x − αⁿ⁻¹) below the leading 1, highest power first. */
function generator(count: number): Uint8Array {
  const coefficients = new Uint8Array(count);
  coefficients[count - 1] = 1;
  for (let root = 0; root < count; root++) {
    for (let at = 0; at < count; at++)
      coefficients[at] = product(coefficients[at] ?? 0, POWERS[root] ?? 0) ^ (coefficients[at + 1] ?? 0);
  }
  return coefficients;
}

/** The remainder of the data, times x to the `count`, by the generator polynomial. */
export function checkBytes(data: Uint8Array, count: number): Uint8Array {
  const divisor = generator(count);
  const remainder = new Uint8Array(count);
  for (const byte of data) {
    const factor = byte ^ (remainder[0] ?? 0);
    remainder.copyWithin(0, 1);
    remainder[count - 1] = 0;
    for (let at = 0; at < count; at++) remainder[at] = (remainder[at] ?? 0) ^ product(divisor[at] ?? 0, factor);
  }
  return remainder;
}
