// Schedules: dates that repeat by months, days or business days, all counted from one origin, so that the 31st stays the
// 31st wherever a month has one.

import type { CatchUp } from '../timer-kinds.ts';
import type { CalendarSpan } from './calendar-span.ts';
import { addMonths, DAY_MS } from './civil.ts';
import {
  type DeadlineAnchors,
  type DeadlineInstant,
  type DeadlineReader,
  deadlineFault,
  instantOf,
} from './deadline.ts';
import { localTimeOf, type Place, tickOfLocalTime } from './local-time.ts';

export type ScheduleStep =
  | { readonly kind: 'span'; readonly span: CalendarSpan }
  | { readonly kind: 'business'; readonly count: number };

export interface CompiledSchedule {
  readonly kind: 'schedule';
  readonly path: string;
  readonly content: string;
  readonly every: ScheduleStep;
  readonly at: DeadlineInstant | undefined;
  /** From which the occurrences count, in place of the anchor. */
  readonly since: DeadlineInstant | undefined;
  readonly until: DeadlineInstant | undefined;
  readonly anchor: 'entry' | 'deploy';
  readonly place: Place;
  readonly maxFires: number;
  readonly catchUp: CatchUp;
}

/** What a schedule has computed when it was set; kept with its timer. */
export interface ScheduleBounds {
  /** The tick from which the dates count. */
  readonly origin: number;
  /** The last tick at which it may fire. */
  readonly until?: number | undefined;
}

/** Occurrences on business days, which are all computed when the schedule is set. */
const MAX_BUSINESS_OCCURRENCES = 4_000;

/**
 * The bounds of a schedule that starts now. One on business days is computed to its end, so that no later occurrence
 * asks for holidays that nobody has stated.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export function boundsOf(schedule: CompiledSchedule, anchors: DeadlineAnchors, reader: DeadlineReader): ScheduleBounds {
  const { path, at, since, until, anchor, place } = schedule;
  // The dates are moved one by one, not their origin.
  const unmoved = { ...place, roll: undefined, time: undefined };
  const [field, first] = at === undefined ? ['since', since] : ['at', at];
  const origin = first === undefined ? anchors[anchor] : instantOf(`${path}.${field}`, first, unmoved, reader);
  const end =
    until === undefined ? undefined : instantOf(`${path}.until`, until, { ...place, roll: undefined }, reader);
  const bounds = { origin, ...(end === undefined ? {} : { until: end }) };
  assertCovered(schedule, bounds);
  return bounds;
}

/** Computes every occurrence on business days. @throws DomainError VALIDATION_FAILED */
export function assertCovered(schedule: CompiledSchedule, bounds: ScheduleBounds): void {
  if (!usesBusinessDays(schedule)) return;
  const { path, maxFires } = schedule;
  let count = 0;
  for (const tick of occurrencesAfter(schedule, bounds, bounds.origin - 1)) {
    count++;
    if (count > MAX_BUSINESS_OCCURRENCES) {
      const text = `has more than ${MAX_BUSINESS_OCCURRENCES} occurrences on business days (tick ${tick}); end it earlier`;
      throw deadlineFault(path, 'OUT_OF_RANGE', text);
    }
    if (count > maxFires) break;
  }
}

export const usesBusinessDays = ({ every, place }: Pick<CompiledSchedule, 'every' | 'place'>): boolean =>
  every.kind === 'business' || (place.calendar !== undefined && place.roll !== undefined);

/** The occurrences after a tick, in order, each tick once. Without end unless the schedule has one. */
export function* occurrencesAfter(
  schedule: CompiledSchedule,
  { origin, until = Number.MAX_SAFE_INTEGER }: ScheduleBounds,
  after: number,
): Generator<number, undefined> {
  let last = after;
  for (const tick of candidatesFrom(schedule, origin, after)) {
    if (tick > until) return undefined;
    if (tick <= last) continue;
    last = tick;
    yield tick;
  }
  return undefined;
}

function* candidatesFrom(
  { every, at, place }: CompiledSchedule,
  origin: number,
  after: number,
): Generator<number, undefined> {
  const local = localTimeOf(origin, place);
  const isFirst = at !== undefined;
  if (every.kind === 'business') {
    let day = local.day;
    if (isFirst) yield tickOfLocalTime(local, place);
    for (;;) {
      day = place.calendar?.add(day, every.count) ?? day;
      yield tickOfLocalTime({ ...local, day }, place);
    }
  }
  const { months, days } = every.span;
  // A date moves by less than two months from rolling, so the search may begin that many steps before.
  const elapsedDays = Math.floor(((after - origin) * TICK_SECONDS_UP) / (DAY_MS / 1_000)) - 62;
  let k = Math.max(isFirst ? 0 : 1, Math.floor(elapsedDays / (months * 31 + days)));
  for (; ; k++) yield tickOfLocalTime({ ...local, day: addMonths(local.day, k * months) + k * days }, place);
}

/** At most the seconds of a tick, so that the search never begins too late. */
const TICK_SECONDS_UP = 0.777;
