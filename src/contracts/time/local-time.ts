// Converts between ticks and dates with a time of day in a zone, as the fields of one deadline say.

import { startOfTick, TICK_NS } from '../../core/clock.ts';
import type { BusinessCalendar, RollConvention } from './business-calendar.ts';
import type { CalendarSpan } from './calendar-span.ts';
import { addMonths, DAY_MS, parseDay } from './civil.ts';
import { offsetAt, resolveLocalTime, type Zone } from './zone.ts';

const MS_NS = 1_000_000n;
const MINUTE_MS = 60_000;

/** How the dates of a deadline become instants. */
export interface Place {
  readonly zone: Zone;
  /** Whether a zone was named, in which local dates and times are read. */
  readonly hasZone: boolean;
  readonly calendar: BusinessCalendar | undefined;
  readonly roll: RollConvention | undefined;
  /** Milliseconds after midnight, in place of the time of day from which the deadline counts. */
  readonly time: number | undefined;
  /** A local time that is skipped: the end of the gap, or as long after it as the time lies in it. */
  readonly gap: 'end' | 'shift';
  /** A local time that occurs twice: the first or the last instant. */
  readonly overlap: 'first' | 'last';
}

/** A date with a time of day. `ns` is the part below a millisecond. */
export interface LocalTime {
  readonly day: number;
  readonly time: number;
  readonly ns: bigint;
}

/** The local time at which a tick begins. */
export function localTimeOf(tick: number, { zone }: Place): LocalTime {
  const ns = startOfTick(tick);
  const instant = Number(ns / MS_NS);
  const local = instant + offsetAt(zone, instant);
  const day = Math.floor(local / DAY_MS);
  return { day, time: local - day * DAY_MS, ns: ns % MS_NS };
}

/** The first tick that begins at a local time or later; the day is rolled, the time of day replaced. */
export function tickOfLocalTime(local: LocalTime, place: Place, elapsed = 0n): number {
  const { calendar, roll, time } = place;
  const day = calendar !== undefined && roll !== undefined ? calendar.roll(local.day, roll) : local.day;
  const instant = instantOf(day * DAY_MS + (time ?? local.time), place);
  return tickAtOrAfter(BigInt(instant) * MS_NS + (time === undefined ? local.ns : 0n) + elapsed);
}

function instantOf(localTime: number, { zone, gap, overlap }: Place): number {
  const { instants, change } = resolveLocalTime(zone, localTime);
  const found = overlap === 'first' ? instants[0] : instants.at(-1);
  if (found !== undefined) return found;
  if (change === undefined) throw new Error('A local time without instants lies at no change of the offset.');
  return gap === 'end' ? change.at : localTime - change.before;
}

const tickAtOrAfter = (ns: bigint): number => Number((ns + TICK_NS - 1n) / TICK_NS);

/** The tick of a date that a span later follows from another one: months, then days, then elapsed time. */
export function addSpan(from: number, { months, days, ns }: CalendarSpan, place: Place): number {
  const local = localTimeOf(from, place);
  return tickOfLocalTime({ ...local, day: addMonths(local.day, months) + days }, place, ns);
}

/** The tick that many business days later. */
export function addBusinessDays(from: number, count: number, place: Place): number {
  const { calendar } = place;
  if (calendar === undefined) throw new Error('Business days need a calendar.');
  const local = localTimeOf(from, place);
  return tickOfLocalTime({ ...local, day: calendar.add(local.day, count) }, place);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Whether a text is a date or an instant and no expression. */
export const isInstantText = (text: string): boolean => /^\d{4}-\d\d-\d\d(T|$)/.test(text);

export const INSTANT_EXPECTED =
  'a date such as 2026-12-31, a local time such as 2026-12-31T17:00, or an instant such as 2026-12-31T17:00Z is expected';

/** A date or time as text: with an offset from UTC it is an instant, without one a local time of the zone. */
export interface InstantText {
  readonly local: LocalTime;
  /** Milliseconds; undefined for a local time. */
  readonly offset: number | undefined;
}

/** Undefined for any other text, and for dates and times that do not exist. */
export function parseInstant(text: string): InstantText | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [, date = '', hour = '0', minute = '0', second = '0', fraction = '', offset] = parts;
  const day = parseDay(date);
  const time = timeOfDay(Number(hour), Number(minute), Number(second));
  if (day === undefined || time === undefined) return undefined;
  const offsetMs = offset === undefined ? undefined : offsetOf(offset);
  if (offset !== undefined && offsetMs === undefined) return undefined;
  return { local: { day, time: time + Number(fraction.padEnd(3, '0')), ns: 0n }, offset: offsetMs };
}

/** The tick of an instant; a local time is read in the zone of the place. */
export function tickOfInstantText({ local, offset }: InstantText, place: Place): number {
  if (offset === undefined) return tickOfLocalTime(local, place);
  const tick = tickAtOrAfter(BigInt(local.day * DAY_MS + local.time - offset) * MS_NS);
  const isMoved = place.time !== undefined || place.roll !== undefined;
  return isMoved ? tickOfLocalTime(localTimeOf(tick, place), place) : tick;
}

function offsetOf(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

function timeOfDay(hours: number, minutes: number, seconds: number): number | undefined {
  const isValid = hours <= 24 && minutes <= 59 && seconds <= 59;
  const time = (hours * 60 + minutes) * MINUTE_MS + seconds * 1_000;
  return isValid && time <= DAY_MS ? time : undefined;
}

/** Milliseconds after midnight of `17:00` or `17:00:30`; 24:00 is the end of the day. Undefined for any other text. */
export function parseTimeOfDay(text: string): number | undefined {
  const parts = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  return parts === null ? undefined : timeOfDay(Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0));
}
