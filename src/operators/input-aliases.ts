// Other names of inputs: `sigma` for `sig`. A name stands for an input where no law of the chain uses it otherwise, all
// laws that know it mean the same symbol, and that symbol is not given as well.

import { type Given, hasKey } from './given.ts';
import type { OperatorDefinition } from './operator.ts';

/** The keys that stand for an input, and its own key: bare or qualified, as they are given. */
export function aliasedKeys(
  operators: readonly OperatorDefinition[],
  isGiven: (key: string) => boolean,
): ReadonlyMap<string, string> {
  if (!operators.some((operator) => isAliased(operator, isGiven))) return NONE;
  const taken = new Set(operators.flatMap(namesOf));
  const meanings = new Map<string, Set<string>>();
  const found = new Map<string, string>();
  for (const { id, inputs } of operators) {
    for (const [symbol, { aliases = [] }] of Object.entries(inputs)) {
      for (const alias of aliases.filter((name) => !taken.has(name))) {
        meanings.set(alias, (meanings.get(alias) ?? new Set()).add(symbol));
        found.set(`${id}.${alias}`, `${id}.${symbol}`);
      }
    }
  }
  for (const [alias, symbols] of meanings) {
    const [symbol = ''] = symbols;
    if (symbols.size === 1) found.set(alias, symbol);
  }
  return new Map([...found].filter(([alias, key]) => isGiven(alias) && !isGiven(key)));
}

const NONE: ReadonlyMap<string, string> = new Map();

function isAliased({ id, inputs }: OperatorDefinition, isGiven: (key: string) => boolean): boolean {
  for (const symbol in inputs)
    for (const alias of inputs[symbol]?.aliases ?? []) if (isGiven(alias) || isGiven(`${id}.${alias}`)) return true;
  return false;
}

/** The same numbers under the own names of their inputs. */
export function withoutAliases(operators: readonly OperatorDefinition[], given: Given): Given {
  const aliased = aliasedKeys(operators, hasKey(given));
  if (aliased.size === 0) return given;
  const rename = <Value>(record: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [aliased.get(key) ?? key, value]));
  const { inputs, consts, units, uncertainties } = given;
  return {
    inputs: rename(inputs),
    consts: rename(consts),
    units: rename(units),
    uncertainties: rename(uncertainties),
  };
}

const namesOf = ({ inputs, output, constants = {}, where = {} }: OperatorDefinition): string[] => [
  output.symbol,
  ...Object.keys(inputs),
  ...Object.keys(constants),
  ...Object.keys(where),
];
