import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { statusCap } from '../../src/solvers/protect/guard.ts';
import { inputs } from '../../src/solvers/protect/inputs.ts';
import { planOf } from '../../src/solvers/protect/plan.ts';
import { guardSeries } from '../../src/solvers/protect/reference.ts';
import { protect } from '../../src/solvers/protect/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';
import { quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const T = 1_790_000_000;

describeSolver(protect, {
  cases: {
    defaults: {},
    healthy: { t: T, phase: 1, health: 'up', liveness: 1, status: 200 },
    'at a decimal time': { t: 1_790_000_000.123, health: 'up', liveness: 0.9 },
    degraded: { t: T, phase: 1, liveness: 0.74 },
    boundary: { t: T, phase: 3, liveness: 0.5 },
    breach: { t: T, phase: 6.28, health: 'up', liveness: 0.49, status: 200 },
    down: { t: T, phase: 5, health: 'down', liveness: 0, status: 0 },
    'a negative phase': { t: T, phase: -1.5, status: 503 },
    'many turns': { t: T, phase: 123_456_789.5, liveness: 0.3 },
  },
  conservation: true,
  golden: ['healthy', 'at a decimal time', 'degraded', 'breach', 'many turns'],
  known: {
    // The published numbers of the guard.
    'l = 1': { input: { t: T, phase: 1, health: 'up', liveness: 1, status: 200 }, value: [0.5403023058681398, 2e-16] },
    'l = 0.74': {
      input: { t: T, phase: 1, health: 'up', liveness: 0.74, status: 200 },
      value: [0.7694477095751806, 2e-16],
    },
    'slow health': { input: { t: T, phase: 1, health: 'slow', liveness: 1, status: 200 }, value: [1, 1e-300] },
    'status 429': { input: { t: T, phase: 1, health: 'up', liveness: 1, status: 429 }, value: [1, 1e-300] },
    'status 503': {
      input: { t: T, phase: 1, health: 'up', liveness: 1, status: 503 },
      value: [1.5430806348152437, 3e-16],
    },
    'all down': {
      input: { t: T, phase: 1, health: 'down', liveness: 0, status: 0 },
      value: [1.5430806348152437, 3e-16],
    },
    'l = 0.49': {
      input: { t: T, phase: 6.28, health: 'up', liveness: 0.49, status: 200 },
      value: [1.4209983856718729, 3e-16],
    },
  },
  random: {
    of: fc.record({
      t: fc.double({ min: 0, max: 2e11, noNaN: true }),
      phase: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      liveness: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    count: 80,
  },
  outOfRange: [{ t: -1 }, { liveness: 1.2 }, { phase: 'NaN' }, { health: 'green' }, { status: 1e9 }, { status: 200.5 }],
  illegalParameters: [
    { byRungeKutta: 2 },
    { mu: Number.POSITIVE_INFINITY },
    { end: -1 },
    { samples: 1 },
    { stepsPerSample: 0 },
  ],
});

/** Inputs and states of the published vectors; their numbers are literals above. */
const STATES: readonly (readonly [Input, number, string, string])[] = [
  [{ health: 'up', liveness: 1, status: 200, phase: 1 }, 1, 'OK', 'harmonic'],
  [{ health: 'up', liveness: 0.74, status: 200, phase: 1 }, 0.74, 'DEGRADED', 'harmonic'],
  [{ health: 'slow', liveness: 1, status: 200, phase: 1 }, 0.5, 'DEGRADED', 'harmonic'],
  [{ health: 'up', liveness: 1, status: 429, phase: 1 }, 0.5, 'DEGRADED', 'harmonic'],
  [{ health: 'up', liveness: 1, status: 503, phase: 1 }, 0, 'BREACH', 'hyperbolic'],
  [{ health: 'down', liveness: 0, status: 0, phase: 1 }, 0, 'BREACH', 'hyperbolic'],
  [{ health: 'up', liveness: 0.49, status: 200, phase: 6.28 }, 0.49, 'BREACH', 'hyperbolic'],
];

describe('the state', () => {
  test.each(STATES)('%j has liveness %d: %s, %s', async (input, l, guardState, branch) => {
    const solution = await runSolver(protect, { t: T, ...input });
    expect(quantityOf(solution, 'l')).toBe(l);
    expect(solution.findings).toMatchObject({ guardState, branch });
  });

  test('each status has its cap', () => {
    const caps = [
      ...[200, 204, 299, 304].map((status) => [status, 1]),
      ...[100, 199, 300, 301, 303, 305, 404, 429, 499].map((status) => [status, 0.5]),
      ...[-1, 0, 99, 500, 503, 599, 600, 999].map((status) => [status, 0]),
    ] as const;
    for (const [status = 0, cap] of caps) expect([status, statusCap(status)]).toEqual([status, cap]);
  });

  test('no input that gets worse improves it', async () => {
    const rank = { OK: 2, DEGRADED: 1, BREACH: 0 };
    const state = async (input: Input) => {
      const { findings } = await runSolver(protect, { t: T, phase: 1, ...input });
      return rank[findings?.guardState ?? 'OK'];
    };
    const healths = ['up', 'slow', 'down'] as const;
    const statuses = [200, 404, 503];
    for (const [i, health] of healths.entries())
      for (const [j, status] of statuses.entries())
        for (const liveness of [0, 0.49, 0.5, 0.74, 0.75, 1]) {
          const here = await state({ health, status, liveness });
          const worse = [
            await state({ health: healths[Math.min(i + 1, 2)] ?? 'down', status, liveness }),
            await state({ health, status: statuses[Math.min(j + 1, 2)] ?? 503, liveness }),
            await state({ health, status, liveness: liveness / 2 }),
          ];
          for (const one of worse) expect(one).toBeLessThanOrEqual(here);
        }
  });

  test('the reasons name the input that holds the liveness down', async () => {
    const reasons = async (input: Input) => (await runSolver(protect, { t: T, ...input })).findings?.reasons;
    expect(await reasons({ health: 'slow', status: 503, liveness: 0.9 })).toEqual([
      'status 503 holds the liveness at 0',
    ]);
    expect(await reasons({ health: 'down', status: 500 })).toEqual([
      'health down holds the liveness at 0',
      'status 500 holds the liveness at 0',
    ]);
    expect(await reasons({ health: 'up' })).toEqual(['no input lowers the liveness']);
    expect((await reasons({}))?.[0]).toContain('neither health, liveness nor status');
  });
});

describe('the phase', () => {
  const theta = async (phase: number) => quantityOf(await runSolver(protect, { t: T, phase }), 'theta');

  test('counts modulo 2π, below zero too', async () => {
    expect(await theta(-1)).toBeCloseTo(2 * Math.PI - 1, 14);
    expect(await theta(1 + 2 * Math.PI)).toBeCloseTo(1, 14);
    // mpmath, 40 digits: 10⁹ modulo 2π.
    expect(await theta(1e9)).toBeCloseTo(0.57739542350138517, 13);
  });

  test('a whole number of turns as a double is 0', async () => {
    for (const turns of [1, 2, 7, 1_000, -3]) expect(await theta(2 * Math.PI * turns)).toBe(0);
  });

  test('is that of the pulse where it is absent', async () => {
    // 1.287 · 0.25 of a turn, at a second that is a whole number of pulses.
    const solution = await runSolver(protect, { t: 1_790_000_000.25 });
    expect(quantityOf(solution, 'theta')).toBeCloseTo(2 * Math.PI * 0.32175, 14);
    expect(quantityOf(solution, 'R_t')).toBeCloseTo(1 + 0.001 * Math.sin(2 * Math.PI * 0.32175), 15);
  });
});

test('S is the power series of the guard equation', async () => {
  for (const [l, phase] of [
    [1, 6],
    [0.9, 3],
    [0.500001, 6.2],
    [0.4, 2],
    [0, 6.28],
  ] as const) {
    const { value, uncertainty } = await runSolver(protect, { t: T, phase, liveness: l });
    expect(Math.abs(value - guardSeries(2 * l - 1, phase))).toBeLessThan(
      uncertainty + 1e-13 * Math.max(1, Math.abs(value)),
    );
  }
});

test('the cross-check has order 4', async () => {
  const runs = planOf(inputs.parse({ t: T, phase: 6, liveness: 0.2 })).runs;
  const [closed, check] = runs;
  if (closed === undefined || check === undefined) throw new Error('The plan has no run.');
  const instance = await coldInstance('protect');
  const lastOf = (run: typeof check) => runInGroups(instance, run, Number.POSITIVE_INFINITY).views.history?.at(-2) ?? 0;
  const exact = lastOf(closed);
  const errors = [1, 2, 4].map((stepsPerSample) => {
    const { samples = 2 } = check.parameters;
    const run = {
      ...check,
      parameters: { ...check.parameters, stepsPerSample },
      steps: stepsPerSample * (samples - 1),
    };
    return Math.abs(lastOf(run) - exact);
  });
  const [a = 0, b = 0, c = 0] = errors;
  for (const slope of [Math.log2(a / b), Math.log2(b / c)]) expect(Math.abs(slope - 4)).toBeLessThan(0.1);
});

test('P is S times R(t) at the time of the input', async () => {
  const solution = await runSolver(protect, { t: 1_790_000_000.5, phase: 1 });
  const [S, P, R] = ['S', 'P', 'R_t'].map((name) => quantityOf(solution, name));
  expect(P).toBe((S ?? 0) * (R ?? 0));
  expect(solution.value).toBe(S);
});
