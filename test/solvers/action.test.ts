import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { inputs } from '../../src/solvers/action/inputs.ts';
import { leapfrogOscillator } from '../../src/solvers/action/reference.ts';
import { action } from '../../src/solvers/action/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { thrownDomainError } from '../suites/domain-error.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const TURN = 2 * Math.PI;
const orbits = (order: 2 | 4 | 6 | 8, perOrbit: number, count = 100): Input => ({
  eccentricity: 0.5,
  order,
  dt: TURN / perOrbit,
  steps: count * perOrbit,
  compare: false,
});
const HENON: Input = {
  potential: '(q1^2 + q2^2)/2 + q1^2*q2 - q2^3/3',
  start: [0, -0.15, 0.4, 0],
  order: 6,
  dt: 0.05,
  steps: 2_000,
};
const energyError = (solution: Parameters<typeof quantityOf>[0]) => quantityOf(solution, 'max_energy_error');

describeSolver(action, {
  cases: {
    defaults: { steps: 2_000 },
    'order 8': { order: 8, eccentricity: 0.9, dt: 0.005, steps: 3_000, compare: false },
    oscillator: { system: 'oscillator', steps: 1_000, omega: 2 },
    pendulum: { system: 'pendulum', q0: 3, steps: 1_500 },
    'a pendulum that turns over': { system: 'pendulum', p0: 3, steps: 1_500, order: 6 },
    'an open orbit': { q0: 1, p0: 2, steps: 500 },
    henon: HENON,
    relativistic: { kinetic: 'sqrt(1 + p^2)', potential: 'q^2/2', q0: 2, steps: 1_000 },
    'three degrees': {
      potential: 'exp(q1 - q2) + exp(q2 - q3) + exp(q3 - q1) - 3',
      start: [0.4, 0, -0.4, 0, 0.3, -0.3],
      dt: 0.02,
      steps: 500,
    },
  },
  conservation: true,
  golden: ['defaults', 'order 8', 'oscillator', 'pendulum', 'henon', 'relativistic'],
  convergence: ([2, 4, 6, 8] as const).map((order) => ({
    name: `energy on Kepler's orbit, order ${order}`,
    order,
    levels: 3,
    at: (level: number) => orbits(order, (order === 8 ? 40 : 100) * 2 ** level, 3),
    error: energyError,
    tolerance: 0.35,
  })),
  known: {
    'an orbit at 10': {
      input: { eccentricity: 0.5, order: 8, steps: 1_000, compare: false },
      quantities: {
        q1: [-1.4261702515988, 1e-13],
        q2: [-0.32658306568172, 1e-13],
        p1: [0.25774689053871, 1e-13],
        p2: [-0.54821619875039, 1e-13],
        angular_momentum: [Math.sqrt(0.75), 1e-15],
        energy_at_start: [-0.5, 1e-15],
      },
    },
    'a rounder orbit at 10': {
      input: { eccentricity: 0.2, order: 8, steps: 1_000, compare: false },
      quantities: { q1: [-1.0858680544, 1e-10], q2: [-0.45456383334561, 1e-13] },
    },
    'an orbit at 20': {
      input: { eccentricity: 0.6, order: 8, steps: 2_000, compare: false },
      quantities: { q1: [-0.77007557841124, 1e-12], q2: [0.78834481699442, 1e-12] },
    },
    'an eccentric orbit at 5': {
      input: { eccentricity: 0.9, order: 8, dt: 0.001, steps: 5_000, compare: false },
      quantities: { q1: [-1.3807812608502, 1e-12], q2: [-0.38220594193563, 1e-12] },
    },
    ...Object.fromEntries(
      (
        [
          [0.5, 6.3827896976777],
          [1, 6.6999756643705],
          [Math.PI / 2, 7.4162987092055],
          [2, 8.3497529269185],
          [2.5, 10.323162865869],
          [3, 16.155539372393],
        ] as const
      ).map(([q0, period]) => [
        `the period of a pendulum from ${q0}`,
        { input: { system: 'pendulum', q0, steps: 100 } as Input, quantities: { period: [period, 1e-12] as const } },
      ]),
    ),
    ...Object.fromEntries(
      (
        [
          [1, -0.99894981462385],
          [2, 0.71314818060138],
          [3, -2.6506745635982],
        ] as const
      ).map(([q0, q]) => [
        `a pendulum from ${q0} at 10`,
        { input: { system: 'pendulum', q0, order: 8, steps: 1_000 } as Input, quantities: { q1: [q, 1e-12] as const } },
      ]),
    ),
  },
  random: {
    of: fc.record({
      system: fc.constantFrom('kepler', 'oscillator', 'pendulum'),
      order: fc.constantFrom(2, 4, 6, 8),
      eccentricity: fc.double({ min: 0, max: 0.7, noNaN: true }),
      mu: fc.double({ min: 0.5, max: 2, noNaN: true }),
      steps: fc.integer({ min: 10, max: 500 }),
      dt: fc.constant(0.02),
      compare: fc.boolean(),
    }),
    count: 40,
  },
  refused: [
    { input: { order: 3 }, field: 'order' },
    { input: { q0: 0 }, field: 'q0', reason: 'COLLISION' },
    { input: { start: [0, 0, 1, 1] }, field: 'start', reason: 'COLLISION' },
    { input: { start: [1, 0, 1] }, field: 'start', message: '3 numbers' },
    { input: { start: [1, 0], q0: 1, system: 'pendulum' }, field: 'start', message: 'one of them' },
    { input: { start: [1, 0] }, field: 'start', message: 'kepler' },
    { input: { potential: 'q1*q2' }, field: 'start', reason: 'MISSING' },
    { input: { potential: 'q*p' }, field: 'potential', reason: 'SYMBOL_UNKNOWN', message: 'T(p) + V(q)' },
    { input: { potential: 'x^2' }, field: 'potential', reason: 'SYMBOL_UNKNOWN', message: 'reads x' },
    { input: { kinetic: 'q^2' }, field: 'kinetic', reason: 'SYMBOL_UNKNOWN' },
    { input: { potential: 'floor(q)' }, field: 'potential', reason: 'NO_DERIVATIVE', message: 'floor' },
    { input: { potential: 'q < 0 ? 0 : q' }, field: 'potential', reason: 'NO_DERIVATIVE' },
    { input: { potential: 'q +' }, code: 'EXPRESSION_INVALID', field: 'potential' },
  ],
  outOfRange: [{ order: 10 }, { system: 'helium' }, { start: [1] }],
  uncheckedParameters: [],
  illegalParameters: [
    { task: 4 },
    { system: 5 },
    { degrees: 1 },
    { order: 5 },
    { steps: 0 },
    { dt: 0 },
    { samples: 1 },
  ],
});

