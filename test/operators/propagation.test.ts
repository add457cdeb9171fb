// ± of laws: defects that were found, and 150 laws and more beside a Monte Carlo of another kind.
//
// The other kind: 3,000 quantiles of a Latin hypercube instead of counter-based random numbers, normal deviates by
// inversion instead of Box and Muller, and the second evaluation in double-double instead of the kernel.

import { describe, expect, test } from 'vitest';
import { EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import { evaluatePrecisely } from '../../src/expressions/precise/evaluate.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { bindChain } from '../../src/operators/bind.ts';
import { type ChainResult, planChain } from '../../src/operators/chain.ts';
import { bindOperator, compileOperator } from '../../src/operators/evaluate.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import type { Operator, OperatorDefinition } from '../../src/operators/operator.ts';
import { toCoherent } from '../../src/operators/unit-table.ts';
import { runPlan } from '../../src/solvers/run.ts';
import { ENERGY, law, SPEED } from './laws.ts';

const PULSE = findOperator('KO42');
const runner = new LocalRunner();
const image = await loadKernel(EXPRESSION_KERNEL);

type Numbers = Readonly<Record<string, number>>;

async function compute(
  operators: readonly OperatorDefinition[],
  inputs: Numbers,
  uncertainties: Numbers = {},
): Promise<ChainResult> {
  const bound = bindChain([PULSE, ...operators], { inputs, consts: {}, units: {}, uncertainties });
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  const plan = planChain(bound.chain);
  const { outputs } = await runPlan({ ...plan, estimateNs: 0, estimateBytes: 0 }, image, runner);
  return plan.collect(outputs);
}

const uncertaintyOf = ({ results }: ChainResult) => results.at(-1)?.uncertainty ?? Number.NaN;
const partOf = ({ budget }: ChainResult, source: string) => budget.find((part) => part.source === source)?.value ?? 0;

describe('defects that were found', () => {
  test('the uncertainty of G is that of a force of gravity', async () => {
    const result = await compute([findOperator('CM2')], { m1: 5.972e24, m2: 7.348e22, r: 3.844e8 });
    // 1.98e20 N times 1.5e-15/6.6743e-11
    expect(partOf(result, 'constants')).toBeCloseTo(198211072907925200000 * (1.5e-15 / 6.6743e-11), -11);
    expect(uncertaintyOf(result)).toBeCloseTo(2 * partOf(result, 'constants'), -12);
  });

  test('a correlation is as good as its measurements', async () => {
    const result = await compute([findOperator('HT19')], { Re: 5e4, Pr: 5, Tw: 350, Tb: 300 });
    const value = result.results[0]?.value ?? Number.NaN;
    expect(partOf(result, 'model')).toBeCloseTo(0.35 * value, 9);
    expect(uncertaintyOf(result)).toBeGreaterThanOrEqual(0.35 * value);
  });

  test('at its largest value a range has the width of the second order', async () => {
    const result = await compute([findOperator('CM5')], { v: 30, theta: 45, g: 9.81 }, { theta: 5 });
    // |R - R cos(2 δ)| at the 95 % of δ, 1.96 · 5°
    const expected = (900 / 9.81) * (1 - Math.cos(2 * 1.959964 * ((5 * Math.PI) / 180)));
    expect(uncertaintyOf(result) / expected).toBeCloseTo(1, 1);
  });

  test('of a body at rest whose speed is uncertain the energy is so too', async () => {
    const result = await compute([findOperator('CM9')], { m: 2, v: 0 }, { v: 1 });
    expect(uncertaintyOf(result) / 1.959964 ** 2).toBeCloseTo(1, 1);
    expect(result.budget.map(({ source }) => source)).toEqual(['propagation']);
  });

  test('an exponential of uncertain numbers is wider than its slopes say', async () => {
    const law = findOperator('CK11');
    const inputs = law.examples[0]?.inputs ?? {};
    const sigmas = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, 0.05 * value]));
    const expected = otherWidth(law, inputs, sigmas);
    expect(expected).toBeGreaterThan(0.03);
    // 3,000 samples leave a tenth of noise in so long a tail.
    expect(Math.abs(Math.log(uncertaintyOf(await compute([law], inputs, sigmas)) / expected))).toBeLessThan(0.15);
  });

  test('the first order is no answer where it leaves out a fifth two standard deviations away', async () => {
    const [law, inputs, sigmas] = [findOperator('EPI5'), { R0: 1.72, s0: 0.96, i0: 0.000465 }, { R0: 0.48 }];
    const result = await compute([law], inputs, sigmas);
    expect(partOf(result, 'inputs')).toBe(0);
    // By slopes ± was 0.43, which held 87 % of the samples.
    expect(Math.abs(Math.log(uncertaintyOf(result) / otherWidth(law, inputs, sigmas)))).toBeLessThan(0.1);
  });

  test('an input may reach where its law has no answer, but not by more than one in twenty', async () => {
    const inputs = { R0: 6.55, E: 0.854 };
    // At R0 = 8.4 nobody would be left to vaccinate.
    await expect(compute([findOperator('EPI4')], inputs, { R0: 0.9 })).rejects.toMatchObject({
      code: 'PRECISION_REFUSED',
      message: expect.stringContaining('samples have a value'),
    });
    expect(partOf(await compute([findOperator('EPI4')], inputs, { R0: 0.1 }), 'inputs')).toBeGreaterThan(0);
  });

  test('two inputs that come too near to each other only together', async () => {
    const width = law({ id: 'TST1', equation: 'w = a - b', unit: '1', inputs: { a: '1', b: '1' } });
    const gap = { ...width, requires: ['b < a'] };
    const [inputs, sigmas] = [
      { a: 10, b: 4 },
      { a: 2.9, b: 2.9 },
    ];
    expect(partOf(await compute([width], inputs, sigmas), 'inputs')).toBeCloseTo(2.9 * Math.SQRT2, 9);
    await expect(compute([gap], inputs, sigmas)).rejects.toMatchObject({ code: 'PRECISION_REFUSED' });
  });

  test('coupons of a bond are counted, however uncertain its yield is', async () => {
    const bond = { c: 0.06, y: 0.05, m: 2, n: 19 };
    const result = await compute([findOperator('FIN29')], bond, { y: 0.03 });
    expect(partOf(result, 'propagation')).toBeGreaterThan(0);
    await expect(compute([findOperator('FIN29')], bond, { m: 0.1 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('has no uncertainty'),
    });
  });
});

