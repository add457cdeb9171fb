import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { rowsOf } from '../../src/kernels/rows.ts';
import { Sums } from '../../src/solvers/quant/estimates.ts';
import { inputs } from '../../src/solvers/quant/inputs.ts';
import { centresOf, planOf } from '../../src/solvers/quant/plan.ts';
import { problemOf } from '../../src/solvers/quant/problem.ts';
import { runPlan } from '../../src/solvers/run.ts';

// 20,011 paths leave a block in part.
test('a digital pays its discount for each path that the kernel counts as paid', async () => {
  const input = inputs.parse({ style: 'digital', variance: 'none', greeks: 'none', K: 110, paths: 20_011 });
  const { outputs } = await runPlan(planOf(input), await loadKernel('quant'), new LocalRunner());
  const [output] = outputs;
  if (output === undefined) throw new Error('The plan has no run.');
  const sums = new Sums(rowsOf(output.views.records ?? new Float64Array(), output.columns.record), false, false);
  const problem = problemOf(input);
  const count = sums.total('count');
  const paid = sums.total('paid');
  const price = sums.total('price') + count * (centresOf(problem)[1] ?? Number.NaN);
  expect(count).toBe(20_011);
  expect(paid).toBeGreaterThan(0);
  expect(Math.abs(price / problem.terms.discount / paid - 1)).toBeLessThan(1e-12);
  // The squares less the centre, of two values only.
  const centre = centresOf(problem)[1] ?? Number.NaN;
  const squares = paid * (problem.terms.discount - centre) ** 2 + (count - paid) * centre ** 2;
  expect(Math.abs(sums.total('price2') / squares - 1)).toBeLessThan(1e-12);
});
