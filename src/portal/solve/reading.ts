// Numbers with a unit as people type them, `12 cm` or `20 °C`, converted to the unit of their field.

import { quoteValue } from '../../core/validation.ts';
import { formatRounded, formatUnit, withUnit } from '../kit/format.ts';
import { type ParsedNumber, parseNumber } from '../kit/parse-number.ts';
import { OWN_TIME } from '../kit/unit-choices.ts';
import type { FieldDescription } from './solver-description.ts';

type ConvertReading = typeof import('../../core/temperature-scales.ts').convertReading;
let convertReading: ConvertReading | undefined;

/** Comes with the first form: the first script of the portal is without units. */
export async function loadUnits(): Promise<void> {
  ({ convertReading } = await import('../../core/temperature-scales.ts'));
}

/** A number, and a unit that does not begin as an exponent does. */
const READING = /^([+\-−]?(?=[.,]?\d)[\d.,'’\s]*(?:e[+\-−]?\d+)?)\s*(?!e[+\-−]?\d)([a-zµμ°ΩÅ$%].*)$/iu;

/** As units are printed, and as they are spelled. */
const SPELLINGS: Readonly<Record<string, string>> = { '°C': 'degC', '°F': 'degF', '°': 'deg', Ω: 'ohm', '·': '*' };
const POWERS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const spelled = (unit: string): string =>
  unit
    .replace(/°[CF]|[°Ω·]/gu, (sign) => SPELLINGS[sign] ?? sign)
    .replace(/[µμ]/gu, 'u')
    .replace(
      /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/gu,
      (power) => `^${[...power].map((digit) => (digit === '⁻' ? '-' : POWERS.indexOf(digit))).join('')}`,
    );

/** A typed number in the unit of the field. @param expected  the kind of number, and its range */
export function parseReading(field: FieldDescription, text: string, expected: string): ParsedNumber {
  const { name, kind, unit } = field;
  const [, digits, typed] = READING.exec(text) ?? [];
  const isWhole = kind === 'integer';
  if (digits === undefined || typed === undefined) return parseNumber(text, { name, isWhole, expected });
  const parsed = parseNumber(digits.trim(), { name, isWhole: false, expected });
  const own = spelled(typed.trim());
  if ('fault' in parsed || own === unit || own === spelled(formatUnit(unit))) return parsed;
  try {
    if (unit === OWN_TIME) throw new Error('A unit of a name is none.');
    if (convertReading === undefined) throw new Error('The units are not loaded.');
    return { value: convertReading(parsed.value, own, unit) };
  } catch {
    const asked = unit === '1' ? 'it has no unit' : `a number in ${formatUnit(unit)} is expected`;
    return { fault: `${name} is ${quoteValue(text)}; ${asked}, and ${typed.trim()} cannot be converted to that.` };
  }
}

/** Number and unit of a reading that can be converted; a text without a unit is a number in the unit of the field. */
export function readingParts(
  field: FieldDescription,
  text: string,
): { readonly digits: string; readonly unit: string } {
  const [, digits, typed] = READING.exec(text.trim()) ?? [];
  if (digits === undefined || typed === undefined || 'fault' in parseReading(field, text.trim(), ''))
    return { digits: text, unit: field.unit };
  return { digits: digits.trim(), unit: spelled(typed.trim()) };
}

/** `= 0.12 m` beside a text with a unit; undefined for all else. */
export function readingText(field: FieldDescription, text: string): string | undefined {
  if ((field.kind !== 'number' && field.kind !== 'integer') || !READING.test(text.trim())) return undefined;
  const parsed = parseReading(field, text.trim(), '');
  return 'fault' in parsed ? undefined : `= ${withUnit(formatRounded(parsed.value, 6), field.unit)}`;
}
