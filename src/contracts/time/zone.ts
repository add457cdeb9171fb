// Rules of one time zone: the changes of its offset from UTC since 1970, then rules for every later year.
//
// A zone is a text of steps: the offset at the epoch in seconds, `seconds since the previous change (base 36):offset`
// for each change, and at most two yearly rules `Mmonth.week.weekday/seconds of local time:offset`, in which week 5 is
// the last one. Instants and local times are milliseconds; a local time is the instant at which UTC clocks show the same.

import { DAY_MS, dateOf, dayOf, daysInMonth, weekdayOf } from './civil.ts';

interface OffsetChange {
  readonly at: number;
  readonly offset: number;
}

interface YearlyChange {
  readonly month: number;
  /** 1 to 5; 5 is the last one of the month. */
  readonly week: number;
  readonly weekday: number;
  /** Local time of the day, by the offset before the change; may be negative or beyond the day. */
  readonly time: number;
  readonly before: number;
  readonly offset: number;
}

export interface Zone {
  readonly first: number;
  readonly changes: readonly OffsetChange[];
  readonly yearly: readonly YearlyChange[];
}

const YEARLY = /^M(\d+)\.(\d)\.(\d)\/(-?\d+):(-?\d+)$/;

/** Reads a zone from its text, which was written by scripts/zone-table.ts. */
export function parseZone(text: string): Zone {
  const [first = '0', ...steps] = text.split(' ');
  const rules = steps.filter((step) => step.startsWith('M'));
  let at = 0;
  const changes = steps.slice(0, steps.length - rules.length).map((step) => {
    const [elapsed = '', offset] = step.split(':');
    at += Number.parseInt(elapsed, 36);
    return { at: at * 1_000, offset: Number(offset) * 1_000 };
  });
  const parsed = rules.map((rule) => {
    const [month = 0, week = 0, weekday = 0, time = 0, offset = 0] = (YEARLY.exec(rule) ?? []).slice(1).map(Number);
    return { month, week, weekday, time: time * 1_000, offset: offset * 1_000 };
  });
  // Each of two rules ends the offset of the other one.
  const yearly = parsed.map((rule, i) => ({ ...rule, before: parsed[1 - i]?.offset ?? 0 }));
  return { first: Number(first) * 1_000, changes, yearly };
}

export const yearOf = (ms: number): number => dateOf(Math.floor(ms / DAY_MS)).year;

/** The changes that the yearly rules state for a year, in order. */
export function changesOfYear({ yearly }: Zone, year: number): OffsetChange[] {
  return yearly
    .map(({ month, week, weekday, time, before, offset }) => {
      const firstOfMonth = dayOf({ year, month, day: 1 });
      const day = 1 + ((weekday - weekdayOf(firstOfMonth) + 7) % 7) + 7 * (week - 1);
      const last = day > daysInMonth(year, month) ? day - 7 : day;
      return { at: dayOf({ year, month, day: last }) * DAY_MS + time - before, offset };
    })
    .sort((a, b) => a.at - b.at);
}

/** The changes around an instant: the last one until then and the first one after it. */
function changesAround(zone: Zone, instant: number): { offset: number; next: OffsetChange | undefined } {
  const { changes, first } = zone;
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.at ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  let offset = changes[low - 1]?.offset ?? first;
  let next = changes[low];
  if (next !== undefined || zone.yearly.length === 0) return { offset, next };
  const last = changes.at(-1)?.at ?? 0;
  const year = yearOf(instant);
  for (const change of [year - 1, year, year + 1].flatMap((one) => changesOfYear(zone, one))) {
    if (change.at <= last) continue;
    if (change.at > instant) {
      next = change;
      break;
    }
    offset = change.offset;
  }
  return { offset, next };
}

/** Milliseconds to add to an instant for its local time. */
export const offsetAt = (zone: Zone, instant: number): number => changesAround(zone, instant).offset;

export interface ResolvedLocalTime {
  /** None in a gap, two in a repeated hour, in order. */
  readonly instants: readonly number[];
  /** The offset change, if there is one within a day. */
  readonly change: { readonly at: number; readonly before: number } | undefined;
}

/** The instants at which a local time occurs. Assumes at most one change within two days. */
export function resolveLocalTime(zone: Zone, localTime: number): ResolvedLocalTime {
  const { offset: before, next } = changesAround(zone, localTime - DAY_MS);
  if (next === undefined || next.at > localTime + DAY_MS) return { instants: [localTime - before], change: undefined };
  const instants = [
    ...(localTime - before < next.at ? [localTime - before] : []),
    ...(localTime - next.offset >= next.at ? [localTime - next.offset] : []),
  ];
  return { instants, change: { at: next.at, before } };
}
