// Closed forms among the quantities have a ± that holds their 40 digits, and none that is wide.

import { expect, test } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { runSolver } from '../suites/run-solver.ts';
import CASES from './closed-quantities.json' with { type: 'json' };

interface Case {
  readonly solver: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly truth: Readonly<Record<string, number>>;
}

/** Widest ± over the value, where it is not rounding alone. */
const WIDEST: Readonly<Record<string, number>> = {
  sigma_free_ends: 0.006,
  frequency_on_grid: 1e-7,
  quality_factor: 1e-7,
};

const bySolver = groupBy(CASES as unknown as readonly Case[], ({ solver }) => solver);

test.each([...bySolver])('%s: closed forms lie within ±', async (id, cases) => {
  const solver = findSolver(id);
  if (solver === undefined) throw new Error(`There is no solver ${id}.`);
  for (const { inputs, truth } of cases) {
    const { quantities = [] } = await runSolver(solver, inputs);
    for (const [name, expected] of Object.entries(truth)) {
      const found = quantities.find((one) => one.name === name);
      const text = JSON.stringify({ inputs, name, expected, found });
      const uncertainty = found?.uncertainty ?? Number.NaN;
      expect(Math.abs((found?.value ?? Number.NaN) - expected), text).toBeLessThanOrEqual(uncertainty);
      expect(uncertainty, text).toBeLessThanOrEqual((WIDEST[name] ?? 1e-12) * Math.abs(expected));
    }
  }
});

test('the mean squared error over the expected one of a right filter lies about 1 within ± in 24 of 24 runs', async () => {
  const solver = findSolver('kalman');
  if (solver === undefined) throw new Error('There is no solver kalman.');
  let inside = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const { quantities = [] } = await runSolver(solver, { preset: 'walk', seed });
    const { value = Number.NaN, uncertainty = Number.NaN } =
      quantities.find(({ name }) => name === 'nees_over_freedom') ?? {};
    expect(uncertainty).toBeLessThan(value);
    if (Math.abs(value - 1) <= uncertainty) inside++;
  }
  expect(inside).toBe(24);
});
