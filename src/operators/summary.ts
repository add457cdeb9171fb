// An operator as lists show it: what it computes, and what it takes.

import { findDomain } from './find-domain.ts';
import type { Operator } from './operator.ts';

export interface OperatorSummary {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly prefix: string;
  readonly tier: Operator['tier'];
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>>;
  /** Keys of `inputs` and their units. */
  readonly accepted: Readonly<Record<string, string>>;
  /** Those of the keys that may be left out, and what then stands for them. */
  readonly defaults?: Readonly<Record<string, number>>;
  readonly output: { readonly symbol: string; readonly unit: string };
}

export function summaryOf({ id, name, prefix, tier, equation, where = {}, inputs, output }: Operator): OperatorSummary {
  const defaults = Object.entries(inputs).flatMap(([key, input]) =>
    input.default === undefined ? [] : [[key, input.default] as const],
  );
  return {
    id,
    name,
    domain: findDomain(prefix).name,
    prefix,
    tier,
    equation,
    ...(Object.keys(where).length === 0 ? {} : { where }),
    accepted: Object.fromEntries(Object.entries(inputs).map(([key, { unit }]) => [key, unit])),
    ...(defaults.length === 0 ? {} : { defaults: Object.fromEntries(defaults) }),
    output: { symbol: output.symbol, unit: output.unit },
  };
}
