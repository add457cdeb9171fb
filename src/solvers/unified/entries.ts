// Parses lists and maps, given as JSON or as one text with entries separated by ; or newlines.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';

export type TextOrList = string | readonly string[];
export type TextOrMap<Value> = string | Readonly<Record<string, Value>>;

export function parseList(given: TextOrList | undefined): readonly string[] {
  if (given === undefined) return [];
  const entries = typeof given === 'string' ? given.split(/[;\n]/) : given;
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** A symbol, or the qualified input of an operator: `QM5.L`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?$/;

/** `k = 4; c = 0.3` @throws DomainError VALIDATION_FAILED */
export function parseNumbers(field: string, given: TextOrMap<number> | undefined): ReadonlyMap<string, number> {
  return parseMap(field, given, 'a number', (text) => {
    const value = typeof text === 'number' ? text : text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  });
}

/** `x = m; v = m/s` @throws DomainError VALIDATION_FAILED */
export function parseTexts(field: string, given: TextOrMap<string> | undefined): ReadonlyMap<string, string> {
  return parseMap(field, given, 'a text', (text) => (text === '' ? undefined : text));
}

function parseMap<Value extends string | number>(
  field: string,
  given: TextOrMap<Value> | undefined,
  expected: string,
  parseValue: (text: Value | string) => Value | undefined,
): ReadonlyMap<string, Value> {
  const entries: readonly (readonly [string, Value | string])[] =
    typeof given === 'string' ? parseList(given).map(parsePair(field)) : Object.entries(given ?? {});
  const values = new Map<string, Value>();
  for (const [name, text] of entries) {
    const path = `${field}.${name}`;
    if (!NAME.test(name) || name.length > LIMITS.keyCharacters) {
      throw validationError(field, `${field} names ${JSON.stringify(name)}; a symbol is expected.`);
    }
    if (values.has(name)) throw validationError(path, `${path} is given twice.`, 'DUPLICATE');
    const value = parseValue(text);
    if (value === undefined)
      throw validationError(path, `${path} is ${JSON.stringify(text)}; ${expected} is expected.`);
    values.set(name, value);
  }
  return values;
}

const parsePair = (field: string) => (entry: string) => {
  const equalsIndex = entry.indexOf('=');
  if (equalsIndex < 0)
    throw validationError(field, `${field} holds ${JSON.stringify(entry)}; symbol = value is expected.`);
  return [entry.slice(0, equalsIndex).trim(), entry.slice(equalsIndex + 1).trim()] as const;
};

/** Adds the list, entry number and text of an entry to the errors of its parser. */
export function withPath<Result>(path: string, text: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DomainError) || (error.code !== 'EXPRESSION_INVALID' && error.code !== 'UNIT_MISMATCH')) {
      throw error;
    }
    const message = `${path} (${text}): ${error.message}`;
    throw new DomainError(error.code, message, {
      details: [{ path, code: error.code, message }],
      facts: { ...error.facts, at: path },
    });
  }
}
