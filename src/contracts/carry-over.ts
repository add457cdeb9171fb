// The state of a contract under a new version of its definition.
//
// What belongs to a trigger continues as long as the trigger stays the same: its armed tick, its fires since the entry,
// an accepted skip. Triggers are compared by content, so that a new name or another parameter fires nothing again.

import { canonicalJson } from '../core/canonical-json.ts';
import type { CompiledContract, CompiledTransition, CompiledTrigger } from './compiled.ts';
import type { ContractState, Timer } from './contract-state.ts';
import type { Collections } from './data/collections.ts';
import { currencyOf } from './data/types.ts';
import type { Scalar } from './definition.ts';
import { editionOf } from './engine-edition.ts';
import { isTimer } from './schedule.ts';
import { armTimer, armTimers, type DeadlineSource, NO_EXPRESSIONS } from './time/arm.ts';
import { clocksOnEntry } from './time/clocks.ts';
import { assertCovered } from './time/schedule.ts';
import { completeIfExhausted } from './transition-function.ts';
import { windowKey } from './windows/declared-windows.ts';
import { sameNamedWindows } from './windows/named-windows.ts';

/**
 * The same state under another definition that also has it.
 *
 * @throws DomainError VALIDATION_FAILED if a new deadline has no value or has passed
 */
export function carryOverState(
  before: CompiledContract,
  contract: CompiledContract,
  { clocks: former, ...state }: ContractState,
  tick: number,
  source: DeadlineSource = NO_EXPRESSIONS,
): ContractState {
  const variables = Object.entries(contract.initialContext).map(([name, initial]) => {
    const value = Object.hasOwn(state.context, name) ? state.context[name] : undefined;
    const isKept = typeof value === typeof initial && isSameCurrency(before, contract, name);
    return [name, isKept ? (value as Scalar) : initial] as const;
  });
  const clocks = clocksOnEntry(contract.definition, state.state, tick, former);
  const carried: ContractState = {
    ...state,
    context: Object.fromEntries(variables),
    failures: 0,
    ...(clocks === undefined ? {} : { clocks }),
  };
  const { collections: _, ...others } = carried;
  const collections = carryOverCollections(before, contract, state);
  const written = collections === undefined ? others : { ...others, collections };
  return carryOverTiming(before, contract, written, tick, source);
}

/** An amount stays only in its currency. */
function isSameCurrency({ definition: before }: CompiledContract, { definition }: CompiledContract, name: string) {
  const [old, now] = [before, definition].map(({ context = {} }) => currencyOf(context[name]?.type ?? ''));
  return old === now;
}

/** The collections of the same kind and type keep their entries, even more than they may have now. */
function carryOverCollections(
  { definition: before }: CompiledContract,
  { definition, initialCollections }: CompiledContract,
  { collections = {} }: ContractState,
): Collections | undefined {
  if (initialCollections === undefined) return undefined;
  const isSame = (name: string) => {
    const [old, now] = [before, definition].map(({ collections: declared = {} }) => declared[name]);
    return old !== undefined && old.kind === now?.kind && old.of === now.of && Object.hasOwn(collections, name);
  };
  return Object.fromEntries(
    Object.entries(initialCollections).map(([name, empty]) => [
      name,
      isSame(name) ? (collections[name] ?? empty) : empty,
    ]),
  );
}

function carryOverTiming(
  before: CompiledContract,
  contract: CompiledContract,
  state: ContractState,
  tick: number,
  source: DeadlineSource,
): ContractState {
  if (editionOf(state) === 1) return restartTimers(contract, state, tick, source);
  const sources = sameTriggers(before, contract, state.state);
  const fires = [...sources].flatMap(([id, source]) =>
    Object.hasOwn(state.firesSinceEntry, source) ? [[id, state.firesSinceEntry[source] ?? 0] as const] : [],
  );
  const kept: ContractState = {
    ...state,
    firesSinceEntry: Object.fromEntries(fires),
    emptyWindows: [
      ...[...sources].flatMap(([id, source]) => (state.emptyWindows.includes(source) ? [id] : [])),
      ...sameNamedWindows(before, contract)
        .map(windowKey)
        .filter((key) => state.emptyWindows.includes(key)),
    ],
  };
  const timers = contract.transitions.flatMap((transition) =>
    carryOverTimers(contract, transition, kept, sources, tick, source),
  );
  return completeIfExhausted(contract, { ...kept, timers });
}

