import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modulation, nsFromSeconds, pulseFraction, tickOf } from '../../src/core/clock.ts';
import { clockSeries } from '../../src/solvers/shift/problem.ts';
import { sineOfTurns } from '../../src/solvers/shift/reference.ts';
import { shift } from '../../src/solvers/shift/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf } from '../suites/solution-parts.ts';

const T = 1_790_000_000;
const computed = { operator_id: 'CM9', value: 9, unit: 'J', uncertainty: 4e-15, converged: true };

describeSolver(shift, {
  cases: {
    defaults: {},
    'sixty-four steps': { t: T, steps: 64 },
    'one step': { t: 1_790_000_000.5, steps: 1 },
    'a law': { t: 1_790_000_000.25, domain: 'CM9', inputs: { m: 2, v: 3 }, computed },
    'a law of value 0': {
      t: T,
      domain: 'CM9',
      inputs: { m: 2, v: 0 },
      computed: { ...computed, value: 0, uncertainty: 0 },
    },
  },
  conservation: true,
  golden: ['defaults', 'sixty-four steps', 'a law'],
  random: {
    of: fc.record({
      t: fc.double({ min: 0, max: 2e11, noNaN: true }),
      steps: fc.integer({ min: 1, max: 64 }),
    }),
    count: 60,
  },
  outOfRange: [
    { steps: 65 },
    { steps: 0 },
    { steps: 2.5 },
    { t: -1 },
    { t: 'yesterday' },
    { inputs: [1] },
    { domain: 7 },
  ],
  illegalParameters: [{ phase: Number.NaN }, { turn: Number.POSITIVE_INFINITY }, { steps: 0 }, { steps: 1.5 }],
});

test('steps are 0.777 s apart, to the nanosecond', () => {
  const series = clockSeries(T, 64);
  for (const [k, { svcond, phase, R_t, delta }] of series.entries()) {
    const ns = nsFromSeconds(T) + BigInt(k) * 777_000_000n;
    expect(svcond).toBe(tickOf(ns));
    expect(phase).toBe(Number(ns % 777_000_777n) / 777_000_777);
    expect(R_t).toBe(modulation(pulseFraction(ns)));
    expect(delta).toBe(k === 0 ? 0 : R_t - (series[k - 1]?.R_t ?? Number.NaN));
  }
});

test('R(t) is that of the power series of the sine', () => {
  for (const { R_t, frac } of clockSeries(1_790_000_000.123, 64))
    expect(Math.abs(R_t - (1 + 0.001 * sineOfTurns(frac)))).toBeLessThanOrEqual(2.3e-16);
});

test('the published clock: ticks and R(t) at the epoch and in 2026', () => {
  expect(clockSeries(0, 1)[0]).toMatchObject({ svcond: 0, phase: 0, R_t: 1, delta: 0 });
  expect(clockSeries(0.777000777, 1)[0]).toMatchObject({ svcond: 1, phase: 0, R_t: 0.9999999999999937 });
  expect(clockSeries(T, 1)[0]).toMatchObject({ svcond: 2_303_730_000, phase: 0.0023037300000023036, R_t: 1 });
});

test('S multiplies every step and moves no number of the clock', async () => {
  const [plain, law] = [await runSolver(shift, { t: T }), await runSolver(shift, { t: T, computed })];
  for (const name of ['R_t', 'delta', 't', 'phase', 'svcond'])
    expect(numbersOf(law, name)).toEqual(numbersOf(plain, name));
  expect([...numbersOf(law, 'S_R_t')]).toEqual([...numbersOf(plain, 'R_t')].map((one) => 9 * one));
  expect(law.value).toBe(9);
});

test('a law that did not converge leaves the series unconverged', async () => {
  const { converged } = await runSolver(shift, { t: T, computed: { ...computed, converged: false } });
  expect(converged).toBe(false);
});
