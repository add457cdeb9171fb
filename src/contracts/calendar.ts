// Converts cron expressions in a time zone to ticks.
//
// Five fields, L, W and # forms; day of month or day of week if both are given. croner only parses the expression and
// selects its days. The times of a day are computed here, so that a day is one step however many occurrences it has.
// An instant becomes the first tick that begins at or after it.
//
// Daylight saving follows classic cron:
// - With fixed hours the local time counts. Each time fires once: in a repeated hour the first;
//   all that fall into a gap fire once, together, at its end.
// - With * for the hours, 0-23, or a step over all of them, elapsed time counts: every real hour has its minutes,
//   a repeated hour twice, a skipped hour none.

import { Cron, CronPattern } from 'croner';
import { startOfTick, TICK_NS, tickOf } from '../core/clock.ts';
import { DAY_MS, dayAt, type LocalZone, MINUTE_MS, zoneDay } from './wall-clock.ts';

const MILLISECOND_NS = 1_000_000n;

/** Missed occurrences are counted for at most a century; earlier ones are ignored. */
const MAX_DAYS = 36_525;

/** A message about an invalid expression or zone, or one that never fires; undefined if it is valid. */
export function cronFault(cron: string, tz: LocalZone): string | undefined {
  try {
    // A fixed day, so that the answer does not depend on the current time.
    const from = Date.parse('2024-01-01T00:00:00Z');
    const plan = parseCron(cron);
    dayAt(tz, from);
    return dayFrom(plan, from) === undefined ? 'it never fires' : undefined;
  } catch (error) {
    return `five fields of cron are expected (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The tick of the first occurrence after the end of tick `after`; undefined if it never fires again. */
export function nextCronTick(cron: string, tz: LocalZone, after: number): number | undefined {
  const plan = parseCron(cron);
  // An occurrence inside tick `after` belongs to the following tick.
  const from = lastMsOf(after);
  let day = dayFrom(plan, dayAt(tz, from));
  while (day !== undefined) {
    const next = instantsOf(plan, tz, day).find((instant) => instant > from);
    if (next !== undefined) return tickAtOrAfter(next);
    day = dayFrom(plan, day + DAY_MS);
  }
  return undefined;
}

export interface CronTicks {
  /** A lower bound if the range is longer than a century. */
  readonly count: number;
  /** The newest occurrences, oldest first. */
  readonly newest: readonly number[];
}

/** The occurrences in ticks `first` to `last`: their number and up to `max` of the newest. One step per day. */
export function cronTicks(
  cron: string,
  tz: LocalZone,
  { first, last, max }: { readonly first: number; readonly last: number; readonly max: number },
): CronTicks {
  const plan = parseCron(cron);
  const [after, until] = [lastMsOf(first - 1), lastMsOf(last)];
  const [firstDay, lastDay] = [dayAt(tz, after), dayAt(tz, until)];
  const instantsInRange = (day: number) =>
    instantsOf(plan, tz, day).filter((instant) => instant > after && instant <= until);
  const days: number[] = [];
  let count = 0;
  let day = dayFrom(plan, Math.max(firstDay, lastDay - MAX_DAYS * DAY_MS));
  while (day !== undefined && day <= lastDay) {
    count += day === firstDay || day === lastDay ? instantsInRange(day).length : countOn(plan, tz, day);
    days.push(day);
    day = dayFrom(plan, day + DAY_MS);
  }
  const newest: number[] = [];
  while (newest.length < max) {
    const lastDay = days.pop();
    if (lastDay === undefined) break;
    newest.unshift(...instantsInRange(lastDay));
  }
  return { count, newest: newest.slice(-max).map(tickAtOrAfter) };
}

/** The tick that contains an ISO 8601 instant. */
export function tickOfInstant(text: string): number {
  return tickOf(BigInt(Date.parse(text)) * MILLISECOND_NS);
}

/** The last whole millisecond that belongs to `tick` when occurrences are rounded up to ticks. */
function lastMsOf(tick: number): number {
  return Number(startOfTick(tick) / MILLISECOND_NS);
}

function tickAtOrAfter(instant: number): number {
  return tickOf(BigInt(instant) * MILLISECOND_NS + TICK_NS - 1n);
}

/** A parsed expression. */
interface CronPlan {
  /** Yields the midnights of its days, in UTC. Never started: a croner job without a function has no timer. */
  readonly days: Cron;
  /** Milliseconds after midnight, in order. */
  readonly times: readonly number[];
  readonly hasFixedHours: boolean;
}

const plans = new Map<string, CronPlan>();
const MAX_CACHED_PLANS = 1_000;

/** @throws if the expression is invalid */
function parseCron(cron: string): CronPlan {
  const cached = plans.get(cron);
  if (cached) return cached;
  const { pattern, minute, hour } = new CronPattern(cron, undefined, { mode: '5-part' });
  const [, hours = '*', ...days] = pattern.split(/\s+/);
  const plan = {
    days: new Cron(`0 0 ${days.join(' ')}`, { utcOffset: 0, mode: '5-part', paused: true }),
    times: setIndexes(hour).flatMap((h) => setIndexes(minute).map((m) => (60 * h + m) * MINUTE_MS)),
    hasFixedHours: !/[*?]|\b0+-23\b/.test(hours),
  };
  if (plans.size >= MAX_CACHED_PLANS) plans.clear();
  plans.set(cron, plan);
  return plan;
}

const setIndexes = (field: readonly number[]) => [...field.keys()].filter((i) => field[i] !== 0);

/** The first midnight of a matching day, from this one on. */
function dayFrom({ days }: CronPlan, midnight: number): number | undefined {
  return days.nextRun(new Date(midnight - 1))?.getTime();
}

/** The number of occurrences on a day. */
function countOn(plan: CronPlan, tz: LocalZone, day: number): number {
  return zoneDay(tz, day).offset === undefined ? instantsOf(plan, tz, day).length : plan.times.length;
}

/** The occurrences on a day, in order. */
function instantsOf({ times, hasFixedHours }: CronPlan, tz: LocalZone, day: number): readonly number[] {
  const { offset, resolve } = zoneDay(tz, day);
  if (offset !== undefined) return times.map((time) => day + time - offset);
  const instants = times.flatMap((time) => {
    const { instants, gapEnd } = resolve(day + time);
    if (!hasFixedHours) return instants;
    // A gap may end on another day, or cover a whole day.
    const first = instants[0] ?? (gapEnd !== undefined && dayAt(tz, gapEnd) === day ? gapEnd : undefined);
    return first === undefined ? [] : [first];
  });
  return [...new Set(instants)].sort((a, b) => a - b);
}
