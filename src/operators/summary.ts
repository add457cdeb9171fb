// The summary of an operator in lists: equation, inputs with units and defaults, output.

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
  /** Default values of the optional keys. */
  readonly defaults?: Readonly<Record<string, number>>;
  readonly output: { readonly symbol: string; readonly unit: string };
}

/** The first fields of every operator in a response. */
export const headOf = ({ id, name, prefix, tier, equation }: Operator) => ({
  id,
  name,
  domain: findDomain(prefix).name,
  prefix,
  tier,
  equation,
});

export function summaryOf(operator: Operator): OperatorSummary {
  const { where = {}, inputs, output } = operator;
  const defaults = Object.entries(inputs).flatMap(([key, input]) =>
    input.default === undefined ? [] : [[key, input.default] as const],
  );
  return {
    ...headOf(operator),
    ...(Object.keys(where).length === 0 ? {} : { where }),
    accepted: Object.fromEntries(Object.entries(inputs).map(([key, { unit }]) => [key, unit])),
    ...(defaults.length === 0 ? {} : { defaults: Object.fromEntries(defaults) }),
    output: { symbol: output.symbol, unit: output.unit },
  };
}
