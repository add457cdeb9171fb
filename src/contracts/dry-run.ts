// Dry-runs one event, one manual fire, or the next timers against the present state of a contract.

import {
  type ContractReplay,
  type ReplayedFire,
  type ReplayedRefusal,
  type StateSummary,
  summarizeState,
} from './contract-replay.ts';
import type { SentBy } from './contract-state.ts';

/** An event at tick `now`, then the timers up to `until`. With neither, the next enabled transition is fired manually. */
export interface DryRunOptions {
  readonly now: number;
  readonly event?: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> } | undefined;
  /** Who sends the event or fires. */
  readonly actor: string;
  readonly sentBy?: SentBy | undefined;
  readonly until?: number | undefined;
  /** Called before each step; what it throws ends the dry run. */
  readonly countStep: () => void;
}

export interface DryRun {
  readonly before: StateSummary;
  readonly after: StateSummary;
  readonly fires: readonly ReplayedFire[];
  readonly refused: readonly ReplayedRefusal[];
  /** Why no transition was attempted. */
  readonly reason: string | undefined;
}

/** Changes the given replay, so the caller must pass one that it does not need afterwards. */
export function* dryRun(
  replay: ContractReplay,
  { now, event, actor, sentBy = {}, until, countStep }: DryRunOptions,
): Generator<void, DryRun> {
  const before = summarizeState(replay);
  const number = Number.MAX_SAFE_INTEGER;
  const deliverOwnEvents = () => {
    while (replay.ownEvents.length > 0) {
      countStep();
      replay.deliverOwnEvent(number);
    }
  };
  countStep();
  if (event !== undefined) {
    const external = { kind: 'event', origin: 'external', isUndelivered: false, isSkippedMatch: false } as const;
    replay.receive({ ...external, ...event, actor, sentBy, tick: now, seq: number });
  } else if (until === undefined) {
    for (const { id, from } of replay.running.contract.transitions) {
      if (replay.fires.length > 0 || !from.has(replay.running.state.state)) continue;
      replay.fireManually(id, undefined, { tick: now, seq: number, actor, sentBy });
    }
  }
  deliverOwnEvents();
  for (let due = replay.nextDue; due !== undefined && due <= (until ?? -1); due = replay.nextDue) {
    countStep();
    replay.wake(Math.max(due, now), number);
    deliverOwnEvents();
    yield;
  }
  const { fires, refused } = replay;
  return { before, after: summarizeState(replay), fires, refused, reason: reasonOf(before, replay, event?.name) };
}

function reasonOf(before: StateSummary, replay: ContractReplay, event: string | undefined): string | undefined {
  if (replay.fires.length > 0 || replay.refused.length > 0) return undefined;
  if (!replay.isMachineActive) return 'The machine is paused or archived.';
  if (before.status !== 'active') return `The contract is ${before.status}.`;
  if (event !== undefined && !replay.listensTo(event)) return `The contract does not listen to ${event}.`;
  return event === undefined ? 'Nothing is due.' : `No transition from ${before.state} listens to ${event}.`;
}
