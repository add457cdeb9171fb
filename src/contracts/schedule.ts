// Schedules timers: when they are due, and which missed occurrences still fire. Pure: ticks in, ticks out.

import { cronTicks, nextCronTick } from './calendar.ts';
import type { CompiledTrigger } from './compiled.ts';
import type { Timer } from './contract-state.ts';
import { occurrencesAfter, type ScheduleBounds } from './time/schedule.ts';
import { isTimed, type TIMER_KINDS } from './timer-kinds.ts';

export type TimerTrigger = Extract<CompiledTrigger, { kind: (typeof TIMER_KINDS)[number] }>;

export const isTimer = (trigger: CompiledTrigger): trigger is TimerTrigger => isTimed(trigger);

/** The ticks that timers count from. */
export interface Anchors {
  /** The tick of the entry into the state. */
  readonly entry: number;
  /** The tick of deployment. */
  readonly deploy: number;
  /** Of a schedule, once it is set. */
  readonly bounds?: ScheduleBounds | undefined;
}

/** The anchors of an armed timer. */
export const anchorsOf = (state: { readonly entered: number; readonly deployed: number }, timer?: Timer): Anchors => ({
  entry: state.entered,
  deploy: state.deployed,
  bounds: timer?.bounds,
});

/** Lateness in ticks beyond which an occurrence counts as missed in mode `skip`; up to it the node was only busy. */
const MISSED_AFTER_TICKS = 5;

/**
 * The first occurrence after tick `now`; a one-shot whose time has passed is due immediately. Deadlines are set by
 * time/arm.ts.
 */
export function firstDue(trigger: TimerTrigger, anchors: Anchors, now: number): number | undefined {
  switch (trigger.kind) {
    case 'one_shot':
      return Math.max(anchors[trigger.anchor] + trigger.after, now);
    case 'recurring':
      return alignedAfter(trigger, anchors, now);
    case 'cron':
      return nextCronTick(trigger.cron, trigger.zone, now);
    case 'schedule':
      return anchors.bounds && occurrencesAfter(trigger, anchors.bounds, now).next().value;
    case 'deadline':
      return undefined;
  }
}

/** The occurrence after `due`; undefined for one-shots and deadlines, which have only one. */
export function nextDue(trigger: TimerTrigger, anchors: Anchors, due: number): number | undefined {
  return trigger.kind === 'one_shot' ? undefined : firstDue(trigger, anchors, due);
}

function alignedAfter(
  { every, offset, anchor }: Extract<TimerTrigger, { kind: 'recurring' }>,
  anchors: Anchors,
  now: number,
): number {
  // With an offset the first occurrence is at the offset, otherwise one period after the anchor.
  const first = anchors[anchor] + (offset > 0 ? offset : every);
  return now < first ? first : first + (Math.floor((now - first) / every) + 1) * every;
}

export interface Settled {
  /** The occurrences to fire, in order. */
  readonly fires: readonly number[];
  /** Number of occurrences dropped for good. */
  readonly missed: number;
  /** The following occurrence; later than now unless occurrences settled earlier are still being fired. */
  readonly next: number | undefined;
  /** In mode `all`: missed occurrences up to this tick are settled and must not be counted again. */
  readonly settled: number | undefined;
}

/**
 * Decides at tick `now` which due occurrences of a timer fire.
 *
 * one: a single fire, however many were missed. all: the newest `maxFires`, each in order. skip: none that was missed.
 * Occurrences that fire in order are settled once: the timer stores up to which tick, so that none is counted twice.
 */
export function settle(trigger: TimerTrigger, anchors: Anchors, { due, settled }: Timer, now: number): Settled {
  if (due > now) return { fires: [], missed: 0, next: due, settled: undefined };
  if (settled !== undefined && due <= settled) {
    return { fires: [due], missed: 0, next: nextDue(trigger, anchors, due), settled };
  }
  const { mode, maxFires, grace } = trigger.catchUp;
  const range = { first: due, last: now, max: mode === 'all' ? maxFires : 1 };
  const { count, newest } = occurrences(trigger, anchors, range);
  const oldest = now - (mode === 'skip' ? Math.min(grace, MISSED_AFTER_TICKS) : grace);
  const fires = newest.filter((occurrence) => occurrence >= oldest);
  const next = nextDue(trigger, anchors, now);
  return { fires, missed: count - fires.length, next, settled: mode === 'all' ? now : undefined };
}

/** The timer at a later occurrence; `settled` is removed once the timer has passed it. */
export function rescheduleTimer({ settled, ...timer }: Timer, due: number): Timer {
  return settled !== undefined && due <= settled ? { ...timer, due, settled } : { ...timer, due };
}

/** Occurrences from `first`, itself an occurrence, to `last`: their number and up to `max` of the newest, oldest first. */
function occurrences(
  trigger: TimerTrigger,
  { bounds }: Anchors,
  { first, last, max }: { readonly first: number; readonly last: number; readonly max: number },
): { readonly count: number; readonly newest: readonly number[] } {
  switch (trigger.kind) {
    case 'one_shot':
    case 'deadline':
      return { count: 1, newest: [first] };
    case 'schedule': {
      const newest: number[] = [];
      let count = 0;
      for (const tick of bounds === undefined ? [] : occurrencesAfter(trigger, bounds, first - 1)) {
        if (tick > last) break;
        count++;
        newest.push(tick);
        if (newest.length > max) newest.shift();
      }
      return { count, newest };
    }
    case 'recurring': {
      const count = Math.floor((last - first) / trigger.every) + 1;
      const length = Math.min(count, max);
      return { count, newest: Array.from({ length }, (_, i) => first + (count - length + i) * trigger.every) };
    }
    case 'cron':
      return cronTicks(trigger.cron, trigger.zone, { first, last, max });
  }
}
