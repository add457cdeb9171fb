// The numbers that enter a chain, and the independent sources of their errors: given standard deviations, and the
// uncertainties of constants. A source that moves several numbers, in several operators, moves them together.

import type { BoundChain } from './bind.ts';
import { constantDefinition } from './definition.ts';
import { compileOperator } from './evaluate.ts';
import type { OperatorDefinition } from './operator.ts';
import { roundingsOf, toCoherent } from './unit-table.ts';

/** A number in coherent units. */
export interface ChainNumber {
  readonly value: number;
  /** Allowed range. */
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** How many roundings it has from the decimal number that was written. */
  readonly roundings: number;
}

export interface ErrorSource {
  readonly kind: 'inputs' | 'constants';
  /** Key of the input, or name of the constant. */
  readonly name: string;
  /** The numbers that it moves, each with its signed standard deviation. */
  readonly parts: readonly { readonly number: number; readonly deviation: number }[];
}

export interface ChainNumbers {
  /** The variables of the chain first, then defaults and constants of its operators. */
  readonly numbers: readonly ChainNumber[];
  /** Index of the number of each symbol of each operator; a symbol that an earlier operator feeds has none. */
  readonly indices: readonly ReadonlyMap<string, number>[];
  readonly sources: readonly ErrorSource[];
}

export function numbersOf({ operators, variables }: BoundChain): ChainNumbers {
  const numbers: ChainNumber[] = [...variables];
  const parts = new Map<string, { number: number; deviation: number }[]>();
  const indices = operators.map(({ definition, sources }) => {
    const byName = new Map<string, number>();
    for (const [symbol, source] of sources) {
      if (source.kind === 'given') byName.set(symbol, source.variable);
      if (source.kind !== 'default') continue;
      byName.set(symbol, numbers.length);
      numbers.push(defaultNumber(definition, symbol, source.value));
    }
    for (const { symbol, number, deviations } of constantsOf(definition)) {
      byName.set(symbol, numbers.length);
      for (const [name, deviation] of deviations) {
        const known = parts.get(name) ?? [];
        parts.set(name, [...known, { number: numbers.length, deviation }]);
      }
      numbers.push(number);
    }
    return byName;
  });
  const inputs = variables.flatMap(({ key, sigma }, number): ErrorSource[] =>
    sigma > 0 ? [{ kind: 'inputs', name: key, parts: [{ number, deviation: sigma }] }] : [],
  );
  // Sums must not depend on the order of keys in a receipt.
  const constants = [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, moved]): ErrorSource => ({ kind: 'constants', name, parts: moved }));
  return { numbers, indices, sources: [...inputs, ...constants] };
}

interface ConstantNumber {
  readonly symbol: string;
  readonly number: ChainNumber;
  /** Standard deviation by each source. */
  readonly deviations: readonly (readonly [source: string, deviation: number])[];
}

const ANY = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, isWhole: false };

function defaultNumber({ inputs }: OperatorDefinition, symbol: string, value: number): ChainNumber {
  return { ...ANY, value, roundings: roundingsOf(inputs[symbol]?.default ?? Number.NaN, value) };
}

const cache = new WeakMap<OperatorDefinition, readonly ConstantNumber[]>();

function constantsOf(definition: OperatorDefinition): readonly ConstantNumber[] {
  const known = cache.get(definition);
  if (known) return known;
  const { constants } = compileOperator(definition);
  const fresh = Object.entries(definition.constants ?? {}).map(([symbol, constant]): ConstantNumber => {
    const { value: declared, unit, uncertainty = 0, correlation } = constantDefinition(constant);
    const value = constants[symbol] ?? Number.NaN;
    const deviation = toCoherent(uncertainty, unit);
    return {
      symbol,
      // Its uncertainty is far above its rounding.
      number: { ...ANY, value, roundings: deviation === 0 ? roundingsOf(declared, value) : 0 },
      deviations: deviation === 0 ? [] : sharesOf(correlation ?? { [`${definition.id}.${symbol}`]: 1 }, deviation),
    };
  });
  cache.set(definition, fresh);
  return fresh;
}

const sharesOf = (correlation: Readonly<Record<string, number>>, deviation: number) =>
  Object.entries(correlation).map(([name, share]) => [name, share * deviation] as const);
