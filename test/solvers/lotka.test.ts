import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { inputs } from '../../src/solvers/lotka/inputs.ts';
import { excess, logOfExcess, orbitOf } from '../../src/solvers/lotka/reference.ts';
import { lotka } from '../../src/solvers/lotka/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const start = (alpha: number, beta: number, gamma: number, delta: number, x0: number, y0: number): Input => ({
  alpha,
  beta,
  gamma,
  delta,
  x0,
  y0,
});
const unit = start(1, 1, 1, 1, 2, 1);
const satisfied: Input = { ...start(1, 1, 0.5, 1, 1, 1), half_saturation: 1 };
/** The periods of solvers.md, and their extremes. */
const orbit = (input: Input, period: number) => ({ input, value: [period, 1e-11 * period] as const });

describeSolver(lotka, {
  cases: {
    defaults: {},
    'hares and lynx': { ...start(0.55, 0.028, 0.84, 0.026, 30, 4), units: 'year', t_end: 20, samples: 201 },
    spikes: { ...start(1, 1, 1, 1, 10, 1), samples: 101 },
    harvest: { ...unit, harvest: 0.4 },
    equilibrium: start(1, 1, 1, 1, 1, 1),
    'limit cycle': { ...satisfied, carrying_capacity: 5 },
    'stable focus': { ...unit, carrying_capacity: 10 },
    'stable node': { ...unit, carrying_capacity: 1.05 },
    'growing oscillation': { ...satisfied, t_end: 30 },
    'predators die out': { ...unit, carrying_capacity: 0.8 },
    'both die out': { ...unit, harvest: 1.5 },
    'no prey': { x0: 0 },
    'no predators': { y0: 0, carrying_capacity: 3 },
    nobody: { x0: 0, y0: 0 },
  },
  conservation: true,
  golden: ['defaults', 'hares and lynx', 'harvest', 'limit cycle', 'stable focus', 'no prey'],
  convergence: [
    {
      name: 'the period by equal steps',
      order: 'time',
      levels: 4,
      at: (level) => ({ ...start(1, 1, 1, 1, 3, 1), steps_per_period: 100 << level, samples: 2, t_end: 1 }),
      error: (solution) => Math.abs(quantityOf(solution, 'period_rk4') - solution.value),
      tolerance: 0.3,
    },
  ],
  known: {
    'the first case of Volterra’s equations': {
      input: start(2 / 3, 4 / 3, 1, 1, 1, 1),
      value: [8.026636865289795, 1e-11],
      quantities: {
        prey_min: [0.4888318666203, 1e-11],
        prey_max: [1.782694568458, 1e-11],
        predators_min: [0.20318786998, 1e-10],
        predators_max: [1, 1e-12],
        mean_prey: [1, 1e-11],
        mean_predators: [0.5, 1e-11],
        rk4_drift: [0, 1e-8],
      },
    },
    '(1, 1, 1, 1; 2, 1)': orbit(unit, 6.608482671235055),
    '(1, 1, 1, 1; 0.5, 0.5)': orbit(start(1, 1, 1, 1, 0.5, 0.5), 6.693929606576026),
    '(1.1, 0.4, 0.4, 0.1; 10, 10)': orbit(start(1.1, 0.4, 0.4, 0.1, 10, 10), 14.34351365886271),
    '(1.5, 1, 3, 1; 10, 5)': orbit(start(1.5, 1, 3, 1, 10, 5), 4.297073938402094),
    'hares and lynx': orbit(start(0.55, 0.028, 0.84, 0.026, 30, 4), 10.28822164220883),
    'stiff spikes': {
      input: start(1, 1, 1, 1, 10, 1),
      value: [14.0128773274587, 1e-10],
      quantities: { prey_min: [4.542e-4, 1e-7], T0: [2 * Math.PI, 1e-11], rk4_drift: [0, 1e-7] },
    },
    'the equilibrium': {
      input: start(0.7, 0.3, 2.1, 0.9, 2.1 / 0.9, 0.7 / 0.3),
      value: [(2 * Math.PI) / Math.sqrt(1.47), 1e-14],
    },
  },
  random: {
    of: fc.record({
      alpha: fc.double({ min: 0.1, max: 10, noNaN: true }),
      gamma: fc.double({ min: 0.1, max: 10, noNaN: true }),
      x0: fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 20, noNaN: true })),
      y0: fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 20, noNaN: true })),
      harvest: fc.constantFrom(0, 0, 0.3, 5),
      carrying_capacity: fc.constantFrom(0, 0, 0.5, 3, 40),
      half_saturation: fc.constantFrom(0, 0, 0.7, 5),
      samples: fc.constant(21),
      t_end: fc.constant(10),
    }),
    count: 40,
  },
  outOfRange: [{ units: 'per year' }, { units: '' }, { alpha: Number.NaN }, { x0: -1 }],
  refused: [
    { input: { x0: 1e-300 }, field: 'x0', reason: 'TOO_SMALL', saysLimit: true },
    { input: { ...unit, t_end: 1e9 }, field: 't_end', reason: 'TOO_LONG', saysLimit: true },
  ],
  illegalParameters: [
    { kind: 3 },
    { samples: 1 },
    { samples: 2.5 },
    { isSecond: 2 },
    { tEnd: 0 },
    { rtol: 1 },
    { firstStep: -1 },
    { step: 0 },
    { maxSteps: 0 },
    { loss: Number.POSITIVE_INFINITY },
  ],
});

