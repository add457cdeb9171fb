import { describe, expect, test } from 'vitest';
import { type GivenKeys, selectOperators } from '../../src/operators/select.ts';
import { domainOf, ENERGY, law, POWER, SPEED } from './laws.ts';
import { refusal } from './refusal.ts';

const MOMENTUM = law({ id: 'TST4', equation: 'p = m*v', unit: 'kg*m/s', inputs: { m: 'kg', v: 'm/s' }, tier: 0 });
const PERIOD = law({ id: 'TST5', equation: 'f = 1/T', unit: 'Hz', inputs: { T: 's' } });
const GAS = law({ id: 'TST6', equation: 'U = n*T', unit: 'mol*K', inputs: { n: 'mol', T: 'K' } });
const mechanics = domainOf(SPEED, ENERGY, POWER, MOMENTUM, PERIOD, GAS);

const given = (...keys: string[]): GivenKeys => ({ keys, units: {} });
const idsOf = (ids: readonly string[], keys: GivenKeys, domain = mechanics) =>
  selectOperators(domain, ids, keys).operators.map(({ id }) => id);

describe('a caller who names operators', () => {
  test('gets them in the order given, KO42 and repetitions aside', () => {
    expect(idsOf(['TST4', 'KO42', 'TST2', 'TST4'], given('m', 'v'))).toEqual(['TST4', 'TST2']);
  });

  test('gets them in another order only where one needs the other', () => {
    const selected = selectOperators(mechanics, ['TST3', 'TST2', 'TST1'], given('s', 't', 'm'));
    expect(selected.operators.map(({ id }) => id)).toEqual(['TST1', 'TST2', 'TST3']);
    expect(selected.selection.operators[0]?.why).toContain('order in which they need each other');
    expect(idsOf(['TST3', 'TST2', 'TST1'], given('s', 't', 'm', 'E', 'v'))).toEqual(['TST3', 'TST2', 'TST1']);
    expect(idsOf(['TST3', 'TST2'], given('t', 'm', 'v', 'TST3.E'))).toEqual(['TST3', 'TST2']);
  });

  test('may name three beside KO42, and no fourth', () => {
    expect(idsOf(['KO42', 'TST1', 'TST2', 'TST3'], given('s', 't', 'm'))).toHaveLength(3);
    const error = refusal(() => idsOf(['TST1', 'TST2', 'TST3', 'TST4'], given('s', 't', 'm')));
    expect([error.code, error.details[0]?.code]).toEqual(['VALIDATION_FAILED', 'TOO_MANY_OPERATORS']);
    expect(error.message).toMatch(/^4 operators are named .*at most 3 in addition to KO42/);
  });

  test('is told which operator is unknown, and which belongs elsewhere', () => {
    const unknown = refusal(() => idsOf(['TST9'], given()));
    expect([unknown.code, unknown.message]).toEqual([
      'OPERATOR_UNKNOWN',
      expect.stringContaining('The nearest are TST'),
    ]);
    const foreign = refusal(() => idsOf(['CHE17'], given()));
    expect(foreign.message).toBe('CHE17 belongs to the domain CHE, not to Test Laws (TST).');
  });

  test('is told of a cycle', () => {
    const a = law({ id: 'TST7', equation: 'x = y + 1', unit: '1', inputs: { y: '1' } });
    const b = law({ id: 'TST8', equation: 'y = x + 1', unit: '1', inputs: { x: '1' } });
    const ring = domainOf(a, b);
    const error = refusal(() => idsOf(['TST7', 'TST8'], given(), ring));
    expect(error.details[0]?.code).toBe('CYCLE');
    expect(error.message).toContain('TST7 needs y of TST8, TST8 needs x of TST7');
    expect(error.facts.cycle).toEqual(['TST7', 'TST8', 'TST7']);
    expect(idsOf(['TST7', 'TST8'], given('x'), ring)).toEqual(['TST8', 'TST7']);
  });
});

describe('the wizard', () => {
  test('takes what uses most keys, then the most fundamental, then the least id', () => {
    expect(idsOf([], given('m', 'v'))).toEqual(['TST4']);
    expect(idsOf([], given('s', 't'))).toEqual(['TST1']);
    const twins = [10, 5].map((n) => law({ id: `TST${n}`, equation: 'y = x', unit: '1', inputs: { x: '1' } }));
    expect(idsOf([], given('x'), domainOf(...twins))).toEqual(['TST5']);
  });

  test('adds an operator only for a key that the others leave unused, at most three', () => {
    const { operators, selection } = selectOperators(mechanics, [], given('m', 'v', 's', 't', 'n', 'T'));
    expect(operators.map(({ id }) => id)).toEqual(['TST4', 'TST1', 'TST6']);
    expect(selection.by).toBe('wizard');
    expect(selection.operators.map(({ why }) => why)).toEqual([
      'uses m, v',
      'uses s, t; s, t no other operator uses',
      'uses n, T; n, T no other operator uses',
    ]);
    expect(selection.also_fit).toEqual(['TST2', 'TST5']);
  });

  test('reads a unit as a word about what a key means', () => {
    expect(idsOf([], { keys: ['T'], units: { T: 'ms' } })).toEqual(['TST5']);
    expect(idsOf([], { keys: ['T', 'n'], units: { T: 'mK' } })).toEqual(['TST6']);
    expect(idsOf([], { keys: ['T', 'n', 'm', 'v'], units: { T: 'mK' } })).toEqual(['TST4', 'TST6']);
  });

  test('never puts two operators together that read one key in two dimensions', () => {
    expect(idsOf([], given('T', 'n', 'TST5.T'))).toEqual(['TST6', 'TST5']);
    const temperature = law({ id: 'TST20', equation: 'Q = T*q', unit: 's*K', inputs: { T: 's', q: 'K' } });
    expect(idsOf([], given('T', 'n', 'q'), domainOf(GAS, temperature))).toEqual(['TST6']);
  });

  test('counts a qualified key for its operator alone', () => {
    expect(idsOf([], given('TST2.m', 'TST2.v'))).toEqual(['TST2']);
    expect(refusal(() => idsOf([], given('TST2.m', 'TST4.v'))).code).toBe('VALIDATION_FAILED');
  });

  test('takes an operator that has a default for everything', () => {
    const constant = law({ id: 'TST1', equation: 'y = 2*x', unit: '1', inputs: { x: { unit: '1', default: 3 } } });
    const { operators, selection } = selectOperators(domainOf(constant), [], given());
    expect(operators).toHaveLength(1);
    expect(selection.operators[0]?.why).toBe('uses its defaults only');
  });

  test('lists near misses with what they lack where nothing fits', () => {
    const error = refusal(() => idsOf([], given('m', 's')));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.message).toContain('TST4 lacks v; TST1 lacks t');
    expect(error.details[0]).toEqual({
      path: 'inputs.v',
      code: 'MISSING',
      message: 'TST4 (law TST4) needs v: a finite number [m/s].',
    });
    expect(error.facts.selection).toMatchObject({
      near_misses: [
        { operator_id: 'TST4', uses: ['m'], missing: { v: 'm/s' } },
        { operator_id: 'TST1', uses: ['s'], missing: { t: 's' } },
        { operator_id: 'TST2', uses: ['m'], missing: { v: 'm/s' } },
      ],
    });
  });

  test('says that a domain has no operators yet', () => {
    expect(refusal(() => idsOf([], given('x'), domainOf())).message).toBe('The domain Test Laws has no operators yet.');
  });
});
