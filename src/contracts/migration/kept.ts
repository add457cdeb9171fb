// Names that a new version keeps without a word about them.

import { currencyOf } from '../data/types.ts';
import type { Definition } from '../definition.ts';
import { jsonTypeOf } from '../typed-expressions.ts';

/** A variable of the same JSON type; an amount stays only in its currency. */
export function keepsVariable(before: Definition, after: Definition, name: string): boolean {
  const [old, now] = [before, after].map(({ context = {} }) => ownOf(context, name)?.type);
  if (old === undefined || now === undefined) return false;
  return jsonTypeOf(old) === jsonTypeOf(now) && currencyOf(old) === currencyOf(now);
}

/** A collection of the same kind and type, even with more entries than it may have now. */
export const keepsCollection = (before: Definition, after: Definition, name: string): boolean =>
  isSameCollection(before, name, after, name);

/** Whether the entries of a former collection may become those of another. */
export function isSameCollection(before: Definition, former: string, after: Definition, name: string): boolean {
  const old = ownOf(before.collections ?? {}, former);
  const now = ownOf(after.collections ?? {}, name);
  return old !== undefined && old.kind === now?.kind && old.of === now.of;
}

export const keepsClock = ({ clocks: old = {} }: Definition, { clocks: now = {} }: Definition, name: string): boolean =>
  Object.hasOwn(old, name) && Object.hasOwn(now, name);

export const ownOf = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
