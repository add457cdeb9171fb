// Calendar times: cron expressions in a time zone, as ticks.
//
// croner computes instants, nothing else: five fields, L, W and # forms, day of month or day of week where both are given,
// 02:30 in the gap of spring at 03:00, a repeated hour once. An instant becomes the first tick that begins at or after it.

import { Cron } from 'croner';
import { startOfTick, TICK_NS, tickOf } from '../core/clock.ts';

const MILLISECOND_NS = 1_000_000n;

/** What is wrong with an expression, in words; undefined if it will ever fire. */
export function cronFault(cron: string, tz: string): string | undefined {
  try {
    // A fixed day, so that the answer does not depend on when it is asked.
    return open(cron, tz).nextRun(new Date('2024-01-01T00:00:00Z')) === null ? 'it never fires' : undefined;
  } catch (error) {
    return `five fields of cron are expected (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The tick of the first occurrence after the end of tick `after`, or undefined if there is none. */
export function nextCronTick(cron: string, tz: string, after: number): number | undefined {
  const job = open(cron, tz);
  // An occurrence inside tick `after` belongs to the tick behind it.
  let from = new Date(Number(startOfTick(after) / MILLISECOND_NS) - 1);
  for (;;) {
    const next = job.nextRun(from);
    if (next === null) return undefined;
    const tick = tickAtOrAfter(next);
    if (tick > after) return tick;
    from = next;
  }
}

/** The tick that an ISO 8601 instant lies in. */
export function tickOfInstant(text: string): number {
  return tickOf(BigInt(Date.parse(text)) * MILLISECOND_NS);
}

function tickAtOrAfter(instant: Date): number {
  return tickOf(BigInt(instant.getTime()) * MILLISECOND_NS + TICK_NS - 1n);
}

const jobs = new Map<string, Cron>();
const KEPT_JOBS = 1_000;

/** Never started: a job without a function has no timer. */
function open(cron: string, tz: string): Cron {
  const key = `${tz} ${cron}`;
  const known = jobs.get(key);
  if (known) return known;
  const job = new Cron(cron, { timezone: tz, mode: '5-part', paused: true });
  if (jobs.size >= KEPT_JOBS) jobs.clear();
  jobs.set(key, job);
  return job;
}
