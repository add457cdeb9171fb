// Tokenization for the search: words without case, accents and plurals, Greek letters by name.

import { unitOf } from './unit-table.ts';

const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega'.split(
    ' ',
  );
const SMALL_ALPHA = 0x3b1;
const CAPITAL_ALPHA = 0x391;

const GREEK_NAMES: ReadonlyMap<string, string> = new Map([
  ...GREEK.map((name, i): [string, string] => [String.fromCharCode(SMALL_ALPHA + i), name]),
  ...GREEK.map((name, i): [string, string] => [
    String.fromCharCode(CAPITAL_ALPHA + i),
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  ]),
  ['\u0127', 'hbar'],
]);

/** To ASCII, as the registry is written: `Schrödinger` → `Schrodinger`, `λ` → `lambda`. Keeps case. */
export function transliterate(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[\u0127\u0391-\u03c9]/g, (letter) => GREEK_NAMES.get(letter) ?? letter);
}

/** The words of a text in order, normalized for comparison. */
export function tokenize(text: string): string[] {
  return transliterate(text)
    .toLowerCase()
    .replaceAll(/['\u2019]s\b/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(stem);
}

/** A light plural stemmer: `waves` → `wave`, `masses` → `mass`, `boxes` → `box`. */
function stem(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(ss|x|ch|sh|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Some are symbols too, so a search drops them only from a query with other words. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about all also am an and any are as at be been being between both but by can could did do does doing done for from given got had has have having he her here him his how i if in into is it its just let may me might more my no not of on or our over per please really she should so some someone something still such than that the their then there these they this those through to too under us used using very was we were what when where whether which while who whom with within without you your'
    .split(' ')
    .map(stem),
);

/** Words of questions about anything: they count where a law has them, and are not missed where it lacks them. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  'calculate calculation compute equation find formula get go law long many much my need needed number often should take theorem until value will work would'
    .split(' ')
    .map(stem),
);

const QUANTITY = /(?<![\w^*/(.])[+-]?\d[\d.,]*(?:e[+-]?\d+)?\s*([A-Za-z]+(?:[/*^]-?\w+)*)?/gi;

/** A question without its numbers and their units: `car of 1200 kg at 30 m/s` → `car of at`. */
export const withoutQuantities = (text: string) =>
  text.replaceAll(QUANTITY, (_, unit: string | undefined) => (unit === undefined || isUnit(unit) ? ' ' : ` ${unit} `));

/** A symbol of a unit that is no word: "s", "kg", "kHz". Says nothing about a domain. */
export const isUnitSymbol = (token: string) =>
  (token.length <= 2 || (token.length <= 4 && /[A-Z]/.test(token.slice(1)))) && isUnit(token);

function isUnit(text: string): boolean {
  try {
    unitOf(text);
    return true;
  } catch {
    return false;
  }
}
