// Temperature scales with an offset, as units of readings. Units themselves have none (units.ts): a product such as
// W/degC would have no meaning.

import { add, fromDecimal, negate, product, quotient, type Rational, rational, toNumber } from './units/rational.ts';
import { convert, parseUnit, type Unit } from './units.ts';

/** A value on the scale is (value + zero) * size kelvin. */
interface TemperatureScale {
  readonly zero: Rational;
  readonly size: Rational;
}

const SCALES: ReadonlyMap<string, TemperatureScale> = new Map([
  ['degC', { zero: fromDecimal('273.15'), size: rational(1n) }],
  ['degF', { zero: fromDecimal('459.67'), size: rational(5n, 9n) }],
]);

const KELVIN = 'K';

/** The unit of a reading; a temperature scale counts as kelvin. @throws DomainError UNIT_INVALID */
export function parseReadingUnit(text: string): Unit {
  return parseUnit(SCALES.has(text.trim()) ? KELVIN : text);
}

/**
 * Converts a reading with one rounding.
 *
 * @throws DomainError UNIT_INVALID, UNIT_MISMATCH
 */
export function convertReading(value: number, from: string, to: string): number {
  const [source, target] = [SCALES.get(from.trim()), SCALES.get(to.trim())];
  const units = [parseReadingUnit(from), parseReadingUnit(to)] as const;
  if (source === undefined && target === undefined) return convert(value, ...units);
  convert(0, ...units); // both must be temperatures
  if (source === target || !Number.isFinite(value)) return value;
  const given = fromDecimal(String(value));
  const kelvin = source === undefined ? product(given, units[0].scale) : product(add(given, source.zero), source.size);
  return toNumber(
    target === undefined ? quotient(kelvin, units[1].scale) : add(quotient(kelvin, target.size), negate(target.zero)),
  );
}
