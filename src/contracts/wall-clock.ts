// Converts between instants and local times of a time zone. Instants are milliseconds since the Unix epoch; a local time
// is represented by the instant at which UTC clocks show the same time.

import { offsetAt as offsetByRules, type Zone } from './time/zone.ts';

/** A zone by its rules, or by the name that the host's database has for it. */
export type LocalZone = Zone | string;

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Local midnight of the day that contains an instant. */
export function dayAt(tz: LocalZone, instant: number): number {
  return floorDay(instant + offsetAt(tz, instant));
}

/** A local time resolved to instants: none in a gap, two in a repeated hour. */
export interface ResolvedTime {
  readonly instants: readonly number[];
  /** The end of the gap that contains it. */
  readonly gapEnd: number | undefined;
}

/** One local day of a time zone. */
export interface ZoneDay {
  /** Offset from UTC in milliseconds for the whole day; undefined within a day of an offset change. */
  readonly offset: number | undefined;
  resolve(localTime: number): ResolvedTime;
}

/** Assumes at most one offset change within three days. @param day  local midnight */
export function zoneDay(tz: LocalZone, day: number): ZoneDay {
  const [before, after] = [offsetAt(tz, day - DAY_MS), offsetAt(tz, day + 2 * DAY_MS)];
  if (before === after) {
    return { offset: before, resolve: (localTime) => ({ instants: [localTime - before], gapEnd: undefined }) };
  }
  const change = changeBetween(tz, day - DAY_MS, day + 2 * DAY_MS);
  const resolve = (localTime: number): ResolvedTime => {
    const instants = [
      ...(localTime - before < change ? [localTime - before] : []),
      ...(localTime - after >= change ? [localTime - after] : []),
    ];
    return { instants, gapEnd: instants.length === 0 ? change : undefined };
  };
  return { offset: undefined, resolve };
}

/** The first instant that has the offset of `last`, by bisection. */
function changeBetween(tz: LocalZone, first: number, last: number): number {
  const before = offsetAt(tz, first);
  let [low, high] = [first, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(tz, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

const floorDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_CACHED_FORMATS = 1_000;

/** Offset from UTC in milliseconds. @throws RangeError for an unknown zone */
function offsetAt(tz: LocalZone, instant: number): number {
  if (typeof tz !== 'string') return offsetByRules(tz, instant);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(
    formatOf(tz).format(instant),
  ) as RegExpExecArray;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
}

function formatOf(tz: string): Intl.DateTimeFormat {
  const cached = formats.get(tz);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName: 'longOffset' });
  if (formats.size >= MAX_CACHED_FORMATS) formats.clear();
  formats.set(tz, format);
  return format;
}