describe('constants', () => {
  const constants = {
    me: 'electron mass',
    a0: 'Bohr radius',
    alpha: 'fine-structure constant',
    hbar: 'reduced Planck constant',
  };
  const of = (equation: string, unit: string, ...names: (keyof typeof constants)[]) =>
    law({
      id: 'TST1',
      equation,
      unit,
      inputs: { x: '1' },
      constants: Object.fromEntries(names.map((name) => [name, constants[name]])),
    });
  const relative = async (one: Operator) => {
    const result = await compute([one], { x: 1 });
    return partOf(result, 'constants') / Math.abs(result.results[0]?.value ?? Number.NaN);
  };

  test('that follow from the same ones cancel: m_e a0 α c/ħ is 1 exactly', async () => {
    expect(await relative(of('y = x*me*a0', 'kg*m', 'me', 'a0'))).toBeCloseTo(1.557e-10, 12);
    expect(await relative(of('y = x*me*a0*alpha/hbar', 's/m', 'me', 'a0', 'alpha', 'hbar'))).toBeLessThan(1e-15);
  });

  test('count once for a chain in which they appear twice', async () => {
    const first = of('z = x*me', 'kg', 'me');
    const second = law({
      id: 'TST2',
      equation: 'y = z/m',
      unit: '1',
      inputs: { z: 'kg' },
      constants: { m: 'electron mass' },
    });
    const third = law({
      id: 'TST2',
      equation: 'y = z*m',
      unit: 'kg^2',
      inputs: { z: 'kg' },
      constants: { m: 'electron mass' },
    });
    expect(partOf(await compute([first, second], { x: 1 }), 'constants')).toBeLessThan(1e-15);
    const square = await compute([first, third], { x: 1 });
    expect(partOf(square, 'constants') / (square.results[1]?.value ?? 0)).toBeCloseTo(2 * 3.114e-10, 12);
  });

  test('of a law of its own count with the uncertainty that it states', async () => {
    const own = { k: { value: 4, unit: '1', note: 'measured once', uncertainty: 0.1 } };
    const result = await compute(
      [law({ id: 'TST1', equation: 'y = k*x', unit: '1', inputs: { x: '1' }, constants: own })],
      { x: 3 },
    );
    expect(uncertaintyOf(result)).toBeCloseTo(0.6, 9);
  });

  test('are drawn together where they err together, as the first order has them', async () => {
    const tenth = { unit: '1', note: 'measured with the other', uncertainty: 0.1 };
    const constants = {
      a: { ...tenth, value: 2, correlation: { common: 0.8, 'own of a': 0.6 } },
      b: { ...tenth, value: 1, correlation: { common: 0.8, 'own of b': 0.6 } },
    };
    const spreadOf = async (equation: string) => {
      const one = law({ id: 'TST1', equation, unit: '1', inputs: { x: '1' }, constants });
      // At x = 0 the slope is 0, so that samples are drawn; they hardly depend on x.
      const drawn = await compute([one], { x: 0 }, { x: 1 });
      return [partOf(await compute([one], { x: 0 }), 'constants'), partOf(drawn, 'propagation')] as const;
    };
    // The correlation of a and b is 0.64: σ(a ∓ b) = 0.1 √(2 ∓ 2 · 0.64). A sampled ± is 1.96 σ, of which half is listed.
    for (const [equation, sigma] of [
      ['y = a - b + 1e-6*x^2', 0.1 * Math.sqrt(2 - 1.28)],
      ['y = a + b + 1e-6*x^2', 0.1 * Math.sqrt(2 + 1.28)],
    ] as const) {
      const [first, sampled] = await spreadOf(equation);
      expect(first / sigma).toBeCloseTo(1, 6);
      expect(sampled / (0.98 * sigma)).toBeCloseTo(1, 1.5);
    }
  });

  test('that are exact are rounded all the same', async () => {
    const light = law({
      id: 'TST1',
      equation: 'y = x*h',
      unit: 'J*s',
      inputs: { x: '1' },
      constants: { h: 'Planck constant' },
    });
    const result = await compute([light], { x: 1 });
    expect(result.budget.map(({ source }) => source)).toEqual(['rounding']);
    expect(uncertaintyOf(result) / 6.62607015e-34).toBeGreaterThan(1.7027509332425372e-50 / 6.62607015e-34);
  });
});

