import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COUPLINGS } from '../../src/solvers/parts/master-field/couplings.ts';
import { couplingPrograms } from '../../src/solvers/parts/master-field/programs.ts';
import { DENSITY_OF, dragOf, GRAVITY_AT } from '../../src/solvers/parts/master-field/sites.ts';
import { thrownDomainError } from '../suites/domain-error.ts';

interface Law {
  readonly id: string;
  readonly name: string;
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, { readonly default?: number }>>;
}

const { operators } = JSON.parse(
  readFileSync(new URL('../../src/operators/domains/KO.json', import.meta.url), 'utf8'),
) as { readonly operators: readonly Law[] };

describe('couplings of the master field', () => {
  test('are the laws KO1 to KO41 of the registry', () => {
    const laws = operators.filter(({ id }) => id !== 'KO42');
    expect(laws).toHaveLength(41);
    const STATE = new Set(['phi', 'dphi', 't']);
    const expected = laws.map(({ id, name, equation, where, inputs }) => {
      const defaults = Object.entries(inputs).flatMap(([key, { default: value }]) =>
        STATE.has(key) ? [] : [[key, value] as const],
      );
      const body = { name, equation: equation.replace('Ck = ', ''), defaults: Object.fromEntries(defaults) };
      return [id, where === undefined ? body : { ...body, where }] as const;
    });
    expect(COUPLINGS).toEqual(Object.fromEntries(expected));
  });

  test('all compile, and weights that add up to more than 1 are divided by their sum', () => {
    const all = couplingPrograms(Object.fromEntries(Object.keys(COUPLINGS).map((id) => [id, 1])), true);
    expect(all.ids).toHaveLength(41);
    expect(all.weights.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 14);
    expect([...couplingPrograms({ KO1: -3, KO2: 1, KO6: 0 }, true).weights]).toEqual([-0.75, 0.25]);
    expect([...couplingPrograms({ KO1: -3, KO2: 1 }, false).weights]).toEqual([-3, 1]);
    expect([...couplingPrograms({ KO1: 0.5 }, true).weights]).toEqual([0.5]);
  });

  test('the order of the keys changes no program and no weight', () => {
    const settings = { KO33: 0.2, KO6: 1, KO27: 0.3 };
    const reversed = Object.fromEntries(Object.entries(settings).reverse());
    expect(couplingPrograms(settings, true)).toEqual(couplingPrograms(reversed, true));
    expect(couplingPrograms(settings, true).ids).toEqual(['KO6', 'KO27', 'KO33']);
  });

  test.each([
    [{ KO99: 1 }, 'KO99', 'Did you mean KO9'],
    [{ ko2: 1 }, 'ko2', 'Did you mean KO2?'],
    [{ KO42: 1 }, 'KO42', 'the pulse'],
    [{ constructor: 1 }, 'constructor', 'KO1 to KO41'],
  ])('%j is refused by name', (settings, name, hint) => {
    const { message, details } = thrownDomainError(() => couplingPrograms(settings, true));
    expect(details.map(({ path, code }) => [path, code])).toEqual([['koSettings', 'OPERATOR_UNKNOWN']]);
    expect(message).toContain(name);
    expect(message).toContain(hint);
  });

  test.each([Number.NaN, 1e10, -1e10])('a weight of %d is refused', (weight) => {
    const { details } = thrownDomainError(() => couplingPrograms({ KO1: weight }, true));
    expect(details.map(({ path, code }) => [path, code])).toEqual([['koSettings.KO1', 'OUT_OF_RANGE']]);
  });
});

test('locations and media', () => {
  // NASA's planetary fact sheets, to their digits.
  const printed = {
    earth: [9.8, 0.03],
    mars: [3.72, 0.02],
    moon: [1.62, 0.01],
    jupiter: [24.79, 0.01],
    sun: [274, 0.5],
  };
  for (const [name, [value = 0, digits = 0]] of Object.entries(printed))
    expect(Math.abs(GRAVITY_AT[name as keyof typeof GRAVITY_AT] - value), name).toBeLessThan(digits);
  expect(DENSITY_OF).toEqual({ vacuum: 0, air: 1.225, water: 998.2 });
  // A skydiver of 80 kg with 0.7 m²: the terminal speed √(g / c) is about 43 m/s.
  expect(Math.sqrt(GRAVITY_AT.earth / dragOf('air', 80, 0.7))).toBeCloseTo(42.8, 1);
});
