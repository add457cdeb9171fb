// The transition function: from a contract, its state and a stimulus to its next state and the effects of the transition.
//
// Pure and deterministic, so that the live engine, dry runs, simulations and browsers all decide alike. One stimulus
// fires at most one transition, which runs to completion: a failed action leaves state and context unchanged.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { CompiledContract, CompiledTransition } from './compiled.ts';
import type {
  ContractState,
  CountedEvent,
  Environment,
  RefusedTransition,
  Stimulus,
  Timer,
  TransitionResult,
  Windows,
} from './contract-state.ts';
import { faultNameOf, isOfContents } from './data/faults.ts';
import { CURRENT_ENGINE, type EngineEdition, editionOf } from './engine-edition.ts';
import { castVote } from './parties/ballot.ts';
import type { PartyState } from './parties/party-state.ts';
import { maySend, senderFault } from './parties/permission.ts';
import { isTimer, rescheduleTimer } from './schedule.ts';
import { armTimer, armTimers, type DeadlineSource } from './time/arm.ts';
import { clocksOnEntry } from './time/clocks.ts';
import { createNameReader, isScalar, payloadFault, TransitionAttempt, withSender } from './transition-attempt.ts';
import { type Evaluate, evaluateTyped } from './typed-expressions.ts';
import { MAX_SAMPLES, Window } from './window.ts';
import {
  addNamedWindows,
  addToNamedWindows,
  refilterWindows,
  waitsForEvents,
  windowsCheckedOnExpiry,
} from './windows/named-windows.ts';

/** The contract fails after this many consecutive failed actions. */
const MAX_FAILURES = 5;

/** Empty windows: one for each aggregate trigger, and the named ones. */
export function createWindows(contract: CompiledContract): Windows {
  const windows: Windows = new Map();
  // Those of an instance are stored with it.
  const max = contract.definition.key === undefined ? MAX_SAMPLES : LIMITS.contracts.instances.samples;
  for (const { id, trigger } of contract.transitions) {
    if (trigger.kind === 'on_aggregate') windows.set(id, new Window(trigger.fn, trigger.within, max));
  }
  addNamedWindows(contract, windows, max);
  return windows;
}

/**
 * @param number  sequence number of the row that deployed the contract
 * @param source  for deadlines with expressions
 * @throws DomainError VALIDATION_FAILED if a deadline of the initial state has no value or has passed
 */
export function initialState(
  contract: CompiledContract,
  tick: number,
  number: number,
  edition: EngineEdition = CURRENT_ENGINE,
  parties?: PartyState,
  source?: DeadlineSource,
): ContractState {
  const state = stateOnEntry(contract, tick, number, edition, parties);
  return { ...state, timers: armTimers(contract, state, tick, source) };
}

/** The state of a contract that keeps its state in instances: it has no timers, and counts them. */
export function keyedState(
  contract: CompiledContract,
  tick: number,
  number: number,
  parties?: PartyState,
): ContractState {
  return { ...stateOnEntry(contract, tick, number, CURRENT_ENGINE, parties), instances: { active: 0, finished: 0 } };
}

/** The state before its timers are set. */
function stateOnEntry(
  contract: CompiledContract,
  tick: number,
  number: number,
  edition: EngineEdition,
  parties?: PartyState,
): ContractState {
  const clocks = clocksOnEntry(contract.definition, contract.definition.initial, tick, undefined);
  return {
    ...(edition === 1 ? {} : { engine: { edition, from: number } }),
    state: contract.definition.initial,
    lifecycle: 'active',
    context: contract.initialContext,
    ...(contract.initialCollections === undefined ? {} : { collections: contract.initialCollections }),
    deployed: tick,
    entered: tick,
    entries: 1,
    enteredAt: number,
    timers: [],
    firesSinceEntry: {},
    emptyWindows: [],
    pendingSince: null,
    skipNextMatch: false,
    fires: 0,
    missed: 0,
    blockedCount: 0,
    failures: 0,
    ...(clocks === undefined ? {} : { clocks }),
    ...(parties === undefined ? {} : { parties }),
  };
}

