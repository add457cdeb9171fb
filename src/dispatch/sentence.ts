// A sentence as tokens: words, numbers and marks with their places. One pass, no pattern that can backtrack.

import { tokenize, transliterate } from '../operators/words.ts';

export interface Token {
  readonly kind: 'word' | 'number' | 'mark';
  /** Without case, accents and plural; of a number its text. */
  readonly word: string;
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of a number. */
  readonly value?: number;
  /** Of a number that is written as a word. */
  readonly isSpelled?: boolean;
}

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value): [string, number] => [word, value]),
);
/** From the third on: a second is a unit, and the first k are a number of them. */
const ORDINALS: ReadonlyMap<string, number> = new Map(
  'third fourth fifth sixth seventh eighth ninth tenth'.split(' ').map((word, i): [string, number] => [word, i + 3]),
);

const SPACE = /\s/;
const DIGIT = /\d/;
const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** `1.5`, `1,200.5`, `1e-3`; every part begins with another character, so nothing is tried twice. */
const NUMBER = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:\.\d+)?/y;
const EXPONENT = /[eE][+-]?\d+(?![\p{L}\p{N}])/uy;
/** `× 10^3`, and `10^3` itself. */
const POWER = /\s?[×x*]\s?10\^?([+-]?\d+)/y;
const TEN = /\^([+-]?\d+)/y;
const DIVISOR = /\/(\d+(?:\.\d+)?)(?![\d/.])/y;
/** `half a year`, `half an hour`; no other noun. */
const HALF =
  /\s+an?(?=\s+(?:year|month|week|day|hour|minute|second|metre|meter|kilometre|kilometer|mile|litre|liter|ton)\b)/y;
/** The sides of a lattice: `8^4`. */
const SIDES = /\^\d/y;

const matchAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** The signs of a number in ASCII. */
export const withPlainSigns = (text: string) => text.replaceAll('\u2212', '-').replaceAll('\u00a0', ' ');

export function tokensOf(sentence: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sentence.length; ) {
    const character = sentence[at] ?? '';
    if (SPACE.test(character)) {
      at++;
      continue;
    }
    const token = numberAt(sentence, at) ?? wordAt(sentence, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function numberAt(sentence: string, start: number): Token | undefined {
  const isAfterWord = start > 0 && (WORD.test(sentence[start - 1] ?? '') || sentence[start - 1] === ')');
  const sign = /[+-]/.test(sentence[start] ?? '') ? (sentence[start] ?? '') : '';
  if (sign !== '' && (isAfterWord || !/[\d.]/.test(sentence[start + 1] ?? ''))) return undefined;
  const first = sentence[start + sign.length] ?? '';
  if (!DIGIT.test(first) && !(first === '.' && DIGIT.test(sentence[start + sign.length + 1] ?? ''))) return undefined;
  const digits = matchAt(NUMBER, sentence, start + sign.length)?.[0] ?? '';
  if (digits === '') return undefined;
  let end = start + sign.length + digits.length;
  let value = Number(`${sign}${digits.replaceAll(',', '')}`);
  const exponent = matchAt(EXPONENT, sentence, end)?.[0];
  const power = exponent === undefined ? (matchAt(POWER, sentence, end) ?? undefined) : undefined;
  if (exponent !== undefined) {
    value = Number(`${sign}${digits.replaceAll(',', '')}${exponent}`);
    end += exponent.length;
  } else if (power !== undefined) {
    value = Number(`${sign}${digits.replaceAll(',', '')}e${power[1]}`);
    end += power[0].length;
  } else if (digits === '10' && matchAt(TEN, sentence, end) !== null) {
    const [whole = '', exponentOfTen = ''] = matchAt(TEN, sentence, end) ?? [];
    value = Number(`${sign}1e${exponentOfTen}`);
    end += whole.length;
  } else if (matchAt(SIDES, sentence, end) !== null) end += 2;
  // `8/3`, where no unit follows: "30 km/h" has letters there.
  const divisor = exponent === undefined ? matchAt(DIVISOR, sentence, end) : null;
  if (divisor !== null && Number(divisor[1]) !== 0) {
    value /= Number(divisor[1]);
    end += divisor[0].length;
  }
  const text = sentence.slice(start, end);
  return { kind: 'number', word: digits, text, start, end, value };
}

function wordAt(sentence: string, start: number): Token {
  let end = start;
  while (end < sentence.length) {
    const character = String.fromCodePoint(sentence.codePointAt(end) ?? 0);
    const isInside = /['\u2019]/.test(character) && end > start && /\p{L}/u.test(sentence[end + 1] ?? '');
    if (!WORD.test(character) && !isInside) break;
    end += character.length;
  }
  if (end === start) {
    const text = String.fromCodePoint(sentence.codePointAt(start) ?? 0);
    return { kind: 'mark', word: text, text, start, end: start + text.length };
  }
  const text = sentence.slice(start, end);
  const parts = tokenize(text);
  const word = parts.length === 1 ? (parts[0] ?? '') : transliterate(text).toLowerCase();
  const half = word === 'half' ? matchAt(HALF, sentence, end) : null;
  if (half !== null) {
    const close = end + half[0].length;
    return { kind: 'number', word, text: sentence.slice(start, close), start, end: close, value: 0.5 };
  }
  const value = NUMBER_WORDS.get(word) ?? ORDINALS.get(word);
  if (value !== undefined) return { kind: 'number', word, text, start, end, value, isSpelled: true };
  return { kind: 'word', word, text, start, end };
}
