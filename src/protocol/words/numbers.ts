// Numbers with units for readers: exact as they stand in a receipt, and rounded or converted beside it.

import { shortText } from '../../core/plain-text.ts';
import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';

const MAX_UNIT_CHARACTERS = 100;
/** Above this, rounding to the place of the uncertainty saves nothing. */
const MAX_ROUNDED_DIGITS = 15;

/** Appends a unit of a stranger, unless it is 1. */
export function withUnit(text: string, unit: string | undefined): string {
  return unit === undefined || unit === '1' || unit === '' ? text : `${text} ${shortText(unit, MAX_UNIT_CHARACTERS)}`;
}

/** `90 ± 1 km/h` with the shortest digits that give the same bits. */
export function exactText(value: number, uncertainty: number | undefined, unit: string | undefined): string {
  const numbers = uncertainty === undefined ? String(value) : `${value} ± ${uncertainty}`;
  return withUnit(numbers, unit);
}

/** `= 25 m/s` for 90 km/h; undefined if the unit is coherent SI, or no unit that this version knows. */
export function coherentText(value: number, uncertainty: number | undefined, unit: string): string | undefined {
  if (unit.length > MAX_UNIT_CHARACTERS) return undefined;
  try {
    const given = parseUnit(unit);
    if (given.factor === 1) return undefined;
    const coherent = coherentUnit(given);
    const convert = conversion(given, coherent);
    return `= ${exactText(convert(value), uncertainty === undefined ? undefined : convert(uncertainty), coherent.text)}`;
  } catch {
    return undefined;
  }
}

/** `≈ 8.676e-20 ± 0.035e-20 J`: two digits of ±, the value to the same place. Undefined if nothing becomes shorter. */
export function roundedText(value: number, uncertainty: number, unit: string | undefined): string | undefined {
  if (!Number.isFinite(value) || !Number.isFinite(uncertainty) || uncertainty < 0) return undefined;
  const text = roundedPair(value, uncertainty);
  return text === undefined || text === `${value} ± ${uncertainty}` ? undefined : withUnit(`≈ ${text}`, unit);
}

/** Decimals without an exponent are readable between these powers of ten. */
const FIXED = { min: -4, max: 7 } as const;

/** Undefined if rounding up exceeds the largest double. */
function roundedPair(value: number, uncertainty: number): string | undefined {
  if (uncertainty === 0) return `${value} ± 0`;
  const short = Number(uncertainty.toPrecision(2));
  if (!Number.isFinite(short)) return undefined;
  const place = exponentOf(short) - 1;
  const top = value === 0 ? place : exponentOf(value);
  // The value drowns in its uncertainty.
  if (top < place) return `${Number(value.toPrecision(2))} ± ${short}`;
  const digits = top - place + 1;
  if (digits > MAX_ROUNDED_DIGITS) return `${value} ± ${short}`;
  const rounded = Number(value.toPrecision(digits));
  if (!Number.isFinite(rounded)) return undefined;
  if (top >= FIXED.min && top <= FIXED.max) {
    const decimals = Math.max(0, -place);
    return `${rounded.toFixed(decimals)} ± ${short.toFixed(decimals)}`;
  }
  const scaled = (number: number) => `${shifted(number, -top).toFixed(digits - 1)}e${top}`;
  return `${scaled(rounded)} ± ${scaled(short)}`;
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
