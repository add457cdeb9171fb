// Small laws for tests of binding and chains: real formulas, with no claim to a source.

import type { Domain } from '../../src/operators/find-domain.ts';
import type { InputDefinition, Operator, OperatorConstant } from '../../src/operators/operator.ts';

export interface Law {
  readonly id: string;
  /** `symbol = expression` */
  readonly equation: string;
  /** Of the output. */
  readonly unit: string;
  /** A unit, or more. */
  readonly inputs: Readonly<Record<string, string | InputDefinition>>;
  readonly constants?: Readonly<Record<string, string | OperatorConstant>>;
  readonly where?: Readonly<Record<string, string>>;
  readonly tier?: Operator['tier'];
}

export function law({ id, equation, unit, inputs, constants, where, tier = 1 }: Law): Operator {
  return {
    id,
    prefix: 'TST',
    name: `law ${id}`,
    tier,
    equation,
    output: { symbol: equation.slice(0, equation.indexOf('=')).trim(), unit },
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([symbol, input]) => [
        symbol,
        { description: symbol, ...(typeof input === 'string' ? { unit: input } : input) },
      ]),
    ),
    ...(constants === undefined ? {} : { constants }),
    ...(where === undefined ? {} : { where }),
    examples: [],
    source: { cite: 'none', locator: 'none' },
    validity: 'in tests',
  };
}

export function domainOf(...operators: readonly Operator[]): Domain {
  const [aliases, laws] = [[], []];
  return { prefix: 'TST', name: 'Test Laws', description: 'laws of tests', aliases, budget: 0, laws, operators };
}

/** Speed from way and time, kinetic energy from mass and speed, power from energy and time: each feeds the next. */
export const SPEED = law({
  id: 'TST1',
  equation: 'v = s/t',
  unit: 'm/s',
  inputs: { s: 'm', t: { unit: 's', min: 0 } },
});
export const ENERGY = law({
  id: 'TST2',
  equation: 'E = m*v^2/2',
  unit: 'J',
  inputs: { m: { unit: 'kg', min: 0 }, v: 'm/s' },
});
export const POWER = law({ id: 'TST3', equation: 'P = E/t', unit: 'W', inputs: { E: 'J', t: { unit: 's', min: 0 } } });
