// Lists and maps as callers write them: as JSON, or as one text with ; or a new line between the entries.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';

export type TextOrList = string | readonly string[];
export type TextOrMap<Value> = string | Readonly<Record<string, Value>>;

export function listOf(given: TextOrList | undefined): readonly string[] {
  if (given === undefined) return [];
  const entries = typeof given === 'string' ? given.split(/[;\n]/) : given;
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** A name, or that of one operator's input: `QM5.L`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?$/;

/** `k = 4; c = 0.3` @throws DomainError VALIDATION_FAILED */
export function numbersOf(field: string, given: TextOrMap<number> | undefined): ReadonlyMap<string, number> {
  return mapOf(field, given, 'a number', (text) => {
    const value = typeof text === 'number' ? text : text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  });
}

/** `x = m; v = m/s` @throws DomainError VALIDATION_FAILED */
export function textsOf(field: string, given: TextOrMap<string> | undefined): ReadonlyMap<string, string> {
  return mapOf(field, given, 'a text', (text) => (text === '' ? undefined : text));
}

function mapOf<Value extends string | number>(
  field: string,
  given: TextOrMap<Value> | undefined,
  expected: string,
  read: (text: Value | string) => Value | undefined,
): ReadonlyMap<string, Value> {
  const entries: readonly (readonly [string, Value | string])[] =
    typeof given === 'string' ? listOf(given).map(pairOf(field)) : Object.entries(given ?? {});
  const found = new Map<string, Value>();
  for (const [name, text] of entries) {
    const path = `${field}.${name}`;
    if (!NAME.test(name) || name.length > LIMITS.keyCharacters) {
      throw refusal(field, `${field} names ${JSON.stringify(name)}; a symbol is expected.`);
    }
    if (found.has(name)) throw refusal(path, `${path} is given twice.`, 'DUPLICATE');
    const value = read(text);
    if (value === undefined) throw refusal(path, `${path} is ${JSON.stringify(text)}; ${expected} is expected.`);
    found.set(name, value);
  }
  return found;
}

const pairOf = (field: string) => (entry: string) => {
  const at = entry.indexOf('=');
  if (at < 0) throw refusal(field, `${field} holds ${JSON.stringify(entry)}; symbol = value is expected.`);
  return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()] as const;
};

export function refusal(
  path: string,
  message: string,
  code = 'NOT_ALLOWED',
  facts: Readonly<Record<string, unknown>> = {},
): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }], facts });
}

/** Complaints about one entry of a list say which: the list's name, the entry and its text. */
export function within<Result>(path: string, text: string, body: () => Result): Result {
  try {
    return body();
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
