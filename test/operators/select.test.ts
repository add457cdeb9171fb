import { describe, expect, test } from 'vitest';
import { findDomain } from '../../src/operators/find-domain.ts';
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
  test('takes what uses most keys, and refuses a tie with what each law computes', () => {
    expect(idsOf([], given('s', 't'))).toEqual(['TST1']);
    const error = refusal(() => idsOf([], given('m', 'v')));
    expect(error.code).toBe('OPERATOR_AMBIGUOUS');
    expect(error.message).toBe(
      'The given keys fit 2 laws of Test Laws: TST2 (law TST2, J), TST4 (law TST4, kg*m/s). Name one in operators, ask for an output with as, or ask in words with query.',
    );
    expect(error.facts.candidates).toEqual([
      { operator_id: 'TST2', name: 'law TST2', equation: 'E = m*v^2/2', symbol: 'E', unit: 'J' },
      { operator_id: 'TST4', name: 'law TST4', equation: 'p = m*v', symbol: 'p', unit: 'kg*m/s' },
    ]);
    const twins = [10, 5].map((n) => law({ id: `TST${n}`, equation: 'y = x', unit: '1', inputs: { x: '1' } }));
    expect(refusal(() => idsOf([], given('x'), domainOf(...twins))).code).toBe('OPERATOR_AMBIGUOUS');
  });

  test('takes among these the one with the asked output, by unit before symbol', () => {
    const asked = (as: string) => selectOperators(mechanics, [], { ...given('m', 'v'), as });
    expect(asked('MJ')).toMatchObject({ unit: 'MJ', operators: [{ id: 'TST2' }] });
    expect(asked('MJ').selection).toMatchObject({
      operators: [{ operator_id: 'TST2', why: 'uses m, v; gives MJ' }],
      also_fit: ['TST4'],
    });
    expect(asked('J').unit).toBeUndefined();
    expect(asked('E').operators[0]?.id).toBe('TST2');
    expect(asked('E').unit).toBeUndefined();
    expect(asked('N*s')).toMatchObject({ unit: 'N*s', operators: [{ id: 'TST4' }] });
    const other = refusal(() => asked('V'));
    expect([other.code, other.message]).toEqual([
      'UNIT_MISMATCH',
      'The output asked for is V; the laws that fit give TST2 E in J, TST4 p in kg*m/s.',
    ]);
    expect(refusal(() => asked('nonsense')).code).toBe('UNIT_INVALID');
    const named = (as: string) => selectOperators(mechanics, ['TST2'], { ...given('m', 'v'), as });
    expect(named('kWh').unit).toBe('kWh');
    expect(refusal(() => named('m')).code).toBe('UNIT_MISMATCH');
  });

  test('takes among these the one that the question means, and none if it means another law', () => {
    const asked = (domain: string, query: string, ...keys: string[]) =>
      selectOperators(findDomain(domain), [], { ...given(...keys), query });
    const energy = asked('CM', 'kinetic energy of a car of 1200 kg at 30 m/s', 'm', 'v');
    expect(energy.selection.operators).toEqual([
      { operator_id: 'CM9', name: 'Translational kinetic energy', why: 'uses m, v; the question means it' },
    ]);
    expect(asked('CM', 'Momentum?', 'm', 'v').operators[0]?.id).toBe('CM11');
    for (const [domain, query, ...keys] of [
      ['CM', 'angular momentum of a flywheel', 'm', 'v'],
      ['CM', 'qqqqqq zzzzzz', 'm1', 'm2', 'r'],
      ['CS', 'binomial coefficient', 'm', 'n', 'k'],
    ] as const)
      expect(refusal(() => asked(domain, query, ...keys)).code, query).toBe('OPERATOR_AMBIGUOUS');
    // Nothing but function words and numbers is no question.
    expect(asked('CM', 'how much is it for 5 kg', 'm1', 'm2', 'r').operators[0]?.id).toBe('CM2');
    const range = refusal(() => asked('CM', 'range of a cannon ball on level ground', 'm', 'v'));
    expect(range.facts.nearest).toBe('CM5');
    expect(range.message).toContain(
      'The question sounds like CM5 (Projectile range on level ground), which needs v, theta.',
    );
  });

  test('knows other names of inputs, and says which the caller used', () => {
    const energy = law({
      id: 'TST30',
      equation: 'E = m*v^2/2',
      unit: 'J',
      inputs: { m: { unit: 'kg', aliases: ['mass'] }, v: 'm/s' },
    });
    const { operators, selection } = selectOperators(domainOf(energy), [], given('mass', 'v'));
    expect(operators.map(({ id }) => id)).toEqual(['TST30']);
    expect(selection.operators[0]?.why).toContain('uses mass, v');
  });

  test('seals no tie without words either', () => {
    for (const [domain, ...keys] of [
      ['CM', 'm', 'v'],
      ['CS', 'm', 'n', 'k'],
      ['CS', 'n'],
    ] as const)
      expect(refusal(() => idsOf([], given(...keys), findDomain(domain))).code).toBe('OPERATOR_AMBIGUOUS');
  });

  test('keeps several that remain only as the links of one chain', () => {
    const heat = law({ id: 'TST7', equation: 'E = m*q', unit: 'J', inputs: { m: 'kg', q: 'm^2/s^2' } });
    const rise = law({
      id: 'TST8',
      equation: 'h = m*q/F + E/F',
      unit: 'm',
      inputs: { m: 'kg', q: 'm^2/s^2', F: { unit: 'N', default: 2 }, E: { unit: 'J', default: 0 } },
    });
    const { operators, selection } = selectOperators(domainOf(rise, heat), [], given('m', 'q'));
    expect(operators.map(({ id }) => id)).toEqual(['TST7', 'TST8']);
    expect(selection.operators[0]?.why).toBe('uses m, q; links of one chain');
  });

  test('reads a unit as a word about what a key means', () => {
    expect(idsOf([], { keys: ['T'], units: { T: 'ms' } })).toEqual(['TST5']);
    expect(idsOf([], { keys: ['T', 'n'], units: { T: 'mK' } })).toEqual(['TST6']);
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
