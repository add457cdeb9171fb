// The state of a contract under a new version of its definition.
//
// What belongs to a trigger continues as long as the trigger stays the same: its armed tick, its fires since the entry,
// an accepted skip. Triggers are compared by content, so that a new name or another parameter fires nothing again.

import { canonicalJson } from '../core/canonical-json.ts';
import type { CompiledContract, CompiledTransition, CompiledTrigger } from './compiled.ts';
import type { ContractState, Timer } from './contract-state.ts';
import { editionOf } from './engine-edition.ts';
import { type CarriedData, migrateData } from './migration/apply.ts';
import type { CompiledMigration } from './migration/compile.ts';
import { keepsCollection, keepsVariable, ownOf } from './migration/kept.ts';
import { isTimer } from './schedule.ts';
import { armTimer, armTimers, type DeadlineSource, NO_EXPRESSIONS } from './time/arm.ts';
import { clocksOnEntry } from './time/clocks.ts';
import { assertCovered } from './time/schedule.ts';
import { completeIfExhausted } from './transition-function.ts';
import { windowKey } from './windows/declared-windows.ts';
import { sameNamedWindows } from './windows/named-windows.ts';

/**
 * The same state under another definition that also has it, or has the one that a migration maps it to. A mapped state is
 * the same visit under another name: its entry, its timers with the same triggers and its stopwatches go on.
 *
 * @throws DomainError VALIDATION_FAILED if a new deadline has no value or has passed, or if a value cannot be migrated
 */
export function carryOverState(
  before: CompiledContract,
  contract: CompiledContract,
  former: ContractState,
  tick: number,
  source: DeadlineSource = NO_EXPRESSIONS,
  migration?: CompiledMigration,
): ContractState {
  const { clocks: _, collections: __, ...state } = former;
  const data =
    migration === undefined
      ? carryOverData(before, contract, former)
      : migrateData(before, contract, migration, former, tick, source);
  const to = migration?.states.get(state.state) ?? state.state;
  const clocks = clocksOnEntry(contract.definition, to, tick, data.clocks);
  const carried: ContractState = {
    ...state,
    state: to,
    context: data.context,
    failures: 0,
    ...(clocks === undefined ? {} : { clocks }),
    ...(data.collections === undefined ? {} : { collections: data.collections }),
  };
  return carryOverTiming(before, contract, carried, state.state, tick, source);
}

/** What keeps its name and type keeps its value; the rest begins anew. */
function carryOverData(
  { definition: before }: CompiledContract,
  { definition, initialContext, initialCollections }: CompiledContract,
  { context, collections = {}, clocks }: ContractState,
): CarriedData {
  const variables = Object.entries(initialContext).map(([name, initial]) => {
    const value = keepsVariable(before, definition, name) ? ownOf(context, name) : undefined;
    return [name, value ?? initial] as const;
  });
  const entries = Object.entries(initialCollections ?? {}).map(([name, empty]) => {
    const kept = keepsCollection(before, definition, name) ? ownOf(collections, name) : undefined;
    return [name, kept ?? empty] as const;
  });
  return {
    context: Object.fromEntries(variables),
    collections: initialCollections && Object.fromEntries(entries),
    clocks,
  };
}

function carryOverTiming(
  before: CompiledContract,
  contract: CompiledContract,
  state: ContractState,
  formerState: string,
  tick: number,
  source: DeadlineSource,
): ContractState {
  if (editionOf(state) === 1) return restartTimers(contract, state, tick, source);
  const sources = sameTriggers(before, contract, formerState, state.state);
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
 *
 * @param state  the former state
 * @param to  the state that it has become
 */
export function sameTriggers(
  before: CompiledContract,
  contract: CompiledContract,
  state: string,
  to = state,
): ReadonlyMap<string, string> {
  const leaving = ({ transitions }: CompiledContract, name: string) => transitions.filter(({ from }) => from.has(name));
  const [former, present] = [leaving(before, state), leaving(contract, to)];
  const isMapped = to !== state;
  const has = (transitions: readonly CompiledTransition[], id: string) => transitions.some((other) => other.id === id);
  // In a mapped state only the transitions that leave it count: both states may be in both definitions.
  const removed = former.filter(({ id }) => !has(isMapped ? present : contract.transitions, id));
  const sources = new Map<string, string>();
  for (const { id, trigger } of present) {
    const key = contentOf(trigger);
    if (key === undefined) continue;
    const isKnown = has(isMapped ? former : before.transitions, id);
    const candidates = isKnown ? former.filter((other) => other.id === id) : removed;
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