test.each([
  [1_000, 1e-6],
  [1e-6, 1_000],
])('at the equilibrium the small cycle is small for both species: rates of %d and %d', async (alpha, gamma) => {
  const { value, uncertainty, converged } = await runSolver(lotka, start(alpha, 1, gamma, 1, gamma, alpha));
  expect(converged).toBe(true);
  expect(Math.abs(value - (2 * Math.PI) / Math.sqrt(alpha * gamma))).toBeLessThanOrEqual(uncertainty);
});

describe('what becomes of two species', () => {
  const noteOf = async (input: Input) => (await runSolver(lotka, { samples: 21, ...input })).notes[0];

  test('is said in words', async () => {
    expect(await noteOf({})).toContain('Closed orbit');
    expect(await noteOf(start(1, 1, 1, 1, 1, 1))).toContain('The start is the equilibrium');
    expect(await noteOf({ ...satisfied, carrying_capacity: 20 })).toContain('Limit cycle');
    expect(await noteOf({ ...satisfied, carrying_capacity: 2.5 })).toContain('stable focus');
    expect(await noteOf({ ...satisfied, carrying_capacity: 1.2 })).toContain('stable node');
    expect(await noteOf({ ...satisfied, t_end: 10 })).toContain('ever wider');
    expect(await noteOf({ x0: 0 })).toContain('no prey at the start');
    expect(await noteOf({ harvest: 1 })).toContain('both die out');
  });

  test('the way of a limit cycle arrives at it from inside and from outside', async () => {
    const given: Input = { ...satisfied, carrying_capacity: 4, t_end: 600, samples: 2_001 };
    for (const x0 of [1.2, 0.01]) {
      const solution = await runSolver(lotka, { ...given, x0 });
      const late = numbersOf(solution, 'predators').slice(1_500);
      expect(Math.abs(Math.max(...late) - quantityOf(solution, 'predators_max'))).toBeLessThan(2e-3);
    }
  });

  test('the way of satisfied predators settles where both rates are 0', async () => {
    const solution = await runSolver(lotka, { ...satisfied, carrying_capacity: 2.5, t_end: 800, samples: 21 });
    // x / (1 + x) = γ / δ, y = (1 − x / K) (1 + x).
    expect(Math.abs(quantityOf(solution, 'prey_end') - 1)).toBeLessThan(1e-11);
    expect(Math.abs(quantityOf(solution, 'predators_end') - 1.2)).toBeLessThan(1e-11);
  });

  test.each([
    ['predators that starve', { ...satisfied, carrying_capacity: 0.8, x0: 0.5, y0: 2, t_end: 6 }],
    ['prey that outgrow them', { ...satisfied, gamma: 1.2, x0: 0.5, y0: 0.7, t_end: 4 }],
    ['a cycle', { ...satisfied, carrying_capacity: 5, x0: 1.4, t_end: 9 }],
  ] as const)('the way of %s is that of the equations as they stand', async (_, given) => {
    const solution = await runSolver(lotka, { ...given, samples: 21 });
    const { alpha = 1, beta = 1, gamma = 1, delta = 1, half_saturation: H = 1, x0 = 1, y0 = 1, t_end } = given;
    const { carrying_capacity: K = Number.POSITIVE_INFINITY }: Input = given;
    const slopes = (x: number, y: number) => {
      const eaten = (x * y) / (1 + x / H);
      return [alpha * x * (1 - x / K) - beta * eaten, delta * eaten - gamma * y] as const;
    };
    // Runge and Kutta's method, of order 4.
    const count = 8_000;
    const h = t_end / count;
    let [x, y] = [x0, y0];
    for (let k = 0; k < count; k++) {
      const [a1, b1] = slopes(x, y);
      const [a2, b2] = slopes(x + 0.5 * h * a1, y + 0.5 * h * b1);
      const [a3, b3] = slopes(x + 0.5 * h * a2, y + 0.5 * h * b2);
      const [a4, b4] = slopes(x + h * a3, y + h * b3);
      x += (h / 6) * (a1 + 2 * (a2 + a3) + a4);
      y += (h / 6) * (b1 + 2 * (b2 + b3) + b4);
    }
    expect(quantityOf(solution, 'prey_end')).toBeCloseTo(x, 9);
    expect(quantityOf(solution, 'predators_end')).toBeCloseTo(y, 9);
  });

  test('the means over a limit cycle are those along the way', async () => {
    const given: Input = { ...satisfied, carrying_capacity: 4, t_end: 1_000, samples: 5_001 };
    const solution = await runSolver(lotka, given);
    const t = numbersOf(solution, 't');
    const laps = Math.floor(600 / solution.value) * solution.value;
    for (const [name, mean] of [
      ['prey', quantityOf(solution, 'mean_prey')],
      ['predators', quantityOf(solution, 'mean_predators')],
    ] as const) {
      const late = [...numbersOf(solution, name)].filter((_, i) => (t[i] ?? 0) > 1_000 - laps);
      const along = late.reduce((sum, one) => sum + one, 0) / late.length;
      expect(Math.abs(along - mean), name).toBeLessThan(0.01);
    }
    expect(Math.abs(quantityOf(solution, 'mean_prey') - quantityOf(solution, 'mean_predators'))).toBeGreaterThan(0.05);
  });

  test('extremes of a limit cycle and the lag of its predators are those along the way', async () => {
    const given: Input = { ...satisfied, carrying_capacity: 4, t_end: 1_000, samples: 5_001 };
    const solution = await runSolver(lotka, given);
    // Dozens of laps, which the samples meet at other places each.
    const [t, prey, predators] = ['t', 'prey', 'predators'].map((name) => numbersOf(solution, name).slice(2_000));
    if (t === undefined || prey === undefined || predators === undefined) throw new Error('The curves are missing.');
    for (const [name, along] of [
      ['prey', prey],
      ['predators', predators],
    ] as const) {
      expect(Math.abs(Math.max(...along) - quantityOf(solution, `${name}_max`)), name).toBeLessThan(2e-4);
      expect(Math.abs(Math.min(...along) - quantityOf(solution, `${name}_min`)), name).toBeLessThan(2e-4);
    }
    const maximaOf = (curve: Float64Array) =>
      [...curve.keys()].flatMap((i) => {
        const [before = 0, here = 0, after = 0] = curve.subarray(i - 1, i + 2);
        if (i === 0 || i === curve.length - 1 || !(here > before && here >= after)) return [];
        // Of the parabola through three samples.
        return [(t[i] ?? 0) + (0.1 * (before - after)) / (before - 2 * here + after)];
      });
    const ofPredators = maximaOf(predators);
    const lags = maximaOf(prey).flatMap((time) => {
      const next = ofPredators.find((one) => one > time);
      return next === undefined ? [] : [next - time];
    });
    expect(lags.length).toBeGreaterThan(30);
    const lag = lags.reduce((sum, one) => sum + one, 0) / lags.length;
    expect(Math.abs(lag - quantityOf(solution, 'lag'))).toBeLessThan(5e-3);
  });

  test('harvest of both raises the mean of the prey and lowers that of the predators', async () => {
    const [without, withHarvest] = [await runSolver(lotka, unit), await runSolver(lotka, { ...unit, harvest: 0.3 })];
    expect(quantityOf(withHarvest, 'mean_prey')).toBeCloseTo(1.3, 10);
    expect(quantityOf(withHarvest, 'mean_predators')).toBeCloseTo(0.7, 10);
    expect(quantityOf(without, 'mean_prey')).toBeCloseTo(1, 10);
  });

  test('gamma is the deaths of the predators: without prey they fall by exp(−γ t)', async () => {
    const { quantities } = await runSolver(lotka, { x0: 0, y0: 2, gamma: 0.5, delta: 9, t_end: 2 });
    expect(quantities.find(({ name }) => name === 'predators_end')?.value).toBeCloseTo(2 * Math.exp(-1), 12);
  });

  test('an orbit of a million times the equilibrium agrees with the quadrature', async () => {
    const { value, witness, converged } = await runSolver(lotka, { ...start(1, 1, 1, 1, 1e6, 1), samples: 21 });
    expect(converged).toBe(true);
    expect(Math.abs(value / witness.reference - 1)).toBeLessThan(1e-10);
  });

  test('a swing of 1e-9 has the period of the smallest swings', async () => {
    const { value } = await runSolver(lotka, start(1, 1, 1, 1, 1 + 1e-9, 1));
    expect(Math.abs(value - 2 * Math.PI)).toBeLessThan(1e-11);
  });
});

describe('Waldvogel’s integral', () => {
  test('its substitution turns the energy into half a square', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 40, noNaN: true }), fc.constantFrom(-1, 1), (size, sign) => {
        const z = sign * size;
        const energy = excess(logOfExcess(z));
        return Math.abs(energy - 0.5 * z * z) <= 1e-13 * z * z && Math.sign(logOfExcess(z)) === Math.sign(z);
      }),
    );
  });

  test('the period does not depend on where the orbit starts', () => {
    const one = orbitOf(0.7, 1.9, logOfExcess(1.3), 0);
    const energy = 1.9 * excess(logOfExcess(1.3));
    const other = orbitOf(0.7, 1.9, 0, logOfExcess(-Math.sqrt((2 * energy) / 0.7)));
    expect(Math.abs(one.period / other.period - 1)).toBeLessThan(1e-14);
  });
});
