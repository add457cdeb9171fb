// The quantities of a sentence: a number with its unit, as symbols ("210 GPa", "1e-4 m2/s") or in words ("30 metres per
// second", "5 %", "6 months").

import { SYMBOL_BY_NAME } from '../core/units/corrections.ts';
import { unitOf } from '../operators/unit-table.ts';
import { withSharedUnits } from './lists.ts';
import type { Quantity } from './quantity.ts';
import type { Token } from './sentence.ts';

const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ['hundred', 2],
  ['thousand', 3],
  ['million', 6],
  ['billion', 9],
]);

/** Spelled units that the corrections of the parser lack. */
const FURTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['metre', 'm'],
  ['km', 'km'],
  ['kilometre', 'km'],
  ['kilometer', 'km'],
  ['centimetre', 'cm'],
  ['centimeter', 'cm'],
  ['millimetre', 'mm'],
  ['millimeter', 'mm'],
  ['micrometre', 'um'],
  ['nanometre', 'nm'],
  ['nanometer', 'nm'],
  ['gramme', 'g'],
  ['kilo', 'kg'],
  ['milligram', 'mg'],
  ['ton', 't'],
  ['millisecond', 'ms'],
  ['amp', 'A'],
  ['day', 'day'],
  ['week', 'week'],
  ['gigapascal', 'GPa'],
  ['megapascal', 'MPa'],
  ['kilonewton', 'kN'],
  ['kilojoule', 'kJ'],
  ['kilowatt', 'kW'],
  ['megawatt', 'MW'],
  ['celsius', 'degC'],
  ['fahrenheit', 'degF'],
  ['usd', 'USD'],
  ['bar', 'bar'],
  ['percent', 'percent'],
  ['feet', 'ft'],
  ['inche', 'in'],
]);

/** Symbols of units that are words or names of quantities more often, or labels of results. */
const NO_UNITS: ReadonlySet<string> = new Set(
  'in a as at t u c x count zeros decisions plaq signal pu var mas ha rem Gal mol. B b k K. E e'.split(' '),
);

const SUPERSCRIPTS: Readonly<Record<string, string>> = { '\u00b2': '^2', '\u00b3': '^3', '\u207b\u00b9': '^-1' };

/** Characters of a unit that is written with symbols. */
const SYMBOLS = /[A-Za-z%$\u00b0\u00b5\u03bc\u03a9\u2126\u212b/*^()\u00b7\u00b2\u00b3\u207b\u00b9\d_-]/;
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['Pa s', 's'],
  ['N m', 'm'],
  ['ohm m', 'm'],
]);
/** Before a K: `W/m K`, `J/kg K`. */
const PER_KELVIN = /^[kM]?(?:W\/m(?:\^2)?|J\/(?:g|kg|mol))$/;
const MAX_UNIT = 24;
const MAX_UNIT_WORDS = 6;

/** Further numbers of a sentence are not read. */
const MAX_QUANTITIES = 32;

export function quantitiesOf(sentence: string, tokens: readonly Token[]): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length && found.length < MAX_QUANTITIES; at++) {
    const token = tokens[at];
    const compounding = compoundingAt(sentence, tokens, at);
    if (compounding !== undefined) {
      found.push(compounding);
      at = compounding.to - 1;
      continue;
    }
    if (token?.kind !== 'number' || token.value === undefined || tokens[at - 1]?.text === '^') continue;
    const one = quantityAt(sentence, tokens, at, token.value);
    if (!isYear(one, tokens)) found.push(one);
    at = one.to - 1;
  }
  return withSharedUnits(tokens, found);
}

/** Compoundings in a year. */
const PER_YEAR: ReadonlyMap<string, number> = new Map([
  ['annual', 1],
  ['annually', 1],
  ['yearly', 1],
  ['semiannually', 2],
  ['quarterly', 4],
  ['monthly', 12],
  ['weekly', 52],
  ['daily', 365],
]);

const TIMES_A_YEAR = ['times', 'a|per|each|every', 'year'].map((words) => new RegExp(`^(?:${words})$`, 'i'));

