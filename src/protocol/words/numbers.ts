// Numbers with units for readers: exact as they stand in a receipt, and rounded or converted beside it.

import { shortText } from '../../core/plain-text.ts';
import { roundedPair } from '../../core/rounded.ts';
import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';

const MAX_UNIT_CHARACTERS = 100;

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
  const pair = roundedPair(value, uncertainty);
  if (pair === undefined) return undefined;
  const text = `${pair.value} ± ${pair.uncertainty}`;
  return text === `${value} ± ${uncertainty}` ? undefined : withUnit(`≈ ${text}`, unit);
}
