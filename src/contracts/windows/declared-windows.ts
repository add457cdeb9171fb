// Declarations of named windows, and the names by which expressions read them.

import { type Lets, symbolsIn } from '../data/lets.ts';
import type { NamedWindow, Transition } from '../definition.ts';
import type { TypedExpression } from '../typed-expressions.ts';

/** A named window with its parameters filled in. */
export interface CompiledWindow {
  readonly event: string;
  readonly fn: NamedWindow['fn'];
  readonly field: string | undefined;
  readonly within: number;
  readonly filter: TypedExpression | undefined;
  /** Names of the context that the filter reads, and fields of the event. */
  readonly contextRead: readonly string[];
  readonly fieldsRead: readonly string[];
}

/** What an expression may read of a window. */
export const WINDOW_FIELDS = { value: 'number', count: 'number', empty: 'boolean' } as const;

/** Functions that have no value in an empty window. */
export const NEEDS_SAMPLES: ReadonlySet<string> = new Set(['avg', 'min', 'max', 'last', 'range']);

/** The key of a named window among the windows of a contract, whose other keys are ids of transitions. */
export const windowKey = (name: string): string => `windows.${name}`;

/** The window of which a name is a part: `fast` of `fast.value`; undefined for any other name. */
export function windowOfName(name: string, windows: { has(name: string): boolean }): string | undefined {
  const at = name.indexOf('.');
  const window = name.slice(0, at);
  return at > 0 && Object.hasOwn(WINDOW_FIELDS, name.slice(at + 1)) && windows.has(window) ? window : undefined;
}

/** The names of windows that the guard of a transition reads, also through named expressions, as they are declared. */
export function windowsInGuard(
  { fires_when: guard = '', let: own = {} }: Pick<Transition, 'fires_when' | 'let'>,
  shared: Lets,
  declared: Iterable<string>,
): readonly string[] {
  const lets: Lets = { ...shared, ...own };
  const symbols = new Set(symbolsIn(guard));
  for (const name of symbols) {
    if (Object.hasOwn(lets, name)) for (const symbol of symbolsIn(lets[name] ?? '')) symbols.add(symbol);
  }
  return [...declared].filter((name) => Object.keys(WINDOW_FIELDS).some((part) => symbols.has(`${name}.${part}`)));
}

/** A window that is checked when its samples expire. */
export interface CheckedWindow {
  readonly key: string;
  readonly within: number;
}
