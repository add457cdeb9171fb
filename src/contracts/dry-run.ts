// What one event, one fire by hand, or the next timers would do to a contract as it stands.

import { type Replayed, type ReplayedFire, type ReplayedRefusal, type Standing, standingOf } from './replayed.ts';

/** An event at tick `now`, then the timers up to `until`. With neither, the next enabled transition is fired by hand. */
export interface Trial {
  readonly now: number;
  readonly event?: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> } | undefined;
  readonly until?: number | undefined;
  /** Called before each step; what it throws ends the trial. */
  readonly spend: () => void;
}

export interface DryRun {
  readonly before: Standing;
  readonly after: Standing;
  readonly fires: readonly ReplayedFire[];
  readonly refused: readonly ReplayedRefusal[];
  /** Why nothing was even tried. */
  readonly reason: string | undefined;
}

/** Moves the contract that it is given: the caller hands over one of its own. */
export function* dryRun(replayed: Replayed, { now, event, until, spend }: Trial): Generator<void, DryRun> {
  const before = standingOf(replayed);
  const number = Number.MAX_SAFE_INTEGER;
  const settleOwn = () => {
    while (replayed.own.length > 0) {
      spend();
      replayed.hearOwn(number);
    }
  };
  spend();
  if (event !== undefined) {
    const told = { kind: 'event', origin: 'outside', isLost: false, isSwallowed: false } as const;
    replayed.hear({ ...told, ...event, tick: now, seq: number });
  } else if (until === undefined) {
    for (const { id, from } of replayed.running.contract.transitions) {
      if (replayed.fires.length > 0 || !from.has(replayed.running.state.state)) continue;
      replayed.fireByHand(id, undefined, { tick: now, seq: number });
    }
  }
  settleOwn();
  for (let due = replayed.nextDue; due !== undefined && due <= (until ?? -1); due = replayed.nextDue) {
    spend();
    replayed.wake(Math.max(due, now), number);
    settleOwn();
    yield;
  }
  const { fires, refused } = replayed;
  return { before, after: standingOf(replayed), fires, refused, reason: reasonOf(before, replayed, event?.name) };
}

function reasonOf(before: Standing, replayed: Replayed, event: string | undefined): string | undefined {
  if (replayed.fires.length > 0 || replayed.refused.length > 0) return undefined;
  if (!replayed.isMachineActive) return 'The machine is paused or archived.';
  if (before.status !== 'active') return `The contract is ${before.status}.`;
  if (event !== undefined && !replayed.hears(event)) return `The contract does not listen to ${event}.`;
  return event === undefined ? 'Nothing is due.' : `No transition from ${before.state} listens to ${event}.`;
}
