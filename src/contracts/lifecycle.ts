// Lifecycle changes of a contract: resume, skip the next occurrence, replace the definition.
// Each is a pure function of the state, shared by the live service and replays.

import { carryOverState } from './carry-over.ts';
import type { CompiledContract, CompiledTrigger } from './compiled.ts';
import type { ContractState, Timer } from './contract-state.ts';
import { CURRENT_ENGINE, editionOf } from './engine-edition.ts';
import type { RunningContract } from './execution.ts';
import type { CompiledMigration } from './migration/compile.ts';
import type { PartyBindings } from './parties/bindings.ts';
import { partyStateOf } from './parties/party-state.ts';
import { anchorsOf, isTimer, nextDue, rescheduleTimer } from './schedule.ts';
import { armTimer, type DeadlineSource, NO_EXPRESSIONS } from './time/arm.ts';
import { clocksAfterPause } from './time/clocks.ts';
import { completeIfExhausted, initialState, withPendingCheck } from './transition-function.ts';

export type ResumeMode = 'deadline' | 'remaining' | 'restart';

/**
 * The state of a contract resumed at `tick`. Expires old samples, and leaves a pending check if a window is checked on
 * expiry.
 *
 * @param heldAt  tick at which it was paused or failed
 * @throws DomainError VALIDATION_FAILED if a deadline that starts again has no value
 */
export function resumeState(
  { contract, state, windows }: RunningContract,
  mode: ResumeMode,
  tick: number,
  heldAt: number,
  source: DeadlineSource = NO_EXPRESSIONS,
) {
  // A state entered during the pause has been paused only since its entry.
  const shift = tick - Math.max(heldAt, state.entered);
  const clocks = clocksAfterPause(state.clocks, heldAt, tick);
  const held: ContractState = { ...state, ...(clocks === undefined ? {} : { clocks }) };
  const timers = state.timers.map((timer) => {
    const transition = contract.transitions.find(({ id }) => id === timer.transition);
    const trigger = transition?.trigger;
    // A deadline at an instant stays there.
    const isOnce = trigger?.kind === 'one_shot' || (trigger?.kind === 'deadline' && trigger.after !== undefined);
    if (transition === undefined || !isOnce) return timer;
    if (mode === 'remaining') return { ...timer, due: timer.due + shift };
    if (mode === 'deadline') return timer;
    if (trigger.kind === 'one_shot') return { ...timer, due: tick + trigger.after };
    const restarted = armTimer(contract, { ...held, entered: tick, deployed: tick }, transition, tick, source);
    return restarted ?? timer;
  });
  for (const window of windows.values()) window.expire(tick);
  const resumed = withPendingCheck(contract, { ...held, timers, failures: 0, lifecycle: 'active' }, tick);
  return editionOf(state) === 1 ? resumed : completeIfExhausted(contract, resumed);
}

/** The state without the next occurrence of a timer; completed if no transition can fire any more. */
export function skipTimer({ contract, state }: RunningContract, next: Timer): ContractState {
  const trigger = triggerOf(contract, next);
  const due = trigger && isTimer(trigger) ? nextDue(trigger, anchorsOf(state, next), next.due) : undefined;
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
    source,
    migration,
  }: {
    readonly tick: number;
    readonly number: number;
    readonly isReset: boolean;
    readonly heldAt?: number | undefined;
    /** Who is bound from now on, if that changes. */
    readonly bindings?: PartyBindings | undefined;
    /** For deadlines with expressions. */
    readonly source?: DeadlineSource | undefined;
    /** What becomes of the state; it has no meaning in a reset. */
    readonly migration?: CompiledMigration | undefined;
  },
): ContractState {
  const { parties: _, ...former } = previous;
  const parties = partiesAfter(contract, previous, bindings);
  const { fires, missed, deployed, engine } = previous;
  const edition = editionOf(previous);
  if (!isReset) {
    const kept = { ...former, ...parties };
    return { ...carryOverState(before, contract, kept, heldAt, source, migration), fires, missed, deployed };
  }
  const state = initialState(contract, tick, number, edition, parties.parties, source);
  if (edition === 1) return { ...state, fires, missed, deployed };
  return { ...state, engine, fires, missed, deployed, entries: previous.entries + 1, ...parties };
}

/** The parties under a new version. Votes were cast on the former one, and proposals were made to change it. */
export function partiesAfter(
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
