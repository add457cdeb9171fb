// JSON from outside, kept as it came or refused: the hash of something else than what was sent is no receipt.
//
// JSON.parse rounds 9007199254740993, makes 1e400 infinite and 1e-400 zero, and drops all but the last of equal keys.
// It validates the syntax here; one pass over the text beside it finds what it changed. Parsers in JavaScript that keep
// every digit (lossless-json) replace JSON.parse and are several times slower; reviver sources need Node 21.

import { DomainError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { shortText } from './plain-text.ts';

/**
 * The value of JSON.parse, if it says what the text says.
 *
 * Kept: decimals (with a point or an exponent) as the nearest double; integers that a double holds exactly, or that are
 * the shortest digits of a double, as programs write them. Refused: other integers, numbers beyond the range of doubles,
 * a key twice in one object, lone surrogates.
 *
 * @throws SyntaxError for what is not JSON
 * @throws DomainError VALIDATION_FAILED naming the path
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  assertLossless(text);
  return value;
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * The text of the bytes of a file or body, without a byte order mark. Other bytes than those of UTF-8 would become signs
 * that nobody wrote.
 *
 * @throws DomainError BAD_REQUEST
 */
export function utf8Text(bytes: Uint8Array, name: string): string {
  try {
    return DECODER.decode(bytes);
  } catch (cause) {
    throw new DomainError('BAD_REQUEST', `${name} is not JSON: it is not UTF-8.`, { cause });
  }
}

/** An open object with its keys so far, or an open list with the index of its current element. */
interface Level {
  readonly isObject: boolean;
  readonly keys: string[];
  /** The same keys, once there are many. */
  set: Set<string> | undefined;
  index: number;
}

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_LIST = 91;
const CAPITAL_E = 69;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const SMALL_E = 101;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Integers of so many characters are below 2^53. */
const SAFE_INTEGER = 15;
/** Decimals of so many characters, with so many in the exponent and its e or sign, are between 1e-299 and 1e300. */
const SAFE_DECIMAL = 200;
const SAFE_EXPONENT = 3;
/** So many keys are compared one by one. */
const FEW_KEYS = 8;

/**
 * In linear time, without recursion.
 *
 * @param text  valid JSON
 * @throws DomainError VALIDATION_FAILED for the first place that JSON.parse changes
 */
export function assertLossless(text: string): void {
  const levels: Level[] = [];
  let level: Level | undefined;
  let isKey = false;
  if (!text.isWellFormed()) refuseSurrogate(levels, false);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case QUOTE: {
        const end = endOfString(text, at);
        const content = contentOf(text, at, end);
        if (content === undefined) refuseSurrogate(levels, isKey);
        if (isKey && level !== undefined) addKey(level, content, levels);
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        isKey = code === OPEN_OBJECT;
        level = { isObject: isKey, keys: [], set: undefined, index: 0 };
        levels.push(level);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        levels.pop();
        level = levels.at(-1);
        isKey = false;
        break;
      case COLON:
        isKey = false;
        break;
      case COMMA:
        if (level === undefined) break;
        isKey = level.isObject;
        level.index++;
        break;
      default:
        if (code === MINUS || (code >= ZERO && code <= NINE)) at = endOfNumber(text, at, levels) - 1;
    }
  }
}

function addKey(level: Level, key: string, levels: readonly Level[]): void {
  const { keys } = level;
  if (keys.length === FEW_KEYS) level.set = new Set(keys);
  const isRepeated = level.set?.has(key) ?? keys.includes(key);
  keys.push(key);
  level.set?.add(key);
  if (isRepeated) refuse(levels, 'DUPLICATE', 'is given twice; one value is expected');
}

/** Index of the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let backslash = end;
    while (text.charCodeAt(backslash - 1) === BACKSLASH) backslash--;
    if ((end - backslash) % 2 === 0) return end;
  }
}

/** The string between two quotes; undefined for one with an escaped lone surrogate. */
function contentOf(text: string, from: number, end: number): string | undefined {
  const raw = text.slice(from + 1, end);
  if (!raw.includes('\\')) return raw;
  const content = JSON.parse(text.slice(from, end + 1)) as string;
  return content.isWellFormed() ? content : undefined;
}

/** A key that is no Unicode text cannot stand in the path. */
function refuseSurrogate(levels: readonly Level[], isKey: boolean): never {
  const what = isKey ? 'has a key with a lone surrogate' : 'has a lone surrogate';
  refuse(isKey ? levels.slice(0, -1) : levels, 'LONE_SURROGATE', `${what}; Unicode text is expected`);
}

/** Index after the number at `from`. @throws DomainError for a number that JSON.parse changes */
function endOfNumber(text: string, from: number, levels: readonly Level[]): number {
  let end = from + 1;
  let isInteger = true;
  let exponent = 0;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code >= ZERO && code <= NINE) continue;
    if (code === POINT) isInteger = false;
    else if (code === SMALL_E || code === CAPITAL_E || code === PLUS || code === MINUS) exponent = end;
    else break;
  }
  const length = end - from;
  const isSafe =
    exponent > 0
      ? length <= SAFE_DECIMAL && end - exponent <= SAFE_EXPONENT
      : length <= (isInteger ? SAFE_INTEGER : SAFE_DECIMAL);
  if (!isSafe) assertNumber(text.slice(from, end), isInteger && exponent === 0, levels);
  return end;
}

function assertNumber(literal: string, isInteger: boolean, levels: readonly Level[]): void {
  const value = Number(literal);
  const shown = () => shortText(literal, LIMITS.keyCharacters);
  if (!Number.isFinite(value))
    refuse(levels, 'OUT_OF_RANGE', `is ${shown()}; a number up to 1.7976931348623157e308 in size is expected`);
  if (value === 0 && /^-?[0.]*[1-9]/.test(literal))
    refuse(levels, 'OUT_OF_RANGE', `is ${shown()}; 0 or a number from 5e-324 in size is expected`);
  if (!isInteger || BigInt(literal) === BigInt(value) || String(value) === literal) return;
  const nearest = `an integer that a double holds is expected, like ${BigInt(value)}, or the digits as a text`;
  refuse(levels, 'NOT_EXACT', `is ${shown()}; ${nearest}`);
}

function refuse(levels: readonly Level[], code: string, reason: string): never {
  const steps = levels.map(({ isObject, keys, index }) => (isObject ? (keys.at(-1) ?? '') : String(index)));
  const path = steps.map((step) => shortText(step, LIMITS.keyCharacters)).join('.');
  const message = `${path === '' ? 'The value' : path} ${reason}.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}
