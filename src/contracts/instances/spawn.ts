// The beginning of an instance: its state, the event that spawns it, and its move to a new version.

import { DomainError } from '../../core/errors.ts';
import type { CompiledContract } from '../compiled.ts';
import type { ContractState, Environment, Stimulus } from '../contract-state.ts';
import { deliver, type RunningContract, type Step } from '../execution.ts';
import { redefineState } from '../lifecycle.ts';
import type { PartyBindings, Seat } from '../parties/bindings.ts';
import { partyStateOf } from '../parties/party-state.ts';
import { senderFault } from '../parties/permission.ts';
import type { DeadlineSource } from '../time/arm.ts';
import { createWindows, initialState } from '../transition-function.ts';
import { carriedWindows } from '../windows/kept-windows.ts';
import type { KeyRule } from './keys.ts';
import { NOBODY, type SpawnParties, seatIn, sentAs, spawnBindings } from './parties.ts';
import { isHeard, notSpawned, type Refusal } from './route.ts';

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
  bindings?: PartyBindings,
): ContractState {
  // Numbers of signatures count on, so that none is used twice.
  const parties = bindings && { ...partyStateOf(bindings), nonces: former?.parties?.nonces ?? {} };
  const state = initialState(contract, tick, number, undefined, parties, source);
  if (former === undefined) return state;
  return { ...state, entries: former.entries + 1, fires: former.fires };
}

/** An instance that has begun, or why it has not: then nothing is created. */
export type Spawned =
  | {
      readonly running: RunningContract;
      /** Of the event, which is its first. */
      readonly steps: readonly Step[];
      /** For whom the sender of the event acts in it. */
      readonly seat: Seat | undefined;
      readonly refused?: undefined;
    }
  | { readonly refused: readonly Refusal[] };

/**
 * Begins a key, and delivers the event that does it. If transitions out of the initial state listen to the event, one of
 * them has to fire.
 */
export function spawn(
  rule: KeyRule,
  contract: CompiledContract,
  key: string,
  event: Event,
  former: ContractState | undefined,
  environment: Environment,
  parties: SpawnParties = NOBODY,
): Spawned {
  const bound = spawnBindings(contract.definition, event, parties);
  if ('refusal' in bound) return { refused: [bound.refusal] };
  const seat = seatIn(bound.bindings, parties);
  const sent = { ...event, ...sentAs(seat) };
  let state: ContractState;
  try {
    state = spawnedState(contract, event, former, environment, bound.bindings);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_FAILED') throw error;
    return { refused: [notSpawned(rule, event, key, error.message)] };
  }
  const running: RunningContract = { contract, state, windows: createWindows(contract) };
  const mustFire = isHeard(running, event.name);
  const fault = mustFire ? undefined : senderFault(contract, state, sent);
  if (fault !== undefined) return { refused: [{ transition: null, code: 'FORBIDDEN_PARTY', reason: fault }] };
  const steps = deliver(running, sent, environment);
  if (!mustFire || steps.some(({ result }) => result.fired !== undefined)) return { running, steps, seat };
  return { refused: steps.flatMap(({ result }) => result.refused) };
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
  bindings?: PartyBindings,
): RunningContract {
  const state = redefineState(contract, running, { tick, number, isReset: false, source, bindings });
  return { contract, state, windows: carriedWindows(running, contract) };
}
