// Parses lists and maps, given as JSON or as one text with entries separated by ; or newlines, or by commas where these
// can mean nothing else.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Syntax } from '../../expressions/scan.ts';
import { validationError } from '../parts/errors.ts';

export type TextOrList = string | readonly string[];
export type TextOrMap<Value> = string | Readonly<Record<string, Value>>;

/** Entries of which each may hold commas. */
export function parseList(given: TextOrList | undefined): readonly string[] {
  if (given === undefined) return [];
  const entries = typeof given === 'string' ? given.split(/[;\n]/) : given.flatMap((entry) => entry.split(';'));
  return entries.map((entry) => withPlainPrimes(entry).trim()).filter((entry) => entry !== '');
}

/** Entries that are names or expressions, which have commas only inside parentheses. */
export const parseItems = (given: TextOrList | undefined): readonly string[] =>
  parseList(given)
    .flatMap(splitAtCommas)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The = of an equation, except in == <= >= !=. */
export const EQUALS = /(?<![<>=!])=(?!=)/;

/** Entries like `k = 4`: a comma separates two of them, if both sides have an =. */
export const parseAssignments = (given: TextOrList | undefined): readonly string[] =>
  parseList(given).flatMap((entry) => {
    const parts = splitAtCommas(entry);
    return parts.every((part) => EQUALS.test(part)) ? parts.map((part) => part.trim()) : [entry];
  });

/** Splits at commas outside parentheses. */
export function splitAtCommas(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** The syntax of the caller's expressions, which may read x'. */
export const PRIMED: Syntax = { primedNames: true };

/** Derivatives with the primes of a text editor. */
const withPlainPrimes = (text: string) => text.replace(/[\u2019\u2032]/g, "'").replace(/\u2033/g, "''");

/** A symbol, perhaps a derivative, or the qualified input of an operator: `QM5.L`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(?:'+|\.[A-Za-z_][A-Za-z0-9_]*)?$/;

/** `k = 4; c = 0.3` @throws DomainError VALIDATION_FAILED */
export function parseNumbers(field: string, given: TextOrMap<number> | undefined): ReadonlyMap<string, number> {
  return parseMap(field, given, 'a number with a decimal point', (text) => {
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
    typeof given === 'string' ? parseAssignments(given).map(parsePair(field)) : Object.entries(given ?? {});
  const values = new Map<string, Value>();
  for (const [name, text] of entries) {
    const path = `${field}.${name}`;
    if (!NAME.test(name) || name.length > LIMITS.keyCharacters) {
      throw validationError(field, `${field} names ${JSON.stringify(name)}; a symbol is expected.`);
    }
    if (values.has(name)) throw validationError(path, `${path} is given twice.`, 'DUPLICATE');
    const value = parseValue(text);
    if (value === undefined)
      throw validationError(
        path,
        `${path} is ${JSON.stringify(text)}; ${expected} is expected.${uncertaintyHint(text)}`,
      );
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

/** A next step for `2(1)` and `2 ± 1`, which stand in no expression. */
const uncertaintyHint = (text: string | number) =>
  /±|\d\(\d+\)/.test(String(text)) ? ' Give a standard uncertainty in uncertainties, as x = 0.1.' : '';

/** Adds the list, entry number and text of an entry to the errors of its parser. */
export function withPath<Result>(path: string, text: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DomainError) || (error.code !== 'EXPRESSION_INVALID' && error.code !== 'UNIT_MISMATCH')) {
      throw error;
    }
    const message = `${path} (${text}): ${error.message}${uncertaintyHint(text)}`;
    throw new DomainError(error.code, message, {
      details: [{ path, code: error.code, message }],
      facts: { ...error.facts, at: path },
    });
  }
}
