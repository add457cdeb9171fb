import { describe, expect, test } from 'vitest';
import { solve } from '../../src/solvers/solve/solver.ts';
import { measureCoverage, readCoverageCases } from '../suites/coverage.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';
import { runSolver } from '../suites/run-solver.ts';

describeCoverage(solve, 'deterministic');

describe('judges as loose as the tolerance allows', () => {
  const cases = readCoverageCases('solve').filter(({ isSlow = false }) => !isSlow);

  test.each([1e-3, 1e-5, 1e-6, 1e-7])('the interval holds the truth at a tolerance of %d', async (tolerance) => {
    const { results, refused } = await measureCoverage(
      cases.map((one) => ({ ...one, input: { ...one.input, tolerance } })),
      (input) => runSolver(solve, input),
    );
    expect(results.filter(({ isCovered, isRefused }) => !isCovered && !isRefused)).toEqual([]);
    expect(refused).toBe(0);
  });
});
