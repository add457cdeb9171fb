import { expect, test } from 'vitest';
import { zeta } from '../../src/solvers/zeta/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';

/** As in assembly/kernel.ts. */
const INFO_CAPACITY = 4;
const TABLE = 'N(T) by Arb, and zeros to 20 digits';

describeSolver(zeta, {
  cases: {
    defaults: {},
    'a list with a curve': { task: 'list', t_min: 100, t_max: 200, points: 100 },
    'a zero of a high number': { task: 'zero_k', k: 1_000_000 },
    'the closest pair below 10⁴': { task: 'list', t_min: 7_000, t_max: 7_010, points: 60 },
    'halved intervals': { task: 'verify', t_min: 2_000, t_max: 3_000, rosser: false },
  },
  conservation: true,
  golden: ['defaults', 'a list with a curve', 'a zero of a high number', 'the closest pair below 10⁴'],
  known: {
    'up to 1000': { input: {}, value: [649, 0.5], reference: [649, 0.5] },
    'up to 10⁴': { input: { t_max: 10_000 }, value: [10_142, 0.5], reference: [10_142, 0.5] },
    'up to 20000': { input: { t_max: 20_000 }, value: [22_491, 0.5], reference: [22_491, 0.5] },
  },
  refused: [
    {
      input: { t_min: 50, t_max: 50 },
      code: 'VALIDATION_FAILED',
      field: 't_max',
      reason: 'OUT_OF_RANGE',
      saysLimit: false,
    },
    { input: { t_max: 1e6 }, code: 'VALIDATION_FAILED', field: 't_max', reason: 'OUT_OF_RANGE', saysLimit: true },
  ],
});

test.each([
  [50, 10],
  [100, 29],
  [200, 79],
  [500, 269],
  [1234.5, 842],
  [2500, 1985],
  [5000, 4520],
  [7006, 6710],
  [8765.25, 8707],
])(`N(%d) = %d, ${TABLE}`, async (t_max, count) => {
  const { value, converged, uncertainty } = await runSolver(zeta, { t_max });
  expect({ value, converged, uncertainty }).toEqual({ value: count, converged: true, uncertainty: 0 });
});

test.each([
  [1, 14.134725141734693],
  [649, 999.7915715574129],
  [1000, 1419.4224809459956],
  [10_142, 9998.850397089675],
  [100_000, 74920.82749899419],
  [1_000_000, 600269.677012445],
])('zero %d is at %d', async (k, place) => {
  const { quantities, converged } = await runSolver(zeta, { task: 'zero_k', k });
  const { value = 0, uncertainty = 0 } = quantities.find(({ name }) => name === 'zero') ?? {};
  expect(converged).toBe(true);
  expect(Math.abs(value - place)).toBeLessThanOrEqual(uncertainty);
  // Twice what it is: the slope at the zero is that beside it, not one of a hundredth.
  expect(uncertainty).toBeLessThan(1e-12 + 8e-16 * place);
});

test('fewer corrections widen the interval of a zero, which still holds it', async () => {
  const zeroOf = async (rs_terms: number) => {
    const { quantities } = await runSolver(zeta, { task: 'zero_k', k: 10_142, rs_terms });
    return quantities.find(({ name }) => name === 'zero') ?? { value: Number.NaN, uncertainty: Number.NaN };
  };
  let wider = 0;
  for (const terms of [4, 3, 2, 1, 0]) {
    const { value, uncertainty = Number.NaN } = await zeroOf(terms);
    expect(Math.abs(value - 9998.850397089675)).toBeLessThanOrEqual(uncertainty);
    expect(uncertainty).toBeGreaterThanOrEqual(wider);
    wider = uncertainty;
  }
  expect(wider).toBeGreaterThan(1e-5);
});

test('without proof and with few samples, the second count disagrees, is told and covered', async () => {
  const { value, converged, uncertainty, notes } = await runSolver(zeta, {
    t_max: 10_000,
    rosser: false,
    turing: false,
  });
  expect(value).toBeLessThan(10_142);
  expect(converged).toBe(false);
  expect(uncertainty).toBe(10_142 - value);
  expect(notes.join(' ')).toMatch(/does not confirm/);
});

test('an end of the window on a zero is told', async () => {
  const { converged, uncertainty, notes } = await runSolver(zeta, { t_max: 21.022039638771556 });
  expect({ converged, uncertainty }).toEqual({ converged: false, uncertainty: 1 });
  expect(notes.join(' ')).toMatch(/off by one/);
});

test.each([
  [0, 14.1347, 0],
  [0, 14.1348, 1],
  [7005.0628, 7005.0629, 1],
])('between %d and %d, beside a zero, the second way follows the argument', async (t_min, t_max, zeros) => {
  const { value, uncertainty, converged } = await runSolver(zeta, { t_min, t_max });
  expect([value, uncertainty, converged]).toEqual([zeros, 0, true]);
});

test('a run without room for its zeros ends and says so', async () => {
  const [run] = zeta.plan(zeta.inputs.parse({ task: 'list', t_max: 100 })).runs;
  if (!run) throw new Error('The plan has no run.');
  const instance = await coldInstance('zeta');
  const { info } = runInGroups(instance, { ...run, parameters: { ...run.parameters, capacity: 3 } }, 1);
  expect(info).toBe(INFO_CAPACITY);
  expect(runInGroups(instance, run, 1).info).toBe(0);
});
