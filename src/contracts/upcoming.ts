// When the timers of a contract are due, as far as its state stays what it is.

import type { Running } from './progress.ts';
import { isTimer, nextDue } from './schedule.ts';

export interface Upcoming {
  readonly svcond: number;
  readonly transition: string;
}

export function upcoming({ contract, state }: Running, count: number): Upcoming[] {
  const anchors = { entry: state.entered, deploy: state.deployed };
  const found = state.timers.flatMap(({ transition, due }) => {
    const trigger = contract.transitions.find(({ id }) => id === transition)?.trigger;
    const dues: Upcoming[] = [];
    let next: number | undefined = due;
    for (let i = 0; i < count && next !== undefined && trigger && isTimer(trigger); i++) {
      dues.push({ svcond: next, transition });
      next = nextDue(trigger, anchors, next);
    }
    return dues;
  });
  return found.sort((a, b) => a.svcond - b.svcond).slice(0, count);
}
