// Named windows: rolling windows that belong to a contract rather than to one trigger, so that a guard reads several.
//
// `fast.value`, `fast.count` and `fast.empty` have the values at the end of the tick. A filter may read the context: the
// window then holds all events of its length and counts those that the filter admits with the context of now, so that it
// is the same when it is rebuilt from the log.

import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import type { CompiledContract, CompiledTransition } from '../compiled.ts';
import type { ContractState, Windows } from '../contract-state.ts';
import { symbolsIn } from '../data/lets.ts';
import type { Scalar, Scalars } from '../definition.ts';
import { type Evaluate, evaluateTyped } from '../typed-expressions.ts';
import { Window } from '../window.ts';
import { type CheckedWindow, type CompiledWindow, windowKey } from './declared-windows.ts';
import { RefilteredWindow } from './refiltered-window.ts';

/** Adds the empty named windows of a contract. @param max  samples of each */
export function addNamedWindows({ windows: named }: CompiledContract, windows: Windows, max: number): void {
  for (const [name, { fn, within, contextRead }] of named) {
    const window = contextRead.length === 0 ? new Window(fn, within, max) : new RefilteredWindow(fn, within, max);
    windows.set(windowKey(name), window);
  }
}

/** What a window counts: windows with equal texts have equal samples. */
const contentOfWindow = ({ event, fn, field, within, filter }: CompiledWindow, parameters: Scalars): string => {
  const read = symbolsIn(filter?.text ?? '').filter((name) => Object.hasOwn(parameters, name));
  const values = read.map((name) => [name, parameters[name] as Scalar]);
  return canonicalJson([event, fn, field ?? null, within, filter?.text ?? null, values]);
};

/** The named windows that mean the same in both definitions. */
export const sameNamedWindows = (before: CompiledContract, after: CompiledContract): readonly string[] =>
  [...after.windows].flatMap(([name, window]) => {
    const former = before.windows.get(name);
    if (former === undefined) return [];
    return contentOfWindow(former, before.parameters) === contentOfWindow(window, after.parameters) ? [name] : [];
  });

/** Whether a transition is tried when an event of this name arrives. */
export const isTriedOn = ({ trigger }: Pick<CompiledTransition, 'trigger'>, event: string): boolean =>
  trigger.kind === 'windows' ? trigger.events.has(event) : 'event' in trigger && trigger.event === event;

/** Whether a transition waits for events. */
export const waitsForEvents = ({ trigger }: Pick<CompiledTransition, 'trigger'>): boolean =>
  trigger.kind === 'windows' || 'event' in trigger;

/** The windows that are checked on expiry in a state; each once. */
export const windowsCheckedOnExpiry = ({ checkedWindows }: CompiledContract, state: string): readonly CheckedWindow[] =>
  checkedWindows.get(state) ?? NONE;

const NONE: readonly CheckedWindow[] = [];

/** The windows that outlast states, among those of a contract. */
export function windowsAcrossStates({ transitions, windows: named }: CompiledContract, windows: Windows): Windows {
  const keys = transitions.flatMap(({ id, trigger }) =>
    trigger.kind === 'on_aggregate' && trigger.since === 'window' ? [id] : [],
  );
  for (const name of named.keys()) keys.push(windowKey(name));
  return new Map(
    keys.flatMap((key) => {
      const window = windows.get(key);
      return window === undefined ? [] : [[key, window] as const];
    }),
  );
}

/** What the windows of a contract count, with the ticks for which each needs its events. */
export function countedSpans({ transitions, windows }: CompiledContract): { event: string; within: number }[] {
  const triggers = transitions.flatMap(({ trigger }) => (trigger.kind === 'on_aggregate' ? [trigger] : []));
  return [...triggers, ...windows.values()].map(({ event, within }) => ({ event, within }));
}

/** Counts an event in the named windows. One for which a filter has no value does not count. */
export function addToNamedWindows(
  contract: CompiledContract,
  state: ContractState,
  windows: Windows,
  { name: event, tick, payload }: { name: string; tick: number; payload: Readonly<Record<string, unknown>> },
  evaluate: Evaluate,
): void {
  for (const [name, declared] of contract.windows) {
    if (declared.event !== event) continue;
    const window = windows.get(windowKey(name));
    const value = declared.field === undefined ? 0 : payload[declared.field];
    if (window === undefined || !isScalar(value)) continue;
    if (window instanceof RefilteredWindow) {
      const fields = Object.fromEntries(declared.fieldsRead.map((field) => [field, payload[field]]));
      refilter(contract, declared, window, state, evaluate);
      window.hold({ tick, value, fields }, admits(contract, declared, state, fields, evaluate));
    } else if (admits(contract, declared, state, payload, evaluate)) window.add(tick, value);
  }
}

/** Counts the events again in windows whose filter reads what has changed in the context. */
export function refilterWindows(
  contract: CompiledContract,
  state: ContractState,
  windows: Windows,
  evaluate: Evaluate,
): void {
  for (const [name, declared] of contract.windows) {
    const window = windows.get(windowKey(name));
    if (window instanceof RefilteredWindow) refilter(contract, declared, window, state, evaluate);
  }
}

function refilter(
  contract: CompiledContract,
  declared: CompiledWindow,
  window: RefilteredWindow,
  state: ContractState,
  evaluate: Evaluate,
): void {
  const key = canonicalJson(declared.contextRead.map((name) => state.context[name] ?? null));
  window.refilter(key, ({ fields }) => admits(contract, declared, state, fields, evaluate));
}

function admits(
  { parameters }: CompiledContract,
  { filter }: CompiledWindow,
  { context }: ContractState,
  payload: Readonly<Record<string, unknown>>,
  evaluate: Evaluate,
): boolean {
  if (filter === undefined) return true;
  const read = (name: string): Scalar => {
    const values = name.startsWith(EVENT) ? payload : Object.hasOwn(context, name) ? context : parameters;
    const key = name.startsWith(EVENT) ? name.slice(EVENT.length) : name;
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (isScalar(value)) return value;
    throw new DomainError('VALIDATION_FAILED', `${name} has no value.`);
  };
  try {
    return evaluateTyped(filter, read, evaluate) === true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

const EVENT = 'event.';

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';

/** The value of `<window>.value`, `.count` or `.empty`; NaN for a value that an empty window does not have. */
export function readWindow(windows: Windows, window: string, name: string): Scalar {
  const { value = Number.NaN, count = 0 } = windows.get(windowKey(window)) ?? {};
  const part = name.slice(window.length + 1);
  if (part === 'count') return count;
  return part === 'empty' ? count === 0 : value;
}