/** The rule of the first edition: every timer is armed again, counted from the existing entry. */
function restartTimers(
  contract: CompiledContract,
  carried: ContractState,
  tick: number,
  source: DeadlineSource,
): ContractState {
  const state: ContractState = {
    ...carried,
    firesSinceEntry: {},
    emptyWindows: [],
    pendingSince: null,
    skipNextMatch: false,
  };
  return { ...state, timers: armTimers(contract, state, tick, source) };
}

/** The timer of a transition: the same one, or a new one if its trigger is new. `state` has the timers of before. */
function carryOverTimers(
  contract: CompiledContract,
  transition: CompiledTransition,
  state: ContractState,
  sources: ReadonlyMap<string, string>,
  tick: number,
  deadlines: DeadlineSource,
): Timer[] {
  const { id, from, trigger } = transition;
  if (!isTimer(trigger) || !from.has(state.state)) return [];
  const source = sources.get(id);
  if (source === undefined) {
    // A changed one-shot may have fired in this very tick, and an occurrence fires once.
    return [armTimer(contract, state, transition, tick, deadlines, tick + 1) ?? []].flat();
  }
  const timers = state.timers.filter((timer) => timer.transition === source);
  // The calendar of a schedule may have lost a year.
  for (const { bounds } of timers) if (trigger.kind === 'schedule' && bounds) assertCovered(trigger, bounds);
  const kept = timers.map((timer) => ({ ...timer, transition: id }));
  if (!('maxFires' in trigger)) return kept;
  if ((state.firesSinceEntry[id] ?? 0) >= trigger.maxFires) return [];
  // A greater number of fires sets a spent timer again.
  return kept.length > 0 ? kept : [armTimer(contract, state, transition, tick, deadlines) ?? []].flat();
}

/**
 * The transitions out of a state whose triggers were there before, with their former ids: those of the same id, then
 * those that have replaced one of another id.
 */
export function sameTriggers(
  before: CompiledContract,
  contract: CompiledContract,
  state: string,
): ReadonlyMap<string, string> {
  const leaving = ({ transitions }: CompiledContract) => transitions.filter(({ from }) => from.has(state));
  const has = ({ transitions }: CompiledContract, id: string) => transitions.some((other) => other.id === id);
  const removed = leaving(before).filter(({ id }) => !has(contract, id));
  const sources = new Map<string, string>();
  for (const { id, trigger } of leaving(contract)) {
    const key = contentOf(trigger);
    if (key === undefined) continue;
    const candidates = has(before, id) ? leaving(before).filter((other) => other.id === id) : removed;
    const source = candidates.find((other) => contentOf(other.trigger) === key);
    if (source === undefined) continue;
    sources.set(id, source.id);
    if (source.id !== id) removed.splice(removed.indexOf(source), 1);
  }
  return sources;
}

/** When a timer is due, or what a window counts; undefined for events. How missed occurrences are treated may change. */
function contentOf(trigger: CompiledTrigger): string | undefined {
  switch (trigger.kind) {
    case 'one_shot':
      return canonicalJson([trigger.kind, trigger.after, trigger.anchor]);
    case 'recurring':
      return canonicalJson([trigger.kind, trigger.every, trigger.offset, trigger.anchor]);
    case 'cron':
      return canonicalJson([trigger.kind, trigger.cron, trigger.tz]);
    case 'deadline':
    case 'schedule':
      return canonicalJson([trigger.kind, trigger.content]);
    case 'on_aggregate':
      return countedBy(trigger);
    case 'event':
    case 'quorum':
    case 'windows':
      return undefined;
  }
}

/** What a window counts: windows with equal texts have equal samples. */
export function countedBy(trigger: CompiledTrigger): string | undefined {
  if (trigger.kind !== 'on_aggregate') return undefined;
  const { event, fn, field, within, filter } = trigger;
  return canonicalJson([event, fn, field ?? null, within, filter?.text ?? null]);
}
