// When timers are due, and what becomes of those that were missed. Pure: ticks in, ticks out.

import { cronTicks, nextCronTick } from './calendar.ts';
import type { CompiledTrigger } from './compiled.ts';
import type { Timer } from './reaction.ts';

export type TimerTrigger = Extract<CompiledTrigger, { kind: 'one_shot' | 'recurring' | 'cron' }>;

export function isTimer(trigger: CompiledTrigger): trigger is TimerTrigger {
  return trigger.kind === 'one_shot' || trigger.kind === 'recurring' || trigger.kind === 'cron';
}

/** What timers count from. */
export interface Anchors {
  /** The tick of the entry into the state. */
  readonly entry: number;
  /** The tick of deployment. */
  readonly deploy: number;
}

/** An occurrence that comes later than this was missed, and `catch_up` decides; below it is a busy node. */
const MISSED_AFTER = 5;

/** The first occurrence after tick `now`; a one-shot whose time has passed is due at once. */
export function firstDue(trigger: TimerTrigger, anchors: Anchors, now: number): number | undefined {
  switch (trigger.kind) {
    case 'one_shot':
      return Math.max(anchors[trigger.anchor] + trigger.after, now);
    case 'recurring':
      return alignedAfter(trigger, anchors, now);
    case 'cron':
      return nextCronTick(trigger.cron, trigger.tz, now);
  }
}

/** The occurrence after `due`, or undefined if there is none: a one-shot has only one. */
export function nextDue(trigger: TimerTrigger, anchors: Anchors, due: number): number | undefined {
  return trigger.kind === 'one_shot' ? undefined : firstDue(trigger, anchors, due);
}

function alignedAfter(
  { every, offset, anchor }: Extract<TimerTrigger, { kind: 'recurring' }>,
  anchors: Anchors,
  now: number,
): number {
  // With an offset the first occurrence is at the offset, without one a period after the anchor.
  const first = anchors[anchor] + (offset > 0 ? offset : every);
  return now < first ? first : first + (Math.floor((now - first) / every) + 1) * every;
}

export interface Settled {
  /** The occurrences to fire, in order. */
  readonly fires: readonly number[];
  /** Those that nobody will fire any more. */
  readonly missed: number;
  /** The one after them; later than now, unless what was settled before is still being fired. */
  readonly next: number | undefined;
  /** Where each fires in its own turn: up to this tick nothing is to be settled again. */
  readonly settled: number | undefined;
}

/**
 * What to do at tick `now` about a timer, and about its later occurrences that are due as well.
 *
 * one: a single fire however many were missed. all: each in order, up to `most` of the newest. skip: none of those that
 * were missed. What is fired in order is settled once: the timer remembers how far, and nothing is counted again.
 */
export function settle(trigger: TimerTrigger, anchors: Anchors, { due, settled }: Timer, now: number): Settled {
  if (due > now) return { fires: [], missed: 0, next: due, settled: undefined };
  if (settled !== undefined && due <= settled) {
    return { fires: [due], missed: 0, next: nextDue(trigger, anchors, due), settled };
  }
  const { mode, most, grace } = trigger.catchUp;
  const { count, newest } = occurrences(trigger, { first: due, last: now, most: mode === 'all' ? most : 1 });
  const oldest = now - (mode === 'skip' ? Math.min(grace, MISSED_AFTER) : grace);
  const fires = newest.filter((occurrence) => occurrence >= oldest);
  const next = nextDue(trigger, anchors, now);
  return { fires, missed: count - fires.length, next, settled: mode === 'all' ? now : undefined };
}

/** The timer at a later occurrence of it; it forgets what was settled when that lies behind it. */
export function movedTo({ settled, ...timer }: Timer, due: number): Timer {
  return settled !== undefined && due <= settled ? { ...timer, due, settled } : { ...timer, due };
}

/** Those from `first`, which is one, to `last`: how many, and up to `most` of the newest, oldest first. */
function occurrences(
  trigger: TimerTrigger,
  { first, last, most }: { readonly first: number; readonly last: number; readonly most: number },
): { readonly count: number; readonly newest: readonly number[] } {
  switch (trigger.kind) {
    case 'one_shot':
      return { count: 1, newest: [first] };
    case 'recurring': {
      const count = Math.floor((last - first) / trigger.every) + 1;
      const kept = Math.min(count, most);
      return { count, newest: Array.from({ length: kept }, (_, i) => first + (count - kept + i) * trigger.every) };
    }
    case 'cron':
      return cronTicks(trigger.cron, trigger.tz, { first, last, most });
  }
}
