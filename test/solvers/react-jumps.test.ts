// Jumps that expressions state: their grids may misplace them alike, so that changes from grid to grid say nothing.

import { expect, test } from 'vitest';
import { react } from '../../src/solvers/react/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

/** The mean of u of a rate that is 1 below an edge, from 1/2: exact for any diffusivity between sides without flow. */
const cases = [
  {
    name: 'of the initial state, sampled alike on all grids',
    input: { N: 30, length: 15.3359, Du: 0, t_end: 2.2662, reaction_u: '-0.2*u', initial_u: 'x<11.9757' },
    truth: (11.9757 / 15.3359) * Math.exp(-0.2 * 2.2662),
  },
  {
    name: 'of a rate in space, of three grids with the same share of cells',
    input: { N: 85, length: 1.0547, Du: 0.01, t_end: 0.7934, reaction_u: 'x<0.419157', initial_u: '0.5' },
    truth: 0.5 + (0.7934 * 0.419157) / 1.0547,
  },
  {
    name: 'of a rate in space, with an order by chance',
    input: { N: 23, length: 15.941, Du: 0.01, t_end: 2.264, reaction_u: 'x<5.0709', initial_u: '0.5' },
    truth: 0.5 + (2.264 * 5.0709) / 15.941,
  },
  {
    name: 'of a rate in time',
    input: { N: 81, length: 4.9909, Du: 0, t_end: 2.805, reaction_u: 't<2.00396', initial_u: '0.5' },
    truth: 0.5 + 2.00396,
  },
];

test.each(cases)('± holds a jump $name', async ({ input, truth }) => {
  const { value, uncertainty } = await runSolver(react, { dim: 1, boundary: 'no-flux', ...input });
  expect(Math.abs(value - truth)).toBeLessThanOrEqual(uncertainty);
  // It is no wider than a cell or a step explains.
  expect(uncertainty).toBeLessThan(0.1);
});

test('a jump of the initial state in the middle converges', async () => {
  const { value, converged } = await runSolver(react, {
    dim: 1,
    N: 64,
    length: 10,
    boundary: 'no-flux',
    reaction_u: '-0.2*u',
    initial_u: 'x<5',
    t_end: 1,
  });
  expect(converged).toBe(true);
  expect(value).toBeCloseTo(0.5 * Math.exp(-0.2), 3);
});
