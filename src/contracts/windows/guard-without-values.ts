// Guards that read named windows, some of them empty: what holds whatever their values would be.
//
// Kleene's logic, as for the window of a trigger: `fast.value > 1` is not certain while `fast` is empty, and
// `fast.empty or fast.value > 1` is. A choice by `fast.empty` is decided first, so that `fast.empty ? 0 : fast.value` is a
// value.

import { parseExpression } from '../../expressions/parse.ts';
import type { Syntax } from '../../expressions/scan.ts';
import { symbolsOf } from '../../expressions/tree.ts';
import { symbolsIn } from '../data/lets.ts';
import { compileTyped, DATA_SYNTAX, type TypedExpression, type Types } from '../typed-expressions.ts';
import { decideChoices } from './decide-choices.ts';

/** The guard while these names have no value, and these windows are empty; compiled when it is first needed. */
export interface GuardWithout {
  /** The windows that the guard reads. */
  readonly read: readonly string[];
  /** Those of them that have no value while they are empty. */
  readonly lacking: readonly string[];
  /** @param isAggregateEmpty  whether `agg.value` has no value either */
  compile(empty: readonly string[], isAggregateEmpty: boolean): TypedExpression;
}

/** Names without a value, and the named expressions that read them. */
export function withLets(
  names: readonly string[],
  lets: ReadonlyMap<string, TypedExpression>,
  truths: ReadonlyMap<string, boolean> = new Map(),
): ReadonlySet<string> {
  const unknown = new Set(names);
  for (const [name, { text }] of lets) {
    const symbols = truths.size === 0 ? symbolsIn(text) : decidedSymbols(text, truths);
    if ([...symbols].some((symbol) => unknown.has(symbol))) unknown.add(name);
  }
  return unknown;
}

const decidedSymbols = (text: string, truths: ReadonlyMap<string, boolean>) =>
  symbolsOf(decideChoices(parseExpression(text, DATA_SYNTAX), truths));

export function compileWithoutValues({
  text,
  read,
  lacking,
  names,
  lets,
  syntax,
}: {
  readonly text: string;
  readonly read: readonly string[];
  readonly lacking: readonly string[];
  readonly names: Types;
  readonly lets: ReadonlyMap<string, TypedExpression>;
  readonly syntax: Syntax;
}): GuardWithout {
  // At most one for each set of windows, of which there are few.
  const compiled = new Map<string, TypedExpression>();
  const compile = (empty: readonly string[], isAggregateEmpty: boolean) => {
    const key = `${isAggregateEmpty} ${empty.join()}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const unknown = empty.filter((name) => lacking.includes(name)).map((name) => `${name}.value`);
    const truths = new Map(read.map((name) => [`${name}.empty`, empty.includes(name)] as const));
    const without = withLets([...unknown, ...(isAggregateEmpty ? ['agg.value'] : [])], lets, truths);
    const guard = compileTyped(text, names, 'boolean', without, syntax, truths);
    compiled.set(key, guard);
    return guard;
  };
  return { read, lacking, compile };
}
