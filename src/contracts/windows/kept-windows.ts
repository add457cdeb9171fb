// Samples of windows as they are stored with an instance, and windows under another version of their contract.

import { countedBy } from '../carry-over.ts';
import type { CompiledContract } from '../compiled.ts';
import type { Windows } from '../contract-state.ts';
import type { Scalar } from '../definition.ts';
import type { RunningContract } from '../execution.ts';
import { createWindows } from '../transition-function.ts';
import type { HeldEvent } from '../window.ts';
import { windowKey } from './declared-windows.ts';
import { sameNamedWindows } from './named-windows.ts';

/** Tick, value and, where a filter reads values that change, fields of an event. A value of 0 at the end is left out. */
type KeptEvent = readonly [tick: number, value?: Scalar, fields?: Readonly<Record<string, unknown>>];

interface KeptWindow {
  readonly held: readonly KeptEvent[];
  /** Samples were dropped before they expired. */
  readonly overfull?: true;
}

/** Samples by window; windows without any are left out. */
export type KeptWindows = Readonly<Record<string, KeptWindow>>;

/** Undefined if all windows are empty. */
export function keptWindows(windows: Windows): KeptWindows | undefined {
  const kept = [...windows].flatMap(([key, window]) => {
    const held = window.heldFrom(0).map(keptEvent);
    return held.length === 0 ? [] : [[key, { held, ...(window.isOverfull ? { overfull: true } : {}) }] as const];
  });
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as KeptWindows);
}

const keptEvent = ({ tick, value, fields }: HeldEvent): KeptEvent =>
  fields !== undefined ? [tick, value, fields] : value === 0 ? [tick] : [tick, value];

/** The windows of an instance, with the samples that were stored. */
export function restoredWindows(contract: CompiledContract, kept: KeptWindows = {}): Windows {
  const windows = createWindows(contract);
  for (const [key, window] of windows) {
    const { held, overfull } = Object.hasOwn(kept, key) ? (kept[key] as KeptWindow) : { held: [] };
    for (const [tick, value = 0, fields] of held) window.restore({ tick, value, fields });
    if (overfull === true) window.markOverfull();
  }
  return windows;
}

/** The windows of another version: those that count the same events as before keep them, the others are empty. */
export function carriedWindows(
  { contract: before, windows }: Pick<RunningContract, 'contract' | 'windows'>,
  contract: CompiledContract,
): Windows {
  const carried = createWindows(contract);
  for (const key of sameNamedWindows(before, contract).map(windowKey)) {
    const window = windows.get(key);
    if (window) carried.set(key, window);
  }
  for (const { id, trigger } of contract.transitions) {
    const previous = before.transitions.find((transition) => transition.id === id);
    const window = windows.get(id);
    if (previous && window && countedBy(previous.trigger) === countedBy(trigger)) carried.set(id, window);
  }
  return carried;
}