/** "compounded monthly", "monthly compounding", "compounded 12 times a year": how often a year. */
function compoundingAt(sentence: string, tokens: readonly Token[], at: number): Quantity | undefined {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first === undefined || second === undefined) return undefined;
  if (/^compounded$/i.test(first.text) && second.value !== undefined) {
    const to = at + 2 + TIMES_A_YEAR.length;
    if (!TIMES_A_YEAR.every((word, i) => word.test(tokens[at + 2 + i]?.text ?? ''))) return undefined;
    const words = sentence.slice(first.start, tokens[to - 1]?.end);
    return { from: at, to, value: second.value, words, isSpelled: false, isCompounding: true };
  }
  const isBefore = /^compound(?:ed|s|ing)?$/i.test(first.text);
  if (!isBefore && !/^compound(?:ed|ing)$/i.test(second.text)) return undefined;
  const value = PER_YEAR.get((isBefore ? second : first).text.toLowerCase());
  if (value === undefined) return undefined;
  const words = sentence.slice(first.start, second.end);
  return { from: at, to: at + 2, value, words, isSpelled: false, isCompounding: true };
}

const BEFORE_YEARS: ReadonlySet<string> = new Set(['in', 'since', 'until', 'year']);

/** A year of the calendar is no number of a law: the end of a sentence, or of a part of it, as "in 2010". */
function isYear({ from, to, value, unit, words }: Quantity, tokens: readonly Token[]): boolean {
  if (unit !== undefined || !/^(?:1[6-9]|20)\d\d$/.test(words) || !Number.isInteger(value)) return false;
  const next = tokens[to];
  return BEFORE_YEARS.has(tokens[from - 1]?.word ?? '') && (next === undefined || /^[,.;?]$/.test(next.text));
}

function quantityAt(sentence: string, tokens: readonly Token[], at: number, number: number): Quantity {
  const first = tokens[at] as Token;
  let to = at + 1;
  let value = number;
  let shift = MULTIPLES.get(tokens[to]?.word ?? '');
  if (tokens[to]?.word === 'k' && tokens[to]?.text === 'k' && tokens[to]?.start === first.end) shift = 3;
  if (shift !== undefined) {
    value = Number(`${number}e${shift}`);
    to++;
  }
  const start = tokens[at - 1]?.text === '$' ? at - 1 : at;
  const unitAt = (from: number) => symbolsAt(sentence, tokens, from) ?? wordsAt(tokens, from);
  const behind = isHyphenated(tokens, to) ? to + 1 : to;
  const unit = start < at ? { text: 'USD', to } : unitAt(behind);
  const end = unit?.to ?? to;
  const words = sentence.slice(tokens[start]?.start, tokens[end - 1]?.end);
  const base = { from: start, to: end, words, isSpelled: first.isSpelled === true };
  if (unit === undefined) return { ...base, value };
  return unit.text === 'month' ? { ...base, value: value / 12, unit: 'yr' } : { ...base, value, unit: unit.text };
}

/** Behind a hyphen these are no units: "3-D", "a 4-bar linkage". */
const NO_ADJECTIVES: ReadonlySet<string> = new Set(['D', 'bar']);

/** Whether a unit may follow behind a hyphen: "a 6-month call", "a two-ton rock". */
function isHyphenated(tokens: readonly Token[], at: number): boolean {
  const [number, hyphen, unit] = tokens.slice(at - 1, at + 2);
  if (number === undefined || hyphen?.text !== '-' || unit?.kind !== 'word' || NO_ADJECTIVES.has(unit.text))
    return false;
  return hyphen.start === number.end && unit.start === hyphen.end;
}

interface FoundUnit {
  readonly text: string;
  /** Index behind the last token. */
  readonly to: number;
}

