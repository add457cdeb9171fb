import { expect, test } from 'vitest';
import type { Solution } from '../../src/solvers/definition.ts';
import { evolve } from '../../src/solvers/evolve/solver.ts';
import { type CoverageCase, measureCoverage, readCoverageCases } from '../suites/coverage.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';
import { runSolver } from '../suites/run-solver.ts';

const solved = new Map<string, Promise<Solution>>();

/** Cases that ask one run for several numbers share it. */
function solve(input: CoverageCase['input']): Promise<Solution> {
  const key = JSON.stringify(input);
  const solution = solved.get(key) ?? runSolver(evolve, input);
  solved.set(key, solution);
  return solution;
}

describeCoverage(evolve, 'stochastic', solve);

test('the interval of an answer without chance holds the truth in 99 of 100 cases', async () => {
  const isByChance = ({ input, of }: CoverageCase) =>
    input.thermostat !== undefined || (input.box !== undefined && input.sample === undefined && of !== undefined);
  const cases = readCoverageCases('evolve').filter((one) => !isByChance(one));
  const { results, covered, answered, refused } = await measureCoverage(cases, solve);
  expect(cases.length).toBeGreaterThanOrEqual(75);
  expect(refused).toBe(0);
  const missed = results.filter(({ isCovered }) => !isCovered);
  expect(covered / answered, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.99);
});