describe('a chain', () => {
  const rough = { ...SPEED, accuracy: { relative: 0.1, basis: 'a rule of thumb' } };

  test('hands the accuracy of its first law on to the last', async () => {
    const result = await compute([rough, ENERGY], { s: 6, t: 2, m: 4 });
    // v = 3 ± 0.3 by the model, E = 2 v² between 14.58 and 21.78
    expect(result.budget).toContainEqual({
      source: 'model',
      kind: 'bound',
      value: expect.closeTo(3.78, 9),
      basis: 'TST1: a rule of thumb',
    });
    expect(result.results.map(({ uncertainty }) => uncertainty)).toEqual([
      expect.closeTo(0.3, 9),
      expect.closeTo(3.78, 9),
    ]);
  });

  test('draws samples through both laws, each with what it has in common with the other', async () => {
    const root = law({ id: 'TST1', equation: 'y = x^2', unit: '1', inputs: { x: '1' } });
    const difference = law({ id: 'TST2', equation: 'z = y - x*x', unit: '1', inputs: { y: '1', x: '1' } });
    const { results } = await compute([root, difference], { x: 0 }, { x: 1 });
    expect(results[0]?.uncertainty).toBeCloseTo(1.959964 ** 2, 1);
    expect(results[1]?.uncertainty).toBeLessThan(1e-14);
  });

  test('gives the same bits every time', async () => {
    const once = () => compute([findOperator('CM5')], { v: 30, theta: 45, g: 9.81 }, { theta: 5, v: 1 });
    expect(await once()).toEqual(await once());
  });
});

describe('what cannot be propagated is refused', () => {
  test('where samples have no value', async () => {
    const arc = law({ id: 'TST1', equation: 'y = asin(x)', unit: '1', inputs: { x: '1' } });
    await expect(compute([arc], { x: 0.99 }, { x: 0.1 })).rejects.toMatchObject({
      code: 'PRECISION_REFUSED',
      message: expect.stringMatching(/uncertainty of x cannot be propagated through TST1: only \d+ of 100000 samples/),
    });
  });

  test('where hardly any sample is in range', async () => {
    const box = law({ id: 'TST1', equation: 'y = x', unit: '1', inputs: { x: { unit: '1', min: 0, max: 1 } } });
    await expect(compute([box], { x: 0.5 }, { x: 100 })).rejects.toMatchObject({
      code: 'PRECISION_REFUSED',
      message: expect.stringContaining('reach far beyond the ranges of TST1'),
    });
  });
});

/** Inverse of the normal distribution function. Acklam's approximation, relative error below 1.2e-9. */
function normalQuantile(p: number): number {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
  const horner = (coefficients: readonly number[], x: number) => coefficients.reduce((sum, one) => sum * x + one, 0);
  if (p > 0.97575) return -normalQuantile(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return horner(c, q) / horner(d, q);
  }
  const q = p - 0.5;
  return (q * horner(a, q * q)) / horner(b, q * q);
}

