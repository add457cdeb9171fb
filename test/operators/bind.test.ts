import { describe, expect, test } from 'vitest';
import { type BoundChain, bindChain } from '../../src/operators/bind.ts';
import type { GateFinding } from '../../src/operators/gate.ts';
import type { Given } from '../../src/operators/given.ts';
import { findOperator } from '../../src/operators/load.ts';
import type { OperatorDefinition } from '../../src/operators/operator.ts';
import { ENERGY, law, POWER, SPEED } from './laws.ts';
import { refusal } from './refusal.ts';

const PULSE = findOperator('KO42');

const given = (inputs: Record<string, number>, more: Partial<Given> = {}): Given => {
  return { inputs, consts: {}, units: {}, uncertainties: {}, ...more };
};

function bind(operators: readonly OperatorDefinition[], what: Given): BoundChain {
  const bound = bindChain([PULSE, ...operators], what);
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  return bound.chain;
}

function gate(operators: readonly OperatorDefinition[], what: Given): GateFinding {
  const bound = bindChain([PULSE, ...operators], what);
  if (bound.kind === 'bound') throw new Error('the gate let it through');
  return bound.gate;
}

/** Where each symbol of each operator has its number from. */
const sourcesOf = (chain: BoundChain) =>
  chain.operators.map(({ definition: { id }, sources }) => {
    const rows = [...sources].map(([symbol, source]) => {
      if (source.kind === 'given') return [symbol, chain.variables[source.variable]?.key];
      return [symbol, source.kind === 'fed' ? chain.operators[source.by]?.definition.id : source.value];
    });
    return [id, Object.fromEntries(rows)];
  });

describe('another name of an input', () => {
  const VEGA = law({
    id: 'TST5',
    equation: 'V = S*sig',
    unit: '1',
    inputs: { S: '1', sig: { unit: '1', aliases: ['sigma'] } },
  });
  const STRESS = law({ id: 'TST6', equation: 'F = sigma*A', unit: '1', inputs: { sigma: '1', A: '1' } });
  const OTHER = law({
    id: 'TST7',
    equation: 'W = q*S',
    unit: '1',
    inputs: { S: '1', q: { unit: '1', aliases: ['sigma'] } },
  });

  test('is taken for it, bare or qualified, with its unit and uncertainty', () => {
    const chain = bind([VEGA], given({ S: 3, sigma: 2 }, { units: { sigma: '%' }, uncertainties: { sigma: 1 } }));
    expect(chain.variables.map(({ key, value, sigma }) => [key, value, sigma])).toEqual([
      ['S', 3, 0],
      ['sig', 0.02, 0.01],
    ]);
    expect(bind([VEGA], given({ S: 3, 'TST5.sigma': 2 })).variables[1]?.key).toBe('TST5.sig');
  });

  test('is not taken where a law of the chain has it as a name of its own', () => {
    expect(() => bind([VEGA, STRESS], given({ S: 3, sigma: 2, A: 1 }))).toThrow(/TST5\.sig is missing/);
  });

  test('is not taken where it could mean two inputs, or the input is given as well', () => {
    expect(gate([VEGA, OTHER], given({ S: 3, sigma: 2 })).unrecognised).toEqual(['sigma']);
    expect(gate([VEGA], given({ S: 3, sigma: 2, sig: 1 })).unrecognised).toEqual(['sigma']);
  });
});

test('one of a few allowed numbers has no uncertainty', () => {
  const option = law({
    id: 'TST5',
    equation: 'V = S*phi',
    unit: '1',
    inputs: { S: '1', phi: { unit: '1', enum: [-1, 1] } },
  });
  expect(() => bind([option], given({ S: 3, phi: 1 }, { uncertainties: { phi: 0.1 } }))).toThrow(
    /uncertainties\.phi: TST5\.phi is one of -1, 1 \[1\] and has no uncertainty/,
  );
});

