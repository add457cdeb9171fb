// The re-entrant corner of an L: the error there falls as h^0.54 behind a term of opposite sign, so three meshes may agree
// far from the limit.

import { expect, test } from 'vitest';
import { fea } from '../../src/solvers/fea/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

/** Nine-node elements, graded to the corner with exponents 4 and 6, by scipy: u_y of the corner, known to 1e-5. */
const cases = [
  { state: 'stress', element: 'full', truth: -9.217e-3 },
  { state: 'strain', element: 'incompatible', truth: -8.3415e-3 },
] as const;

test.each(cases)('± holds the displacement of the corner in plane $state', async ({ state, element, truth }) => {
  const { value, uncertainty, converged } = await runSolver(fea, {
    outline: '0 0; 2 0; 2 1; 1 1; 1 2; 0 2',
    E: 1e6,
    nu: 0.3,
    state,
    element,
    supports: 'top fixed',
    loads: 'right tx=200 ty=-1000',
    size: 0.1,
    probe_x: 1,
    probe_y: 1,
    component: 'uy',
  });
  expect(converged).toBe(true);
  expect(Math.abs(value - truth)).toBeLessThanOrEqual(uncertainty);
  expect(uncertainty).toBeLessThan(0.1 * Math.abs(truth));
});
