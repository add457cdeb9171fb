// The transition function: a contract, what it is, what happens; out comes what it becomes and what it does.
//
// Pure and deterministic, so that the live engine, a dry run, a simulation and a browser all decide alike. One stimulus
// fires at most one transition, which runs to its end: an action that fails leaves state and context as they were.

import { DomainError } from '../core/errors.ts';
import { Attempt, isScalar, payloadFault, readerOf } from './attempt.ts';
import type { CompiledContract, CompiledTransition } from './compiled.ts';
import type { Scalar, Scalars } from './definition.ts';
import type { ContractState, Reaction, Refused, Stimulus, Timer, Windows, World } from './reaction.ts';
import { firstDue, isTimer, movedTo } from './schedule.ts';
import { type Evaluate, evaluateTyped } from './typed.ts';
import { Window } from './window.ts';

/** So many refusals by failed actions in a row, and the contract has failed. */
const MOST_FAILURES = 5;

export function emptyWindows({ transitions }: CompiledContract): Windows {
  const windows: Windows = new Map();
  for (const { id, trigger } of transitions) {
    if (trigger.kind === 'on_aggregate') windows.set(id, new Window(trigger.fn, trigger.within));
  }
  return windows;
}

export function deploy(contract: CompiledContract, tick: number, number: number): ContractState {
  const fresh: ContractState = {
    state: contract.definition.initial,
    lifecycle: 'active',
    context: contract.initialContext,
    deployed: tick,
    entered: tick,
    entries: 1,
    enteredAt: number,
    timers: [],
    firesSinceEntry: {},
    silent: [],
    owed: null,
    swallows: false,
    fires: 0,
    missed: 0,
    guarded: 0,
    failures: 0,
  };
  return { ...fresh, timers: armed(contract, fresh, tick) };
}

/** The same state under another definition that has it: its timers are armed anew, from the entry that there was. */
export function carriedOver(contract: CompiledContract, state: ContractState, tick: number): ContractState {
  const known = Object.entries(contract.initialContext).map(([name, initial]) => {
    const value = state.context[name];
    return [name, typeof value === typeof initial ? (value as Scalar) : initial] as const;
  });
  const context = Object.fromEntries(known);
  const carried = { ...state, context, firesSinceEntry: {}, silent: [], owed: null, swallows: false, failures: 0 };
  return { ...carried, timers: armed(contract, carried, tick) };
}

