// Parses time triggers: periods, times of day, delays.

import { type Clock, parseClock, parseCount, parseSpan, parseZone, type Span, spanOf } from './quantities.ts';
import { type TokenCursor, words } from './token-cursor.ts';

export type TimeTrigger =
  | ({ readonly kind: 'every' } & Span)
  | ({ readonly kind: 'after' } & Span)
  | { readonly kind: 'cron'; readonly cron: string; readonly tz: string; readonly description: string };

const DAYS: ReadonlyMap<string, string> = new Map(
  [
    ['sunday', '0'],
    ['monday', '1'],
    ['tuesday', '2'],
    ['wednesday', '3'],
    ['thursday', '4'],
    ['friday', '5'],
    ['saturday', '6'],
    ['weekday', '1-5'],
    ['workday', '1-5'],
    ['weekend', '0,6'],
  ].flatMap(([name = '', field = '']) => [
    [name, field],
    [`${name}s`, field],
  ]),
);
const ADVERBS: ReadonlyMap<string, string> = new Map([
  ['hourly', 'hour'],
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
]);
const EVERY: ReadonlySet<string> = words('every each');
const ORDINAL = /^(\d{1,2})(st|nd|rd|th)?$/;

/** The parts of a calendar time; a missing part matches any value. */
interface CalendarDay {
  readonly weekday?: string;
  readonly day?: number;
}

export function parseTimeTrigger(cursor: TokenCursor): TimeTrigger | undefined {
  return (
    parseDelay(cursor) ??
    cursor.attempt(parseTimeThenDay) ??
    cursor.attempt(parseDayOfMonth) ??
    cursor.attempt(parsePeriod)
  );
}

/** `after 30 days`, `in 2 hours`, `30 days later`. */
function parseDelay(cursor: TokenCursor): TimeTrigger | undefined {
  return cursor.attempt((at) => {
    if (!at.take('after') && !at.take('in') && !at.take('once') && !at.take('wait')) return undefined;
    const span = parseSpan(at);
    return span && { kind: 'after', ...span };
  });
}

/** `at 9am Europe/Berlin every weekday`. */
function parseTimeThenDay(at: TokenCursor): TimeTrigger | undefined {
  const time = at.take('at') ? parseClock(at) : undefined;
  if (time === undefined) return undefined;
  const zoneBefore = parseZone(at);
  const isDaily = at.take('daily') || at.take(EVERY, 'day');
  const weekday = isDaily || !(at.takeAny(EVERY) || at.take('on')) ? undefined : DAYS.get(at.next().value);
  const { hour, minute } = time;
  return isDaily || weekday !== undefined
    ? cron(`${minute} ${hour} * * ${weekday ?? '*'}`, zoneBefore ?? parseZone(at) ?? 'UTC')
    : undefined;
}

/** `on the 1st of every month at 06:00`. */
function parseDayOfMonth(at: TokenCursor): TimeTrigger | undefined {
  if (!at.take('on')) return undefined;
  at.take('the');
  const day = parseOrdinal(at);
  if (day === undefined || !at.take('of', EVERY, 'month')) return undefined;
  return parseTimeAndZone(at, { day });
}

function parsePeriod(at: TokenCursor): TimeTrigger | undefined {
  const adverb = ADVERBS.get(at.peek().value);
  if (adverb !== undefined) {
    at.next();
    return periodOf(at, 1, adverb);
  }
  if (!at.takeAny(EVERY) && !at.take('on', DAY_NAMES)) return undefined;
  const before = at.peek(-1).value;
  const weekday = DAYS.get(before) ?? DAYS.get(at.peek().value);
  if (weekday !== undefined) {
    if (!DAYS.has(before)) at.next();
    return parseTimeAndZone(at, { weekday });
  }
  const isEverySecond = at.take('other') || at.take('second');
  const n = isEverySecond ? 2 : (parseCount(at) ?? 1);
  return periodOf(at, n, at.next().value);
}
const DAY_NAMES: ReadonlySet<string> = new Set(DAYS.keys());

