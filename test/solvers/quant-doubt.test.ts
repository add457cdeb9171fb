// A standard error of samples may miss the few paths that carry a price; the second way shows it.

import { expect, test } from 'vitest';
import { quant } from '../../src/solvers/quant/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

test('a price 4.2 standard errors from the second way is not converged, and says why', async () => {
  const { value, witness, uncertainty, converged, notes, quantities } = await runSolver(quant, {
    style: 'barrier',
    barrier: 'down-out',
    H: 5.810743,
    dates: 2,
    type: 'put',
    S0: 5.957,
    K: 8.733,
    r: 0.01018,
    q: 0.03701,
    sigma: 0.9919,
    T: 1.526,
    paths: 20000,
    seed: 1190,
  });
  const apart = Math.abs(value - witness.reference);
  const standardError = quantities.find(({ name }) => name === 'standard_error')?.value ?? Number.NaN;
  expect(apart).toBeGreaterThan(4 * standardError);
  // Their distance is part of ±.
  expect(uncertainty).toBeGreaterThanOrEqual(apart);
  expect(converged).toBe(false);
  expect(notes.join(' ')).toContain('standard errors from the second way');
});
