// The laws that the specification states: data that is sound in itself, and differences that are noticed.

import { describe, expect, test } from 'vitest';
import STATED from '../../../src/operators/lint/stated-laws.json' with { type: 'json' };
import { checkMissing, checkStated, statedIds } from '../../../src/operators/lint/stated-laws.ts';
import type { OperatorRecord } from '../../../src/operators/operator.ts';
import WORKLIST from '../../../src/operators/worklist.json' with { type: 'json' };
import { evaluator, preparedOf } from './registry.ts';

interface Stated {
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly output: { readonly symbol?: string; readonly unit: string };
  readonly inputs: Readonly<
    Record<string, { readonly unit: string; readonly default?: number; readonly optional?: boolean }>
  >;
  readonly constants?: OperatorRecord['constants'];
}

const LAWS = Object.entries(STATED as Readonly<Record<string, Stated>>);

/** The stated law as an author would write it. */
function record(id: string, law: Stated): OperatorRecord {
  const inputs = Object.entries(law.inputs).map(([name, { unit, default: given, optional }]) => {
    const fallback = given ?? (optional === true ? 2 : undefined);
    return [name, { unit, description: 'stated', ...(fallback === undefined ? {} : { default: fallback }) }];
  });
  return {
    id,
    name: id,
    tier: 1,
    equation: law.equation,
    where: law.where ?? {},
    output: { symbol: law.output.symbol ?? law.equation.split(' = ')[0] ?? '', unit: law.output.unit },
    inputs: Object.fromEntries(inputs),
    constants: law.constants ?? {},
    examples: [],
    source: { cite: '', locator: '' },
    validity: '',
  };
}

const stated = (id: string): OperatorRecord => {
  const law = (STATED as Readonly<Record<string, Stated>>)[id];
  if (law === undefined) throw new Error(`no law ${id}`);
  return record(id, law);
};

const reported = (changed: OperatorRecord) => checkStated(preparedOf(changed), evaluator).map(({ text }) => text);

test('22 ids and 41 kernel terms are stated, all of them in the worklist', () => {
  const listed = new Set(WORKLIST.domains.flatMap(({ laws }) => Object.keys(laws)));
  expect(LAWS).toHaveLength(63);
  expect(LAWS.filter(([id]) => /^KO([1-9]|[1-3]\d|4[01])$/.test(id))).toHaveLength(41);
  for (const [id] of LAWS) expect(listed.has(id), id).toBe(true);
});

test.each(LAWS)('%s passes as it is stated', (id, law) => {
  expect(reported(record(id, law))).toEqual([]);
});

test('another way to write it passes', () => {
  expect(reported({ ...stated('QM5'), equation: 'E = (n*pi*hbar)^2/(2*m)/L^2' })).toEqual([]);
  expect(reported({ ...stated('OC1'), equation: 'c = (h*g)^0.5' })).toEqual([]);
  expect(reported({ ...stated('CS81'), inputs: { n: { unit: '1', description: 'count' } } })).toEqual([]);
  const price = stated('BLACK_SCHOLES');
  const [d1 = '', spread] = [price.where?.d1, 'sig*sqrt(T)'];
  expect(reported({ ...price, equation: price.equation.replace('d2', '(d1 - v)'), where: { v: spread, d1 } })).toEqual(
    [],
  );
});

describe('a point may be filled', () => {
  const inputs = { phi: 0.83, A: 1.7, s: 1.6 };
  const examples = [{ inputs, expected: 1.5798851106301939, source: 'by hand' }];
  const { equation } = stated('KO20');
  const right = equation.replace('Ck = ', '');

  test('where the stated law has no value', () => {
    expect(reported({ ...stated('KO20'), examples, equation: `Ck = phi == 0 ? 0 : ${right}` })).toEqual([]);
  });

  test.each([`phi == 1 ? 0 : ${right}`, `phi < 0 ? 0 : ${right}`, `phi == 0 ? 0 : 2*${right}`])(
    'not so: %s',
    (other) => {
      const found = reported({ ...stated('KO20'), examples, equation: `Ck = ${other}` });
      expect(found.join()).toContain('the equation is not the stated one');
    },
  );
});

describe('a difference is noticed:', () => {
  test.each<[what: string, id: string, change: (law: OperatorRecord) => Partial<OperatorRecord>, text: string]>([
    [
      'another number',
      'QM5',
      () => ({ equation: 'E = n^2*pi^2*hbar^2/(8*m*L^2)' }),
      'the equation is not the stated one',
    ],
    ['a sign', 'KO2', () => ({ equation: 'Ck = lam*phi^3' }), 'the equation is not the stated one'],
    [
      'another constant',
      'QM5',
      () => ({ constants: { hbar: 'Planck constant' } }),
      'the equation is not the stated one',
    ],
    [
      'another value of a constant',
      'KO42',
      (law) => ({ constants: { ...law.constants, f: { value: 1.288, unit: 'Hz', note: 'x' } } }),
      'the equation is not the stated one',
    ],
    [
      'another key',
      'OC1',
      () => ({
        equation: 'c = sqrt(g*d)',
        inputs: { g: { unit: 'm/s^2', description: '', default: 9.80665 }, d: { unit: 'm', description: '' } },
      }),
      'the input d is not in the stated law',
    ],
    [
      'another unit',
      'CELL_GROWTH',
      (law) => ({ inputs: { ...law.inputs, t: { unit: 'day', description: '' } } }),
      'the input t is in day, stated is h',
    ],
    [
      'another default',
      'OC1',
      (law) => ({ inputs: { ...law.inputs, g: { unit: 'm/s^2', description: '', default: 9.81 } } }),
      'the default of g is 9.81',
    ],
    [
      'no default',
      'KO1',
      (law) => ({ inputs: { ...law.inputs, mu: { unit: '1', description: '' } } }),
      'the input mu needs a default',
    ],
    [
      'another symbol',
      'QM5',
      () => ({ output: { symbol: 'W', unit: 'J' }, equation: 'W = n^2*pi^2*hbar^2/(2*m*L^2)' }),
      'the output is called W',
    ],
    ['another unit of the output', 'QM5', () => ({ output: { symbol: 'E', unit: 'eV' } }), 'the output is in eV'],
  ])('%s', (_, id, change, text) => {
    const law = stated(id);
    expect(reported({ ...law, ...change(law) }).join()).toContain(text);
  });
});

test('a stated id is missed in a complete domain and open in another', () => {
  expect(statedIds(['QM4', 'QM5'])).toEqual(['QM5']);
  expect(checkMissing(['QM5'], true)).toMatchObject([{ severity: 'error' }]);
  expect(checkMissing(['QM5'], false)).toMatchObject([{ severity: 'open' }]);
  expect(checkMissing([], true)).toEqual([]);
});