describe('a number goes', () => {
  test('to every operator that accepts its bare key, and once only', () => {
    const chain = bind([SPEED, POWER], given({ s: 3, t: 2, E: 1 }));
    expect(sourcesOf(chain)).toEqual([
      ['TST1', { s: 's', t: 't' }],
      ['TST3', { E: 'E', t: 't' }],
    ]);
    expect(chain.variables.map(({ key, value }) => [key, value])).toEqual([
      ['s', 3],
      ['t', 2],
      ['E', 1],
    ]);
  });

  test('by its qualified key to that operator alone, before the bare one', () => {
    const chain = bind([SPEED, POWER], given({ s: 3, t: 2, 'TST3.t': 9, E: 1 }));
    expect(sourcesOf(chain)[1]).toEqual(['TST3', { E: 'E', t: 'TST3.t' }]);
    expect(chain.notes).toEqual(['t is given twice for TST3; TST3.t is used.']);
  });

  test('from an earlier operator to a later one that lacks the same symbol in the same dimension', () => {
    const chain = bind([SPEED, ENERGY, POWER], given({ s: 3, t: 2, m: 4 }));
    expect(sourcesOf(chain)).toEqual([
      ['TST1', { s: 's', t: 't' }],
      ['TST2', { m: 'm', v: 'TST1' }],
      ['TST3', { E: 'TST2', t: 't' }],
    ]);
    expect(chain.links).toEqual([
      { from: 'TST1', to: 'TST2', symbol: 'v' },
      { from: 'TST2', to: 'TST3', symbol: 'E' },
    ]);
  });

  test('but what is given explicitly wins over what is fed, and what is fed over a default', () => {
    expect(bind([SPEED, ENERGY], given({ s: 3, t: 2, m: 4, v: 5 })).links).toEqual([]);
    const slow = law({
      ...ENERGY,
      equation: 'E = m*v^2/2',
      unit: 'J',
      inputs: { m: 'kg', v: { unit: 'm/s', default: 1 } },
    });
    expect(bind([SPEED, slow], given({ s: 3, t: 2, m: 4 })).links).toEqual([{ from: 'TST1', to: 'TST2', symbol: 'v' }]);
    expect(sourcesOf(bind([slow], given({ m: 4 })))).toEqual([['TST2', { m: 'm', v: 1 }]]);
  });

  test('not from an operator of another dimension, however its symbol is called', () => {
    const volume = law({ id: 'TST8', equation: 'v = s^3', unit: 'm^3', inputs: { s: 'm' } });
    const error = refusal(() => bind([volume, ENERGY], given({ s: 3, m: 4 })));
    expect(error.details).toEqual([
      { path: 'inputs.v', code: 'MISSING', message: 'TST2.v is missing; a finite number [m/s] is expected.' },
    ]);
  });

  test('not from an operator of another symbol, however well its dimension fits', () => {
    const wave = law({ id: 'TST8', equation: 'c = s/t', unit: 'm/s', inputs: { s: 'm', t: 's' } });
    expect(refusal(() => bind([wave, ENERGY], given({ s: 3, t: 2, m: 4 }))).details[0]?.path).toBe('inputs.v');
  });

  test('from a constant where no input is given', () => {
    const chain = bind([SPEED], given({ s: 3 }, { consts: { t: 2, s: 99 } }));
    expect(chain.variables.map(({ key, value }) => [key, value])).toEqual([
      ['s', 3],
      ['t', 2],
    ]);
    expect(chain.notes).toEqual(['s is given as an input and as a constant; the input is used.']);
  });

  test('in the unit that is declared, or in the one that is said, and is coherent inside', () => {
    const drop = law({
      id: 'TST8',
      equation: 's = Q*t',
      unit: 'm^3',
      inputs: { Q: 'm^3/day', t: { unit: 'h', min: 1 } },
    });
    const plain = bind([drop], given({ Q: 86_400, t: 2 }));
    expect(plain.variables.map(({ value }) => value)).toEqual([1, 7_200]);
    expect(plain.variables[1]?.min).toBe(3_600);
    const said = bind([drop], given({ Q: 1, t: 90 }, { units: { Q: 'm^3/s', t: 'min' } }));
    expect(said.variables.map(({ value }) => value)).toEqual([1, 5_400]);
    expect(
      [...(said.operators[0]?.sources ?? [])].map(([, source]) => 'declared' in source && source.declared),
    ).toEqual([86_400, 1.5]);
  });

  test('with its uncertainty in the same unit', () => {
    const chain = bind([SPEED], given({ s: 3, t: 2 }, { units: { s: 'km' }, uncertainties: { s: 0.5, t: 0 } }));
    expect(chain.variables.map(({ key, sigma }) => [key, sigma])).toEqual([
      ['s', 500],
      ['t', 0],
    ]);
  });

  test('the same way whatever the order of the keys', () => {
    const inputs = { s: 3, t: 2, m: 4 };
    const reversed = Object.fromEntries(Object.entries(inputs).reverse());
    const shuffled = { ...ENERGY, inputs: Object.fromEntries(Object.entries(ENERGY.inputs).reverse()) };
    const [a, b] = [bind([SPEED, ENERGY], given(inputs)), bind([SPEED, shuffled], given(reversed))];
    expect(b.variables).toEqual(a.variables);
    expect(b.links).toEqual(a.links);
  });
});

