// When timers are due, and what becomes of those that were missed. Pure: ticks in, ticks out.

import { nextCronTick } from './calendar.ts';
import type { CatchUp, CompiledTrigger } from './compiled.ts';

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
  /** The occurrences to fire now, in order. */
  readonly fires: readonly number[];
  /** Those that nobody will fire any more. */
  readonly missed: number;
  /** The next one, later than now. */
  readonly next: number | undefined;
}

/**
 * What to do at tick `now` about a timer that was due at `due`, and about those after it that are due as well.
 *
 * one: a single fire however many were missed. all: each in order, up to `most`. skip: none of those that were missed.
 */
export function settle(trigger: TimerTrigger, anchors: Anchors, due: number, now: number): Settled {
  const { mode, most, grace } = trigger.catchUp;
  if (due > now) return { fires: [], missed: 0, next: due };
  const occurrences: number[] = [];
  let count = 0;
  let last = due;
  let next: number | undefined = due;
  while (next !== undefined && next <= now) {
    count++;
    last = next;
    if (now - next <= grace && occurrences.length < most) occurrences.push(next);
    next =
      trigger.kind === 'recurring' && count >= most
        ? alignedAfter(trigger, anchors, now)
        : nextDue(trigger, anchors, next);
  }
  const fires = firesOf(mode, occurrences, last, now);
  return { fires, missed: count - fires.length, next };
}

function firesOf(mode: CatchUp['mode'], occurrences: readonly number[], last: number, now: number): readonly number[] {
  if (mode === 'all') return occurrences;
  const newest = occurrences.at(-1);
  if (newest === undefined) return [];
  if (mode === 'one') return [newest];
  return last === newest && now - newest <= MISSED_AFTER ? [newest] : [];
}
