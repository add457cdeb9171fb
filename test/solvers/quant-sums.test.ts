import { expect, test } from 'vitest';
import type { z } from 'zod';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { rowsOf } from '../../src/kernels/rows.ts';
import { blackPrice } from '../../src/solvers/quant/black.ts';
import { Sums } from '../../src/solvers/quant/estimates.ts';
import { inputs } from '../../src/solvers/quant/inputs.ts';
import { centresOf, planOf } from '../../src/solvers/quant/plan.ts';
import { problemOf } from '../../src/solvers/quant/problem.ts';
import { runPlan } from '../../src/solvers/run.ts';

async function sumsOf(given: z.input<typeof inputs>) {
  const input = inputs.parse({ greeks: 'none', ...given });
  const { outputs } = await runPlan(planOf(input), await loadKernel('quant'), new LocalRunner());
  const [output] = outputs;
  if (output === undefined) throw new Error('The plan has no run.');
  const problem = problemOf(input);
  const rows = rowsOf(output.views.records ?? new Float64Array(), output.columns.record ?? {});
  return { problem, sums: new Sums(rows, false, problem.control !== 'none') };
}

// 20,011 paths leave a block in part.
test('a digital pays its discount for each path that the kernel counts as paid', async () => {
  const { problem, sums } = await sumsOf({ style: 'digital', variance: 'none', K: 110, paths: 20_011 });
  const centre = centresOf(problem)[1] ?? Number.NaN;
  const count = sums.total('count');
  const paid = sums.total('paid');
  expect(count).toBe(20_011);
  expect(paid).toBeGreaterThan(0);
  expect(Math.abs((sums.total('price') + count * centre) / problem.terms.discount / paid - 1)).toBeLessThan(1e-12);
  const squares = paid * (problem.terms.discount - centre) ** 2 + (count - paid) * centre ** 2;
  expect(Math.abs(sums.total('price2') / squares - 1)).toBeLessThan(1e-12);
});

test('a control of pairs of paths is the mean of both, so that it takes nearly all of the variance of an asian', async () => {
  const { sums } = await sumsOf({ style: 'asian', dates: 12, paths: 20_000 });
  expect(sums.estimate('price').gain).toBeGreaterThan(100);
});

// Closed forms of Black and Scholes: S = 100, r = 5 %, σ = 20 %, T = 1.
test('importance sampling and the score for gamma are within five standard errors of the closed forms', async () => {
  const far = await sumsOf({ K: 140, variance: 'importance', paths: 20_000 });
  const price = far.sums.estimate('price', centresOf(far.problem)[1]);
  expect(Math.abs(price.value - blackPrice(far.problem.terms))).toBeLessThan(5 * price.error);
  expect(price.error).toBeLessThan(0.02 * price.value);
  const near = await sumsOf({ variance: 'antithetic', greeks: 'likelihood', paths: 400_000 });
  const gamma = near.sums.estimate('gamma');
  expect(Math.abs(gamma.value - 0.01876201734584689)).toBeLessThan(5 * gamma.error);
  expect(gamma.error).toBeLessThan(0.02 * gamma.value);
});