/** The longest run of characters behind a number that is a unit. */
function symbolsAt(sentence: string, tokens: readonly Token[], at: number): FoundUnit | undefined {
  const next = tokens[at];
  const before = tokens[at - 1];
  if (next === undefined || before === undefined || next.start - before.end > 1) return undefined;
  let end = next.start;
  while (end < sentence.length && end - next.start < MAX_UNIT && SYMBOLS.test(sentence[end] ?? '')) end++;
  // `W/(m K)`: a space within brackets is a product.
  if (sentence[end] === ' ' && sentence.lastIndexOf('(', end) >= next.start) {
    const close = sentence.indexOf(')', end);
    if (close > 0 && close - next.start < MAX_UNIT) end = close + 1;
  }
  for (let to = Math.min(tokens.length, at + MAX_UNIT); to > at; to--) {
    const last = tokens[to - 1];
    if (last === undefined || last.end > end) continue;
    const text = asUnit(sentence.slice(next.start, last.end));
    if (text === undefined || tokens[to]?.text === '=') continue;
    // "Pa s" and "N m": a space as the product.
    const product = PRODUCTS.get(`${text.replace(/^[a-zA-Z](?=Pa|N)/, '')} ${tokens[to]?.text}`);
    if (tokens[to]?.text === 'K' && PER_KELVIN.test(text)) return { text: `${text}/K`, to: to + 1 };
    return product === undefined ? { text, to } : { text: `${text}*${product}`, to: to + 1 };
  }
  return undefined;
}

/** A unit of the parser; undefined if the text is none. */
function asUnit(written: string): string | undefined {
  let text = written
    .replaceAll(/[\u00b5\u03bc]/g, 'u')
    .replaceAll(/[\u03a9\u2126]/g, 'ohm')
    .replaceAll('\u00b7', '*');
  for (const [sign, power] of Object.entries(SUPERSCRIPTS)) text = text.replaceAll(sign, power);
  text = text.replaceAll(/([A-Za-z])(-?\d)/g, '$1^$2').replaceAll(' ', '*');
  if (/^(\u00b0|deg)C$/.test(text)) return 'degC';
  if (/^(\u00b0|deg)F$/.test(text)) return 'degF';
  if (text === '\u00b0') return 'deg';
  if (text === '$') return 'USD';
  if (NO_UNITS.has(text) || !/^(?:[A-Za-z%(]|1\/)/.test(text) || /[+$]|[*/^]$/.test(text)) return undefined;
  return isUnit(text) ? text : undefined;
}

function isUnit(text: string): boolean {
  try {
    unitOf(text);
    return true;
  } catch {
    return false;
  }
}

/** `metres per second squared`, `per day`, `percent`, `degrees celsius` */
function wordsAt(tokens: readonly Token[], at: number): FoundUnit | undefined {
  let text = '';
  let best: FoundUnit | undefined;
  let divides = false;
  let power = '';
  for (let to = at; to < Math.min(tokens.length, at + MAX_UNIT_WORDS); to++) {
    const { word = '', kind } = tokens[to] ?? {};
    if (kind === 'word' && word === 'month' && text === '') return { text: 'month', to: to + 1 };
    if (word === 'per' || word === '/') {
      divides = true;
      if (text === '') text = '1';
      continue;
    }
    if (word === 'square' || word === 'cubic') {
      power = word === 'square' ? '^2' : '^3';
      continue;
    }
    if (word === 'squared' || word === 'cubed') {
      if (text === '') break;
      text += word === 'squared' ? '^2' : '^3';
      best = isUnit(text) ? { text, to: to + 1 } : best;
      continue;
    }
    const symbol = kind === 'word' ? (symbolOf(tokens[to] as Token) ?? undefined) : undefined;
    if (symbol === undefined || tokens[to + 1]?.text === '=') break;
    if (symbol === 'degC' || symbol === 'degF')
      return text === '' || text === 'deg' ? { text: symbol, to: to + 1 } : best;
    if (text !== '' && !divides) break;
    text = text === '' ? `${symbol}${power}` : `${text}/${symbol}${power}`;
    [divides, power] = [false, ''];
    best = isUnit(text) ? { text, to: to + 1 } : best;
  }
  return best;
}

function symbolOf({ word, text }: Token): string | undefined {
  const named = FURTHER_NAMES.get(word) ?? (word.length > 2 ? SYMBOL_BY_NAME.get(word) : undefined);
  if (named !== undefined) return named;
  return NO_UNITS.has(text) || text.length > 4 || !isUnit(text) ? undefined : text;
}
