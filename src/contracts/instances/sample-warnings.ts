// Warns of guards that need more samples than a window of an instance holds, so that they never hold.

import type { ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { CompiledContract, CompiledTransition } from '../compiled.ts';
import { symbolsIn } from '../data/lets.ts';
import { constantGuard, mayHoldWith } from '../guard-warnings.ts';

const { samples: MAX } = LIMITS.contracts.instances;

export function sampleWarnings(contract: CompiledContract): ErrorDetail[] {
  if (contract.definition.key === undefined) return [];
  return contract.transitions.flatMap((transition) => {
    const { id, trigger } = transition;
    const path = `transitions.${id}`;
    const text = `a window of an instance holds the last ${MAX} events, so it never fires`;
    const warning = (at: string, need: string) => [
      { path: at, code: 'TOO_MANY_SAMPLES', message: `${at} ${need}; ${text}.` },
    ];
    if (trigger.kind === 'on_aggregate' && trigger.minCount > MAX)
      return warning(`${path}.trigger.min_count`, `is ${trigger.minCount}`);
    if (constantGuard(contract, transition) !== undefined) return [];
    const short = countsOf(contract, transition).find((names) => !canHoldWithin(contract, transition, names));
    return short === undefined ? [] : warning(`${path}.fires_when`, `needs ${short[0]} above ${MAX}`);
  });
}

/** For each window that the guard reads by its number of events, the names of that number. */
function countsOf(
  { windows }: CompiledContract,
  { condition, trigger }: CompiledTransition,
): readonly (readonly string[])[] {
  const read = new Set(symbolsIn(condition?.text ?? ''));
  const named = [...windows].map(([name, { fn }]) => [name, fn] as const);
  const all = trigger.kind === 'on_aggregate' ? [...named, ['agg', trigger.fn] as const] : named;
  return all
    .map(([name, fn]) => [...(fn === 'count' ? [`${name}.value`] : []), `${name}.count`])
    .map((names) => names.filter((name) => read.has(name)))
    .filter(({ length }) => length > 0);
}

const canHoldWithin = (contract: CompiledContract, transition: CompiledTransition, names: readonly string[]): boolean =>
  Array.from({ length: MAX + 1 }, (_, count) => count).some((count) =>
    mayHoldWith(contract, transition, Object.fromEntries(names.map((name) => [name, count]))),
  );
