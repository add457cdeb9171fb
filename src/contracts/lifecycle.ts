// Lifecycle changes of a contract: resume, skip the next occurrence, replace the definition.
// Each is a pure function of the state, shared by the live service and replays.

import { carryOverState } from './carry-over.ts';
import type { CompiledContract, CompiledTrigger } from './compiled.ts';
import type { ContractState, Timer } from './contract-state.ts';
import { CURRENT_ENGINE, editionOf } from './engine-edition.ts';
import type { RunningContract } from './execution.ts';
import type { PartyBindings } from './parties/bindings.ts';
import { partyStateOf } from './parties/party-state.ts';
import { isTimer, nextDue, rescheduleTimer } from './schedule.ts';
import { completeIfExhausted, initialState, withPendingCheck } from './transition-function.ts';

export type ResumeMode = 'deadline' | 'remaining' | 'restart';

/**
 * The state of a contract resumed at `tick`. Expires old samples, and leaves a pending check if a window is checked on
 * expiry.
 *
 * @param heldAt  tick at which it was paused or failed
 */
export function resumeState(
  { contract, state, windows }: RunningContract,
  mode: ResumeMode,
  tick: number,
  heldAt: number,
) {
  // A state entered during the pause has been paused only since its entry.
  const shift = tick - Math.max(heldAt, state.entered);
  const timers = state.timers.map((timer) => {
    const trigger = triggerOf(contract, timer);
    if (trigger?.kind !== 'one_shot') return timer;
    if (mode === 'remaining') return { ...timer, due: timer.due + shift };
    return mode === 'restart' ? { ...timer, due: tick + trigger.after } : timer;
  });
  for (const window of windows.values()) window.expire(tick);
  const resumed = withPendingCheck(contract, { ...state, timers, failures: 0, lifecycle: 'active' }, tick);
  return editionOf(state) === 1 ? resumed : completeIfExhausted(contract, resumed);
}

/** The state without the next occurrence of a timer; completed if no transition can fire any more. */
export function skipTimer({ contract, state }: RunningContract, next: Timer): ContractState {
  const trigger = triggerOf(contract, next);
  const anchors = { entry: state.entered, deploy: state.deployed };
  const due = trigger && isTimer(trigger) ? nextDue(trigger, anchors, next.due) : undefined;
  const timers = state.timers.flatMap((timer) =>
    timer !== next ? [timer] : due === undefined ? [] : [rescheduleTimer(timer, due)],
  );
  return completeIfExhausted(contract, { ...state, timers });
}

/**
 * The state under another definition, carried over or reset. Keeps the fire counts and the deployment tick; a reset is
 * one more entry, so that its fires have keys of their own.
 *
 * `number` is the row that causes the change. `heldAt` is the tick at which the contract was paused, if it is; its
 * timers are armed as of that tick.
 */
export function redefineState(
  contract: CompiledContract,
  { contract: before, state: previous }: Pick<RunningContract, 'contract' | 'state'>,
  {
    tick,
    number,
    isReset,
    heldAt = tick,
    bindings,
  }: {
    readonly tick: number;
    readonly number: number;
    readonly isReset: boolean;
    readonly heldAt?: number | undefined;
    /** Who is bound from now on, if that changes. */
    readonly bindings?: PartyBindings | undefined;
  },
): ContractState {
  const { parties: _, ...former } = previous;
  const parties = partiesAfter(contract, previous, bindings);
  const { fires, missed, deployed, engine } = previous;
  const edition = editionOf(previous);
  if (!isReset) return { ...carryOverState(before, contract, former, heldAt), fires, missed, deployed, ...parties };
  const state = initialState(contract, tick, number, edition);
  if (edition === 1) return { ...state, fires, missed, deployed };
  return { ...state, engine, fires, missed, deployed, entries: previous.entries + 1, ...parties };
}

/** The parties under a new version. Votes were cast on the former one, and proposals were made to change it. */
function partiesAfter(
  { senders }: CompiledContract,
  { parties }: ContractState,
  bindings: PartyBindings = parties?.bindings ?? {},
): Pick<ContractState, 'parties'> {
  return senders === undefined ? {} : { parties: { ...partyStateOf(bindings), nonces: parties?.nonces ?? {} } };
}

/** The state, decided by the present edition of the engine after row `from`. */
export function adoptEngine(state: ContractState, from: number): ContractState {
  return editionOf(state) === CURRENT_ENGINE ? state : { ...state, engine: { edition: CURRENT_ENGINE, from } };
}

function triggerOf({ transitions }: CompiledContract, timer: Timer): CompiledTrigger | undefined {
  return transitions.find(({ id }) => id === timer.transition)?.trigger;
}