describe('the required table: e = 0.5, 100 orbits', () => {
  // Steps an orbit, largest |dE/E|, and distance from the exact place at the end.
  test.each([
    [2, 100, 1.084e-2, 0],
    [2, 200, 2.689e-3, 0],
    [2, 400, 6.71e-4, 0.94],
    [2, 800, 1.677e-4, 0.272],
    [4, 100, 3.13e-4, 0],
    [4, 200, 2.02e-5, 0],
    [4, 400, 1.269e-6, 2.08e-3],
    [4, 800, 7.95e-8, 1.3e-4],
    [6, 100, 1.52e-6, 0],
    [6, 200, 2.39e-8, 0],
    [6, 400, 3.74e-10, 6e-7],
    [6, 800, 5.9e-12, 9.2e-9],
    [8, 100, 5.2e-11, 8.4e-8],
    [8, 200, 2.3e-13, 0],
  ] as const)('order %d, %d steps', async (order, perOrbit, energy, place) => {
    const solution = await runSolver(action, orbits(order, perOrbit));
    // To the digits of the table; at the floor of rounding, below it.
    const ratio = energyError(solution) / energy;
    expect(ratio).toBeGreaterThan(energy < 1e-12 ? 0.5 : 0.985);
    expect(ratio).toBeLessThan(1.015);
    if (place > 0) expect(Math.abs(quantityOf(solution, 'position_error') / place - 1)).toBeLessThan(0.04);
    expect(quantityOf(solution, 'max_momentum_error')).toBeLessThan(1e-13);
    expect(quantityOf(solution, 'reversal_error')).toBeLessThan(1e-10);
  });
});

