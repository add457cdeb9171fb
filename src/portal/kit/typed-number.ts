// A number as a person types it. A comma is a decimal mark to some and parts the thousands to others: where it may be
// either, nobody guesses.

import { show } from '../../core/validation.ts';

/** The fault is a whole sentence, to be shown beside the field. */
export type TypedNumber = { readonly value: number } | { readonly fault: string };

interface Wanted {
  /** What the number is called, at the head of a sentence. */
  readonly name: string;
  readonly isWhole: boolean;
  /** Where more than the kind is known: `a whole number from 8 to 128`. */
  readonly expected?: string;
}

/** Each comma stands before three digits, as one between thousands does; no thousands begin with 0. */
const THOUSANDS = /^([+-]?[1-9]\d{0,2}(?:,\d{3})+)((?:\.\d*)?(?:e[+-]?\d+)?)$/i;

/** A typographic minus is understood, and a decimal comma where it can be nothing else. A bare number may be infinite. */
export function typedNumber(text: string, wanted: Wanted): TypedNumber {
  const { name, isWhole, expected = isWhole ? 'a whole number' : 'a number' } = wanted;
  const plain = text.trim().replaceAll('−', '-');
  const [, grouped, tail = ''] = THOUSANDS.exec(plain) ?? [];
  const got = `${name} is ${show(text)}`;
  if (isWhole && plain.includes(',')) return { fault: `${got}; ${expected} is expected, without commas.` };
  if (grouped !== undefined) return { fault: `${got}${doubtOf(grouped, tail)}` };
  const value = plain === '' ? Number.NaN : Number(plain.replace(',', '.'));
  return Number.isNaN(value) ? { fault: `${got}; ${expected} is expected.` } : { value };
}

/** What it may mean, and how to say each without a doubt. */
function doubtOf(grouped: string, tail: string): string {
  const inThousands = `${Number(grouped.replaceAll(',', ''))}${tail}`;
  const isDecimal = grouped.indexOf(',') === grouped.lastIndexOf(',') && !tail.startsWith('.');
  if (!isDecimal) return `; ${inThousands} is expected, without commas.`;
  const value = Number(grouped.replace(',', '.'));
  const decimal = Number.isInteger(value) ? `${value}.0` : String(value);
  return `, which may be ${value}${tail} or ${inThousands}; write ${decimal}${tail} or ${inThousands}.`;
}
