// When the timers of a contract fire, as far as its state stays what it is. Of what is overdue only that which still fires.

import type { Running } from './progress.ts';
import type { Timer } from './reaction.ts';
import { type Anchors, isTimer, movedTo, nextDue, settle, type TimerTrigger } from './schedule.ts';

export interface Upcoming {
  readonly svcond: number;
  readonly transition: string;
}

export function upcoming({ contract, state }: Running, now: number, count: number): Upcoming[] {
  const anchors = { entry: state.entered, deploy: state.deployed };
  const found = state.timers.flatMap((timer) => {
    const { transition } = timer;
    const trigger = contract.transitions.find(({ id }) => id === transition)?.trigger;
    if (trigger === undefined || !isTimer(trigger)) return [];
    const fired = Object.hasOwn(state.firesSinceEntry, transition) ? (state.firesSinceEntry[transition] ?? 0) : 0;
    const left = trigger.kind === 'recurring' ? Math.min(count, trigger.maxFires - fired) : count;
    return firesOf(trigger, anchors, timer, { now, count: left }).map((svcond) => ({ svcond, transition }));
  });
  return found.sort((a, b) => a.svcond - b.svcond).slice(0, count);
}

function firesOf(
  trigger: TimerTrigger,
  anchors: Anchors,
  timer: Timer,
  { now, count }: { readonly now: number; readonly count: number },
): number[] {
  const found: number[] = [];
  let ahead = timer;
  while (found.length < count) {
    const { due } = ahead;
    const isAhead = due > now;
    const settled = isAhead
      ? { fires: [due], next: nextDue(trigger, anchors, due) }
      : settle(trigger, anchors, ahead, now);
    found.push(...settled.fires);
    if (settled.next === undefined) break;
    ahead = movedTo(ahead, settled.next);
  }
  return found.slice(0, count);
}