function periodOf(at: TokenCursor, n: number, unit: string): TimeTrigger | undefined {
  const name = unit.endsWith('s') ? unit.slice(0, -1) : unit;
  if (n === 1 && name === 'day') return parseTimeAndZone(at, {}) ?? every(1, 'day');
  if (n === 1 && name === 'week') return at.attempt(parseOnWeekday) ?? every(1, 'week');
  if (n === 1 && name === 'month') {
    const day = at.attempt((rest) => (rest.take('on', 'the') || rest.take('on') ? parseOrdinal(rest) : undefined));
    return parseTimeAndZone(at, { day: day ?? 1 });
  }
  return at.attempt((rest) => parseHourRange(rest, n, name)) ?? every(n, name);
}

function parseOnWeekday(at: TokenCursor): TimeTrigger | undefined {
  if (!at.take('on')) return undefined;
  const weekday = DAYS.get(at.next().value);
  return weekday === undefined ? undefined : parseTimeAndZone(at, { weekday });
}

function every(n: number, unit: string): TimeTrigger | undefined {
  const span = spanOf(n, unit);
  return span && { kind: 'every', ...span };
}

/** `every 5 minutes between 09:00 and 17:00 on weekdays Europe/Berlin`; the period must divide an hour or a day. */
function parseHourRange(at: TokenCursor, n: number, unit: string): TimeTrigger | undefined {
  const isMinutes = unit === 'minute' || unit === 'min';
  const isHours = unit === 'hour';
  if ((!isMinutes || 60 % n !== 0) && (!isHours || 24 % n !== 0)) return undefined;
  const from = at.take('between') || at.take('from') ? parseClock(at) : undefined;
  if (from === undefined || !(at.take('and') || at.take('to') || at.take('until'))) return undefined;
  const to = parseClock(at);
  // Only whole hours: 09:00 to 17:00 is hours 9 to 16.
  if (to === undefined || from.minute !== 0 || to.minute !== 0 || to.hour <= from.hour) return undefined;
  const weekday = at.attempt((rest) =>
    rest.take('on') || rest.take('every') ? DAYS.get(rest.next().value) : undefined,
  );
  const tz = parseZone(at) ?? 'UTC';
  const hours = `${from.hour}-${to.hour - 1}${isHours && n > 1 ? `/${n}` : ''}`;
  const minutes = isMinutes ? (n === 1 ? '*' : `*/${n}`) : '0';
  return cron(`${minutes} ${hours} * * ${weekday ?? '*'}`, tz);
}

/** The clock time and zone of a calendar day, in either order; midnight by default. */
function parseTimeAndZone(at: TokenCursor, { weekday, day }: CalendarDay): TimeTrigger | undefined {
  const zoneBefore = parseZone(at);
  const time = at.attempt((rest) => {
    rest.take('at');
    return parseClock(rest);
  });
  const zoneAfter = parseZone(at);
  if (weekday === undefined && day === undefined && time === undefined && (zoneBefore ?? zoneAfter) === undefined)
    return undefined;
  const { hour, minute }: Clock = time ?? { hour: 0, minute: 0 };
  return cron(`${minute} ${hour} ${day ?? '*'} * ${weekday ?? '*'}`, zoneBefore ?? zoneAfter ?? 'UTC');
}

function cron(fields: string, tz: string): TimeTrigger {
  return { kind: 'cron', cron: fields, tz, description: `cron "${fields}" in ${tz}` };
}

function parseOrdinal(at: TokenCursor): number | undefined {
  const { kind, value } = at.next();
  const suffix = kind === 'number' ? at.takeAny(SUFFIXES) : undefined;
  const index = ORDINALS.indexOf(value);
  const [, digits] = ORDINAL.exec(`${value}${suffix ?? ''}`) ?? [];
  const day = index >= 0 ? index + 1 : Number(digits);
  return Number.isInteger(day) && day >= 1 && day <= 28 ? day : undefined;
}
const SUFFIXES: ReadonlySet<string> = words('st nd rd th');
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