/** Bits of a generator of another family than Philox: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const SAMPLES = 3_000;

/** Distances from the value of the samples inside the ranges, in the unit of the law, the smallest first. */
function otherDistances(operator: Operator, inputs: Numbers, sigmas: Numbers): readonly number[] {
  const random = randomOf(7);
  const { equation, where } = compileOperator(operator);
  const formula = { expression: equation.expression, where };
  const base = bindOperator(operator, inputs);
  const evaluate = (numbers: Numbers) => evaluatePrecisely(formula, new Map(Object.entries(numbers))).value;
  const deviates = Object.fromEntries(
    Object.keys(sigmas).map((key) => {
      const order = Array.from({ length: SAMPLES }, (_, i) => i);
      for (let i = SAMPLES - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [order[i], order[j]] = [order[j] as number, order[i] as number];
      }
      return [key, order.map((stratum) => normalQuantile((stratum + random()) / SAMPLES))];
    }),
  );
  const center = evaluate(base);
  const distances: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const numbers: Record<string, number> = { ...base };
    let isWithin = true;
    for (const [key, sigma] of Object.entries(sigmas)) {
      const { unit, min = -Infinity, max = Infinity } = operator.inputs[key] ?? { unit: '1' };
      const declared = (inputs[key] ?? Number.NaN) + sigma * (deviates[key]?.[i] ?? Number.NaN);
      isWithin &&= declared >= min && declared <= max;
      numbers[key] = toCoherent(declared, unit);
    }
    // A sample without a value is outside every interval.
    const distance = Math.abs(evaluate(numbers) - center);
    if (isWithin) distances.push(Number.isNaN(distance) ? Infinity : distance);
  }
  const unit = toCoherent(1, operator.output.unit);
  return distances.map((distance) => distance / unit).sort((a, b) => a - b);
}

/** Half-width about the value that holds 95 % of the samples. */
function otherWidth(...law: Parameters<typeof otherDistances>): number {
  const distances = otherDistances(...law);
  return distances[Math.ceil(0.95 * distances.length) - 1] ?? Number.NaN;
}

describe('laws beside another Monte Carlo', () => {
  /** Without sums and long programs, which take long in double-double. */
  const all = [...OPERATORS.values()].filter((operator) => {
    const { hasSum, program } = compileOperator(operator);
    return operator.id !== 'KO42' && !hasSum && program.code.length < 60;
  });
  /** In the slow suite every one. */
  const laws = process.env.SVC_SLOW === '1' ? all : all.filter((_, i) => i % 9 < 5);
  let [compared, sampled, refused] = [0, 0, 0];

  /** Relative standard deviations: small, and large enough for the second order. */
  test.each(laws.map((operator, i) => [operator.id, operator, i % 2 === 0 ? 0.02 : 0.25] as const))(
    '%s',
    async (_, operator, deviation) => {
      const inputs = operator.examples[0]?.inputs ?? {};
      const sigmas = Object.fromEntries(
        Object.entries(inputs)
          .filter(([key, value]) => {
            const { integer, enum: allowed } = operator.inputs[key] ?? {};
            return value !== 0 && integer !== true && allowed === undefined;
          })
          .map(([key, value]) => [key, deviation * Math.abs(value)]),
      );
      let result: ChainResult;
      try {
        result = await compute([operator], inputs, sigmas);
      } catch (error) {
        expect(error).toMatchObject({ code: 'PRECISION_REFUSED' });
        refused++;
        return;
      }
      const spread = partOf(result, 'propagation') || partOf(result, 'inputs');
      const distances = otherDistances(operator, inputs, sigmas);
      const share = (width: number) => distances.filter((distance) => distance <= width).length / distances.length;
      // Samples of both kinds scatter by half a percent.
      expect(share(2.06 * spread)).toBeGreaterThan(0.94);
      if (distances.at(-1) !== 0) expect(share(1.94 * spread)).toBeLessThan(0.985);
      compared++;
      if (partOf(result, 'propagation') > 0) sampled++;
    },
    30_000,
  );

  test('are many, both ways, and few are refused', () => {
    expect(compared).toBeGreaterThanOrEqual(150);
    expect(sampled).toBeGreaterThanOrEqual(40);
    expect(compared - sampled).toBeGreaterThanOrEqual(40);
    expect(refused).toBeLessThanOrEqual(0.05 * laws.length);
  });

  /** Where every slope is 0. */
  test.each([
    ['CM5', { v: 30, theta: 45, g: 9.81 }, { theta: 5 }],
    ['CM9', { m: 2, v: 0 }, { v: 1 }],
    ['CM9', { m: 0, v: 0 }, { m: 1, v: 1 }],
  ] as const)('%s at a stationary point', async (id, inputs, sigmas) => {
    const operator = findOperator(id);
    const expected = otherWidth(operator, inputs, sigmas);
    expect(uncertaintyOf(await compute([operator], inputs, sigmas)) / expected).toBeCloseTo(1, 0.5);
  });
});
