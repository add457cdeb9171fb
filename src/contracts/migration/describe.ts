// Describes a contract in a new version: where each part of its state comes from, for a reader before it is applied.

import { sameTriggers } from '../carry-over.ts';
import type { CompiledContract } from '../compiled.ts';
import type { ContractState } from '../contract-state.ts';
import type { Definition, Scalar } from '../definition.ts';
import { clockName, readClock } from '../time/clocks.ts';
import type { CompiledMigration } from './compile.ts';
import { keepsClock, keepsCollection, keepsVariable, ownOf } from './kept.ts';

type Fate = 'kept' | 'moved' | 'new' | 'ends';

export interface CarriedVariable {
  readonly name: string;
  /** `moved`: computed from the former state. */
  readonly fate: Fate;
  readonly before: Scalar | null;
  readonly after: Scalar | null;
}

/** A collection or stopwatch; `size` is its number of entries, or its ticks. */
export interface CarriedPart {
  readonly name: string;
  readonly fate: Fate;
  /** Its former name. */
  readonly source: string | null;
  readonly size: number;
}

export interface Carried {
  readonly from: string;
  readonly to: string;
  /** The contract begins anew: nothing is carried over. */
  readonly isReset: boolean;
  readonly context: readonly CarriedVariable[];
  readonly collections: readonly CarriedPart[];
  readonly clocks: readonly CarriedPart[];
  readonly timers: readonly { readonly transition: string; readonly due: number; readonly fate: 'kept' | 'new' }[];
}

interface Version {
  readonly contract: CompiledContract;
  readonly state: ContractState;
}

/** @param tick  at which stopwatches are read */
export function describeCarried(
  before: Version,
  after: Version,
  tick: number,
  isReset: boolean,
  migration?: CompiledMigration,
): Carried {
  const [old, now] = [before.contract.definition, after.contract.definition];
  const [from, to] = [before.state.state, after.state.state];
  const timersBefore = new Set(before.state.timers.map(({ transition }) => transition));
  const sources = isReset ? new Map<string, string>() : sameTriggers(before.contract, after.contract, from, to);
  return {
    from,
    to,
    isReset,
    context: variables(before, after, isReset, migration),
    collections: parts(before.state.collections ?? {}, after.state.collections ?? {}, {
      sourceOf: (name) => sourceOf(name, isReset, migration?.collections, () => keepsCollection(old, now, name)),
      sizeOf: (version, name) => (version === 'old' ? before : after).state.collections?.[name]?.length ?? 0,
    }),
    clocks: parts(old.clocks ?? {}, now.clocks ?? {}, {
      sourceOf: (name) => sourceOf(name, isReset, migration?.clocks, () => keepsClock(old, now, name)),
      sizeOf: (version, name) =>
        readClock((version === 'old' ? before : after).state.clocks, clockName(name), tick) ?? 0,
    }),
    timers: after.state.timers.map(({ transition, due }) => ({
      transition,
      due,
      fate: timersBefore.has(sources.get(transition) ?? '') ? 'kept' : 'new',
    })),
  };
}

function variables(before: Version, after: Version, isReset: boolean, migration?: CompiledMigration) {
  const [old, now]: readonly Definition[] = [before.contract.definition, after.contract.definition];
  const computed = new Set(migration?.computed.map(({ name }) => name));
  const fateOf = (name: string): Fate => {
    if (!Object.hasOwn(after.state.context, name)) return 'ends';
    if (computed.has(name)) return 'moved';
    const isKept = migration?.keptVariables.has(name) ?? (old && now && keepsVariable(old, now, name));
    return isKept === true && !isReset ? 'kept' : 'new';
  };
  const names = new Set([...Object.keys(after.state.context), ...Object.keys(before.state.context)]);
  return [...names].map((name) => ({
    name,
    fate: fateOf(name),
    before: ownOf(before.state.context, name) ?? null,
    after: ownOf(after.state.context, name) ?? null,
  }));
}

const sourceOf = (
  name: string,
  isReset: boolean,
  sources: ReadonlyMap<string, string> | undefined,
  keeps: () => boolean,
): string | undefined => {
  if (isReset) return undefined;
  return sources === undefined ? (keeps() ? name : undefined) : sources.get(name);
};

function parts(
  old: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  {
    sourceOf,
    sizeOf,
  }: {
    readonly sourceOf: (name: string) => string | undefined;
    readonly sizeOf: (version: 'old' | 'new', name: string) => number;
  },
): CarriedPart[] {
  const present = Object.keys(now).map((name): CarriedPart => {
    const source = sourceOf(name);
    const fate = source === undefined ? 'new' : source === name ? 'kept' : 'moved';
    return { name, fate, source: source ?? null, size: sizeOf('new', name) };
  });
  const taken = new Set(present.map(({ source }) => source));
  const ended = Object.keys(old).filter((name) => !taken.has(name));
  return [
    ...present,
    ...ended.map((name) => ({ name, fate: 'ends' as const, source: name, size: sizeOf('old', name) })),
  ];
}
