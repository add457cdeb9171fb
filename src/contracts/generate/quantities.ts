// Parses numbers, durations, times of day and time zones.

import { cronFault } from '../calendar.ts';
import { MAX_TICKS, ticksOfDuration } from '../durations.ts';
import { type TokenCursor, words } from './token-cursor.ts';

export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, n) => [word, n]),
);
const SIGNED: ReadonlySet<string> = words('minus -');
const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
]);
export const UNITS: ReadonlySet<string> = words(
  '% ° percent degree degrees celsius fahrenheit kelvin c f k volt volts v watt watts kw kwh bar mbar psi pascal kpa hpa hz rpm ppm mph km h meter meters m metre metres kg g usd eur dollar dollars euro euros pound pounds $ €',
);

/** A number in digits or as a word, with an optional sign and scale (`thousand`). */
export function parseNumber(cursor: TokenCursor): number | undefined {
  return cursor.attempt((at) => {
    const isNegative = at.takeAny(SIGNED) !== undefined;
    at.takeAny(CURRENCY);
    const { kind, value } = at.peek();
    const found = kind === 'number' ? Number(value) : kind === 'word' ? NUMBER_WORDS.get(value) : undefined;
    if (found === undefined || !Number.isFinite(found) || GROUPED.test(value)) return undefined;
    at.next();
    const scale = SCALES.get(at.peek().value);
    if (scale !== undefined) at.next();
    const whole = found * (scale ?? 1);
    return whole > Number.MAX_SAFE_INTEGER ? undefined : isNegative ? -whole : whole;
  });
}
/** `1.500` is one and a half to some and fifteen hundred to others. */
const GROUPED = /^[1-9]\d{0,2}\.\d{3}$/;
const CURRENCY: ReadonlySet<string> = words('$ €');

/** Behind a slash in a unit: `km/h`. */
const PER: ReadonlySet<string> = words('h s min m l kg');

/** Skips units after a number. */
export function skipUnits(cursor: TokenCursor): void {
  while (cursor.takeAny(UNITS) !== undefined || cursor.take('/', PER));
}

/** A whole number from 1 on, or `once`, `twice`, `thrice`. */
export function parseCount(cursor: TokenCursor): number | undefined {
  return cursor.attempt((at) => {
    const adverb = TIMES.get(at.peek().value);
    if (adverb !== undefined) {
      at.next();
      return adverb;
    }
    const found = parseNumber(at);
    return found !== undefined && Number.isInteger(found) && found >= 1 && found <= MAX_COUNT ? found : undefined;
  });
}
const MAX_COUNT = 100_000;
const TIMES: ReadonlyMap<string, number> = new Map([
  ['once', 1],
  ['twice', 2],
  ['thrice', 3],
]);

const PERIODS: ReadonlyMap<string, (n: number) => string> = new Map(
  (
    [
      ['second seconds sec secs s', (n) => `PT${n}S`],
      ['minute minutes min mins', (n) => `PT${n}M`],
      ['hour hours hr hrs h', (n) => `PT${n}H`],
      ['day days d', (n) => `P${n}D`],
      ['week weeks', (n) => `P${n}W`],
    ] as const satisfies readonly (readonly [string, (n: number) => string])[]
  ).flatMap(([names, write]) => names.split(' ').map((name) => [name, write] as const)),
);
const MONTHS: ReadonlyMap<string, number> = new Map([
  ['month', 30],
  ['months', 30],
  ['year', 365],
  ['years', 365],
]);

export interface Span {
  readonly ticks: number;
  /** The parsed duration in words. */
  readonly description: string;
}

/** `5 minutes`, `an hour`, `half an hour`, `90 ticks`, `2 months` (of 30 days). */
export function parseSpan(cursor: TokenCursor): Span | undefined {
  return cursor.attempt((at) => {
    const isHalf = at.take('half', 'an') || at.take('half', 'a');
    const isOne = !isHalf && (at.take('a') || at.take('an'));
    const found = isHalf ? 0.5 : isOne ? 1 : parseNumber(at);
    if (found === undefined || found <= 0) return undefined;
    return spanOf(found, at.next().value);
  });
}

/** A span of `n` units; undefined for an unknown unit or a span that is too long. */
export function spanOf(n: number, unit: string): Span | undefined {
  if (unit === 'tick' || unit === 'ticks') {
    return Number.isInteger(n) && n <= MAX_TICKS ? { ticks: n, description: `${n} ticks` } : undefined;
  }
  const days = MONTHS.get(unit);
  const write = PERIODS.get(unit) ?? (days === undefined ? undefined : (months: number) => `P${months * days}D`);
  if (write === undefined || n > MAX_TICKS) return undefined;
  const iso = Number.isInteger(n) ? write(n) : inSeconds(write, n);
  const ticks = iso === undefined ? undefined : ticksOfDuration(iso);
  return iso === undefined || ticks === undefined ? undefined : { ticks, description: `${iso} (${ticks} ticks)` };
}

/** A fraction of a unit as an ISO duration in whole seconds, rounded up; undefined for units without a fixed length. */
function inSeconds(write: (n: number) => string, n: number): string | undefined {
  const seconds = SECONDS.get(write(1));
  return seconds === undefined ? undefined : `PT${Math.ceil(n * seconds)}S`;
}
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['PT1S', 1],
  ['PT1M', 60],
  ['PT1H', 3_600],
  ['P1D', 86_400],
  ['P1W', 604_800],
]);

export interface Clock {
  readonly hour: number;
  readonly minute: number;
}

/** `09:00`, `9am`, `5:30 pm`, `noon`, `midnight`. */
export function parseClock(cursor: TokenCursor): Clock | undefined {
  return cursor.attempt((at) => {
    if (at.take('noon')) return { hour: 12, minute: 0 };
    if (at.take('midnight')) return { hour: 0, minute: 0 };
    const { kind, value } = at.next();
    if (kind !== 'clock' && kind !== 'number') return undefined;
    const [hours = '', minutes = '0'] = value.split(':');
    const half = at.takeAny(HALVES);
    if (kind === 'number' && half === undefined && !at.take("o'clock")) return undefined;
    const hour = Number(hours);
    const minute = Number(minutes);
    if (!Number.isInteger(hour) || minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined;
    return { hour: half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0), minute };
  });
}
const HALVES: ReadonlySet<string> = words('am pm');

/** `Europe/Berlin`, `UTC`, `in UTC`. */
export function parseZone(cursor: TokenCursor): string | undefined {
  return cursor.attempt((at) => {
    at.take('in');
    const { kind, value } = at.next();
    if (kind === 'word' && (value === 'utc' || value === 'gmt')) return 'UTC';
    return kind === 'zone' && cronFault('0 0 * * *', value) === undefined ? value : undefined;
  });
}
