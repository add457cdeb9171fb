import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { bindChain } from '../../src/operators/bind.ts';
import { type ChainResult, planChain } from '../../src/operators/chain.ts';
import type { Given } from '../../src/operators/given.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import type { InputDefinition, OperatorDefinition } from '../../src/operators/operator.ts';
import { runPlan } from '../../src/solvers/run.ts';
import { ENERGY, law, POWER, SPEED } from './laws.ts';

const PULSE = findOperator('KO42');
const runner = new LocalRunner();
const image = await loadKernel(EXPRESSION_KERNEL);

async function compute(
  operators: readonly OperatorDefinition[],
  inputs: Record<string, number>,
  more: Partial<Given> = {},
): Promise<ChainResult> {
  const bound = bindChain([PULSE, ...operators], { inputs, consts: {}, units: {}, uncertainties: {}, ...more });
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  const work = planChain(bound.chain);
  const { outputs } = await runPlan({ ...work, estimateNs: 0, estimateBytes: 0 }, image, runner);
  return work.collect(outputs);
}

const lastValue = async (...call: Parameters<typeof compute>) => (await compute(...call)).results.at(-1)?.value;
const uncertaintyOf = async (...call: Parameters<typeof compute>) =>
  (await compute(...call)).results.at(-1)?.uncertainty ?? Number.NaN;

