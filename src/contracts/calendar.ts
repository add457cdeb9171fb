// Calendar times: cron expressions in a time zone, as ticks.
//
// Five fields, L, W and # forms, day of month or day of week where both are given. croner reads the expression and says
// which days it means, nothing else; the times of a day are walked here, so that a day is one step however many times it
// has. An instant becomes the first tick that begins at or after it.
//
// Where clocks are changed, it is as in classic cron:
// - With fixed hours the time on the wall counts. Each time fires once: of two alike, the first;
//   those that fall into a gap fire once, together, at its end.
// - With * for the hours, 0-23, or a step over all of them, the time that passes counts: every real hour has its minutes,
//   a repeated one twice, one that there is not never.

import { Cron, CronPattern } from 'croner';
import { startOfTick, TICK_NS, tickOf } from '../core/clock.ts';
import { DAY_MS, dayAt, dayOfClocks, MINUTE_MS } from './wall-clock.ts';

const MILLISECOND_NS = 1_000_000n;

/** A walk over what was missed goes back so far at most: a century. Occurrences before that are not counted. */
const LONGEST_WALK_DAYS = 36_525;

/** What is wrong with an expression, in words; undefined if it will ever fire. */
export function cronFault(cron: string, tz: string): string | undefined {
  try {
    // A fixed day, so that the answer does not depend on when it is asked.
    const from = Date.parse('2024-01-01T00:00:00Z');
    const plan = open(cron);
    dayAt(tz, from);
    return dayFrom(plan, from) === undefined ? 'it never fires' : undefined;
  } catch (error) {
    return `five fields of cron are expected (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The tick of the first occurrence after the end of tick `after`, or undefined if there is none. */
export function nextCronTick(cron: string, tz: string, after: number): number | undefined {
  const plan = open(cron);
  // An occurrence inside tick `after` belongs to the tick behind it.
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
  /** At least so many, where more than a century lies between. */
  readonly count: number;
  /** The newest of them, oldest first. */
  readonly newest: readonly number[];
}

/** The occurrences of ticks `first` to `last`: how many, and up to `most` of the newest. A day is one step of the walk. */
export function cronTicks(
  cron: string,
  tz: string,
  { first, last, most }: { readonly first: number; readonly last: number; readonly most: number },
): CronTicks {
  const plan = open(cron);
  const [after, until] = [lastMsOf(first - 1), lastMsOf(last)];
  const [firstDay, lastDay] = [dayAt(tz, after), dayAt(tz, until)];
  const inside = (day: number) => instantsOf(plan, tz, day).filter((instant) => instant > after && instant <= until);
  const walked: number[] = [];
  let count = 0;
  let day = dayFrom(plan, Math.max(firstDay, lastDay - LONGEST_WALK_DAYS * DAY_MS));
  while (day !== undefined && day <= lastDay) {
    count += day === firstDay || day === lastDay ? inside(day).length : timesOn(plan, tz, day);
    walked.push(day);
    day = dayFrom(plan, day + DAY_MS);
  }
  const newest: number[] = [];
  while (newest.length < most) {
    const last = walked.pop();
    if (last === undefined) break;
    newest.unshift(...inside(last));
  }
  return { count, newest: newest.slice(-most).map(tickAtOrAfter) };
}

/** The tick that an ISO 8601 instant lies in. */
export function tickOfInstant(text: string): number {
  return tickOf(BigInt(Date.parse(text)) * MILLISECOND_NS);
}

/** An instant after this millisecond is one of a later tick. */
function lastMsOf(tick: number): number {
  return Number(startOfTick(tick) / MILLISECOND_NS);
}

function tickAtOrAfter(instant: number): number {
  return tickOf(BigInt(instant) * MILLISECOND_NS + TICK_NS - 1n);
}

/** An expression, read. */
interface Plan {
  /** Midnights of its days, in UTC. Never started: a job without a function has no timer. */
  readonly days: Cron;
  /** Milliseconds after midnight, in order. */
  readonly times: readonly number[];
  readonly hasFixedHours: boolean;
}

const plans = new Map<string, Plan>();
const KEPT_PLANS = 1_000;

/** @throws if it is none */
function open(cron: string): Plan {
  const known = plans.get(cron);
  if (known) return known;
  const { pattern, minute, hour } = new CronPattern(cron, undefined, { mode: '5-part' });
  const [, hours = '*', ...days] = pattern.split(/\s+/);
  const plan = {
    days: new Cron(`0 0 ${days.join(' ')}`, { utcOffset: 0, mode: '5-part', paused: true }),
    times: setIn(hour).flatMap((h) => setIn(minute).map((m) => (60 * h + m) * MINUTE_MS)),
    hasFixedHours: !/[*?]|\b0+-23\b/.test(hours),
  };
  if (plans.size >= KEPT_PLANS) plans.clear();
  plans.set(cron, plan);
  return plan;
}

const setIn = (field: readonly number[]) => [...field.keys()].filter((i) => field[i] !== 0);

/** The first midnight of a day that is meant, from this one on. */
function dayFrom({ days }: Plan, midnight: number): number | undefined {
  return days.nextRun(new Date(midnight - 1))?.getTime();
}

/** How many occurrences a day has. */
function timesOn(plan: Plan, tz: string, day: number): number {
  return dayOfClocks(tz, day).offset === undefined ? instantsOf(plan, tz, day).length : plan.times.length;
}

/** The occurrences of a day, in order. */
function instantsOf({ times, hasFixedHours }: Plan, tz: string, day: number): readonly number[] {
  const { offset, showing } = dayOfClocks(tz, day);
  if (offset !== undefined) return times.map((time) => day + time - offset);
  const instants = times.flatMap((time) => {
    const { instants, gapEnd } = showing(day + time);
    if (!hasFixedHours) return instants;
    // A gap may end on another day, or swallow one.
    const once = instants[0] ?? (gapEnd !== undefined && dayAt(tz, gapEnd) === day ? gapEnd : undefined);
    return once === undefined ? [] : [once];
  });
  return [...new Set(instants)].sort((a, b) => a - b);
}
