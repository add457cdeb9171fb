// Parses a solver's form into its input, and derives labels and help texts from field descriptions.

import { parseReal } from '../../core/decimal.ts';
import { quoteValue } from '../../core/validation.ts';
import { formatBound, formatRounded } from '../kit/format.ts';
import { parseNumberList } from '../kit/parse-number.ts';
import { parseReading } from './reading.ts';
import type { FieldDescription, SolverDescription } from './solver-description.ts';

/** Form state: text, or the state of a switch. An empty text selects the solver's default. */
export type Draft = Readonly<Record<string, string | boolean>>;

export interface ParsedDraft {
  /** Solver input, without fields equal to their defaults. */
  readonly input: Readonly<Record<string, unknown>>;
  /** One sentence per invalid field. */
  readonly faults: Readonly<Record<string, string>>;
}

export function defaultDraft(solver: SolverDescription): Draft {
  return Object.fromEntries(
    solver.fields.map(({ name, kind, defaultValue }) => [
      name,
      kind === 'switch' ? defaultValue === true : defaultValue === undefined ? '' : String(defaultValue),
    ]),
  );
}

export function parseDraft(solver: SolverDescription, draft: Draft): ParsedDraft {
  const input: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const field of solver.fields) {
    const given = draft[field.name] ?? '';
    const parsed = typeof given === 'boolean' ? { value: given } : parseField(field, given.trim());
    if ('fault' in parsed) faults[field.name] = parsed.fault;
    else if (parsed.value !== undefined && (!isDefault(field, parsed.value) || isAlwaysSent(field, draft)))
      input[field.name] = parsed.value;
  }
  return { input, faults };
}

/** Lists and objects are compared as the text of their default. */
const isDefault = ({ defaultValue }: FieldDescription, value: unknown): boolean =>
  value === defaultValue || (typeof value === 'object' && JSON.stringify(value) === defaultValue);

/** With operators the solver drops its example equations, so equations on screen are sent even if unchanged. */
const isAlwaysSent = ({ rows }: FieldDescription, { operators }: Draft) =>
  rows !== undefined && typeof operators === 'string' && splitNames(operators) !== undefined;

function splitNames(text: string): string[] | undefined {
  const names = text.split(/[\s,;]+/).filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
}

function parseField(field: FieldDescription, text: string): { readonly value: unknown } | { readonly fault: string } {
  const { name, kind, choices } = field;
  if (text === '') return { value: undefined };
  if (kind === 'list') return { value: splitNames(text) };
  if (kind === 'array' || (kind === 'text-or-array' && text.startsWith('['))) return parseArray(name, text);
  if (kind === 'object') return parseObject(name, text);
  if (kind === 'choice' && !choices?.includes(text))
    return { fault: `${name} is ${quoteValue(text)}; choose from the list.` };
  if (kind !== 'number' && kind !== 'integer') return { value: text };
  const isWhole = kind === 'integer';
  const expected = `${isWhole ? 'a whole number' : 'a number'}${rangeText(field)}`;
  const parsed = parseReading(field, text, expected);
  if ('fault' in parsed || isAllowed(field, parsed.value)) return parsed;
  return { fault: `${name} is ${quoteValue(parsed.value)}; ${expected} is expected.` };
}

/** `0.1, 0.2`, or JSON. */
function parseArray(name: string, text: string): ReturnType<typeof parseField> {
  const got = `${name} is ${quoteValue(text)}`;
  if (text.startsWith('[')) {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { fault: `${got}; numbers with commas between them, or a JSON array, are expected.` };
    }
  }
  const list = parseNumberList(text);
  return 'fault' in list ? { fault: `${got}; ${list.fault}.` } : { value: list.values };
}

/** `m = 2, v = 3`, or JSON. */
function parseObject(name: string, text: string): ReturnType<typeof parseField> {
  const fault = `${name} is ${quoteValue(text)}; m = 2, v = 3, or a JSON object, is expected.`;
  if (text.startsWith('{')) {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { fault };
    }
  }
  const pairs = text.split(/[,;\n]/).map((part) => part.split('=').map((one) => one.trim()));
  const numbers = pairs.map(([key = '', value = '']) => [key, parseReal(value)] as const);
  const isPair = pairs.every(({ length }) => length === 2);
  return isPair && numbers.every(([key, value]) => key !== '' && Number.isFinite(value))
    ? { value: Object.fromEntries(numbers) }
    : { fault };
}

const isAllowed = ({ kind, min, max, isExclusive }: FieldDescription, value: number) =>
  Number.isFinite(value) &&
  (kind === 'number' || Number.isInteger(value)) &&
  (min === undefined || (isExclusive ? value > min : value >= min)) &&
  (max === undefined || (isExclusive ? value < max : value <= max));

/** ` from 8 to 128`; empty without bounds. */
function rangeText({ min, max }: FieldDescription): string {
  return `${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` to ${max}`}`;
}

/** `8 – 128`; empty unless both bounds are given. */
export function rangeLabel({ min, max }: FieldDescription): string {
  return min === undefined || max === undefined ? '' : `${formatBound(min)} – ${formatBound(max)}`;
}

/** The default of a number that the field no longer shows. */
export function defaultText({ defaultValue, kind }: FieldDescription, value: string | boolean): string {
  if (kind !== 'number' && kind !== 'integer') return '';
  if (defaultValue === undefined || value === '' || Number(value) === defaultValue) return '';
  return `Default ${formatRounded(Number(defaultValue), 17)}.`;
}

/** Whether a field differs from its default. */
export function isChanged({ kind, defaultValue }: FieldDescription, value: string | boolean | undefined): boolean {
  if (value === undefined) return false;
  return String(value) !== String(defaultValue ?? (kind === 'switch' ? false : ''));
}
