// A number and its ± as texts of as many digits as ± supports: two digits of ±, the number to the same place.

/** Above this, rounding to the place of the uncertainty saves nothing. */
const MAX_ROUNDED_DIGITS = 15;
/** Decimals without an exponent are readable between these powers of ten. */
const FIXED = { min: -4, max: 7 } as const;
/** From this power of ten on, zeros that ± does not support would stand for digits. */
const MAX_PLACE = 3;

export interface RoundedPair {
  readonly value: string;
  readonly uncertainty: string;
}

/**
 * `8.676e-20` and `0.035e-20`: both with the exponent of the number. The number keeps all digits where ± supports them.
 *
 * @returns undefined for what is not finite or negative, or rounds up beyond the largest double
 */
export function roundedPair(value: number, uncertainty: number): RoundedPair | undefined {
  if (!Number.isFinite(value) || !(uncertainty >= 0) || !Number.isFinite(uncertainty)) return undefined;
  if (uncertainty === 0) return { value: String(value), uncertainty: '0' };
  const short = Number(uncertainty.toPrecision(2));
  if (!Number.isFinite(short)) return undefined;
  const place = exponentOf(short) - 1;
  const top = value === 0 ? place : exponentOf(value);
  // The value drowns in its uncertainty.
  if (top < place) return { value: String(Number(value.toPrecision(2))), uncertainty: String(short) };
  const digits = top - place + 1;
  if (digits > MAX_ROUNDED_DIGITS) return { value: String(value), uncertainty: String(short) };
  const rounded = Number(value.toPrecision(digits));
  if (!Number.isFinite(rounded)) return undefined;
  if (top >= FIXED.min && top <= FIXED.max && place < MAX_PLACE) {
    const decimals = Math.max(0, -place);
    return { value: rounded.toFixed(decimals), uncertainty: short.toFixed(decimals) };
  }
  const scaled = (number: number) => `${shifted(number, -top).toFixed(digits - 1)}e${top}`;
  return { value: scaled(rounded), uncertainty: scaled(short) };
}

/** The decimal exponent: -20 for 8.7e-20. */
function exponentOf(value: number): number {
  return Number(value.toExponential().split('e')[1]);
}

/** value · 10^power, rounded once. */
function shifted(value: number, power: number): number {
  const [digits, exponent = '0'] = value.toExponential().split('e');
  return Number(`${digits}e${Number(exponent) + power}`);
}