describe('properties of the map', () => {
  test('the frequency of the leapfrog on an oscillator is (2/h) asin(h/2)', async () => {
    const h = 0.1;
    const solution = await runSolver(action, { system: 'oscillator', order: 2, dt: h, steps: 50_000, compare: false });
    const frequency = (2 / h) * Math.asin(h / 2);
    expect(frequency).toBeCloseTo(1.0004171361154, 12);
    const t = numbersOf(solution, 't').at(-1) ?? 0;
    const q = numbersOf(solution, 'q1').at(-1) ?? 0;
    expect(Math.abs(q - Math.cos(frequency * t))).toBeLessThan(1e-11);
    expect(Math.abs(energyError(solution) / ((h * h) / 4) - 1)).toBeLessThan(1e-5);
  });

  test('the leapfrog on an oscillator keeps (p² + (1 − h²/4) q²) / 2 but for rounding', async () => {
    const solution = await runSolver(action, { system: 'oscillator', order: 2, dt: 0.1, steps: 5_000 });
    const [q, p] = [numbersOf(solution, 'q1'), numbersOf(solution, 'p1')];
    const shadow = [...q].map((x, i) => 0.5 * ((p[i] ?? 0) ** 2 + (1 - 0.1 ** 2 / 4) * x * x));
    expect(Math.max(...shadow.map((one) => Math.abs(one - (shadow[0] ?? 0))))).toBeLessThan(1e-15);
  });

  test('energy has no trend over 10,000 orbits', async () => {
    const solution = await runSolver(action, {
      eccentricity: 0.2,
      order: 6,
      dt: TURN / 50,
      steps: 500_000,
      compare: false,
    });
    expect(Math.abs(quantityOf(solution, 'energy_trend'))).toBeLessThan(0.01 * energyError(solution));
  });

  test('the map of a pendulum keeps areas: its Jacobian has the determinant 1', async () => {
    const d = 1e-4;
    for (const order of [2, 4, 6, 8] as const) {
      const at = async (q0: number, p0: number) => {
        const solution = await runSolver(action, {
          system: 'pendulum',
          q0,
          p0,
          order,
          dt: 0.1,
          steps: 50,
          compare: false,
        });
        return [numbersOf(solution, 'q1').at(-1) ?? 0, numbersOf(solution, 'p1').at(-1) ?? 0] as const;
      };
      const [a, b, c, e] = await Promise.all([at(1 + d, 0.5), at(1 - d, 0.5), at(1, 0.5 + d), at(1, 0.5 - d)]);
      const [qq, pq, qp, pp] = [a[0] - b[0], a[1] - b[1], c[0] - e[0], c[1] - e[1]].map((one) => one / (2 * d));
      const determinant = (qq ?? 0) * (pp ?? 0) - (qp ?? 0) * (pq ?? 0);
      expect(Math.abs(determinant - 1), `order ${order}`).toBeLessThan(1e-6);
    }
  });

  test('an expression of the same Hamiltonian gives the same map', async () => {
    const own = await runSolver(action, { potential: 'mu - mu*cos(q)', kinetic: 'p^2/2', steps: 500, q0: 2 });
    const built = await runSolver(action, { system: 'pendulum', steps: 500, q0: 2 });
    expect(Math.abs(quantityOf(own, 'q1') - quantityOf(built, 'q1'))).toBeLessThan(1e-13);
    expect(Math.abs(own.value - built.value - 1)).toBeLessThan(1e-14);
  });

  test('the table: symplectic orders beat Runge–Kutta over a long time at equal work', async () => {
    const solution = await runSolver(action, { eccentricity: 0.5, dt: TURN / 100, steps: 20_000 });
    const [evaluations, errors] = ['table_evaluations', 'table_energy_error'].map((name) => [
      ...(solution.fields.find((one) => one.name === name)?.data ?? []),
    ]);
    expect(errors).toHaveLength(20);
    const rows = (evaluations ?? []).map((work, i) => ({ work, error: errors?.[i] ?? 0 }));
    const [fourth, runge] = [rows.slice(4, 8), rows.slice(16, 20)];
    // Three evaluations a step beside four, half the steps: less work, less error.
    expect(fourth[3]?.work).toBeLessThan(runge[3]?.work ?? 0);
    expect(fourth[3]?.error).toBeLessThan(0.2 * (runge[3]?.error ?? 0));
  });

  test('an oscillator follows leapfrog in plain TypeScript to the last digits', async () => {
    const solution = await runSolver(action, { system: 'oscillator', order: 2, omega: 1.3, dt: 0.05, steps: 500 });
    const [q, p] = leapfrogOscillator([1, 0], 1.3, 0.05, 500);
    expect(quantityOf(solution, 'q1')).toBeCloseTo(q, 11);
    expect(quantityOf(solution, 'p1')).toBeCloseTo(p, 11);
  });

  test('steps that diverge are refused with the step', async () => {
    const failure = runSolver(action, { potential: 'q^4', q0: 3, dt: 2, steps: 1_000 });
    await expect(failure).rejects.toThrow('dt = 2');
    await failure.catch((error: unknown) =>
      expect(
        thrownDomainError(() => {
          throw error;
        }).code,
      ).toBe('UNSTABLE_SCHEME'),
    );
  });

  test('a chaotic orbit is compared only as long as it can be predicted', async () => {
    const solution = await runSolver(action, { ...HENON, start: [0, -0.15, 0.5, 0], steps: 100_000, compare: false });
    expect(quantityOf(solution, 'reference_time')).toBeLessThan(4_500);
    expect(quantityOf(solution, 'crossings')).toBeGreaterThan(500);
  });
});
