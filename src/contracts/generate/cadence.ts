// When a clock moves a contract: every so often, at times of the day, once after a while.

import { type Cursor, words } from './cursor.ts';
import { type Clock, clock, count, type Span, span, spanOf, zone } from './quantities.ts';

export type Cadence =
  | ({ readonly kind: 'every' } & Span)
  | ({ readonly kind: 'after' } & Span)
  | { readonly kind: 'cron'; readonly cron: string; readonly tz: string; readonly said: string };

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
const EACH: ReadonlySet<string> = words('every each');
const ORDINAL = /^(\d{1,2})(st|nd|rd|th)?$/;

/** The parts of a calendar time; what is not given is any. */
interface Calendar {
  readonly weekday?: string;
  readonly day?: number;
}

export function cadence(cursor: Cursor): Cadence | undefined {
  return once(cursor) ?? cursor.attempt(timeFirst) ?? cursor.attempt(monthly) ?? cursor.attempt(repeated);
}

/** `after 30 days`, `in 2 hours`, `30 days later`. */
function once(cursor: Cursor): Cadence | undefined {
  return cursor.attempt((at) => {
    if (!at.take('after') && !at.take('in') && !at.take('once') && !at.take('wait')) return undefined;
    const found = span(at);
    return found && { kind: 'after', ...found };
  });
}

/** `at 9am Europe/Berlin every weekday`. */
function timeFirst(at: Cursor): Cadence | undefined {
  const time = at.take('at') ? clock(at) : undefined;
  if (time === undefined) return undefined;
  const early = zone(at);
  const isDaily = at.take('daily') || at.take(EACH, 'day');
  const weekday = isDaily || !(at.takeOne(EACH) || at.take('on')) ? undefined : DAYS.get(at.next().value);
  const { hour, minute } = time;
  return isDaily || weekday !== undefined
    ? cron(`${minute} ${hour} * * ${weekday ?? '*'}`, early ?? zone(at) ?? 'UTC')
    : undefined;
}

/** `on the 1st of every month at 06:00`. */
function monthly(at: Cursor): Cadence | undefined {
  if (!at.take('on')) return undefined;
  at.take('the');
  const day = ordinal(at);
  if (day === undefined || !at.take('of', EACH, 'month')) return undefined;
  return timed(at, { day });
}

function repeated(at: Cursor): Cadence | undefined {
  const adverb = ADVERBS.get(at.peek().value);
  if (adverb !== undefined) {
    at.next();
    return periodic(at, 1, adverb);
  }
  if (!at.takeOne(EACH) && !at.take('on', DAY_NAMES)) return undefined;
  const before = at.peek(-1).value;
  const weekday = DAYS.get(before) ?? DAYS.get(at.peek().value);
  if (weekday !== undefined) {
    if (!DAYS.has(before)) at.next();
    return timed(at, { weekday });
  }
  const isOther = at.take('other') || at.take('second');
  const n = isOther ? 2 : (count(at) ?? 1);
  return periodic(at, n, at.next().value);
}
const DAY_NAMES: ReadonlySet<string> = new Set(DAYS.keys());

function periodic(at: Cursor, n: number, unit: string): Cadence | undefined {
  const name = unit.endsWith('s') ? unit.slice(0, -1) : unit;
  if (n === 1 && name === 'day') return timed(at, {}) ?? every(1, 'day');
  if (n === 1 && name === 'week') return at.attempt(onWeekday) ?? every(1, 'week');
  if (n === 1 && name === 'month') {
    const day = at.attempt((one) => (one.take('on', 'the') || one.take('on') ? ordinal(one) : undefined));
    return timed(at, { day: day ?? 1 });
  }
  return at.attempt((one) => withinHours(one, n, name)) ?? every(n, name);
}

function onWeekday(at: Cursor): Cadence | undefined {
  if (!at.take('on')) return undefined;
  const weekday = DAYS.get(at.next().value);
  return weekday === undefined ? undefined : timed(at, { weekday });
}

function every(n: number, unit: string): Cadence | undefined {
  const found = spanOf(n, unit);
  return found && { kind: 'every', ...found };
}

/** `every 5 minutes between 09:00 and 17:00 on weekdays Europe/Berlin`: where an hour is divided evenly. */
function withinHours(at: Cursor, n: number, unit: string): Cadence | undefined {
  const isMinutes = unit === 'minute' || unit === 'min';
  const isHours = unit === 'hour';
  if ((!isMinutes || 60 % n !== 0) && (!isHours || 24 % n !== 0)) return undefined;
  const from = at.take('between') || at.take('from') ? clock(at) : undefined;
  if (from === undefined || !(at.take('and') || at.take('to') || at.take('until'))) return undefined;
  const to = clock(at);
  // Hours are counted whole: 09:00 to 17:00 is 9 to 16.
  if (to === undefined || from.minute !== 0 || to.minute !== 0 || to.hour <= from.hour) return undefined;
  const weekday = at.attempt((one) => (one.take('on') || one.take('every') ? DAYS.get(one.next().value) : undefined));
  const tz = zone(at) ?? 'UTC';
  const hours = `${from.hour}-${to.hour - 1}${isHours && n > 1 ? `/${n}` : ''}`;
  const minutes = isMinutes ? (n === 1 ? '*' : `*/${n}`) : '0';
  return cron(`${minutes} ${hours} * * ${weekday ?? '*'}`, tz);
}

/** A calendar time with its clock time and zone, in either order; midnight where none is given. */
function timed(at: Cursor, { weekday, day }: Calendar): Cadence | undefined {
  const early = zone(at);
  const time = at.attempt((one) => {
    one.take('at');
    return clock(one);
  });
  const late = zone(at);
  if (weekday === undefined && day === undefined && time === undefined && (early ?? late) === undefined)
    return undefined;
  const { hour, minute }: Clock = time ?? { hour: 0, minute: 0 };
  return cron(`${minute} ${hour} ${day ?? '*'} * ${weekday ?? '*'}`, early ?? late ?? 'UTC');
}

function cron(fields: string, tz: string): Cadence {
  return { kind: 'cron', cron: fields, tz, said: `cron "${fields}" in ${tz}` };
}

function ordinal(at: Cursor): number | undefined {
  const { kind, value } = at.next();
  const suffix = kind === 'number' ? at.takeOne(SUFFIXES) : undefined;
  const spoken = ORDINALS.indexOf(value);
  const [, digits] = ORDINAL.exec(`${value}${suffix ?? ''}`) ?? [];
  const day = spoken >= 0 ? spoken + 1 : Number(digits);
  return Number.isInteger(day) && day >= 1 && day <= 28 ? day : undefined;
}
const SUFFIXES: ReadonlySet<string> = words('st nd rd th');
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