/** The tick at which the contract must be woken next: its first timer, or the first expiry in a window checked on expiry. */
export function nextWake(contract: CompiledContract, state: ContractState, windows: Windows): number | undefined {
  if (state.lifecycle !== 'active') return undefined;
  const times = state.timers.map(({ due }) => due);
  if (state.pendingSince !== null) times.push(state.pendingSince);
  for (const { key, within } of windowsCheckedOnExpiry(contract, state.state)) {
    const expiry = windows.get(key)?.nextExpiry;
    if (expiry !== undefined) times.push(expiry);
    // A window that stays empty after the entry is checked once, when it has been empty for its whole length.
    if (expiry === undefined && !state.emptyWindows.includes(key)) times.push(state.entered + within);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether the event has a name that the contract emits itself, so that callers cannot send it to this contract. */
export function isReserved(
  { reservedEvents }: CompiledContract,
  { engine }: Pick<ContractState, 'engine'>,
  { name, number, isExternal = false }: Pick<CountedEvent, 'name' | 'number' | 'isExternal'>,
): boolean {
  return isExternal && engine !== undefined && number > engine.from && reservedEvents.has(name);
}

/** Whether only parties may send the event, and its sender is none of them, in whatever state the contract is. */
export function isForbidden(
  { senders }: CompiledContract,
  { name, party }: Pick<CountedEvent, 'name' | 'party'>,
): boolean {
  const from = senders?.from.get(name);
  return from !== undefined && (party === undefined || !from.has(party));
}

/** Adds an event to every window that counts it, in whatever state the contract is. */
export function addToWindows(
  {
    contract,
    state,
    windows,
  }: { readonly contract: CompiledContract; readonly state: ContractState; readonly windows: Windows },
  event: CountedEvent,
  evaluate: Evaluate,
): void {
  if (isReserved(contract, state, event) || isForbidden(contract, event)) return;
  const payload = withSender(contract, event.name, event);
  for (const { id, trigger } of contract.transitions) {
    if (trigger.kind !== 'on_aggregate' || trigger.event !== event.name) continue;
    const value = trigger.field === undefined ? 0 : payload[trigger.field];
    if (payloadFault(contract, event.name, event.payload) !== undefined || !isScalar(value)) continue;
    if (trigger.filter) {
      const read = createNameReader(contract.parameters, payload);
      if (evaluateTyped(trigger.filter, read, evaluate) !== true) continue;
    }
    windows.get(id)?.add(event.tick, value);
  }
  if (contract.windows.size === 0 || payloadFault(contract, event.name, event.payload) !== undefined) return;
  addToNamedWindows(contract, state, windows, { ...event, payload }, evaluate);
}

/** Fires the first candidate transition whose condition holds. Expired samples are removed from `windows` in place. */
export function evaluateStimulus(
  contract: CompiledContract,
  state: ContractState,
  windows: Windows,
  stimulus: Stimulus,
  environment: Environment,
): TransitionResult {
  const withoutFire = (refused: readonly RefusedTransition[], after: ContractState): TransitionResult => ({
    state: refused.some(({ code }) => code === 'CONDITION')
      ? { ...after, blockedCount: after.blockedCount + 1 }
      : after,
    fired: undefined,
    refused,
  });
  if (state.lifecycle !== 'active') return withoutFire([], state);
  const pendingSince = state.pendingSince ?? firstExpiry(contract, state, windows, stimulus.tick);
  for (const window of windows.values()) window.expire(stimulus.tick);
  // Windows never count events that the contract emitted itself.
  if (stimulus.kind === 'event' && !stimulus.isOwn) {
    addToWindows({ contract, state, windows }, stimulus, environment.evaluate);
  }
  if (contract.windows.size > 0) refilterWindows(contract, state, windows, environment.evaluate);
  let current =
    stimulus.kind === 'expiry'
      ? withExpiryChecked(contract, state, windows, stimulus.tick)
      : { ...state, pendingSince };
  const refused: RefusedTransition[] = [];
  let tried = candidates(contract, current, stimulus);
  if (contract.senders !== undefined && stimulus.kind === 'event' && stimulus.isOwn !== true) {
    const sent = admit(contract, current, tried, stimulus, environment);
    ({ state: current, tried } = sent);
    refused.push(...sent.refused);
  }
  for (const transition of tried) {
    const attempt = new TransitionAttempt(contract, current, windows, transition, stimulus, environment);
    const refusal = attempt.refusal();
    if (refusal !== undefined) {
      refused.push({ transition: transition.id, ...refusal });
      continue;
    }
    if (current.skipNextMatch && stimulus.kind === 'event') {
      refused.push({ transition: transition.id, code: 'SKIPPED', reason: 'Skipped on request.' });
      return withoutFire(refused, { ...current, skipNextMatch: false });
    }
    try {
      const fired = attempt.fire();
      const { context, collections, rearmed } = attempt;
      const written = collections === undefined ? { ...current, context } : { ...current, context, collections };
      const source = { evaluate: environment.evaluate, onRead: (name: string) => attempt.noteDeadlineRead(name) };
      const entered = enterState({ contract, state: written, windows }, transition, stimulus, rearmed, source);
      return { state: entered, fired, refused };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({
        transition: transition.id,
        code: 'ACTION_FAILED',
        reason: error.message,
        ...faultOf(error),
        field: attempt.fieldAtFault,
      });
      const isOfSender = attempt.readPayload || (attempt.isSent && isOfContents(error));
      const isOwnFault = editionOf(current) === 1 || !isOfSender;
      const failures = current.failures + (isOwnFault ? 1 : 0);
      const lifecycle = failures >= MAX_FAILURES ? 'failed' : 'active';
      return withoutFire(
        refused,
        advanceTimer(contract, { ...current, failures, lifecycle }, transition, stimulus, false),
      );
    }
  }
  const timed =
    stimulus.kind === 'timer' ? contract.transitions.find(({ id }) => id === stimulus.transition) : undefined;
  return withoutFire(refused, timed ? advanceTimer(contract, current, timed, stimulus, false) : current);
}

function faultOf(error: DomainError): Pick<RefusedTransition, 'fault'> {
  const fault = faultNameOf(error);
  return fault === undefined ? {} : { fault };
}

/** Leaves out what is not for the sender of an event to do, and records its vote. */
function admit(
  contract: CompiledContract,
  state: ContractState,
  tried: readonly CompiledTransition[],
  event: Extract<Stimulus, { kind: 'event' }>,
  environment: Environment,
): { state: ContractState; tried: CompiledTransition[]; refused: RefusedTransition[] } {
  const fault = senderFault(contract, state, event);
  if (fault !== undefined) {
    const refused = tried.map(({ id }) => ({ transition: id, code: 'FORBIDDEN_PARTY', reason: fault }) as const);
    return { state, tried: [], refused };
  }
  const allowed = tried.filter((transition) => maySend(transition, event.party));
  const isVote = allowed.some(({ trigger }) => trigger.kind === 'quorum');
  if (!isVote || payloadFault(contract, event.name, event.payload) !== undefined)
    return { state, tried: allowed, refused: [] };
  const read = createNameReader(contract.parameters, withSender(contract, event.name, event));
  const { state: voted, refusal } = castVote(contract, state, event, environment, read);
  if (refusal === undefined) return { state: voted, tried: allowed, refused: [] };
  const [quorums, others] = [true, false].map((isQuorum) =>
    allowed.filter(({ trigger }) => (trigger.kind === 'quorum') === isQuorum),
  );
  const refused = (quorums ?? []).map(({ id }) => ({ transition: id, ...refusal }));
  return { state, tried: others ?? [], refused };
}

/** The transitions that a stimulus may fire, in the order in which they are tried. */
function candidates(
  contract: CompiledContract,
  { state, engine }: ContractState,
  stimulus: Stimulus,
): CompiledTransition[] {
  if (stimulus.kind === 'event' && isReserved(contract, { engine }, stimulus)) return [];
  return contract.transitions.filter(({ id, from, trigger }) => {
    if (!from.has(state)) return false;
    switch (stimulus.kind) {
      case 'event':
        if (trigger.kind === 'event') return trigger.event === stimulus.name && (!stimulus.isOwn || trigger.self);
        if (trigger.kind === 'quorum') return trigger.event === stimulus.name && !stimulus.isOwn;
        if (trigger.kind === 'windows') return trigger.events.has(stimulus.name) && !stimulus.isOwn;
        return trigger.kind === 'on_aggregate' && trigger.event === stimulus.name && !stimulus.isOwn;
      case 'expiry':
        return trigger.kind === 'windows' || (trigger.kind === 'on_aggregate' && trigger.onExpiry);
      default:
        return id === stimulus.transition;
    }
  });
}

/** The state after a transition, whose context and collections are written. A transition back into its own state does not enter it again unless `reenter` is set. */
function enterState(
  {
    contract,
    state: before,
    windows,
  }: { readonly contract: CompiledContract; readonly state: ContractState; readonly windows: Windows },
  transition: CompiledTransition,
  stimulus: Stimulus,
  rearmed: ReadonlySet<string>,
  source: DeadlineSource,
): ContractState {
  const fires = before.fires + 1;
  if (transition.to === before.state && !transition.reenters) {
    const kept = advanceTimer(contract, { ...before, fires, failures: 0 }, transition, stimulus, true);
    return rearmed.size === 0 ? kept : rearmTimers(contract, kept, rearmed, stimulus.tick, source);
  }
  const isTerminal = contract.definition.states[transition.to]?.role === 'terminal';
  const clocks = clocksOnEntry(contract.definition, transition.to, stimulus.tick, before.clocks);
  const entered: ContractState = {
    ...before,
    fires,
    failures: 0,
    state: transition.to,
    lifecycle: isTerminal ? 'completed' : 'active',
    entered: stimulus.tick,
    entries: before.entries + 1,
    enteredAt: stimulus.number,
    timers: [],
    firesSinceEntry: {},
    emptyWindows: [],
    pendingSince: null,
    skipNextMatch: false,
    ...(clocks === undefined ? {} : { clocks }),
    ...(before.parties === undefined ? {} : { parties: { ...before.parties, votes: {} } }),
  };
  // A deadline without a value refuses the transition, before anything else changes.
  const after = isTerminal ? entered : { ...entered, timers: armTimers(contract, entered, stimulus.tick, source) };
  for (const { id, trigger } of contract.transitions) {
    if (trigger.kind === 'on_aggregate' && trigger.since === 'entry') windows.get(id)?.clear();
  }
  return after;
}

/** The state with some of its deadlines set again from the values of now; none is due in this tick. */
function rearmTimers(
  contract: CompiledContract,
  state: ContractState,
  rearmed: ReadonlySet<string>,
  tick: number,
  source: DeadlineSource,
): ContractState {
  const set = contract.transitions.flatMap((transition) =>
    rearmed.has(transition.id) ? (armTimer(contract, state, transition, tick, source, tick + 1) ?? []) : [],
  );
  const kept = state.timers.filter(({ transition }) => !rearmed.has(transition));
  // It may have been completed for want of timers.
  return completeIfExhausted(contract, { ...state, lifecycle: 'active', timers: [...kept, ...set] });
}

/** Moves the timer that was due to its next occurrence, schedules its retry, or removes it. */
function advanceTimer(
  contract: CompiledContract,
  state: ContractState,
  { id, trigger }: CompiledTransition,
  stimulus: Stimulus,
  hasFired: boolean,
): ContractState {
  if (stimulus.kind !== 'timer' || !isTimer(trigger)) return state;
  const before = Object.hasOwn(state.firesSinceEntry, id) ? (state.firesSinceEntry[id] ?? 0) : 0;
  const fired = before + (hasFired ? 1 : 0);
  const timers = state.timers.flatMap((timer): Timer[] => {
    if (timer.transition !== id || timer.due > stimulus.due) return [timer];
    if (trigger.kind === 'one_shot' || trigger.kind === 'deadline') {
      const isRetried = !hasFired && trigger.retryEvery !== undefined && timer.retries < trigger.maxRetries;
      const retryAt = stimulus.tick + (trigger.retryEvery ?? 0);
      return isRetried ? [rescheduleTimer({ ...timer, retries: timer.retries + 1 }, retryAt)] : [];
    }
    if ('maxFires' in trigger && fired >= trigger.maxFires) return [];
    return stimulus.next === undefined ? [] : [rescheduleTimer(timer, stimulus.next)];
  });
  const firesSinceEntry = hasFired ? { ...state.firesSinceEntry, [id]: fired } : state.firesSinceEntry;
  return completeIfExhausted(contract, { ...state, timers, firesSinceEntry });
}

/** The state, completed if nothing can move the contract any more: no timer is armed and no event leaves the state. */
export function completeIfExhausted({ transitions }: CompiledContract, state: ContractState): ContractState {
  if (state.lifecycle !== 'active' || state.timers.length > 0) return state;
  const hasEventExit = transitions.some((transition) => waitsForEvents(transition) && transition.from.has(state.state));
  return hasEventExit ? state : { ...state, lifecycle: 'completed' };
}

/** The tick of the first sample that expires by `tick` in a window that is checked on expiry; null if none does. */
function firstExpiry(contract: CompiledContract, { state }: ContractState, windows: Windows, tick: number) {
  const checked = windowsCheckedOnExpiry(contract, state);
  if (checked.length === 0) return null;
  const expiries = checked.flatMap(({ key }) => windows.get(key)?.nextExpiry ?? []);
  const first = Math.min(...expiries);
  return first <= tick ? first : null;
}

/** The state with a pending check of its windows, if any of them is checked on expiry. */
export function withPendingCheck(contract: CompiledContract, state: ContractState, tick: number): ContractState {
  return windowsCheckedOnExpiry(contract, state.state).length === 0
    ? state
    : { ...state, pendingSince: state.pendingSince ?? tick };
}

/** The state after its windows were checked on expiry, with those recorded that stayed empty since the entry. */
function withExpiryChecked(
  contract: CompiledContract,
  state: ContractState,
  windows: Windows,
  tick: number,
): ContractState {
  const empty = windowsCheckedOnExpiry(contract, state.state).flatMap(({ key, within }) => {
    const isChecked = state.entered + within <= tick && windows.get(key)?.nextExpiry === undefined;
    return isChecked && !state.emptyWindows.includes(key) ? [key] : [];
  });
  return {
    ...state,
    pendingSince: null,
    emptyWindows: empty.length === 0 ? state.emptyWindows : [...state.emptyWindows, ...empty],
  };
}