describe('KO42', () => {
  test('takes its phase, under its qualified key alone', () => {
    expect(bind([SPEED], given({ s: 3, t: 2 })).phi0).toBe(0);
    expect(bind([SPEED], given({ s: 3, t: 2, 'KO42.phi0': 0.5 })).phi0).toBe(0.5);
    expect(bind([SPEED], given({ s: 3, t: 2, 'KO42.phi0': 180 }, { units: { 'KO42.phi0': 'deg' } })).phi0).toBe(
      Math.PI,
    );
    for (const key of ['phi0', 'KO42.S', 'KO42.t']) {
      expect(gate([SPEED], given({ s: 3, t: 2, [key]: 1 })).unrecognised).toEqual([key]);
    }
  });
});

describe('the dimensional gate', () => {
  test('names keys that nobody accepts, and what is accepted in which unit', () => {
    expect(gate([SPEED, POWER], given({ s: 3, t: 2, E: 1, colour: 1, 'TST1.E': 2, 'TST9.s': 1 }))).toEqual({
      reason: 'TST1, TST3 take no colour, TST1.E, TST9.s',
      unrecognised: ['colour', 'TST1.E', 'TST9.s'],
      accepted: { s: 'm', t: 's', E: 'J', 'KO42.phi0': 'rad' },
    });
  });

  test.each(['__proto__', 'constructor', 'toString', 'TST1.constructor', 'TST1.', '.s', ''])(
    'is not fooled by the key %j',
    (key) => {
      const inputs = Object.fromEntries([
        ['s', 3],
        ['t', 2],
        [key, 1],
      ]);
      expect(gate([SPEED], given(inputs)).unrecognised).toEqual([key]);
    },
  );

  const gas = law({ id: 'TST8', equation: 'U = n*T', unit: 'mol*K', inputs: { n: 'mol', T: 'K' } });
  const wave = law({ id: 'TST9', equation: 'f = n/T', unit: 'Hz', inputs: { n: { unit: 'mol', default: 1 }, T: 's' } });

  test('names a constant that no operator accepts, and one that an operator holds itself', () => {
    const found = gate([SPEED], given({ s: 3, t: 2, colour: 1 }, { consts: { t: 4, huge: 1e308, 'KO42.phi0': 0 } }));
    expect(found.unrecognised).toEqual(['colour', 'consts.huge']);
    const held = { ...SPEED, constants: { hbar: { value: 1, unit: 'J*s', note: 'of the test' } } };
    for (const key of ['hbar', `${SPEED.id}.hbar`]) {
      const { unrecognised, reason } = gate([held], given({ s: 3, t: 2 }, { consts: { [key]: 7 } }));
      expect(unrecognised).toEqual([`consts.${key}`]);
      expect(reason).toBe(
        `${SPEED.id} takes no consts.${key}; hbar is a constant of ${SPEED.id} and cannot be changed`,
      );
    }
  });

  test('refuses a bare key that two operators read in two dimensions, but not a qualified one', () => {
    const both = given({ n: 1, T: 300 });
    expect(gate([gas, wave], both)).toMatchObject({
      unrecognised: [],
      conflicts: { T: { TST8: 'K', TST9: 's' } },
      accepted: { n: 'mol', 'TST8.T': 'K', 'TST9.T': 's' },
      reason: expect.stringContaining('T means two things: K for TST8, s for TST9'),
    });
    expect(bind([gas, wave], given({ n: 1, 'TST8.T': 300, 'TST9.T': 2 })).variables).toHaveLength(3);
    expect(bind([gas, wave], given({ n: 1, T: 300, 'TST9.T': 2 })).variables).toHaveLength(3);
  });

  test('refuses a bare key that two operators read in two sizes of one dimension, unless its unit is said', () => {
    const slow = law({ id: 'TST8', equation: 'x = t', unit: 's', inputs: { t: 'h' } });
    const quick = law({ id: 'TST9', equation: 'y = t', unit: 's', inputs: { t: 's' } });
    expect(gate([slow, quick], given({ t: 5 })).conflicts).toEqual({ t: { TST8: 'h', TST9: 's' } });
    const chain = bind([slow, quick], given({ t: 5 }, { units: { t: 'min' } }));
    expect(chain.variables.map(({ value }) => value)).toEqual([300]);
    const angle = law({ id: 'TST8', equation: 'x = t', unit: '1', inputs: { t: 'rad' } });
    const number = law({ id: 'TST9', equation: 'y = t', unit: '1', inputs: { t: '1' } });
    expect(bind([angle, number], given({ t: 5 })).variables).toHaveLength(1);
  });
});

