// Parses a typed number. A comma can be a decimal mark or a thousands separator; ambiguous input is rejected.

import { parseReal } from '../../core/decimal.ts';
import { quoteValue } from '../../core/validation.ts';

/** A fault is a complete sentence for display beside the field. */
export type ParsedNumber = { readonly value: number } | { readonly fault: string };

interface NumberOptions {
  /** Subject of the error sentence. */
  readonly name: string;
  readonly isWhole: boolean;
  /** Overrides the expected kind: `a whole number from 8 to 128`. */
  readonly expected?: string;
}

/** Digits grouped in thousands: three digits follow each comma, and the first group does not start with 0. */
const THOUSANDS = /^([+-]?[1-9]\d{0,2}(?:,\d{3})+)((?:\.\d*)?(?:e[+-]?\d+)?)$/i;

/** Digits grouped by spaces or apostrophes, or by points before a decimal comma, as other languages write them. */
const GROUPED = /^([+-]?\d{1,3})((?:[\s'’]\d{3})+|(?:\.\d{3})+(?=,))(?:[.,](\d*))?((?:e[+-]?\d+)?)$/iu;

/** Accepts a typographic minus and an unambiguous decimal comma. Accepts Infinity unless the caller rejects it. */
export function parseNumber(text: string, options: NumberOptions): ParsedNumber {
  const { name, isWhole, expected = isWhole ? 'a whole number' : 'a number' } = options;
  const normalised = text.trim().replaceAll('−', '-');
  const [, grouped, tail = ''] = THOUSANDS.exec(normalised) ?? [];
  const got = `${name} is ${quoteValue(text)}`;
  if (isWhole && normalised.includes(',')) return { fault: `${got}; ${expected} is expected, without commas.` };
  if (grouped !== undefined) return { fault: `${got}${ambiguityMessage(grouped, tail)}` };
  const [, head = '', groups, fraction = '', power = ''] = GROUPED.exec(normalised) ?? [];
  if (groups !== undefined) {
    const plain = `${head}${groups.replace(/\D/g, '')}${fraction === '' ? '' : `.${fraction}`}${power}`;
    return { fault: `${got}; digits without groups are expected: write ${plain}.` };
  }
  const value = normalised === '' ? Number.NaN : Number(normalised.replace(',', '.'));
  return Number.isNaN(value) ? { fault: `${got}; ${expected} is expected.` } : { value };
}

/** Names both possible values and an unambiguous spelling of each. */
function ambiguityMessage(grouped: string, tail: string): string {
  const ungrouped = `${Number(grouped.replaceAll(',', ''))}${tail}`;
  const isDecimal = grouped.indexOf(',') === grouped.lastIndexOf(',') && !tail.startsWith('.');
  if (!isDecimal) return `; ${ungrouped} is expected, without commas.`;
  const value = Number(grouped.replace(',', '.'));
  const decimal = Number.isInteger(value) ? `${value}.0` : String(value);
  return `, which may be ${value}${tail} or ${ungrouped}; write ${decimal}${tail} or ${ungrouped}.`;
}

/** A comma within a number, beside another mark between numbers: `1,5; 2,5`, and a column of a table with commas. */
const hasDecimalCommas = (text: string) => /\d,\d/.test(text) && /;|[\d.]\s+[-+.\d]/.test(text);

/** A group of three digits that begins with 0 or stands between other marks: `1 000`, `1'500; 2'500`. */
const hasGroups = (text: string) =>
  /\d[ \u00a0\u202f'’]0\d\d(?!\d)/.test(text) ||
  /\d['’]\d/.test(text) ||
  /(?:^|[;,\n]\s*)[-+]?\d{1,3}[ \u00a0\u202f]\d{3}(?!\d)[^;\n]*[;\n]/.test(text);

/** Parses a list of numbers between commas, semicolons or spaces, and asks where a mark may stand within a number. */
export function parseNumberList(text: string): { readonly values: readonly number[] } | { readonly fault: string } {
  if (hasDecimalCommas(text))
    return { fault: 'a comma may be a decimal mark here; write 1.5; 2.5, or 1, 5, 2, 5 with a space after each comma' };
  if (hasGroups(text)) return { fault: 'digits without groups are expected; write 1000, not 1 000' };
  const values = text.split(/\s*[\s,;]\s*/).map(parseReal);
  if (values.every(Number.isFinite)) return { values };
  return { fault: 'numbers with commas between them, or a JSON array, are expected' };
}
