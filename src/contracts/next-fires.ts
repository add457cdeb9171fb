// Lists the next fires of a contract's timers while its state stays unchanged; overdue occurrences only if they still fire.

import type { Timer } from './contract-state.ts';
import type { RunningContract } from './execution.ts';
import { type Anchors, anchorsOf, isTimer, nextDue, rescheduleTimer, settle, type TimerTrigger } from './schedule.ts';

export interface NextFire {
  readonly svcond: number;
  readonly transition: string;
}

export function nextFires({ contract, state }: RunningContract, now: number, count: number): NextFire[] {
  const fires = state.timers.flatMap((timer) => {
    const { transition } = timer;
    const trigger = contract.transitions.find(({ id }) => id === transition)?.trigger;
    if (trigger === undefined || !isTimer(trigger)) return [];
    const fired = Object.hasOwn(state.firesSinceEntry, transition) ? (state.firesSinceEntry[transition] ?? 0) : 0;
    const remaining = 'maxFires' in trigger ? Math.min(count, trigger.maxFires - fired) : count;
    return firesOf(trigger, anchorsOf(state, timer), timer, { now, count: remaining }).map((svcond) => ({
      svcond,
      transition,
    }));
  });
  return fires.sort((a, b) => a.svcond - b.svcond).slice(0, count);
}

function firesOf(
  trigger: TimerTrigger,
  anchors: Anchors,
  timer: Timer,
  { now, count }: { readonly now: number; readonly count: number },
): number[] {
  const ticks: number[] = [];
  let current = timer;
  while (ticks.length < count) {
    const { due } = current;
    const { fires, next } =
      due > now ? { fires: [due], next: nextDue(trigger, anchors, due) } : settle(trigger, anchors, current, now);
    ticks.push(...fires);
    if (next === undefined) break;
    current = rescheduleTimer(current, next);
  }
  return ticks.slice(0, count);
}