describe('refused are', () => {
  const counted = law({
    id: 'TST8',
    equation: 'y = n*x',
    unit: 'm',
    inputs: { n: { unit: '1', min: 1, max: 9, integer: true }, x: { unit: 'm', min: 0 } },
  });

  test.each([
    [{ n: 1.5, x: 1 }, 'n', 'OUT_OF_RANGE', 'TST8.n is 1.5; a whole number from 1 up to 9 [1] is expected.'],
    [{ n: 10, x: 1 }, 'n', 'OUT_OF_RANGE', 'TST8.n is 10; a whole number from 1 up to 9 [1] is expected.'],
    [{ n: 1, x: -1 }, 'x', 'OUT_OF_RANGE', 'TST8.x is -1; a finite number from 0 [m] is expected.'],
    [{ n: 1, x: Number.NaN }, 'x', 'OUT_OF_RANGE', 'TST8.x is NaN; a finite number from 0 [m] is expected.'],
    [{ n: 1, x: Number.POSITIVE_INFINITY }, 'x', 'OUT_OF_RANGE', expect.stringContaining('is Infinity')],
    [{ n: 1 }, 'x', 'MISSING', 'TST8.x is missing; a finite number from 0 [m] is expected.'],
  ])('%o', (inputs, symbol, code, message) => {
    const error = refusal(() => bind([counted], given(inputs as Record<string, number>)));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details).toEqual([{ path: `inputs.${symbol}`, code, message }]);
  });

  test('a value out of range in its own unit, said in the declared one', () => {
    const error = refusal(() => bind([counted], given({ n: 1, x: -5 }, { units: { x: 'cm' } })));
    expect(error.message).toBe('TST8.x is -0.05; a finite number from 0 [m] is expected.');
  });

  test('all faults together', () => {
    expect(refusal(() => bind([counted], given({ n: 0 }))).details.map(({ code }) => code)).toEqual([
      'OUT_OF_RANGE',
      'MISSING',
    ]);
  });

  test('a unit of another dimension, an unknown unit, and a temperature scale with an offset', () => {
    const error = refusal(() => bind([SPEED], given({ s: 3, t: 2 }, { units: { s: 'K' } })));
    expect([error.code, error.details[0]?.path]).toEqual(['UNIT_MISMATCH', 'units.s']);
    expect(error.message).toContain('units.s is K (K); TST1.s takes m (m)');
    for (const unit of ['furlong', 'degC', 'm^', '__proto__']) {
      expect(refusal(() => bind([SPEED], given({ s: 3, t: 2 }, { units: { s: unit } }))).code).toBe('UNIT_INVALID');
    }
  });

  test('units and uncertainties of what is not given, and uncertainties that are none', () => {
    const error = refusal(() => bind([SPEED], given({ s: 3, t: 2 }, { units: { S: 'm' } })));
    expect(error.details).toEqual([
      { path: 'units.S', code: 'UNKNOWN_FIELD', message: 'units.S matches no input. Did you mean s?' },
    ]);
    for (const sigma of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const wrong = refusal(() => bind([SPEED], given({ s: 3, t: 2 }, { uncertainties: { s: sigma } })));
      expect(wrong.details[0]).toMatchObject({ path: 'uncertainties.s', code: 'OUT_OF_RANGE' });
    }
  });
});
