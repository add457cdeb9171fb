// The beginning of an instance: its state, the event that spawns it, and its move to a new version.

import type { CompiledContract } from '../compiled.ts';
import type { ContractState, Environment, Stimulus } from '../contract-state.ts';
import { deliver, type RunningContract, type Step } from '../execution.ts';
import { redefineState } from '../lifecycle.ts';
import type { DeadlineSource } from '../time/arm.ts';
import { createWindows, initialState } from '../transition-function.ts';

type Event = Extract<Stimulus, { kind: 'event' }>;

/**
 * The state in which a key begins.
 *
 * @param former  of the finished instance with that key: entries and fires count on, so that no fire has an earlier key
 * @throws DomainError VALIDATION_FAILED if a deadline of the initial state has no value or has passed
 */
export function spawnedState(
  contract: CompiledContract,
  { tick, number }: Pick<Event, 'tick' | 'number'>,
  former: ContractState | undefined,
  source: DeadlineSource,
): ContractState {
  const state = initialState(contract, tick, number, undefined, undefined, source);
  if (former === undefined) return state;
  return { ...state, entries: former.entries + 1, fires: former.fires };
}

export interface Spawned {
  readonly running: RunningContract;
  /** Of the event, which is its first. */
  readonly steps: readonly Step[];
  /** Whether transitions out of the initial state listen to the event, and none of them fired: nothing is created. */
  readonly isRefused: boolean;
}

/** Begins a key, and delivers the event that does it. @throws DomainError as `spawnedState` */
export function spawn(
  contract: CompiledContract,
  event: Event,
  former: ContractState | undefined,
  environment: Environment,
): Spawned {
  const state = spawnedState(contract, event, former, environment);
  const running: RunningContract = { contract, state, windows: createWindows(contract) };
  const steps = deliver(running, event, environment);
  const isHeard = contract.transitions.some(
    ({ from, trigger }) => from.has(state.state) && trigger.kind === 'event' && trigger.event === event.name,
  );
  const isRefused = isHeard && !steps.some(({ result }) => result.fired !== undefined);
  return { running, steps, isRefused };
}

/**
 * An instance under a newer version, which has all states of the former one.
 *
 * @throws DomainError VALIDATION_FAILED if a new deadline has no value or has passed
 */
export function movedInstance(
  contract: CompiledContract,
  running: RunningContract,
  { tick, number }: Pick<Event, 'tick' | 'number'>,
  source: DeadlineSource,
): RunningContract {
  const state = redefineState(contract, running, { tick, number, isReset: false, source });
  return { contract, state, windows: createWindows(contract) };
}