/** When the contract wants to be looked at next: the first timer, or the first sample that leaves a window that minds. */
export function nextWake(contract: CompiledContract, state: ContractState, windows: Windows): number | undefined {
  if (state.lifecycle !== 'active') return undefined;
  const times = state.timers.map(({ due }) => due);
  if (state.owed !== null) times.push(state.owed);
  for (const { id, from, trigger } of contract.transitions) {
    if (trigger.kind !== 'on_aggregate' || !trigger.onExpiry || !from.has(state.state)) continue;
    const expiry = windows.get(id)?.nextExpiry;
    if (expiry !== undefined) times.push(expiry);
    // A window that stays empty from the entry on is looked at once, when it has been empty for its whole length.
    if (expiry === undefined && !state.silent.includes(id)) times.push(state.entered + trigger.within);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Counts an event in every window that listens to it, whatever state the contract is in. */
export function observe(
  contract: CompiledContract,
  windows: Windows,
  event: { readonly name: string; readonly payload: Readonly<Record<string, unknown>>; readonly tick: number },
  evaluate: Evaluate,
): void {
  for (const { id, trigger } of contract.transitions) {
    if (trigger.kind !== 'on_aggregate' || trigger.event !== event.name) continue;
    const value = trigger.field === undefined ? 0 : event.payload[trigger.field];
    if (payloadFault(contract, event.name, event.payload) !== undefined || !isScalar(value)) continue;
    if (trigger.filter) {
      const read = readerOf({ ...contract.parameters }, event.payload, {});
      if (evaluateTyped(trigger.filter, read, evaluate) !== true) continue;
    }
    windows.get(id)?.add(event.tick, value);
  }
}

export function react(
  contract: CompiledContract,
  state: ContractState,
  windows: Windows,
  stimulus: Stimulus,
  world: World,
): Reaction {
  const unchanged = (refused: readonly Refused[], after: ContractState): Reaction => ({
    state: refused.some(({ code }) => code === 'CONDITION') ? { ...after, guarded: after.guarded + 1 } : after,
    fired: undefined,
    refused,
  });
  if (state.lifecycle !== 'active') return unchanged([], state);
  const owed = state.owed ?? oldestLoss(contract, state, windows, stimulus.tick);
  for (const window of windows.values()) window.expire(stimulus.tick);
  // Windows count what others say.
  if (stimulus.kind === 'event' && !stimulus.isOwn) {
    observe(contract, windows, { ...stimulus, payload: stimulus.payload }, world.evaluate);
  }
  const looked = stimulus.kind === 'expiry' ? lookedAt(contract, state, windows, stimulus.tick) : { ...state, owed };
  const refused: Refused[] = [];
  for (const transition of candidates(contract, looked, stimulus)) {
    const attempt = new Attempt(contract, looked, windows, transition, stimulus, world);
    const refusal = attempt.refusal();
    if (refusal !== undefined) {
      refused.push({ transition: transition.id, ...refusal });
      continue;
    }
    if (looked.swallows && stimulus.kind === 'event') {
      refused.push({ transition: transition.id, code: 'SKIPPED', reason: 'This match was to be skipped.' });
      return unchanged(refused, { ...looked, swallows: false });
    }
    try {
      const fired = attempt.fire();
      return { state: entered(contract, looked, windows, transition, stimulus, attempt.context), fired, refused };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({ transition: transition.id, code: 'ACTION_FAILED', reason: error.message });
      const failures = looked.failures + 1;
      const lifecycle = failures >= MOST_FAILURES ? 'failed' : 'active';
      return unchanged(refused, spent(contract, { ...looked, failures, lifecycle }, transition, stimulus, false));
    }
  }
  const [timed] = stimulus.kind === 'timer' ? contract.transitions.filter(({ id }) => id === stimulus.transition) : [];
  return unchanged(refused, timed ? spent(contract, looked, timed, stimulus, false) : looked);
}

/** The transitions that a stimulus may fire, in the order in which they are tried. */
function candidates(
  { transitions }: CompiledContract,
  { state }: ContractState,
  stimulus: Stimulus,
): CompiledTransition[] {
  return transitions.filter(({ id, from, trigger }) => {
    if (!from.has(state)) return false;
    switch (stimulus.kind) {
      case 'event':
        if (trigger.kind === 'event') return trigger.event === stimulus.name && (!stimulus.isOwn || trigger.self);
        return trigger.kind === 'on_aggregate' && trigger.event === stimulus.name && !stimulus.isOwn;
      case 'expiry':
        return trigger.kind === 'on_aggregate' && trigger.onExpiry;
      default:
        return id === stimulus.transition;
    }
  });
}

/** The state after a transition: entered anew, or only passed through where it leads back without `reenter`. */
function entered(
  contract: CompiledContract,
  before: ContractState,
  windows: Windows,
  transition: CompiledTransition,
  stimulus: Stimulus,
  context: Scalars,
): ContractState {
  const fires = before.fires + 1;
  if (transition.to === before.state && !transition.reenters) {
    return spent(contract, { ...before, context, fires, failures: 0 }, transition, stimulus, true);
  }
  const isOver = contract.definition.states[transition.to]?.role === 'terminal';
  const after: ContractState = {
    ...before,
    context,
    fires,
    failures: 0,
    state: transition.to,
    lifecycle: isOver ? 'completed' : 'active',
    entered: stimulus.tick,
    entries: before.entries + 1,
    enteredAt: stimulus.number,
    timers: [],
    firesSinceEntry: {},
    silent: [],
    owed: null,
    swallows: false,
  };
  for (const { id, trigger } of contract.transitions) {
    if (trigger.kind === 'on_aggregate' && trigger.since === 'entry') windows.get(id)?.clear();
  }
  return isOver ? after : { ...after, timers: armed(contract, after, stimulus.tick) };
}

/** The timers of a state, from its entry on. */
function armed(contract: CompiledContract, state: ContractState, now: number): Timer[] {
  const anchors = { entry: state.entered, deploy: state.deployed };
  return contract.transitions.flatMap(({ id, from, trigger }) => {
    if (!isTimer(trigger) || !from.has(state.state)) return [];
    const due = firstDue(trigger, anchors, now);
    return due === undefined ? [] : [{ transition: id, due, retries: 0 }];
  });
}

/** A timer that has had its turn is moved to its next one, tried again later, or gone. */
function spent(
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
    if (trigger.kind === 'one_shot') {
      const isRetried = !hasFired && trigger.retryEvery !== undefined && timer.retries < trigger.maxRetries;
      const again = stimulus.tick + (trigger.retryEvery ?? 0);
      return isRetried ? [movedTo({ ...timer, retries: timer.retries + 1 }, again)] : [];
    }
    if (trigger.kind === 'recurring' && fired >= trigger.maxFires) return [];
    return stimulus.next === undefined ? [] : [movedTo(timer, stimulus.next)];
  });
  const firesSinceEntry = hasFired ? { ...state.firesSinceEntry, [id]: fired } : state.firesSinceEntry;
  return completedIfSpent(contract, { ...state, timers, firesSinceEntry });
}

/** The state, completed where nothing can move the contract any more: no timer is armed, and no event leads on. */
export function completedIfSpent({ transitions }: CompiledContract, state: ContractState): ContractState {
  if (state.lifecycle !== 'active' || state.timers.length > 0) return state;
  const isOpen = transitions.some(({ trigger, from }) => 'event' in trigger && from.has(state.state));
  return isOpen ? state : { ...state, lifecycle: 'completed' };
}

/** When the first of the samples left that leave, by `tick`, a window whose transition listens to that in this state. */
function oldestLoss(contract: CompiledContract, { state }: ContractState, windows: Windows, tick: number) {
  const losses = mindingIn(contract, state).flatMap(({ id }) => windows.get(id)?.nextExpiry ?? []);
  const first = Math.min(...losses);
  return first <= tick ? first : null;
}

/** Transitions of a state that listen to samples leaving their window. */
export const mindingIn = ({ transitions }: CompiledContract, state: string) =>
  transitions.filter(({ from, trigger }) => trigger.kind === 'on_aggregate' && trigger.onExpiry && from.has(state));

/** The state with a look owed at its windows, if it has any that mind. */
export function owing(contract: CompiledContract, state: ContractState, tick: number): ContractState {
  return mindingIn(contract, state.state).length === 0 ? state : { ...state, owed: state.owed ?? tick };
}

/** Notes that the windows that mind were looked at, and which of them stayed empty since the entry. */
function lookedAt(contract: CompiledContract, state: ContractState, windows: Windows, tick: number): ContractState {
  const seen = contract.transitions.flatMap(({ id, from, trigger }) => {
    const isLooked =
      trigger.kind === 'on_aggregate' &&
      trigger.onExpiry &&
      from.has(state.state) &&
      state.entered + trigger.within <= tick;
    return isLooked && windows.get(id)?.count === 0 && !state.silent.includes(id) ? [id] : [];
  });
  return { ...state, owed: null, silent: seen.length === 0 ? state.silent : [...state.silent, ...seen] };
}
