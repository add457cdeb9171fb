import { expect, test } from 'vitest';
import { quant } from '../../src/solvers/quant/solver.ts';
import { type CoverageCase, measureCoverage, readCoverageCases } from '../suites/coverage.ts';
import { describeCoverage } from '../suites/describe-coverage.ts';
import { runSolver } from '../suites/run-solver.ts';

describeCoverage(quant, 'stochastic');

test('the interval of an answer without chance holds the truth in 99 of 100 cases', async () => {
  const isCertain = ({ input, of = '' }: CoverageCase) =>
    /closed_form$|^implied/.test(of) ||
    input.style === 'american' ||
    input.model === 'heston' ||
    input.T === 0 ||
    input.sigma === 0;
  const cases = readCoverageCases('quant').filter(isCertain);
  const { results, covered, answered, refused } = await measureCoverage(cases, (input) => runSolver(quant, input));
  expect(cases.length).toBeGreaterThanOrEqual(40);
  expect(refused).toBe(0);
  expect(covered / answered, JSON.stringify(results.filter((one) => !one.isCovered))).toBeGreaterThanOrEqual(0.99);
});