describe('a chain', () => {
  test('gives the value of every operator, in its own unit', async () => {
    const { results, numbers } = await compute([SPEED, ENERGY, POWER], { s: 6, t: 2, m: 4 });
    expect(results.map(({ operator_id, value, unit }) => [operator_id, value, unit])).toEqual([
      ['TST1', 3, 'm/s'],
      ['TST2', 18, 'J'],
      ['TST3', 9, 'W'],
    ]);
    expect(numbers).toEqual({ TST1: { s: 6, t: 2 }, TST2: { m: 4, v: 3 }, TST3: { E: 18, t: 2 } });
  });

  test('hands values on in coherent units, whatever the declared ones are', async () => {
    const speed = law({ id: 'TST1', equation: 'v = s/t', unit: 'km/h', inputs: { s: 'km', t: 'h' } });
    const energy = law({ id: 'TST2', equation: 'E = m*v^2/2', unit: 'kJ', inputs: { m: 'g', v: 'cm/s' } });
    const { results, numbers } = await compute([speed, energy], { s: 36, t: 2, m: 8_000 });
    expect(results.map(({ value }) => value)).toEqual([18, 0.1]);
    expect(numbers.TST2).toEqual({ m: 8_000, v: 500 });
  });

  test('with intermediate values and constants gives what a hand computes', async () => {
    const price = findOperator('BLACK_SCHOLES');
    const [example] = price.examples;
    expect(await lastValue([price], { ...example?.inputs })).toBeCloseTo(example?.expected ?? Number.NaN, 6);
  });

  test('without given uncertainties plans no samples, and evaluates nothing to see that', () => {
    const given = { inputs: { s: 6, t: 2 }, consts: {}, units: {} };
    const furtherOf = (uncertainties: Given['uncertainties']) => {
      const bound = bindChain([PULSE, SPEED], { ...given, uncertainties });
      return () => (bound.kind === 'gate' ? undefined : planChain(bound.chain).further([]));
    };
    expect(furtherOf({})()).toEqual([]);
    expect(furtherOf({ s: 1 })).toThrow('TST1 was not run.');
  });

  test('gives every example of the registry', async () => {
    let count = 0;
    for (const operator of OPERATORS.values()) {
      for (const { inputs, expected, rtol = 1e-4 } of operator.id === 'KO42' ? [] : operator.examples) {
        const value = (await lastValue([operator], { ...inputs })) ?? Number.NaN;
        expect(Math.abs(value - expected), operator.id).toBeLessThanOrEqual(
          rtol * Math.abs(expected) + Number.MIN_VALUE,
        );
        count++;
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  test('refuses what one operator yields and the next does not take, and says where it comes from', async () => {
    const slow = law({ ...ENERGY, unit: 'J', inputs: { m: 'kg', v: { unit: 'm/s', max: 2 } } });
    await expect(compute([SPEED, slow], { s: 6, t: 2, m: 4 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'TST2.v, which comes from TST1, is 3; a finite number up to 2 [m/s] is expected.',
    });
  });
});

describe('a requirement', () => {
  const slower = {
    ...law({ id: 'TST4', equation: 'q = v/u', unit: '1', inputs: { v: 'm/s', u: 'm/s' } }),
    requires: ['v < u'],
  };

  test('is checked with what an earlier operator yields', async () => {
    await expect(compute([SPEED, slower], { s: 6, t: 2, u: 2 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'TST4 requires v < u, which does not hold for v = 3 m/s, u = 2 m/s.',
      details: [{ path: 'inputs.v', code: 'REQUIREMENT' }],
    });
    expect(await lastValue([SPEED, slower], { s: 6, t: 2, u: 4 })).toBe(0.75);
  });

  test('leaves no value to samples that break it', async () => {
    const perpetuity = findOperator('FIN26');
    const certain = { C: 100, r: 0.04, g: 0.01 };
    await expect(compute([perpetuity], certain, { uncertainties: { r: 0.03 } })).rejects.toMatchObject({
      code: 'PRECISION_REFUSED',
      message: expect.stringMatching(/only \d+ of \d+ samples have a value/),
    });
    expect(await uncertaintyOf([perpetuity], certain, { uncertainties: { r: 0.01 } })).toBeGreaterThan(2 * 1111);
  });
});

describe('the second way', () => {
  test('agrees with the machine to a few units in the last place', async () => {
    const { results, verified } = await compute([SPEED, ENERGY, POWER], { s: 7, t: 3, m: 0.1 });
    const value = results.at(-1)?.value ?? Number.NaN;
    expect(Math.abs(value - verified.reference) / value).toBeLessThan(1e-15);
  });

  test('goes through the whole chain on its own', async () => {
    const root = law({ id: 'TST1', equation: 'x = cbrt(a)', unit: '1', inputs: { a: '1' } });
    const cube = law({ id: 'TST2', equation: 'y = x^3', unit: '1', inputs: { x: '1' } });
    const { verified } = await compute([root, cube], { a: 5 });
    expect(verified.reference).toBeCloseTo(5, 13);
  });

  test('tells how much was summed up to get the value', async () => {
    const difference = law({ id: 'TST1', equation: 'x = a - b', unit: 'km', inputs: { a: 'km', b: 'km' } });
    expect((await compute([difference], { a: 5, b: 4.5 })).verified.scale).toBe(5);
  });
});

describe('uncertainty', () => {
  const none = { units: {}, consts: {} };

  test('without any given is that of rounding: tiny, and more where digits cancel', async () => {
    const product = law({ id: 'TST1', equation: 'x = a*b', unit: '1', inputs: { a: '1', b: '1' } });
    const difference = law({ id: 'TST1', equation: 'x = a - b', unit: '1', inputs: { a: '1', b: '1' } });
    const smooth = await uncertaintyOf([product], { a: 1.1, b: 1.3 });
    expect(smooth).toBeGreaterThan(0);
    expect(smooth / 1.43).toBeLessThan(1e-15);
    expect((await uncertaintyOf([difference], { a: 1.1, b: 1.1 - 1e-12 })) / 1e-12).toBeGreaterThan(1e-5);
  });

  test('is carried to the first order: product, power, and the units that were said', async () => {
    const box = law({ id: 'TST1', equation: 'V = a*b^2', unit: 'm^3', inputs: { a: 'm', b: 'm' } });
    const [a, b, da, db] = [3, 2, 0.03, 0.01];
    const expected = 2 * Math.sqrt((b * b * da) ** 2 + (2 * a * b * db) ** 2);
    expect(await uncertaintyOf([box], { a, b }, { ...none, uncertainties: { a: da, b: db } })).toBeCloseTo(expected, 9);
    const inCentimetres = { ...none, units: { b: 'cm' }, uncertainties: { a: da, b: 100 * db } };
    expect(await uncertaintyOf([box], { a, b: 100 * b }, inCentimetres)).toBeCloseTo(expected, 9);
  });

  test('follows the derivative wherever a formula has one', async () => {
    const wave = law({
      id: 'TST1',
      equation: 'y = a*sin(k*x)*exp(-x/l)',
      unit: 'm',
      inputs: { a: 'm', k: '1/m', x: 'm', l: 'm' },
    });
    const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    await fc.assert(
      fc.asyncProperty(number(0.1, 9), number(0.1, 9), number(0.1, 3), number(1e-9, 1e-3), async (k, l, x, sigma) => {
        const slope = 2 * Math.exp(-x / l) * (k * Math.cos(k * x) - Math.sin(k * x) / l);
        // Near a stationary point the second order counts.
        fc.pre(Math.abs(slope) > 40 * sigma * (k + 1 / l) ** 2);
        const got = await uncertaintyOf([wave], { a: 2, k, x, l }, { ...none, uncertainties: { x: sigma } });
        expect(Math.abs(got - 2 * Math.abs(slope) * sigma)).toBeLessThan(2e-6 * sigma + 2e-13);
      }),
      { numRuns: 60 },
    );
  });

  test('knows that operators of a chain have a number in common', async () => {
    const twice = law({ id: 'TST1', equation: 'y = 2*x', unit: '1', inputs: { x: '1' } });
    const less = law({ id: 'TST2', equation: 'z = y - 2*x', unit: '1', inputs: { y: '1', x: '1' } });
    const independent = { ...none, uncertainties: { x: 0.1, y: 0.1 } };
    expect(await uncertaintyOf([twice, less], { x: 5 }, { ...none, uncertainties: { x: 0.1 } })).toBeLessThan(1e-10);
    expect(await uncertaintyOf([less], { x: 5, y: 10 }, independent)).toBeCloseTo(2 * Math.sqrt(0.01 + 0.04), 9);
  });

  test('moves a whole number by one, and stays in the range', async () => {
    const count = { unit: '1', integer: true, min: 1 };
    const square = law({ id: 'TST1', equation: 'y = sum(k, 1, n, k)', unit: '1', inputs: { n: count } });
    const sigma = { ...none, uncertainties: { n: 2 } };
    expect(await uncertaintyOf([square], { n: 10 }, sigma)).toBeCloseTo(2 * ((2 * (66 - 45)) / 2), 9);
    expect(await uncertaintyOf([square], { n: 1 }, sigma)).toBeCloseTo(2 * (2 * 2), 9);
  });

  test('takes one side where the other has no value, and refuses where neither has', async () => {
    const root = (x: string | InputDefinition) =>
      law({ id: 'TST1', equation: 'y = sqrt(x)', unit: '1', inputs: { x } });
    const sigma = { ...none, uncertainties: { x: 1e-6 } };
    // 95 % of the positive half of a normal distribution lie below 1.96 of its standard deviation; the order statistic
    // that bounds them with confidence lies 0.7 % above.
    expect(await uncertaintyOf([root({ unit: '1', min: 0 })], { x: 0 }, sigma)).toBeCloseTo(Math.sqrt(1.974e-6), 5);
    await expect(compute([root('1')], { x: 0 }, sigma)).rejects.toMatchObject({ code: 'PRECISION_REFUSED' });
    const point = law({ id: 'TST1', equation: 'y = sqrt(-abs(x))', unit: '1', inputs: { x: '1' } });
    await expect(compute([point], { x: 0 }, { ...none, uncertainties: { x: 1 } })).rejects.toMatchObject({
      code: 'PRECISION_REFUSED',
      message: expect.stringContaining('The uncertainty of x cannot be propagated through TST1'),
    });
  });

  test('of exact numbers adds nothing', async () => {
    const plain = await uncertaintyOf([SPEED], { s: 3, t: 2 });
    expect(await uncertaintyOf([SPEED], { s: 3, t: 2 }, { ...none, uncertainties: { s: 0, t: 0 } })).toBe(plain);
  });
});

describe('no value', () => {
  const one = (equation: string, ...symbols: string[]) =>
    law({ id: 'TST1', equation, unit: '1', inputs: Object.fromEntries(symbols.map((symbol) => [symbol, '1'])) });

  test.each([
    ['y = 1/(a - b)', { a: 2, b: 2 }, 'DIVISION_BY_ZERO', 'in 1/(a - b) the divisor is 0'],
    ['y = a/b', { a: 0, b: 0 }, 'DIVISION_BY_ZERO', 'in a/b the divisor is 0'],
    ['y = a^b', { a: 0, b: -2 }, 'DIVISION_BY_ZERO', 'a power of 0 has the negative exponent -2'],
    ['y = sum(k, 0, 3, a/(k - b))', { a: 1, b: 2 }, 'DIVISION_BY_ZERO', 'in a/(k - b) the divisor is 0'],
    ['y = exp(a*b)', { a: 1e3, b: 1 }, 'NUMERIC_OVERFLOW', 'exp(a*b) at 1000 is beyond the largest number'],
    ['y = a*b', { a: 1e200, b: 1e200 }, 'NUMERIC_OVERFLOW', 'a*b at 1e+200, 1e+200 is beyond'],
    ['y = a - b*exp(a)', { a: 1e3, b: 1 }, 'NUMERIC_OVERFLOW', 'exp(a) at 1000'],
    ['y = sqrt(a - b)', { a: 1, b: 2 }, 'VALUE_UNDEFINED', 'sqrt(a - b) is not defined at -1'],
    ['y = log(a)*b', { a: 0, b: 2 }, 'VALUE_UNDEFINED', 'log(a) is not defined at 0'],
    ['y = acos(a)*b', { a: 2, b: 2 }, 'VALUE_UNDEFINED', 'acos(a) is not defined at 2'],
    ['y = a > 1 ? b/0 : b', { a: 2, b: 2 }, 'DIVISION_BY_ZERO', 'in b/0 the divisor is 0'],
    // Finite, and made of what is not.
    ['y = b/(a*a)', { a: 1e200, b: 1e300 }, 'NUMERIC_OVERFLOW', 'a*a at 1e+200, 1e+200 is beyond'],
    ['y = b/a > 3 ? 1 : 2', { a: 0, b: 0 }, 'DIVISION_BY_ZERO', 'in b/a the divisor is 0'],
    ['y = sqrt(a)^b', { a: -1, b: 0 }, 'VALUE_UNDEFINED', 'sqrt(a) is not defined at -1'],
  ])('of %s at %o is %s', async (equation, inputs, code, reason) => {
    await expect(compute([one(equation, 'a', 'b')], inputs)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(reason),
      facts: { operator_id: 'TST1' },
    });
  });

  test('is refused in an operator before the last, too', async () => {
    await expect(compute([SPEED, ENERGY], { s: 1, t: 0, m: 2 })).rejects.toMatchObject({
      code: 'DIVISION_BY_ZERO',
      message: 'TST1 (law TST1) has no value v: in s/t the divisor is 0.',
    });
  });

  test('that vanishes below the smallest number says how large it may be', async () => {
    // 1e40·e^-760 = 8.9e-291, of which the exponential alone is 0 in doubles.
    const { value, uncertainty } =
      (await compute([one('y = a*exp(-b)', 'a', 'b')], { a: 1e40, b: 760 })).results[0] ?? {};
    expect(value).toBe(0);
    expect(uncertainty).toBeGreaterThan(8.9e-291);
    expect(uncertainty).toBeLessThan(1e-280);
  });

  test('that no second way could give has not converged', async () => {
    // A Bessel function counts as 300 steps in double-double arithmetic.
    const { isWitnessed, verified } = await compute(
      [one('y = sum(k, 1, a, besselj(k, b) + besselj(k, 2*b))', 'a', 'b')],
      {
        a: 999,
        b: 1,
      },
    );
    expect(isWitnessed).toBe(false);
    expect(verified.method).toMatch(/^none: in double-double arithmetic it needs more than \d+ steps$/);
    expect((await compute([one('y = a*b', 'a', 'b')], { a: 2, b: 3 })).isWitnessed).toBe(true);
  });

  test('is refused where only the unit makes it too large', async () => {
    const far = law({ id: 'TST1', equation: 'd = x', unit: 'fm', inputs: { x: 'm' } });
    await expect(compute([far], { x: 1e300 })).rejects.toMatchObject({ code: 'NUMERIC_OVERFLOW' });
  });

  test('is refused where a sum is too long or its bounds are not whole', async () => {
    const long = one('y = sum(k, 1, a, k)', 'a');
    await expect(compute([long], { a: 20_000 })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    await expect(compute([long], { a: 1.5 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('TST1: '),
    });
  });

  test('is not what a branch has that was not taken', async () => {
    expect(await lastValue([one('y = a > 1 ? a : b/0', 'a', 'b')], { a: 2, b: 1 })).toBe(2);
  });
});

describe('the order of names', () => {
  test('makes no difference to any bit', async () => {
    const price = findOperator('BLACK_SCHOLES');
    const turned = {
      ...price,
      where: Object.fromEntries(Object.entries(price.where ?? {}).reverse()),
      inputs: Object.fromEntries(Object.entries(price.inputs).reverse()),
    };
    const inputs = { ...price.examples[0]?.inputs };
    const uncertainties = Object.fromEntries(
      Object.keys(inputs).map((key, i) => [key, key === 'phi' ? 0 : 0.01 * (i + 1)]),
    );
    const reversed = Object.fromEntries(Object.entries(inputs).reverse());
    const straight = await compute([price], inputs, { uncertainties });
    expect((await compute([turned], reversed, { uncertainties })).results).toEqual(straight.results);
  });
});
