// What people do to a contract besides moving it: resume it, let an occurrence pass, put another definition under it.
// Each is a pure change of its state; the live service and a replay make the same ones.

import type { CompiledContract } from './compiled.ts';
import type { Running } from './progress.ts';
import { carriedOver, completedIfSpent, deploy, owing } from './react.ts';
import type { ContractState, Timer } from './reaction.ts';
import { isTimer, movedTo, nextDue } from './schedule.ts';

export type ResumeMode = 'deadline' | 'remaining' | 'restart';

/**
 * Going on at `tick`. What its windows lost meanwhile is owed a look.
 *
 * @param heldAt  since when it stood still
 */
export function resumed({ contract, state, windows }: Running, mode: ResumeMode, tick: number, heldAt: number) {
  // What began anew while it stood still has stood still only since then.
  const shift = tick - Math.max(heldAt, state.entered);
  const timers = state.timers.map((timer) => {
    const trigger = contract.transitions.find((one) => one.id === timer.transition)?.trigger;
    if (trigger?.kind !== 'one_shot') return timer;
    if (mode === 'remaining') return { ...timer, due: timer.due + shift };
    return mode === 'restart' ? { ...timer, due: tick + trigger.after } : timer;
  });
  for (const window of windows.values()) window.expire(tick);
  return owing(contract, { ...state, timers, failures: 0, lifecycle: 'active' }, tick);
}

/** The state without the next occurrence of a timer, completed where nothing can move it any more. */
export function skipped({ contract, state }: Running, next: Timer): ContractState {
  const trigger = contract.transitions.find((one) => one.id === next.transition)?.trigger;
  const anchors = { entry: state.entered, deploy: state.deployed };
  const due = trigger && isTimer(trigger) ? nextDue(trigger, anchors, next.due) : undefined;
  const timers = state.timers.flatMap((timer) =>
    timer !== next ? [timer] : due === undefined ? [] : [movedTo(timer, due)],
  );
  return completedIfSpent(contract, { ...state, timers });
}

/**
 * The state under another definition, or begun again; its account of fires and its deployment stay what they were.
 *
 * @param at.heldAt  since when the contract stands still, if it does: its timers are what they would have been then
 */
export function redefined(
  contract: CompiledContract,
  kept: ContractState,
  {
    tick,
    number,
    isReset,
    heldAt = tick,
  }: {
    readonly tick: number;
    readonly number: number;
    readonly isReset: boolean;
    readonly heldAt?: number | undefined;
  },
): ContractState {
  const { fires, missed, deployed } = kept;
  const carried = isReset ? deploy(contract, tick, number) : carriedOver(contract, kept, heldAt);
  return { ...carried, fires, missed, deployed };
}
